"""Mechanisms broken on purpose: `privacy_loss` sees by how much they exceed their promise."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from dpviz import (
    TOP_K,
    TOP_ONE,
    Canonical,
    DistanceToInstability,
    OneShot,
    Scores,
    SparseVector,
    privacy_loss,
)
from dpviz.base.arrays import Floats, Ints
from dpviz.base.progress import Progress
from dpviz.base.registry import Registry
from dpviz.margin.top_one import TopOneLaw, TopOneMechanism
from dpviz.privacy.loss_computation import loss_between_laws
from dpviz.topk.sampled_law import clopper_pearson
from tests.meters import FALSE_ALARM
from tests.privacy.oracle import corners


@contextmanager
def listed(menu: Registry[Any], kind: type) -> Iterator[None]:
    """On the menu for as long as it is looked at."""
    menu.register("broken", label="Broken")(kind)
    try:
        yield
    finally:
        del menu._entries["broken"]


def test_sparse_vector_with_the_monotonic_cost_under_general_neighbours() -> None:
    """Scores move both ways against the promise: it costs ε0 + 2kε1 = 1.716."""
    values = np.array([9.0] * 12 + [-40.0] * 4)
    moved = values + np.array([1.0] * 12 + [-1.0] * 4)
    twin = SparseVector(epsilon=1.0, k=4, threshold=0.0, monotonic=True)
    lies = Scores(values, monotonic=True), Scores(moved, monotonic=True)
    found = loss_between_laws(*map(twin.distribution, lies), twin.privacy_ceiling(*lies))
    assert 1.69 < found.largest <= 1.7162
    honest = privacy_loss(twin.replace(monotonic=False), Scores(values), Scores(moved))
    assert 0.8 < honest.largest <= 1 + 1e-9


@dataclass(frozen=True, kw_only=True)
class HalfTheNoise(OneShot):
    """Twice the scale that the proof allows."""

    def _levels(self, x: Floats) -> Floats:
        return 2 * super()._levels(x)


@pytest.mark.parametrize(("k", "method"), [(1, "exact"), (2, "at least")])
def test_one_shot_with_half_the_noise(k: int, method: str) -> None:
    """2ε, by enumeration and by the lower bound alike: k items fall, all others rise."""
    step = np.array([-1.0] * k + [1.0] * 400)
    pair = Scores(np.zeros(k + 400)), Scores(step)
    found = {kind: privacy_loss(kind(epsilon=1.0, k=k), *pair) for kind in (OneShot, HalfTheNoise)}
    assert {loss.method for loss in found.values()} == {method}
    assert 0.98 < found[OneShot].largest <= 1 + 1e-8
    assert 1.9 < found[HalfTheNoise].largest <= 2 + 1e-8


@dataclass(frozen=True, kw_only=True)
class TwiceTheBudget(Canonical):
    """ε where ε/2 belongs."""

    def _score(self, x: Floats, h: Ints, t: Ints) -> Floats:
        return -self.epsilon * self.class_loss(x, h, t)


def test_canonical_with_twice_the_budget_by_its_class_tables() -> None:
    with listed(TOP_K, TwiceTheBudget):
        m, s = TwiceTheBudget(epsilon=1.0, k=2), Scores([4, 4, 3, 3, 1], monotonic=True)
        losses = [privacy_loss(m, s, other).largest for other in corners(s)]
    assert 1.2 < max(losses) <= 2 + 1e-8


def geometric_tail(scale: float, n: int) -> float:
    """P(noise ≥ n) of the two-sided geometric noise with P(n) ∝ e^(−|n|/scale)."""
    q = math.exp(-1 / scale)
    return q**n / (1 + q) if n > 0 else 1 - q ** (1 - n) / (1 + q)


@dataclass(frozen=True, kw_only=True)
class StableCount(TopOneMechanism):
    """Publish the item if its whole number plus geometric noise reaches a threshold.

    A person alone at an item is found out if 1 + noise ≥ threshold. `honest` counts the mass at the
    threshold itself; without it δ is that of "above the threshold" (OpenDP's mistake).
    """

    honest: bool = True

    def threshold(self) -> int:
        """The smallest T with P(1 + noise ≥ T) ≤ δ, or, the mistake, P(1 + noise > T) ≤ δ."""
        first = 1
        while geometric_tail(1 / self.epsilon, first - (1 if self.honest else 0)) > self.delta:
            first += 1
        return first

    def _law(self, scores: Scores, zeros: int, progress: Progress) -> TopOneLaw:
        count = int(scores.values[0])
        chance = geometric_tail(1 / self.epsilon, self.threshold() - count) if count > 0 else 0.0
        inclusion = np.zeros(scores.d)
        inclusion[0] = chance
        found = {"inclusion": inclusion, "fail": 1 - chance, "error": 1e-16, "zeros": zeros}
        return TopOneLaw(scores=scores, **found)

    def _sample(self, scores: Scores, zeros: int, size: int, rng: np.random.Generator) -> Ints:
        stop = 1 - math.exp(-self.epsilon)
        noise = rng.geometric(stop, size) - rng.geometric(stop, size)  # two-sided
        passes = (scores.values[0] > 0) & (scores.values[0] + noise >= self.threshold())
        return np.where(passes, 0, -1)


def test_a_delta_that_leaves_out_the_mass_at_the_threshold() -> None:
    with listed(TOP_ONE, StableCount):
        s, alone = Scores([0, 0], monotonic=True), Scores([1, 0], monotonic=True)
        losses = {
            honest: privacy_loss(StableCount(epsilon=1.0, delta=1e-3, honest=honest), alone, s)
            for honest in (True, False)
        }
        few = StableCount(epsilon=1.0, delta=0.1)
        seen = int((few.sample(alone, 20_000, rng=1) == 0).sum())
        low, high = clopper_pearson(np.array(seen), 20_000, 1 - FALSE_ALARM)
        assert low <= few.distribution(alone).inclusion[0] <= high
    told = {honest: loss.delta(loss.ceiling.epsilon) for honest, loss in losses.items()}
    assert told[True] <= 1e-3
    assert told[False] > 1e-3
    assert losses[False].ceiling.delta == 1e-3
    assert told[False] == pytest.approx(math.e * told[True], rel=1e-9)  # one step of the noise


@dataclass(frozen=True, kw_only=True)
class NoDistance(DistanceToInstability):
    """Forgets that a person moves the gap: the D that is added to the threshold."""

    def _clearance(self, scores: Scores, zeros: int) -> float:
        return super()._clearance(scores, zeros) + self.epsilon


def test_instability_without_its_distance() -> None:
    """At gap = D the other world has nearly a tie and another best: δ is e^ε times too large."""
    with listed(TOP_ONE, NoDistance):
        pair = Scores([3.0, 1.0 + 1e-9, 0.0]), Scores([2.0, 2.0 + 1e-9, 0.0])
        told = {
            kind: privacy_loss(kind(epsilon=1.0, delta=0.01), *pair).delta(1.0)
            for kind in (DistanceToInstability, NoDistance)
        }
    assert told[DistanceToInstability] == pytest.approx(0.01, rel=1e-6)
    assert told[NoDistance] == pytest.approx(0.01 * math.e, rel=1e-6)

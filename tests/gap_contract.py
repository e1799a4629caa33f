"""Properties that every release of items with gaps must have; `LEVELS`, in Δ, cut the gaps."""

import itertools
import math
from functools import cache
from typing import ClassVar

import numpy as np
import pytest

from dpviz import GAPS, NoisyTopKWithGap, ParameterError, Scores
from tests import meters
from tests.menus import ContractOfExamples

DRAWS = 1500
LEVELS = (0.0, 1.0, 4.0, math.inf)
INPUTS = {
    "spread": Scores([5.0, 3.0, 9.0, 2.0], sensitivity=2.0),
    "ties": Scores([4.0, 6.0, 6.0, 4.0], monotonic=True),
    "apart": Scores([500.0, 0.0, 502.0], monotonic=True),
}
ENUMERATED = ([6.0, 0.0, 0.0], [3.0, 2.0, 0.0])  # where all neighbours at a corner are looked at

Outputs = dict[tuple[int, ...], float]


@cache
def law_of(contract: type["GapContract"], m: NoisyTopKWithGap, s: Scores) -> Outputs:
    """P of every output, by differences of the definition."""
    found = {}
    for items in itertools.permutations(range(s.d), m.k):
        # P(items, every gap above a level); 0 where one is infinite
        above = np.zeros((len(LEVELS),) * m.k)
        for at in itertools.product(range(len(LEVELS) - 1), repeat=m.k):
            above[at] = contract().definition(m, s, items, [LEVELS[i] * s.sensitivity for i in at])
        for axis in range(m.k):
            above = -np.diff(above, axis=axis)
        found.update({(*items, *at): float(p) for at, p in np.ndenumerate(above)})
    assert math.fsum(found.values()) == pytest.approx(1.0, abs=1e-9), (m, s)
    return found


def draws(m: NoisyTopKWithGap, s: Scores, seed: int) -> list[tuple[int, ...]]:
    """The outputs of many releases."""
    rng, found = np.random.default_rng(seed), []
    for _ in range(DRAWS):
        release = m.release(s, rng=rng)
        stretch = np.searchsorted(LEVELS, release.gaps / s.sensitivity, side="right") - 1
        found.append((*release.items.tolist(), *stretch.tolist()))
    return found


class GapContract(ContractOfExamples):
    """Subclass, list `examples` of k = 1 and 2, and write their `definition`."""

    menu = GAPS
    examples: ClassVar[list[NoisyTopKWithGap]]

    def definition(
        self, m: NoisyTopKWithGap, s: Scores, items: tuple[int, ...], gaps: list[float]
    ) -> float:
        """P(these items in this order, each gap above the one given, in units of scores)."""
        self.missing(
            "a definition(m, s, items, gaps): P(the items in this order, each gap above the one"
            " given)"
        )

    def law(self, m: NoisyTopKWithGap, s: Scores) -> Outputs:
        """The law by the definition."""
        return law_of(type(self), m, s)

    def cases(self) -> list[tuple[NoisyTopKWithGap, Scores]]:
        """Every example on every input, and once with a much smaller ε."""
        faint = [(m.replace(epsilon=m.epsilon / 8), INPUTS["spread"]) for m in self.examples]
        return faint + [(m, s) for m in self.examples for s in INPUTS.values()]

    def test_releases_follow_the_definition(self) -> None:
        cases = self.cases()
        for number, (m, s) in enumerate(cases):
            off = meters.disagreement(draws(m, s, number), self.law(m, s), len(cases))
            assert not off, (m, s, off)

    def test_realised_loss_never_exceeds_epsilon(self) -> None:
        for m, values, monotonic in itertools.product(self.examples, ENUMERATED, (False, True)):
            s = Scores(values, monotonic=monotonic)
            for other in meters.corner_neighbours(s):
                loss = meters.largest_loss(self.law(m, s), self.law(m, other))
                assert loss <= m.epsilon * (1 + 1e-7), (m, s, other, loss)

    def test_releases_show_no_loss_above_epsilon(self) -> None:
        for m, monotonic in itertools.product(self.examples, (False, True)):
            private, down = m.replace(epsilon=0.25), 0.0 if monotonic else -1.0
            turned = [0.0] * m.k + [1.0] * m.k, [1.0] * m.k + [down] * m.k
            nearer = [1.5] * m.k + [0.0] * m.k, [down] * m.k + [1.0] * m.k
            for values, step in (turned, nearer):
                s = Scores(values, monotonic=monotonic)
                worlds = draws(private, s, 1), draws(private, meters.moved(s, step), 2)
                assert meters.loss_seen(*worlds) <= 0.25, (private, s)

    def test_release(self) -> None:
        s = Scores([5.0, 3.0, 9.0, 1.0, 7.0], sensitivity=2.0)
        for k in (1, 2, 4):
            for m in (each.replace(k=k) for each in self.examples if each.noise == "laplace"):
                r = m.release(s, rng=np.random.default_rng(k))
                assert r.items.shape == r.gaps.shape == (k,)
                assert len(set(r.items.tolist())) == k
                assert (r.gaps >= 0).all()
                assert m.release(s, rng=np.random.default_rng(k)).gaps.tolist() == r.gaps.tolist()
                assert GAPS[m.name] is type(m)

    def test_bad_input(self) -> None:
        m, rng = self.examples[0].replace(k=1), np.random.default_rng(0)
        for name, values in {"epsilon": (0, math.nan), "k": (0, 1.5, "3", True)}.items():
            for value in values:
                with pytest.raises(ParameterError, match=name):
                    m.replace(**{name: value})
        for says, call in {
            "k must be at most 1": lambda: m.replace(k=2).release(Scores([1, 2]), rng=rng),
            "rng": lambda: m.release(Scores([1, 2]), rng=None),  # type: ignore[arg-type]
            "scores": lambda: m.release([1, 2], rng=rng),  # type: ignore[arg-type]
        }.items():
            with pytest.raises(ParameterError, match=says):
                call()

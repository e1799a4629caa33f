"""The generalised exponential mechanism: its law by fractions, neighbours enumerated, a twin."""

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import pytest

from dpviz import Scores, privacy_loss
from dpviz.margin import GeneralisedExponential
from tests.top_one_contract import ZEROS, Outcomes, TopOneContract, told

ITEMS = Scores([30.0, 27.0, 21.0, 0.0], sensitivity=[8.0, 1.0, 0.25, 3.0])


def chances(m: GeneralisedExponential, values: list[float], own: list[float]) -> list[float]:
    """The law by its definition, every pair of items in turn, in fractions but for e^x."""
    t = Fraction(2 * math.log(len(values) / m.beta) / m.epsilon)
    f, delta = ([Fraction(each) for each in numbers] for numbers in (values, own))
    a = [score - t * one for score, one in zip(f, delta, strict=True)]
    pairs = range(len(f))
    s = [min((a[i] - a[j]) / (delta[i] + delta[j]) for j in pairs) for i in pairs]
    weights = [math.exp(m.epsilon / 2 * float(each)) for each in s]
    return [weight / math.fsum(weights) for weight in weights]


class TestGeneralisedExponential(TopOneContract):
    examples = [GeneralisedExponential(epsilon=1.0), GeneralisedExponential(epsilon=2.0, beta=0.5)]

    def definition(  # type: ignore[override]
        self, m: GeneralisedExponential, s: Scores, zeros: int
    ) -> Outcomes:
        own = [*s.item_sensitivities.tolist(), *[s.sensitivity] * zeros]
        found = chances(m, [*s.values.tolist(), *[0.0] * zeros], own)
        return {**dict(enumerate(found[: s.d])), ZEROS: math.fsum(found[s.d :])}


def test_each_item_may_have_its_own_sensitivity() -> None:
    for m, zeros in itertools.product(TestGeneralisedExponential.examples, (0, 3)):
        defined = TestGeneralisedExponential().definition(m, ITEMS, zeros)
        law = told(m.distribution(ITEMS, zeros=zeros))
        for outcome, p in defined.items():
            assert law[outcome] == pytest.approx(p, abs=1e-12)
    rng = np.random.default_rng(3)
    many = Scores(rng.normal(0, 30, 60), sensitivity=rng.lognormal(0, 2, 60))
    law = GeneralisedExponential(epsilon=1.5).distribution(many)
    own = many.item_sensitivities.tolist()
    expected = chances(GeneralisedExponential(epsilon=1.5), many.values.tolist(), own)
    np.testing.assert_allclose(law.inclusion, expected, rtol=0, atol=law.error)


@dataclass(frozen=True, kw_only=True)
class HalvedForCounts(GeneralisedExponential):
    """A broken twin: halves every Δ_i of monotonic scores, as the exponential mechanism may."""

    def _normalised(self, scores: Scores, zeros: int) -> tuple[np.ndarray, float]:
        if scores.monotonic:
            half = scores.item_sensitivities / 2
            scores = replace(scores, sensitivity=half, sensitivities=None)
        return super()._normalised(scores, zeros)


def corners(s: Scores) -> Iterator[Scores]:
    """Every neighbour in which each item stays or moves by all of its own sensitivity."""
    for step in itertools.product((0.0, 1.0) if s.monotonic else (-1.0, 0.0, 1.0), repeat=s.d):
        yield replace(s, values=s.values + np.array(step) * s.item_sensitivities)


def spent(m: GeneralisedExponential, monotonic: bool) -> float:
    """The largest loss between corner neighbours, as a part of ε."""
    lives = [[5.1, -20.6, 2.2], [1.2, 0.1, 1.7], [0.0, 0.0, 0.0]]
    owns = [[0.88, 5.68, 0.14], [0.39, 0.14, 26.96], [3.0, 1.0, 10.0]]
    worlds = (
        Scores(values, sensitivity=own, monotonic=monotonic)
        for values, own in itertools.product(lives, owns)
    )
    return (
        max(privacy_loss(m, s, other).largest for s in worlds for other in corners(s)) / m.epsilon
    )


def test_it_keeps_to_epsilon_and_a_twin_that_halves_does_not() -> None:
    assert (
        max(spent(GeneralisedExponential(epsilon=1.0, beta=0.1), way) for way in (True, False))
        <= 1 + 1e-9
    )
    assert spent(HalvedForCounts(epsilon=1.0, beta=0.1), True) > 1.2

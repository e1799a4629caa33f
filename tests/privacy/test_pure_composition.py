"""Pure releases together, against whole fractions and 40-digit sums."""

import itertools
import math
from collections.abc import Mapping
from fractions import Fraction

import mpmath
import pytest

from dpviz import ParameterError
from dpviz.base.arrays import Floats
from dpviz.privacy import privacy_conversions
from dpviz.privacy.privacy_conversions import pure_composition_delta, pure_composition_epsilon
from tests.privacy.oracle import cells_rounded_down

PLANS: list[dict[Fraction, int]] = [  # how many of each e^ε
    {Fraction(3, 2): 1},
    {Fraction(11, 10): 9},
    {Fraction(3): 5},
    {Fraction(3, 2): 3, Fraction(6, 5): 4},
    {Fraction(5): 1, Fraction(101, 100): 6},
    {Fraction(2): 2, Fraction(7, 5): 2, Fraction(13, 10): 1, Fraction(21, 20): 2},
]


def told(plan: Mapping[Fraction, int]) -> dict[float, int]:
    """The same with ε rounded up, so that it is no smaller than the fraction's."""
    return {math.nextafter(math.log(factor), math.inf): times for factor, times in plan.items()}


def exact(plan: Mapping[Fraction, int], factor: Fraction) -> Fraction:
    """δ at ε' = log of a factor: all outcomes of randomised responses, in fractions."""
    total = Fraction(0)
    laws = [[(f / (1 + f), 1 / (1 + f))] * times for f, times in plan.items()]
    for seen in itertools.product(*([law, law[::-1]] for law in itertools.chain(*laws))):
        p, q = (math.prod(side) for side in zip(*seen, strict=True))
        total += max(p - factor * q, Fraction(0))
    return total


def check_never_below(plan: Mapping[Fraction, int], apart: float = 1e-3) -> None:
    """δ at the ε' told is at most δ, and more than δ a little below it."""
    for delta in (1e-9, 1e-6, 1e-3, 0.05):
        found = pure_composition_epsilon(delta, told(plan))
        at = Fraction(math.exp(found)) * (1 - Fraction(1, 10**15))  # whatever exp rounds
        assert exact(plan, at) <= Fraction(delta) * (1 + Fraction(1, 10**6))
        if found:
            assert exact(plan, Fraction(math.exp(found * (1 - apart)))) > delta


@pytest.mark.parametrize("plan", PLANS, ids=str)
def test_it_is_the_whole_truth_rounded_up(plan: dict[Fraction, int]) -> None:
    check_never_below(plan)
    for factor in (Fraction(1), Fraction(11, 10), Fraction(2)):
        truth, found = (
            float(exact(plan, factor)),
            pure_composition_delta(math.log(factor), told(plan)),
        )
        assert truth * (1 - 1e-12) <= found <= truth * 1.001 + 1e-12


def many(at: float, epsilon: float, releases: int) -> mpmath.mpf:
    """δ with 40 digits."""
    with mpmath.workdps(40):
        e = mpmath.mpf(epsilon)
        right, total = 1 / (1 + mpmath.exp(-e)), mpmath.mpf(0)
        term = right**releases
        for wrong in range(releases + 1):
            loss = (releases - 2 * wrong) * e
            if loss <= at:
                break
            total += term * (1 - mpmath.exp(at - loss))
            term *= mpmath.mpf(releases - wrong) / (wrong + 1) * (1 - right) / right
        return total


@pytest.mark.parametrize(
    ("epsilon", "releases"),
    [(1e-6, 1), (1e-6, 3000), (0.001, 2000), (1.0, 1000), (50.0, 1), (50.0, 2000)],
)
def test_many_and_extreme_ones_in_forty_digits(epsilon: float, releases: int) -> None:
    for delta in (1e-100, 1e-12, 1e-6, 0.01):
        found = pure_composition_epsilon(delta, {epsilon: releases})
        assert 0 <= found <= epsilon * releases
        assert many(found, epsilon, releases) <= delta
        assert not found or many(found * (1 - 1e-6), epsilon, releases) > delta * (1 - 1e-6)


def test_no_releases_and_extreme_ones() -> None:
    assert pure_composition_epsilon(1e-6, {}) == 0.0
    assert pure_composition_epsilon(1e-6, {0.0: 5}) == 0.0
    assert pure_composition_delta(0.1, {0.0: 5}) == 0.0
    assert pure_composition_epsilon(1e-300, {1.0: 5}) == 5.0
    assert pure_composition_epsilon(1e-6, {50.0: 1, 60.0: 1}) == pytest.approx(110)
    assert pure_composition_epsilon(0.9, {0.1: 3}) == 0.0
    for bad in ({-1.0: 1}, {math.nan: 1}, {1.0: 0}):
        with pytest.raises(ParameterError):
            pure_composition_epsilon(1e-6, bad)


def test_twins_that_err_low_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def without_its_tail(epsilon: float, times: int, cut: float) -> tuple[Floats, Floats]:
        loss, mass = whole(epsilon, times, cut)
        return loss[1:], mass[1:]

    whole, kept = privacy_conversions._alike, privacy_conversions._composed_epsilon
    for name, twin, plan in (
        ("discretise_loss_mass", cells_rounded_down, PLANS[3]),
        ("_alike", without_its_tail, PLANS[2]),
    ):
        with monkeypatch.context() as broken:
            broken.setattr(privacy_conversions, name, twin)
            broken.setattr(privacy_conversions, "_composed_epsilon", kept.__wrapped__)
            with pytest.raises(AssertionError):
                check_never_below(plan)

"""Pure releases together, against whole fractions, 40-digit sums and dp-accounting."""

import itertools
import math
from collections.abc import Mapping
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from dpviz import ParameterError
from dpviz.base.arrays import Floats
from dpviz.privacy import pure_composition
from dpviz.privacy.privacy_conversions import pure_to_zcdp, zcdp_epsilon
from dpviz.privacy.pure_composition import pure_composition_delta, pure_composition_epsilon
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


@pytest.mark.parametrize(
    ("releases", "epsilon", "printed"),
    [(30, 0.2, 5.009755), (52, 0.1, 3.241274), (365, 0.05, 4.613448)],
)
def test_reference_values(releases: int, epsilon: float, printed: float) -> None:
    found = pure_composition_epsilon(1e-6, {epsilon: releases})
    assert found == pytest.approx(printed, abs=5e-7)


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


@pytest.mark.parametrize("epsilon", [1e-6, 0.001, 50.0])
def test_a_hundred_thousand(epsilon: float) -> None:
    """In order of δ, and below what ρ gives, which is proved on its own."""
    found = [pure_composition_epsilon(delta, {epsilon: 100_000}) for delta in (1e-12, 1e-6, 1e-3)]
    assert found == sorted(found, reverse=True)
    by_rho = zcdp_epsilon(100_000 * pure_to_zcdp(epsilon), 1e-6)
    unlike = pure_composition_epsilon(1e-6, {epsilon: 99_999, epsilon * (1 + 1e-9): 1})
    assert found[1] <= min(by_rho, unlike) * (1 + 1e-12)


def test_against_dp_accounting() -> None:
    """Its figures are from above too, on a grid of 1e-4."""
    from dp_accounting.pld import common, privacy_loss_distribution

    def law(epsilon: float) -> privacy_loss_distribution.PrivacyLossDistribution:
        price = common.DifferentialPrivacyParameters(epsilon)
        return privacy_loss_distribution.from_privacy_parameters(price)

    for plan in ({0.2: 30}, {0.1: 12, 1.0: 1}, {0.05: 365, 0.3: 12, 0.7: 1}):
        together = law(0.0)
        for epsilon, times in plan.items():
            together = together.compose(law(epsilon).self_compose(times))
        theirs = together.get_epsilon_for_delta(1e-6)
        assert theirs * 0.99 < pure_composition_epsilon(1e-6, plan) <= theirs * (1 + 1e-4)


def test_unlike_ones_lie_between_alike_ones_and_near_them() -> None:
    every = {float(epsilon): 1 for epsilon in np.linspace(0.04, 0.06, 365)}
    low, mixed, high = (
        pure_composition_epsilon(1e-6, plan) for plan in ({0.04: 365}, every, {0.06: 365})
    )
    assert low < mixed < high
    root = math.sqrt(sum(epsilon**2 for epsilon in every) / 365)
    assert mixed == pytest.approx(pure_composition_epsilon(1e-6, {root: 365}), rel=2e-3)


def test_edges() -> None:
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

    whole = pure_composition._alike
    for name, twin, plan in (
        ("discretise_loss", cells_rounded_down, PLANS[3]),
        ("_alike", without_its_tail, PLANS[2]),
    ):
        with monkeypatch.context() as broken:
            broken.setattr(pure_composition, name, twin)
            with pytest.raises(AssertionError):
                check_never_below(plan)

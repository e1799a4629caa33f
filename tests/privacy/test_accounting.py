"""Own losses together and PLDs, against exact convolutions of real pairs and laplace noise."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpviz import (
    Canonical,
    OneShot,
    ParameterError,
    Peeling,
    PrivacyLoss,
    Scores,
    privacy_loss,
)
from dpviz.privacy import accounting
from dpviz.privacy.accounting import ConvolvedLosses
from dpviz.privacy.privacy_conversions import pure_composition_epsilon
from tests.privacy.oracle import (
    cells_rounded_down,
    check_plan,
    delta_of_law,
    laplace_loss,
    loss_of,
    without,
)

PAIR = Scores([5, 3, 3, 1, 0], monotonic=True), Scores([6, 3, 4, 1, 0], monotonic=True)
LOSS = privacy_loss(Canonical(epsilon=1.5, k=2), *PAIR)
AT = (0.0, 0.05, 0.2, 0.5, 1.0, 3.0)
COUNTS = OneShot(epsilon=1.2, k=2, noise="laplace")


def rounded_down(shift: float, times: int, cells: int = 400) -> tuple[np.ndarray, np.ndarray]:
    """The loss of several such counts."""
    step = shift / cells
    mass = laplace_loss(shift, cells)[1]
    together = np.ones(1)
    for _ in range(times):
        together = np.convolve(together, mass)
    return (np.arange(len(together)) - times * cells) * step, together


def check_never_below(shift: float, times: int) -> None:
    values, mass = rounded_down(shift, times)
    for delta in (1e-7, 1e-4, 0.01):
        at = ConvolvedLosses({shift: times}, {}).epsilon(delta)
        assert delta_of_law(at, values, mass) <= delta
        assert at == 0 or delta_of_law(0.97 * at - 0.01 * shift, values, mass) > delta
        assert at <= pure_composition_epsilon(delta, {shift: times}) * (1 + 1e-4)


@pytest.mark.parametrize(("shift", "times"), [(0.4, 1), (0.4, 6), (1.5, 4), (0.05, 40)])
def test_noisy_scores_by_the_law_of_their_loss(shift: float, times: int) -> None:
    check_never_below(shift, times)


@pytest.mark.parametrize("shift", [1e-4, 0.1, 5.0])
def test_one_noisy_score_tells_as_much_as_its_two_centres_are_apart(shift: float) -> None:
    apart = -math.expm1(-shift / 2)
    assert apart <= ConvolvedLosses({shift: 1}, {}).total_variation <= apart * (1 + 1e-7)


def test_an_account_that_errs_low_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    smaller = ConvolvedLosses.epsilon
    monkeypatch.setattr(ConvolvedLosses, "epsilon", lambda own, delta: 0.96 * smaller(own, delta))
    with pytest.raises(AssertionError):
        check_never_below(0.4, 6)


@pytest.mark.parametrize("monotonic", [True, False])
def test_no_total_is_below_the_loss_of_real_neighbours(monotonic: bool) -> None:
    s = Scores([4.0, 3.0, 3.0, 1.0], monotonic=monotonic, contributions=2)
    moved = [0, 1, 1, 0] if monotonic else [-1, 1, 1, -1]
    other = replace(s, values=s.values + moved)
    people = {"contributions": 2, "monotonic": monotonic}
    flips = Canonical(epsilon=0.7, k=1, noise="exponential")
    noisy, pure = (privacy_loss(m, s, other) for m in (COUNTS, flips))
    assert "own loss" in check_plan([noisy] * 4, [(COUNTS, 4)], **people)
    both = [(COUNTS, 3), (flips, 2)]
    assert "own loss" in check_plan([noisy] * 3 + [pure] * 2, both, **people)


def test_one_score_that_moves_all_the_way_is_the_tight_case() -> None:
    """Far from all others an item is in or out by its own noise alone."""
    s = Scores([4.0, 3.0], contributions=1, monotonic=True)
    m = OneShot(epsilon=1.2, k=1, noise="laplace")
    losses = [privacy_loss(m, s, replace(s, values=s.values + np.array([0, 1])))] * 6
    people = {"contributions": 1, "monotonic": True}
    check_plan(losses, [(m, 6)], **people)
    assert m.laplace_score_shifts(1, monotonic=True) == (1, 1.2)
    assert m.laplace_score_shifts(1, monotonic=False) == (2, 0.6)
    assert m.laplace_score_shifts(None, monotonic=False) is None
    assert OneShot(epsilon=1.2, k=1).laplace_score_shifts(1, monotonic=True) is None
    check_never_below(1.2, 6)
    with pytest.raises(AssertionError):
        check_plan(losses, [(m.replace(epsilon=0.5), 6)], **people)


def check_there_and_back(loss: PrivacyLoss, step: float) -> None:
    """Never below, and off by no more than a step of the loss can make."""
    back = PrivacyLoss.from_pld(loss.to_pld(interval=step))
    for way, again in ((loss, back), (loss.reversed, back.reversed)):
        for at in AT:
            told, before = way.delta(at), way.delta(max(0.0, at - step))
            assert told * (1 - 1e-12) - 1e-12 <= again.delta(at) <= before + 2e-8
            assert again.delta(at) <= told + step
    assert back.advantage == pytest.approx(loss.advantage, abs=step)
    assert loss.largest <= back.largest + 1e-9 <= loss.largest + 2 * step + 1e-9


@pytest.mark.parametrize(
    "m", [Canonical(epsilon=1.5, k=2), Peeling(epsilon=1.0, k=2, noise="laplace"), COUNTS], ids=str
)
def test_a_loss_goes_to_dp_accounting_and_back(m: Any) -> None:
    for step in (1e-4, 0.03):
        check_there_and_back(privacy_loss(m, *PAIR), step)


def test_what_comes_out_in_one_world_only_and_what_is_pruned() -> None:
    p, q = np.array([0.9, 0.1, 0.0]), np.array([0.7, 0.0, 0.3])
    back = PrivacyLoss.from_pld(loss_of(p, q).to_pld())
    assert back.ceiling.delta == pytest.approx(0.3)
    assert (back.delta(20.0), back.reversed.delta(20.0)) == pytest.approx((0.1, 0.3))
    for left_out in (0, -1):
        pruned = replace(LOSS, here=without(LOSS.here, left_out))
        again = PrivacyLoss.from_pld(pruned.to_pld())
        for at in AT:
            assert again.delta(at) >= LOSS.delta(at) - 1e-12


def test_a_conversion_that_errs_low_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accounting, "discretise_loss_mass", cells_rounded_down)
    with pytest.raises(AssertionError):
        check_there_and_back(LOSS, 0.03)


def test_the_gaussian_curve_of_dp_accounting_is_ours() -> None:
    from dp_accounting.pld import privacy_loss_distribution as pld

    theirs = pld.from_gaussian_mechanism(2.0)
    ours = PrivacyLoss.from_pld(theirs)
    normal = 0.5 * (1 + math.erf(0.25 / math.sqrt(2)))
    assert ours.advantage == pytest.approx(2 * normal - 1, abs=1e-4)
    for at in AT:
        delta = theirs.get_delta_for_epsilon(at)
        assert ours.delta(at) == pytest.approx(delta, rel=1e-9, abs=1e-14)


def test_refusals() -> None:
    many = Scores(np.arange(40.0)[::-1], monotonic=True)
    other = replace(many, values=many.values + np.arange(40) % 2)
    least = privacy_loss(OneShot(epsilon=1.0, k=10), other, many)
    with pytest.raises(ParameterError, match="allowed"):
        least.to_pld()
    allowed = least.allowed
    assert PrivacyLoss.from_pld(allowed.to_pld()).delta(0.3) >= allowed.delta(0.3) - 1e-12
    for bad in (0.0, -1.0, math.nan):
        with pytest.raises(ParameterError, match="interval"):
            LOSS.to_pld(interval=bad)
    with pytest.raises(ParameterError, match="PrivacyLossDistribution"):
        PrivacyLoss.from_pld("a loss")

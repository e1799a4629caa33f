"""Gaussian noise by its own curve: 40 digits and laws multiplied out."""

import math
from collections.abc import Sequence
from typing import Any

import mpmath
import numpy as np
import pytest
import scipy

from dpviz import (
    Canonical,
    GaussianCounts,
    OneShot,
    Scores,
    ThresholdCounts,
    compose,
)
from dpviz.base import Floats
from dpviz.privacy.accounting import ConvolvedLosses
from dpviz.privacy.composition import right_guess_bound
from dpviz.privacy.privacy_conversions import gaussian_epsilon, zcdp_epsilon
from tests.privacy.oracle import laplace_loss

FEW = {"contributions": 2, "monotonic": True}
WEEKLY = GaussianCounts(epsilon=0.5, k=5, delta=1e-8)
Law = tuple[Floats, Floats]


def curve(epsilon: float, shift: float) -> Any:
    """δ of gaussian noise that moves by `shift`, to 40 digits."""
    with mpmath.workdps(60):
        e, s = mpmath.mpf(epsilon), mpmath.mpf(shift)
        return mpmath.ncdf(s / 2 - e / s) - mpmath.exp(e) * mpmath.ncdf(-s / 2 - e / s)


@pytest.mark.parametrize("shift", [1e-3, 0.05, 0.4, 1.336, 4.0, 20.0])
@pytest.mark.parametrize("delta", [1e-12, 1e-6, 1e-3, 0.1])
def test_the_curve_to_forty_digits(shift: float, delta: float) -> None:
    at = gaussian_epsilon(shift, delta)
    assert curve(at * (1 + 1e-9), shift) <= delta
    assert at == 0 or curve(at * (1 - 1e-6), shift) > delta
    assert at <= zcdp_epsilon(shift**2 / 2, delta)


def moved(m: GaussianCounts | ThresholdCounts, contributions: int, monotonic: bool) -> float:
    """How far one person moves the counts of one release, over the noise that is drawn."""
    s = Scores([90.0, 70.0, 3.0], monotonic=monotonic, contributions=contributions, sensitivity=3.0)
    return math.sqrt(contributions * (1 if monotonic else 2)) * s.sensitivity / m.scale(s)


@pytest.mark.parametrize("monotonic", [True, False])
@pytest.mark.parametrize(("times", "contributions"), [(1, 1), (24, 10), (52, 3)])
def test_many_are_one_with_more_noise(times: int, contributions: int, monotonic: bool) -> None:
    shift = math.sqrt(times) * moved(WEEKLY, contributions, monotonic)
    people = {"contributions": contributions, "monotonic": monotonic}
    total = compose([(WEEKLY, times)], delta=1e-6, **people).total
    assert total.way == "own loss"
    assert curve(total.epsilon * (1 + 1e-9), shift) <= 1e-6
    assert curve(total.epsilon * (1 - 1e-6), shift) > 1e-6
    right = right_guess_bound([(WEEKLY, times)], **people)
    assert right == pytest.approx(float(mpmath.ncdf(shift / 2)), abs=1e-12)


# names that were not known: laws multiplied out


def normal(shift: float, cells: int = 4000, widest: float = 12.0) -> Law:
    """The loss of one noisy count that moves, from below on a grid: never more than it is."""
    edges = shift * (shift / 2 + np.linspace(-widest, widest, cells))
    below = scipy.stats.norm.cdf((edges - shift**2 / 2) / shift)
    return edges, np.diff(np.append(below, 1.0))


def delta_of(laws: Sequence[Law], at: float, step: float = 2e-3) -> float:
    """δ of all together, each rounded down to whole steps."""
    together, lowest, infinite = np.ones(1), 0, 0.0
    for loss, mass in laws:
        finite = np.isfinite(loss)
        where = np.floor(loss[finite] / step).astype(int)
        cells = np.bincount(where - where.min(), mass[finite])
        together, lowest = scipy.signal.fftconvolve(together, cells), lowest + int(where.min())
        infinite = 1 - (1 - infinite) * (1 - float(mass[~finite].sum()))
    loss = (lowest + np.arange(len(together))) * step
    return infinite + float(np.maximum(together, 0) @ -np.expm1(np.minimum(at - loss, 0.0)))


def with_new_names(m: ThresholdCounts, contributions: int, new: int, *, towards: bool) -> Law:
    """The loss of a release where `new` names are hers alone, from the world with or without."""
    people = {"contributions": contributions, "monotonic": True}
    s = Scores([900.0, 700.0, 600.0], names_known=False, **people)
    sigma, tau = m.scale(s), m.threshold(s)
    stays = float(scipy.stats.norm.cdf((tau - 1) / sigma)) ** new
    if contributions == new:
        loss, mass = np.zeros(1), np.ones(1)
    else:
        loss, mass = normal(math.sqrt(contributions - new) / sigma)
    if towards:  # chances with her over those without
        return np.append(loss + math.log(stays), math.inf), np.append(mass * stays, 1 - stays)
    return loss - math.log(stays), mass


def adaptively(m: ThresholdCounts, times: int, at: float, *, towards: bool) -> float:
    """δ where an adversary chooses how many of her two names are new in the next release."""
    step, beyond = 0.01, 2000
    loss = np.arange(-30.0, 30.0, step)
    value = np.maximum(0.0, -np.expm1(np.minimum(at - loss, 0.0)))
    for _ in range(times):
        choices = []
        for new in (0, 1, 2):
            moves, mass = with_new_names(m, 2, new, towards=towards)
            finite = np.isfinite(moves)
            cells = np.floor(moves[finite] / step).astype(int)
            weight = np.bincount(cells - cells.min(), mass[finite])
            around = np.concatenate([np.zeros(beyond), value, np.ones(beyond)])
            stays = scipy.signal.correlate(around[beyond + cells.min() :], weight, "valid")
            choices.append(stays[: len(loss)] + mass[~finite].sum())
        value = np.maximum.reduce(choices)
    return float(value[np.searchsorted(loss, -1e-9)])


def check_names() -> None:
    m = ThresholdCounts(epsilon=1.2, k=5, delta=4e-3, noise="gaussian")
    for delta in (0.013, 0.02, 0.1):
        total = compose([(m, 3)], delta=delta, **FEW).find_way("own loss").total
        for towards in (True, False):
            assert adaptively(m, 3, total.epsilon, towards=towards) <= delta
            for plan in ((2, 2, 2), (0, 0, 0), (2, 1, 0), (1, 1, 1)):
                laws = [with_new_names(m, 2, new, towards=towards) for new in plan]
                assert delta_of(laws, total.epsilon) <= delta


def test_gaussian_noise_under_a_threshold_keeps_delta_whatever_names_are_new(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    check_names()
    monkeypatch.setattr(ThresholdCounts, "zcdp_delta", 0.0)  # as if no name came out
    with pytest.raises(AssertionError):
        check_names()


def check_mixed() -> None:
    names = ThresholdCounts(epsilon=1.2, k=5, delta=1e-3, noise="gaussian")
    counts = OneShot(epsilon=0.8, k=2, noise="laplace")
    flips = Canonical(epsilon=0.5, k=1, noise="exponential")
    known = GaussianCounts(epsilon=0.7, k=5, delta=1e-4)
    plan = [(names, 2), (counts, 2), flips, known]
    for new in (0, 1, 2):
        laws = [
            *[with_new_names(names, 2, new, towards=True)] * 2,
            *[laplace_loss(0.4, cells=200)] * 4,
            (np.array([0.5, -0.5]), np.array([1.0, math.exp(-0.5)]) / (1 + math.exp(-0.5))),
            normal(known.gaussian_shift),
        ]
        for delta in (3e-3, 0.02):
            told = compose(plan, delta=delta, **FEW)
            for total in (way.total for way in told.ways if way.total):
                assert delta_of(laws, total.epsilon) <= total.delta, total
            own = told.find_way("own loss").epsilon
            assert own == told.epsilon
            if new == 0:  # where the bound is nearly reached
                assert delta_of(laws, 0.97 * own) > delta - 2e-3 - 1e-4
    assert right_guess_bound(plan, **FEW) >= (1 + delta_of(laws, 0.0)) / 2


def test_all_kinds_of_noise_together(monkeypatch: pytest.MonkeyPatch) -> None:
    check_mixed()
    smaller = ConvolvedLosses.epsilon
    monkeypatch.setattr(ConvolvedLosses, "epsilon", lambda own, delta: 0.9 * smaller(own, delta))
    with pytest.raises(AssertionError):
        check_mixed()

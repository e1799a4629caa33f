"""Gaussian noise by its own curve: 40 digits, dp-accounting and laws multiplied out."""

import math
from collections.abc import Sequence
from typing import Any

import mpmath
import numpy as np
import pytest
import scipy

from dpviz import (
    TOP_K,
    Canonical,
    GaussianCounts,
    OneShot,
    Scores,
    ThresholdCounts,
    compose,
    guess_bound,
)
from dpviz.base import Floats
from dpviz.privacy.accounting import ConvolvedLosses
from dpviz.privacy.composition import right_guess_bound
from dpviz.privacy.privacy_conversions import gaussian_epsilon, zcdp_epsilon
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import Question, decide
from dpviz.studies.decision.costs import releases_cost
from dpviz.studies.design import Design

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
    told = compose([(WEEKLY, times)], delta=1e-6, contributions=contributions, monotonic=monotonic)
    assert told.total is not None
    assert told.total.way == "own loss"
    assert (
        curve(told.total.epsilon * (1 + 1e-9), shift)
        <= 1e-6
        < curve(told.total.epsilon * (1 - 1e-6), shift)
    )
    right = right_guess_bound([(WEEKLY, times)], contributions=contributions, monotonic=monotonic)
    assert right == pytest.approx(float(mpmath.ncdf(shift / 2)), abs=1e-12)


def test_as_much_as_dp_accounting_says() -> None:
    from dp_accounting.pld import privacy_loss_distribution as pld

    shift = WEEKLY.gaussian_shift
    theirs = pld.from_gaussian_mechanism(1.0, sensitivity=shift).self_compose(52)
    ours = compose([(WEEKLY, 52)], delta=1e-6).epsilon
    assert ours == pytest.approx(3.433049, abs=1e-6)  # 3.676 by ρ
    assert ours == pytest.approx(theirs.get_epsilon_for_delta(1e-6), abs=2e-3)
    mixed = compose(
        [(WEEKLY, 52), (OneShot(epsilon=0.4, k=5, noise="laplace"), 12)], delta=1e-6, **FEW
    ).epsilon
    both = theirs.compose(pld.from_laplace_mechanism(1.0, sensitivity=0.4 / 2).self_compose(2 * 12))
    assert mixed == pytest.approx(both.get_epsilon_for_delta(1e-6), rel=2e-3)


def test_a_plan_of_24_lists_fits_a_limit_of_75() -> None:
    """By ρ it cost ε = 7.289, and 84 of 100 guesses."""
    data = DataSpec(name="help_line", contributions=10)
    question = Question(
        k=10, data=data, releases=24, most_right=75, designs=(Design(mechanism="gaussian_counts"),)
    )
    shift = 1.339  # that of all
    each = shift / math.sqrt(24)
    epsilon = gaussian_epsilon(each, 1e-6)
    m = GaussianCounts(epsilon=epsilon, k=10, delta=1e-6)
    priced = releases_cost(m, 24, question)
    assert priced.total is not None
    assert priced.total.epsilon == pytest.approx(6.835, abs=3e-3)
    assert zcdp_epsilon(shift**2 / 2, 1e-6) == pytest.approx(7.289, abs=3e-3)
    assert priced.guess == pytest.approx(0.748, abs=1e-3)
    assert priced.is_within_limit(question)


# ---- names that were not known: laws multiplied out
# ------------------------------------------------


def normal(shift: float, cells: int = 4000, widest: float = 12.0) -> Law:
    """The loss of one noisy count that moves, from below on a grid: never more than it is."""
    edges = shift * (shift / 2 + np.linspace(-widest, widest, cells))
    below = scipy.stats.norm.cdf((edges - shift**2 / 2) / shift)
    mass = np.diff(np.append(below, 1.0))
    return edges, mass


def laplace(shift: float, cells: int = 400) -> Law:
    edges = np.linspace(-shift, shift, cells + 1)
    at_least = np.where(edges > -shift, 1 - np.exp((edges - shift) / 2) / 2, 1.0)
    return edges, np.append(at_least[:-1] - at_least[1:], at_least[-1])


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
    s = Scores(
        [900.0, 700.0, 600.0], monotonic=True, contributions=contributions, names_known=False
    )
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
            around = np.concatenate([np.zeros(beyond), value, np.ones(beyond)])[
                beyond + cells.min() :
            ]
            choices.append(
                scipy.signal.correlate(around, weight, "valid")[: len(loss)] + mass[~finite].sum()
            )
        value = np.maximum.reduce(choices)
    return float(value[np.searchsorted(loss, -1e-9)])


def check_names() -> None:
    m = ThresholdCounts(epsilon=1.2, k=5, delta=4e-3, noise="gaussian")
    for delta in (0.013, 0.02, 0.1):
        total = compose([(m, 3)], delta=delta, **FEW).find_way("own loss").total
        assert total is not None
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
    counts, flips = (
        OneShot(epsilon=0.8, k=2, noise="laplace"),
        Canonical(epsilon=0.5, k=1, noise="exponential"),
    )
    known = GaussianCounts(epsilon=0.7, k=5, delta=1e-4)
    for new in (0, 1, 2):
        laws = [
            *[with_new_names(names, 2, new, towards=True)] * 2,
            *[laplace(0.4)] * 4,
            (np.array([0.5, -0.5]), np.array([1.0, math.exp(-0.5)]) / (1 + math.exp(-0.5))),
            normal(known.gaussian_shift),
        ]
        for delta in (3e-3, 0.02):
            told = compose([(names, 2), (counts, 2), flips, known], delta=delta, **FEW)
            for way in told.ways:
                assert way.total is None or delta_of(laws, way.total.epsilon) <= way.total.delta, (
                    way
                )
            own = told.find_way("own loss").epsilon
            assert own is not None
            assert own == told.epsilon
            if new == 0:  # where the bound is nearly reached
                assert delta_of(laws, 0.97 * own) > delta - 2e-3 - 1e-4
    right = right_guess_bound([(names, 2), (counts, 2), flips, known], **FEW)
    assert right >= (1 + delta_of(laws, 0.0)) / 2


def test_all_kinds_of_noise_together(monkeypatch: pytest.MonkeyPatch) -> None:
    check_mixed()
    smaller = ConvolvedLosses.epsilon
    monkeypatch.setattr(ConvolvedLosses, "epsilon", lambda own, delta: 0.9 * smaller(own, delta))
    with pytest.raises(AssertionError):
        check_mixed()


# ---- of every mechanism
# ---------------------------------------------------------------------------


def examples() -> list[Any]:
    made = []
    for name in TOP_K:
        cls = TOP_K[name]
        noises = {"noise"} & set(cls.__dataclass_fields__)
        for noise in ("gumbel", "exponential", "laplace", "gaussian") if noises else (None,):
            try:
                made.append(cls(epsilon=0.6, k=2, **({} if noise is None else {"noise": noise})))
            except ValueError:
                continue
    return made


@pytest.mark.parametrize("m", examples(), ids=lambda m: m.key)
def test_who_knows_the_whole_loss_never_says_more_than_by_rho(m: Any) -> None:
    plan = [(m, 12)]
    told = compose(plan, delta=1e-3, **FEW)
    assert told.epsilon is not None
    assert (
        told.epsilon
        <= min(way.epsilon for way in told.ways if way.epsilon and way.name != "bounded range")
        + 1e-3
    )
    if m.gaussian_shift is not None:
        assert m.zcdp == m.gaussian_shift**2 / 2
        own, rho = told.find_way("own loss").epsilon, told.find_way("rho").epsilon
        assert own is not None
        assert rho is not None
        assert own < rho
    for delta in (0.0, 1e-9, 1e-3, 0.2):
        total = compose(plan, delta=delta, **FEW).total
        assert (
            total is None
            or right_guess_bound(plan, **FEW) <= guess_bound(total.epsilon, total.delta) + 1e-12
        )


def test_a_delta_that_does_not_add_up_is_not_shared_out() -> None:
    """Half of δ went to single releases, though many gaussian ones need none."""
    data = DataSpec(name="help_line", contributions=3)
    asked = Question(
        k=5, data=data, goal="4 of 5 in 0.9", designs=(Design(mechanism="gaussian_counts"),)
    )
    for releases in (1, 12):
        half, tenth = (
            decide(asked.replace(releases=releases, own_share=share)) for share in (0.5, 0.1)
        )
        assert half.mechanism == tenth.mechanism
        assert half.mechanism.delta_spent == asked.delta
        assert half.total == tenth.total
    one = decide(asked)
    assert one.total is not None
    assert one.total.epsilon == pytest.approx(one.epsilon, rel=1e-9)
    none = decide(asked.replace(delta=0.0, designs=(Design(), *asked.designs)))
    assert none.needs[1].reason.startswith("It has a δ of its own")

"""Trade-off, advantage and P(loss > ε): against the best test by linear programming over every set, and enumeration."""

import math
from dataclasses import replace

import numpy as np
import pytest
import scipy

from dpviz import (
    Canonical,
    LargeMargin,
    OneShot,
    ParameterError,
    Peeling,
    PrivacyLoss,
    Scores,
    guess_bound,
    privacy_loss,
)
from dpviz.base import Ceiling, Output
from dpviz.gaps.noisy_top_k import NoisyTopKWithGap
from dpviz.privacy import common_order, loss, top_k, trade_off
from dpviz.privacy.loss import allowed_law
from dpviz.privacy.loss_laws import Events, Outcomes
from dpviz.privacy.outcomes import outcome_loss
from dpviz.privacy.trade_off import TradeOff
from dpviz.topk.mechanism import TopKMechanism
from tests.privacy.oracle import delta, log_laws

ALPHA = np.array([0.0, 1e-4, 0.01, 0.05, 0.2, 0.5, 0.8, 0.97, 1.0])
DENSE = np.linspace(0.0, 1.0, 2001)
PAIR = Scores([5, 3, 3, 1, 0], monotonic=True), Scores([6, 3, 4, 1, 0], monotonic=True)
GENERAL = Scores([5, 3, 3, 1, 0]), Scores([6, 2, 4, 0, 1])
EXACT: list[tuple[TopKMechanism, tuple[Scores, Scores]]] = [
    (Canonical(epsilon=1.5, k=2), PAIR),
    (Canonical(epsilon=1.5, k=2), GENERAL),
    (Canonical(epsilon=1.5, k=2, noise="exponential"), PAIR),
    (OneShot(epsilon=3.0, k=2, noise="laplace"), GENERAL),
    (Peeling(epsilon=0.5, k=3), PAIR),
]


def best_miss(p: np.ndarray, q: np.ndarray, alpha: float) -> float:
    """The smallest Q(kept) over all randomised tests that are wrong with chance α at most under P."""
    found = scipy.optimize.linprog(-q, A_ub=p[None], b_ub=[alpha], bounds=(0, 1), method="highs")
    return 1 + float(found.fun)


def check_pair(found: PrivacyLoss, log_p: np.ndarray, log_q: np.ndarray) -> None:
    """Every figure of both directions against the laws themselves."""
    for way, a, b in ((found, log_p, log_q), (found.reversed, log_q, log_p)):
        p, q = np.exp(a), np.exp(b)
        np.testing.assert_allclose(way.trade_off(ALPHA), [best_miss(p, q, at) for at in ALPHA], atol=2e-7)
        assert (way.trade_off_least(ALPHA) <= way.trade_off(ALPHA) + 1e-12).all()
        np.testing.assert_allclose(way.trade_off_least(ALPHA), way.trade_off(ALPHA), atol=1e-6)
        assert way.advantage == pytest.approx(np.abs(p - q).sum() / 2, abs=1e-9)
        for at in (0.0, 0.1, 0.3, way.here.highest, 5.0):
            assert way.exceeds(at) == pytest.approx(float(p[a - b > at + 1e-7].sum()), abs=1e-9)


@pytest.mark.parametrize(("m", "pair"), EXACT, ids=str)
def test_exact_ones_are_the_best_test(m: TopKMechanism, pair: tuple[Scores, Scores]) -> None:
    found = privacy_loss(m, *pair)
    assert found.method == "exact"
    check_pair(found, *log_laws(m, *pair))


def test_twins_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    m, pair = EXACT[0]
    laws, tests = log_laws(m, *pair), Outcomes.tests
    twins = {
        "tests": lambda law: (tests(law)[0], 1.0 - np.cumsum(law.mass)),  # the smallest losses first
        "exceeds": lambda law, epsilon: float(law.delta(np.array([epsilon]))[0]),  # δ for the chance
        "delta": lambda law, epsilon: np.array([law.exceeds(float(at)) for at in epsilon]),  # the chance for δ
    }
    for name, twin in twins.items():
        with monkeypatch.context() as broken:
            broken.setattr(Outcomes, name, twin)
            with pytest.raises(AssertionError):
                check_pair(privacy_loss(m, *pair), *laws)
    monkeypatch.setattr(loss.PrivacyLoss, "trade_off_least", lambda self, alpha: self.trade_off(alpha) + 1e-3)
    with pytest.raises(AssertionError):
        check_pair(privacy_loss(m, *pair), *laws)


def test_it_is_a_trade_off() -> None:
    """From 1 − P'(P = 0) down to 0, convex, and its mirror is that of the worlds swapped."""
    found = privacy_loss(*EXACT[3][:1], *GENERAL)
    alpha = np.linspace(0, 1, 401)
    curve = found.trade_off(alpha)
    assert curve[0] == pytest.approx(1)
    assert curve[-1] == 0
    assert (np.diff(curve) <= 0).all()
    assert (np.diff(curve, 2) >= -1e-12).all()
    np.testing.assert_allclose(
        found.reversed.trade_off(curve), np.minimum(alpha, alpha[np.argmax(curve == 0)]), atol=1e-9
    )
    assert (1 - alpha - curve).max() == pytest.approx(found.advantage, abs=1e-3)
    assert found.trade_off(np.full((2, 3), 0.1)).shape == (2, 3)
    assert found.trade_off(np.array(0.1)).shape == ()
    for bad in (-0.1, 1.1, math.nan):
        with pytest.raises(ParameterError, match="alpha"):
            found.trade_off(np.array([0.5, bad]))


def test_what_is_possible_in_one_world_only() -> None:
    p, q = np.array([0.9, 0.1, 0.0]), np.array([0.7, 0.0, 0.3])
    found = outcome_loss(p, q, 0.0, 0.0, lambda at: Output("it"), Ceiling(math.inf), "it")
    np.testing.assert_allclose(found.trade_off(ALPHA), [best_miss(p, q, at) for at in ALPHA], atol=1e-12)
    assert found.trade_off(np.zeros(1)) == pytest.approx(0.7)
    assert found.advantage == pytest.approx(0.3)
    assert found.exceeds(100.0) == pytest.approx(0.1)
    assert found.reversed.exceeds(100.0) == pytest.approx(0.3)


def check_band(found: PrivacyLoss, log_p: np.ndarray, log_q: np.ndarray) -> None:
    """Whatever is only known in part encloses the truth, in every figure and both ways."""
    for way, a, b in ((found, log_p, log_q), (found.reversed, log_q, log_p)):
        p, q = np.exp(a), np.exp(b)
        truth = np.array([best_miss(p, q, at) for at in ALPHA])
        assert (way.trade_off_least(ALPHA) <= truth + 1e-7).all()
        assert (truth <= way.trade_off(ALPHA) + 1e-7).all()
        gained = 1 - DENSE - way.trade_off(DENSE)
        assert gained.max() == pytest.approx(way.advantage, abs=1e-3)
        assert way.advantage - 1e-9 <= np.abs(p - q).sum() / 2 <= way.allowed.advantage + 1e-9
        assert way.mean - 1e-9 <= float(p @ (a - b)) <= way.allowed.mean
        assert way.largest - 1e-9 <= np.abs(a - b).max() <= way.allowed.largest + 1e-9
        for at in (0.0, 0.1, 0.3):
            assert way.delta(at) - 1e-9 <= delta(a, b, at) <= way.allowed.delta(at) + 1e-9
            assert way.exceeds(at) <= float(p[a - b > at].sum()) + 1e-9


@pytest.mark.parametrize(("m", "pair"), EXACT, ids=str)
def test_a_loss_that_is_at_least_comes_with_a_band(
    m: TopKMechanism, pair: tuple[Scores, Scores], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(top_k, "MOST_SETS", 0)
    monkeypatch.setattr(common_order, "_MOST_WORK", 0)
    found = privacy_loss(m, *pair)
    laws = log_laws(m, *pair)
    check_band(found, *laws)
    if found.method == "at least":
        with pytest.raises(AssertionError):
            check_band(replace(found, ceiling=Ceiling(0.1 * found.largest)), *laws)


@pytest.mark.parametrize("at", [0, 4, -1])
def test_pruned_mass_opens_the_band_by_no_more_than_itself(at: int) -> None:
    whole = privacy_loss(EXACT[3][0], *GENERAL)
    laws = []
    for law in (whole.here, whole.there):
        assert isinstance(law, Outcomes)
        values, mass = np.delete(law.values, at), np.delete(law.mass, at)
        laws.append(replace(law, values=values, mass=mass, missing=float(law.mass[at])))
    for here, there in (laws, (laws[0], whole.there), (whole.here, laws[1])):
        pruned = replace(whole, here=here, there=there)
        low, high, truth = pruned.trade_off_least(ALPHA), pruned.trade_off(ALPHA), whole.trade_off(ALPHA)
        assert (low <= truth + 1e-7).all()
        assert (truth <= high + 1e-7).all()
        assert (low > pruned.allowed.trade_off(ALPHA) + 1e-3).any()


@pytest.mark.parametrize("side", ["here", "there"])
def test_each_side_of_the_band_counts_what_it_does_not_list(side: str) -> None:
    """With the other side's list empty, the band rests on this one alone."""
    whole = privacy_loss(EXACT[3][0], *GENERAL)
    law, other = (whole.here, whole.there) if side == "here" else (whole.there, whole.here)
    assert isinstance(law, Outcomes)
    assert isinstance(other, Outcomes)
    none = replace(other, values=other.values[:1], mass=np.full(1, 1e-300), missing=1.0)
    for at in range(len(law.values)):
        values, mass = np.delete(law.values, at), np.delete(law.mass, at)
        pruned = replace(law, values=values, mass=mass, missing=float(law.mass[at]))
        parts = {side: pruned, "there" if side == "here" else "here": none}
        dense = np.linspace(0, 1, 201)
        assert (replace(whole, **parts).trade_off_least(dense) <= whole.trade_off(dense) + 1e-7).all()


def test_what_is_not_all_that_comes_out_says_no_more_than_what_is_allowed() -> None:
    whole = privacy_loss(EXACT[0][0], *PAIR)
    part = replace(whole, method="at least")
    np.testing.assert_array_equal(part.trade_off_least(ALPHA), whole.allowed.trade_off(ALPHA))
    assert part.exceeds(0.1) == part.delta(0.1) < whole.exceeds(0.1)


def test_the_lowest_polygon_of_any_tests() -> None:
    """Against the lowest line between any two of them."""
    rng = np.random.default_rng(3)
    x, y = rng.random(30), rng.random(30) * 0.5
    x[:5], y[5:8] = 0.0, 0.0
    found = TradeOff.of(x, y)
    ends_x, ends_y = np.append(x, [0.0, 1.0]), np.append(y, [1.0, 0.0])
    for at in np.linspace(0, 1, 101):
        left, right = np.flatnonzero(ends_x <= at), np.flatnonzero(ends_x >= at)
        lines = [
            min(ends_y[i], ends_y[j])
            if ends_x[i] == ends_x[j]
            else np.interp(at, [ends_x[i], ends_x[j]], [ends_y[i], ends_y[j]])
            for i in left
            for j in right
        ]
        assert found.at(np.array([at]))[0] == pytest.approx(min(lines), abs=1e-12)


def test_what_is_allowed_is_reached_by_a_randomised_response() -> None:
    for epsilon, delta_ in ((1.0, 0.0), (0.3, 0.01), (0.0, 0.2), (2.0, 1e-6)):
        law = allowed_law(Ceiling(epsilon, delta_))
        found = PrivacyLoss(
            method="exact", ceiling=Ceiling(epsilon, delta_), seen="", output=Output(""), here=law, there=law
        )
        assert (1 + found.advantage) / 2 == pytest.approx(guess_bound(epsilon, delta_))
        assert found.delta(epsilon) == pytest.approx(delta_, abs=1e-15)
        steep = np.maximum(1 - delta_ - math.exp(epsilon) * ALPHA, math.exp(-epsilon) * (1 - delta_ - ALPHA))
        np.testing.assert_allclose(found.trade_off(ALPHA), np.maximum(steep, 0.0), atol=1e-12)
    large = privacy_loss(LargeMargin(epsilon=1.0, delta=0.01), *PAIR)
    assert large.allowed.largest == math.inf
    assert isinstance(privacy_loss(NoisyTopKWithGap(epsilon=1.0, k=2), *PAIR).here, Events | Outcomes)


@pytest.mark.parametrize("rounds", [1, 3, 40])
@pytest.mark.parametrize("shape", ["any", "falling", "one far below"])
def test_a_polygon_is_the_lowest_of_all_coins_between_two_tests(
    monkeypatch: pytest.MonkeyPatch, shape: str, rounds: int
) -> None:
    """Of three hundred tests, by every pair of them; the last far below takes corner after corner away."""
    monkeypatch.setattr(trade_off, "_ROUNDS", rounds)
    rng = np.random.default_rng(5)
    alarms, misses = rng.random(300), rng.random(300)
    if shape != "any":
        alarms = np.linspace(0.01, 0.9, 300)
        misses = 0.5 + 0.4 * (1 - alarms) ** 3
    if shape == "one far below":
        misses[-1] = 0.0
    polygon = TradeOff.of(alarms, misses)
    x, y = np.append([0.0, 1.0], alarms), np.append([1.0, 0.0], misses)
    at = np.linspace(0.0, 1.0, 23)
    run = x[None, :] - x[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        share = (at[:, None, None] - x[:, None]) / run
        coins = y[:, None] + share * (y[None, :] - y[:, None])
    coins[~((share >= 0) & (share <= 1))] = np.inf
    least = np.minimum(coins.min(axis=(1, 2)), np.where(x == at[:, None], y, np.inf).min(axis=1))
    np.testing.assert_allclose(polygon.at(at), least, atol=1e-12)
    assert (np.diff(polygon.alarms) > 0).all()

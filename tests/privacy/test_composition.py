"""Releases together, way by way, against the multiplied losses of real neighbours."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from dpviz import (
    CANDIDATES,
    Canonical,
    LargeMargin,
    OneShot,
    ParameterError,
    Peeling,
    Scores,
    compose,
    delta_of_one,
    privacy_loss,
)
from dpviz.privacy import composition
from dpviz.privacy.composition_result import Composition, Total
from dpviz.privacy.privacy_conversions import pure_composition_epsilon, zcdp_epsilon
from tests.privacy.oracle import check_plan, delta_of_law


def test_composition_way_by_way() -> None:
    thirty = compose([Canonical(epsilon=0.2, k=5)] * 30, delta=1e-6)
    assert thirty.rho == pytest.approx(30 * 0.04 / 8)
    assert thirty.find_way("basic").epsilon == pytest.approx(6.0)
    assert thirty.find_way("rho").epsilon == zcdp_epsilon(thirty.rho, 1e-6)
    assert thirty.epsilon == thirty.find_way("rho").epsilon
    assert thirty.find_way("bounded range").epsilon < thirty.epsilon

    noisy = Peeling(epsilon=0.5, k=3, noise="laplace")
    mixed = compose([Canonical(epsilon=0.2, k=5), noisy], delta=1e-6)
    assert mixed.rho == pytest.approx(0.04 / 8 + 0.125)
    assert mixed.find_way("bounded range").epsilon is None
    assert mixed.epsilon == pytest.approx(0.7)

    pair = [Canonical(epsilon=0.2, k=5), Canonical(epsilon=0.1, k=5)]
    unlike = compose(pair, delta=1e-6)
    assert unlike.find_way("bounded range").epsilon is None
    assert "same ε" in unlike.find_way("bounded range").reason
    pure = compose(pair)
    assert pure.epsilon == pytest.approx(0.3)
    ways = [pure.find_way(name) for name in ("pure", "rho", "bounded range")]
    assert all(way.epsilon is None and way.reason for way in ways)
    many = compose([(Canonical(epsilon=0.01, k=5), 100_000)], delta=1e-6)
    assert "1,000" in many.find_way("bounded range").reason


def test_a_plan_as_pairs_is_the_same_one_by_one() -> None:
    monthly, yearly, rule = Canonical(epsilon=0.2, k=5), Peeling(epsilon=0.5, k=3), (0.3, 1e-8)
    one_by_one = compose([monthly] * 12 + [yearly, rule, rule], delta=1e-6)
    assert compose([(monthly, 12), yearly, (rule, 2)], delta=1e-6) == one_by_one
    assert compose([yearly, (rule, 1), (monthly, 7), (monthly, 5), rule], delta=1e-6) == one_by_one
    assert one_by_one.releases == 15


def test_what_releases_have_of_delta_is_taken_off_once_each() -> None:
    told = compose([(LargeMargin(epsilon=0.1, delta=1e-8), 50), (0.5, 2e-7)], delta=1e-6)
    left = 1e-6 - 50 * 1e-8 - 2e-7
    assert told.rho == pytest.approx(50 * 0.005 + 0.125)
    assert told.find_way("basic").total == Total(pytest.approx(5.5), pytest.approx(7e-7), "basic")
    assert told.find_way("rho").epsilon == pytest.approx(zcdp_epsilon(told.rho, left))
    pure = pure_composition_epsilon(left, {0.1: 50, 0.5: 1})
    assert told.find_way("pure").epsilon == pytest.approx(pure)
    assert "one exponential mechanism" in told.find_way("bounded range").reason

    short = compose([LargeMargin(epsilon=1.0, delta=1e-7), (0.5, 2e-7)], delta=1e-7)
    assert short.total is short.epsilon is None
    assert all("3e-07" in way.reason for way in short.ways)
    assert delta_of_one(1e-6, 365) == pytest.approx(1e-6 / 730)
    assert delta_of_one(1e-6, 4, share=0.2) == pytest.approx(5e-8)
    all_used = compose([(1.0, 1e-7)], delta=1e-7)
    assert all_used.total == Total(1.0, 1e-7, "basic")
    assert all("leaves none" in all_used.find_way(name).reason for name in ("pure", "rho"))


def check_delta(compose: Callable[..., Composition]) -> None:
    """Randomised responses that fail openly with their own δ, in all their outcomes."""
    epsilon, own, releases = 0.8, 0.004, 6
    right = (1 - own) / (1 + math.exp(-epsilon))
    mass, loss = np.ones(1), np.zeros(1)
    for _ in range(releases):
        mass = np.multiply.outer(mass, [own, right, 1 - own - right]).ravel()
        loss = np.add.outer(loss, [math.inf, epsilon, -epsilon]).ravel()
    for delta in (0.03, 0.05, 0.2):
        for way in compose([((epsilon, own), releases)], delta=delta).ways:
            if way.total is not None:
                assert delta_of_law(way.total.epsilon, loss, mass) <= way.total.delta


def test_own_deltas_against_what_can_come_out(monkeypatch: pytest.MonkeyPatch) -> None:
    check_delta(compose)
    turned = composition._by_delta
    monkeypatch.setattr(
        composition, "_by_delta", lambda name, plan, delta, spent: turned(name, plan, delta, 0.0)
    )
    with pytest.raises(AssertionError):
        check_delta(compose)


def test_a_total_says_its_delta_and_rounds_up() -> None:
    assert str(Total(10.32499, 1e-6, "rho")) == "ε = 10.33 at δ = 1e-06"
    assert str(Total(10.32499, 1.00001e-6, "basic")) == "ε = 10.33 at δ = 1.001e-06"
    assert str(Total(6.0, 0.0, "basic")) == "ε = 6"
    assert str(compose([(0.3, 0.0)]).total) == "ε = 0.3"
    for way in compose([(LargeMargin(epsilon=0.1, delta=1e-8), 50)], delta=1e-6).ways:
        assert way.total is None or " at δ = " in str(way.total)


def test_composition_never_promises_less_than_the_exact_loss() -> None:
    """Releases on real neighbours; twice the same ε, and unlike ones."""
    s, other = Scores([1.0, 0.0, 0.0]), Scores([0.0, 1.0, 1.0])
    big, small = Canonical(epsilon=1.0, k=1), OneShot(epsilon=0.4, k=2, noise="exponential")
    first, second = (privacy_loss(m, s, other) for m in (big, small))
    check_plan([first, first], [big, big])
    check_plan([first, second, second, second], [big, (small, 3)])
    with pytest.raises(AssertionError):
        check_plan([first] * 5, [big])


def test_refusals() -> None:
    bad = (CANDIDATES["random_stopping"](), "canonical", (1.0,), 1.0)
    plans = [*(("release", [one]) for one in bad), ("number of releases", [])]
    for names, plan in [*plans, ("times", [(Canonical(epsilon=1.0, k=1), 0)])]:
        with pytest.raises(ParameterError, match=names):
            compose(plan)
    for delta in (-0.1, 1.0, math.nan):
        with pytest.raises(ParameterError, match="delta"):
            compose([(1.0, 0.0)], delta=delta)
    with pytest.raises(ParameterError, match="share"):
        delta_of_one(1e-6, 4, share=1.1)
    with pytest.raises(ParameterError, match="way"):
        compose([(1.0, 0.0)]).find_way("advanced")

"""Utility curves: what lies between their nodes, held against the law itself."""

from typing import Any

import numpy as np
import pytest

from dpviz import (
    Canonical,
    OneShot,
    ParameterError,
    Scores,
    TopKDistribution,
    TopKMechanism,
    smallest_epsilon,
)
from dpviz.topk import Goal, exact_goal_curve
from dpviz.topk.adaptive_curves import utility_curve, utility_curves
from dpviz.topk.limited_domain import LimitedDomain
from dpviz.topk.threshold_counts import ThresholdCounts

EVENTS = ("top", "optimal", "great", "good", "share")
SCORES = Scores(np.random.default_rng(3).integers(0, 400, 300), monotonic=True)


@pytest.fixture
def laws(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The ε of every law that is made from now on."""
    asked: list[float] = []
    law = TopKMechanism.distribution

    def counted(m: TopKMechanism, s: Scores, **more: Any) -> TopKDistribution:
        asked.append(m.epsilon)
        return law(m, s, **more)

    monkeypatch.setattr(TopKMechanism, "distribution", counted)
    return asked


@pytest.mark.parametrize("noise", ["gumbel", "laplace"])
def test_between_nodes_it_is_within_the_tolerance(noise: str) -> None:
    m = Canonical(epsilon=1.0, k=12, noise=noise)
    curves = utility_curves(m, SCORES, events=EVENTS)
    moving = curves[0].x[(curves[0].value > 1e-3) & (curves[0].value < 0.999)]
    log = np.random.default_rng(5).uniform(*np.log(moving[[0, -1]]), 50)
    at = np.append(np.geomspace(0.01, 100, 25), np.exp(log))
    laws = [m.replace(epsilon=float(epsilon)).distribution(SCORES) for epsilon in at]
    for curve in curves:
        assert curve.error <= 1e-4
        assert curve.method == "exact"
        truth = [getattr(law, curve.event) for law in laws]
        np.testing.assert_allclose(curve.at(at), truth, atol=1e-4)


def test_a_jump_is_followed() -> None:
    s = Scores(np.append(np.full(20, 5000.0), np.zeros(20_000)), monotonic=True)
    m = Canonical(epsilon=1.0, k=20)
    (curve,) = utility_curves(m, s, events=("top",))
    for epsilon in curve.x[:: max(1, len(curve.x) // 20)] * 1.003:
        top = m.replace(epsilon=epsilon).distribution(s).top
        assert curve.at(np.array([epsilon]))[0] == pytest.approx(top, abs=1e-4)


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"low": 0.0}, "low must be a number above 0"),
        ({"low": 2.0, "high": 1.0}, "high must be above low, which is 2"),
        ({"events": ("best",)}, "figure must be one of"),
        ({"events": ("inclusion",)}, "item must be an item index"),
        ({"tolerance": 0.0}, "tolerance must be a number from"),
    ],
)
def test_bad_input(told: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        utility_curves(Canonical(epsilon=1.0, k=3), SCORES, **told)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(2))
def test_a_figure_that_begins_above_nothing_is_told_right(seed: int) -> None:
    """Some chance is left at every ε, so that log odds bend far below the tolerance."""
    s = Scores(np.round(np.random.default_rng(seed).pareto(1.2, 112) * 300), monotonic=True)
    for m, event, low in (
        (Canonical(epsilon=1.0, k=10), "hits", 1e-5),
        (OneShot(epsilon=1.0, k=14), "share", 0.01),
    ):
        goal = Goal.for_event(event, at_least=8)
        ends: Any = {"low": low, "high": 0.1 / low**0.5}
        (curve,) = utility_curves(m, s, events=(event,), at_least=goal.at_least, **ends)
        x = np.geomspace(curve.x[0], curve.x[-1], 120)
        laws = [m.replace(epsilon=epsilon).distribution(s) for epsilon in x.tolist()]
        truth = [goal.figure_value(law) for law in laws]
        np.testing.assert_allclose(curve.at(x), truth, rtol=0, atol=1e-4)


def test_laws_that_a_search_looked_at_are_not_made_again(laws: list[float]) -> None:
    m, seen = OneShot(epsilon=1.0, k=12), list[TopKDistribution]()
    epsilon = smallest_epsilon(
        m, SCORES, figure="great", probability=0.9, looked=lambda at, law: seen.append(law)
    )
    known = exact_goal_curve(Goal(event="great", probability=0.9), seen)
    assert epsilon in known.x
    assert known.x.tolist() == sorted(laws)
    searched = set(laws)
    laws.clear()
    ends = {"low": epsilon / 32, "high": epsilon * 32}
    (curve,) = utility_curves(m, SCORES, events=("great",), earlier_curves=(known,), **ends)
    assert not searched & set(laws)
    assert searched & set(curve.x), "its points are the curve's"
    plain = utility_curve(m, SCORES, event="great", **ends)
    x = np.geomspace(*curve.x[[0, -1]], 400)
    np.testing.assert_allclose(curve.at(x), plain.at(x), rtol=0, atol=2e-4)
    with pytest.raises(ParameterError, match=r"known must be points of good, not \['great'\]"):
        utility_curves(m, SCORES, events=("good",), earlier_curves=(known,))


@pytest.mark.parametrize("kind", [ThresholdCounts, LimitedDomain])
def test_a_figure_that_falls_again_is_followed(kind: Any) -> None:
    """Worse items come in as ε grows, and peaks may lie between nodes."""
    s = Scores([600, 600, 60, 60, 50, 50], monotonic=True, contributions=1, names_known=False)
    m, events = kind(epsilon=1.0, k=3, delta=1e-6), ("great", "good")
    curves = utility_curves(m, s, events=events, low=0.003, high=30.0, tolerance=1e-3)
    at = np.geomspace(0.0031, 29.0, 25)
    laws = [m.replace(epsilon=epsilon).distribution(s) for epsilon in at.tolist()]
    for event, curve in zip(events, curves, strict=True):
        true = [getattr(law, event) for law in laws]
        np.testing.assert_allclose(curve.at(at), true, rtol=0, atol=2e-3)
        assert curve.error <= 1e-3
    assert curves[0].value[-1] < 0.8 < curves[0].value.max(), "it falls again"

"""Utility curves: what lies between their nodes, held against the law itself."""

import math

import numpy as np
import pytest

from dpviz import Cancelled, Canonical, ParameterError, Scores
from dpviz.topk.curves import utility_curve, utility_curves

EVENTS = ("top", "optimal", "great", "good", "share")
SCORES = Scores(np.random.default_rng(3).integers(0, 400, 300), monotonic=True)


@pytest.mark.parametrize("noise", ["gumbel", "laplace"])
def test_between_nodes_it_is_within_the_tolerance(noise: str) -> None:
    m = Canonical(epsilon=1.0, k=12, noise=noise)
    curves = utility_curves(m, SCORES, events=EVENTS)
    moving = curves[0].x[(curves[0].value > 1e-3) & (curves[0].value < 0.999)]
    rng = np.random.default_rng(5)
    at = np.append(
        np.exp(rng.uniform(math.log(0.01), math.log(100), 25)),
        np.exp(rng.uniform(math.log(moving[0]), math.log(moving[-1]), 50)),
    )
    for curve in curves:
        assert curve.error <= 1e-4
        assert curve.method == "exact"
        truth = [getattr(m.replace(epsilon=float(e)).distribution(SCORES), curve.event) for e in at]
        np.testing.assert_allclose(curve.at(at), truth, atol=1e-4)


def test_at_the_nodes_the_figures_are_the_laws_own() -> None:
    m = Canonical(epsilon=1.0, k=12)
    curve = utility_curve(m, SCORES, event="great", low=0.1, high=10.0)
    assert curve.x[0] == pytest.approx(0.1)
    assert curve.x[-1] == pytest.approx(10.0)
    told = list(zip(curve.x, curve.value, curve.high, strict=True))
    assert sum(value > 0 for _, value, _ in told) > 20
    for epsilon, value, high in told[::3]:
        exact = m.replace(epsilon=float(epsilon)).distribution(SCORES).great
        assert value == exact or (value == 0 and exact <= high <= 1e-6), "its own, or nothing to speak of"
    assert (curve.low <= curve.value).all()
    assert (curve.value <= curve.high).all()


def test_points_lie_where_the_curve_moves() -> None:
    curve = utility_curve(Canonical(epsilon=1.0, k=12), SCORES, low=1e-4, high=1e4)
    moving = (curve.value > 1e-4) & (curve.value < 1 - 1e-4)
    span = np.log(curve.x[moving])
    assert moving.mean() > 3 * (span[-1] - span[0]) / math.log(1e8)


def test_a_jump_is_followed() -> None:
    s = Scores(np.append(np.full(20, 5000.0), np.zeros(20_000)), monotonic=True)
    curve = utility_curve(Canonical(epsilon=1.0, k=20), s)
    m = Canonical(epsilon=1.0, k=20)
    for epsilon in curve.x[:: max(1, len(curve.x) // 20)] * 1.003:
        assert curve.at(np.array([epsilon]))[0] == pytest.approx(
            m.replace(epsilon=epsilon).distribution(s).top, abs=1e-4
        )


def test_progress_and_cancelling() -> None:
    seen: list[float] = []
    utility_curve(Canonical(epsilon=1.0, k=3), SCORES, progress=seen.append)
    assert seen[-1] == 1.0
    assert max(seen) <= 1.0

    def stop(fraction: float) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        utility_curve(Canonical(epsilon=1.0, k=3), SCORES, progress=stop)


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"low": 0.0}, "low must be a number above 0"),
        ({"low": 2.0, "high": 1.0}, "high must be above low, which is 2"),
        ({"event": "best"}, "event must be one of"),
        ({"event": "inclusion"}, "item must be an item index"),
        ({"tolerance": 0.0}, "tolerance must be a number from"),
    ],
)
def test_bad_input(told: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        utility_curve(Canonical(epsilon=1.0, k=3), SCORES, **told)  # type: ignore[arg-type]


def test_no_two_nodes_of_a_curve_lie_further_apart_than_a_fifth() -> None:
    """However well a spline may fit where it was looked at: what is between is not believed over a long way."""
    m = Canonical(epsilon=1.0, k=2)
    curve = utility_curve(m, Scores([9.0, 7.0, 4.0, 1.0], monotonic=True), low=1e-3, high=1e4, tolerance=0.05)
    assert np.abs(np.diff(curve.value)).max() <= 0.2

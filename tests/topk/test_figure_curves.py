"""Figures at a vector of ε, and against k, are those of a loop over it."""

from typing import Any

import pytest

from dpviz import TOP_K, ParameterError, Peeling, Scores, figures_by_epsilon
from dpviz.topk.figure_curve import figures_by_k, k_grid

SCORES = Scores([30, 24, 20, 17, 12, 9, 7, 4], monotonic=True, contributions=2)


@pytest.mark.parametrize("name", list(TOP_K))
def test_it_is_the_loop(name: str) -> None:
    m = TOP_K[name](epsilon=9.0, k=3)
    epsilons = [2.0, 0.3, 0.7]  # in no order
    figures: dict[str, Any] = {"figures": ("top", "share", "hits"), "at_least": 2}
    by_epsilon = figures_by_epsilon(m, SCORES, epsilons, **figures)
    by_k = figures_by_k(m, SCORES, [2, 3, 7], **figures)
    for curves, laws in (
        (by_epsilon, [m.replace(epsilon=x).distribution(SCORES) for x in epsilons]),
        (by_k, [m.replace(k=k).distribution(SCORES) for k in (2, 3, 7)]),
    ):
        assert [curve.event for curve in curves] == ["top", "share", "hits_at_least_2"]
        assert curves[0].method == "exact"
        for i, dist in enumerate(laws):
            told = [curve.value[i] for curve in curves]
            truth = (dist.top, dist.share, dist.hits_at_least(2))
            assert told == pytest.approx(truth, abs=1e-14)
            ends = (curves[0].low[i], curves[0].high[i])
            assert ends == pytest.approx(dist.interval("top"), abs=1e-14)
    assert by_epsilon[0].x.tolist() == epsilons


def test_estimated_points_carry_intervals() -> None:
    scores = Scores(list(range(40, 0, -1)), monotonic=True)
    m = Peeling(epsilon=1.0, k=8, noise="laplace")
    (top,) = figures_by_epsilon(m, scores, [20.0, 30.0], figures=["top"], samples=200)
    assert top.method == "estimated"
    assert (top.high - top.low > 0.01).all()


def test_bad_input_is_told() -> None:
    m, seen = Peeling(epsilon=1.0, k=1), list[float]()
    figures_by_epsilon(m, SCORES, [0.5, 1], progress=seen.append)
    assert seen[-1] == 1.0
    for says, call in {
        "epsilons must be a list of at least one": lambda: figures_by_epsilon(m, SCORES, [[0.5]]),  # type: ignore[list-item]
        "epsilon must be": lambda: figures_by_epsilon(m, SCORES, [0.5, -1.0]),
        "at least one": lambda: figures_by_k(m, SCORES, []),
        "at most 7": lambda: figures_by_k(m, SCORES, [8]),
    }.items():
        with pytest.raises(ParameterError, match=says):
            call()


@pytest.mark.parametrize(("d", "k"), [(2, 1), (6, 5), (60, 10), (17_770, 1000)])
def test_the_spread_holds_k_and_stays_below_d(d: int, k: int) -> None:
    spread = k_grid(d, k)
    assert spread == sorted(set(spread))
    assert spread[0] == 1
    assert spread[-1] < d
    assert k in spread

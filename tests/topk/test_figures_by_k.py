"""Figures against k are the law's own at each k."""

import pytest

from dpviz import Scores
from dpviz.base.errors import ParameterError
from dpviz.topk.figure_curve import figures_by_k, k_grid
from dpviz.topk.mechanism import TOP_K
from dpviz.topk.peeling import Peeling

SCORES = Scores([30, 24, 20, 17, 12, 9, 7, 4], monotonic=True, contributions=2)


@pytest.mark.parametrize("name", list(TOP_K))
def test_each_point_is_the_laws_figure(name: str) -> None:
    m = TOP_K[name](epsilon=1.0, k=1)
    top, great = figures_by_k(m, SCORES, [1, 3, 7], events=("top", "great"))
    for i, k in enumerate((1, 3, 7)):
        dist = m.replace(k=k).distribution(SCORES)
        assert (top.value[i], great.value[i]) == pytest.approx((dist.top, dist.great), abs=1e-14)
        assert (top.low[i], top.high[i]) == pytest.approx(dist.interval("top"), abs=1e-14)
    assert top.method == "exact"


def test_estimated_points_carry_intervals() -> None:
    scores = Scores(list(range(40, 0, -1)), monotonic=True)
    (top,) = figures_by_k(
        Peeling(epsilon=20.0, k=1, noise="laplace"), scores, [2, 8], events=["top"], samples=200
    )
    assert top.method == "estimated"
    assert top.high[1] - top.low[1] > 0.01


def test_progress_reaches_the_end_and_bad_input_is_told() -> None:
    seen: list[float] = []
    figures_by_k(Peeling(epsilon=1.0, k=1), SCORES, [1, 2], progress=seen.append)
    assert seen[-1] == 1.0
    with pytest.raises(ParameterError, match="at least one"):
        figures_by_k(Peeling(epsilon=1.0, k=1), SCORES, [])
    with pytest.raises(ParameterError, match="at most 7"):
        figures_by_k(Peeling(epsilon=1.0, k=1), SCORES, [8])


@pytest.mark.parametrize(("d", "k"), [(2, 1), (6, 5), (60, 10), (17_770, 1000)])
def test_the_spread_holds_k_and_stays_below_d(d: int, k: int) -> None:
    spread = k_grid(d, k)
    assert spread == sorted(set(spread))
    assert spread[0] == 1
    assert spread[-1] < d
    assert k in spread

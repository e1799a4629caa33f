"""Figures at a vector of ε are those of a loop over it."""

import numpy as np
import pytest

from dpviz import ParameterError, Scores, figures_by_epsilon
from dpviz.topk.mechanism import TOP_K
from dpviz.topk.peeling import Peeling

SCORES = Scores([30, 24, 20, 17, 12, 9, 7, 4], monotonic=True, contributions=2)


@pytest.mark.parametrize("name", list(TOP_K))
def test_it_is_the_loop(name: str) -> None:
    m = TOP_K[name](epsilon=9.0, k=3)
    epsilons = np.array([2.0, 0.3, 0.7])  # in no order
    top, share, hits = figures_by_epsilon(
        m, SCORES, epsilons, events=("top", "share", "hits"), at_least=2
    )
    assert (top.event, share.event, hits.event) == ("top", "share", "hits_at_least_2")
    assert top.x.tolist() == epsilons.tolist()
    for i, epsilon in enumerate(epsilons.tolist()):
        dist = m.replace(epsilon=epsilon).distribution(SCORES)
        expected = (dist.top, dist.share, dist.hits_at_least(2))
        assert (top.value[i], share.value[i], hits.value[i]) == pytest.approx(expected, abs=1e-14)
        assert (top.low[i], top.high[i]) == pytest.approx(dist.interval("top"), abs=1e-14)
    assert top.method == "exact"


def test_estimated_points_carry_intervals() -> None:
    scores = Scores(list(range(40, 0, -1)), monotonic=True)
    m = Peeling(epsilon=1.0, k=8, noise="laplace")
    (top,) = figures_by_epsilon(m, scores, [20.0, 30.0], events=["top"], samples=200)
    assert top.method == "estimated"
    assert (top.high - top.low > 0.01).all()


def test_progress_reaches_the_end_and_bad_input_is_told() -> None:
    m, seen = Peeling(epsilon=1.0, k=1), list[float]()
    figures_by_epsilon(m, SCORES, [0.5, 1], progress=seen.append)
    assert seen[-1] == 1.0
    for bad in ([], 0.5, [[0.5]]):
        with pytest.raises(ParameterError, match="epsilons must be a list of at least one"):
            figures_by_epsilon(m, SCORES, bad)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="epsilon must be"):
        figures_by_epsilon(m, SCORES, [0.5, -1.0])

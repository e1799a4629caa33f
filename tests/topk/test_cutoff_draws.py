"""Draws: whole sets against the exact law, ties, decided ranks, and rows that have to be completed."""

import numpy as np
import pytest
from scipy import stats

from dpviz import NOISES
from dpviz.topk import peeling_sampler
from dpviz.topk.cutoff_law import top_k_sampler
from dpviz.topk.peeling_sampler import PeelingSampler
from tests.gaps.sparse.oracle import one_shot_sets, peeled_sets
from tests.meters import FALSE_ALARM

Q = np.array([1.5, 1.0, 0.0, 0.0, -1.0])


def agrees(ranks: np.ndarray, sets: dict[tuple[int, ...], float]) -> bool:
    seen = dict.fromkeys(sets, 0)
    for row in ranks.tolist():
        seen[tuple(row)] += 1
    expected = np.array(list(sets.values()))
    expected *= len(ranks) / expected.sum()
    return bool(stats.chisquare(list(seen.values()), expected).pvalue > FALSE_ALARM)


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("k", [1, 2, 4])
def test_one_shot_sets(noise: str, k: int) -> None:
    draw = top_k_sampler(Q - Q[k], k, NOISES[noise])
    assert agrees(draw(20_000, np.random.default_rng(k)), one_shot_sets(Q, k, noise))


@pytest.mark.parametrize(
    "cuts",
    [
        {},
        {"_ENOUGH": 0.2, "_MOST_EMPTY": 1.0},
        {"_ENOUGH": 0.2, "_MOST_EMPTY": 1.0, "_FARTHER": 0.3},
        {"_OFTEN": 0.95, "_ENOUGH": 1.0, "_MOST_EMPTY": 1.0},
    ],
    ids=["usual", "most between the cuts", "most below both", "most as points"],
)
@pytest.mark.parametrize("noise", NOISES)
def test_rounds(noise: str, cuts: dict[str, float], monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the cuts lie decides the time, not the law."""
    for name, value in cuts.items():
        monkeypatch.setattr(peeling_sampler, name, value)
    draw = PeelingSampler(NOISES[noise], Q, 3)
    assert agrees(draw(20_000, np.random.default_rng(7)), peeled_sets(Q, 3, noise))


@pytest.mark.parametrize("noise", ["laplace", "exponential"])
def test_the_cut_is_lowered_while_rounds_go_on(noise: str) -> None:
    rng = np.random.default_rng(8)
    level, rows = np.linspace(30.0, 0.0, 90), 3000
    ranks = PeelingSampler(NOISES[noise], level, 25)(rows, rng)
    taken = np.zeros((rows, len(level)), bool)
    for _ in range(25):
        value = np.where(taken, -np.inf, level + NOISES[noise].sample(rng, taken.shape))
        taken[np.arange(rows), value.argmax(1)] = True
    seen, known = np.bincount(ranks.ravel(), minlength=90), taken.sum(0)
    for rank in np.flatnonzero((seen + known > 0) & (seen + known < 2 * rows)):
        table = [[seen[rank], rows - seen[rank]], [known[rank], rows - known[rank]]]
        assert stats.fisher_exact(table).pvalue > FALSE_ALARM / 90

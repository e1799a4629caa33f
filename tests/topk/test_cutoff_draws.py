"""Draws: whole sets against the exact law, ties, decided ranks, and rows that have to be completed."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from dpviz import NOISES
from dpviz.numerics.cutoff.window import cutoff_window
from dpviz.topk import peeling_sampler
from dpviz.topk.cutoff_law import one_shot_sampler
from dpviz.topk.peeling_sampler import PeelingSampler
from tests.gaps.sparse.oracle import one_shot_sets, peeled_sets
from tests.meters import FALSE_ALARM

Q = np.array([1.5, 1.0, 0.0, 0.0, -1.0])


def agrees(ranks: np.ndarray, sets: dict[tuple[int, ...], float]) -> bool:
    seen = dict.fromkeys(sets, 0)
    for row in ranks.tolist():
        seen[tuple(row)] += 1
    expected = np.array(list(sets.values())) * len(ranks)
    return bool(
        stats.chisquare(list(seen.values()), expected * len(ranks) / expected.sum()).pvalue
        > FALSE_ALARM
    )


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("k", [1, 2, 4])
def test_one_shot_sets(noise: str, k: int) -> None:
    draw = one_shot_sampler(cutoff_window(NOISES[noise], Q - Q[k], k))
    assert agrees(draw(20_000, np.random.default_rng(k)), one_shot_sets(Q, k, noise))


@pytest.mark.parametrize("noise", NOISES)
def test_rows_with_too_few_survivors_are_completed(noise: str) -> None:
    """With the window's low end moved up most rows lack survivors, and the law must not change."""
    k = 2
    window = cutoff_window(NOISES[noise], Q - Q[k], k)
    draw = one_shot_sampler(replace(window, low=window.centre + 1.0))
    assert agrees(draw(20_000, np.random.default_rng(4)), one_shot_sets(Q, k, noise))


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


def test_rounds_whose_items_are_far_apart() -> None:
    """e^u of one is no number beside that of another."""
    level = np.repeat([5000.0, 3000.0, 200.0, 0.0, -4000.0], [1, 2, 1, 3, 2])
    ranks = PeelingSampler(NOISES["laplace"], level, 5)(3000, np.random.default_rng(3))
    assert (ranks[:, :4] == np.arange(4)).all()
    assert stats.chisquare(np.bincount(ranks[:, 4] - 4, minlength=3)).pvalue > FALSE_ALARM


def test_rounds_look_as_far_down_as_the_best_left_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cut is not lowered for empty rows here: what is looked at has to follow all the same."""
    monkeypatch.setattr(peeling_sampler, "_MOST_EMPTY", 2.0)
    ranks = PeelingSampler(NOISES["laplace"], np.arange(0.0, -900.0, -30.0), 25)(
        50, np.random.default_rng(2)
    )
    assert (ranks == np.arange(25)).all()


def test_rounds_in_several_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is looked at together, and read together, does not matter."""
    for name in ("_AT_ONCE", "_SOME_CELLS"):
        monkeypatch.setattr(peeling_sampler, name, 7)
    monkeypatch.setattr(peeling_sampler, "_ENOUGH", 0.2)
    assert agrees(
        PeelingSampler(NOISES["laplace"], Q, 2)(3000, np.random.default_rng(1)),
        peeled_sets(Q, 2, "laplace"),
    )


def test_rounds_with_many_unlikely_items() -> None:
    """Most wins come from items that are seldom above the cut: 3 rounds, against all noise drawn."""
    rng = np.random.default_rng(5)
    level, rows = np.concatenate([[5.0, 4.0], np.zeros(400)]), 6000
    ranks = PeelingSampler(NOISES["laplace"], level, 3)(rows, rng)
    taken = np.zeros((rows, len(level)), bool)
    for _ in range(3):
        value = np.where(taken, -np.inf, level + NOISES["laplace"].sample(rng, taken.shape))
        taken[np.arange(rows), value.argmax(1)] = True
    for seen, known in [((ranks == r).any(1), taken[:, r]) for r in (0, 1)]:
        table = [[seen.sum(), rows - seen.sum()], [known.sum(), rows - known.sum()]]
        assert stats.fisher_exact(table).pvalue > FALSE_ALARM
    others = np.bincount(ranks[ranks >= 2] - 2, minlength=400)
    assert stats.chisquare(others).pvalue > FALSE_ALARM


@pytest.mark.parametrize("noise", ["laplace", "exponential"])
def test_the_cut_is_lowered_while_rounds_go_on(noise: str) -> None:
    """A long descent, 25 rounds: every rank's chance, against all noise drawn."""
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


def test_decided_ranks_need_no_draw() -> None:
    level = np.concatenate([np.full(3, 500.0), np.zeros(1), np.full(4, -500.0)])
    draw = one_shot_sampler(cutoff_window(NOISES["gumbel"], level - level[4], 4))
    assert draw(6, np.random.default_rng(0)).tolist() == [[0, 1, 2, 3]] * 6
    assert draw(0, np.random.default_rng(0)).shape == (0, 4)

"""Fourier sums over the cut-off with finer nodes, and condensed levels beside items one by one."""

import numpy as np
import pytest

from dpviz.base import NOISES
from dpviz.numerics.cutoff import window as module
from dpviz.numerics.cutoff.cutoff_race import CutoffRace
from dpviz.numerics.cutoff.item_sums import out_and_in_probabilities
from dpviz.numerics.cutoff.poisson_binomial import certain_event_probability, within_probabilities
from dpviz.numerics.cutoff.tilted_nodes import tilted_nodes
from dpviz.numerics.cutoff.window import cutoff_window
from dpviz.topk.cutoff_law import CutoffLaw

LEVELS = {
    "ties": (np.repeat([4.0, 1.0, 0.0, -1.5, -6.0], [3, 20, 30, 50, 97]), 40),
    "spread": (np.sort(np.random.default_rng(4).normal(0, 4, 150))[::-1], 50),
    "near": (np.linspace(0.3, -0.3, 80), 79),
}


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("case", LEVELS)
def test_finer_nodes_change_nothing(noise: str, case: str) -> None:
    level, k = LEVELS[case]
    window = cutoff_window(NOISES[noise], level - level[k], k)
    nodes, finer = tilted_nodes(window), tilted_nodes(window, 1.7)
    assert certain_event_probability(nodes) == pytest.approx(1.0, abs=1e-10)
    a, b = np.array([0, k // 3, k - 2, k]), np.array([k, k + 1, min(k + 9, len(level)), len(level)])
    truth = within_probabilities(finer, a, b)
    np.testing.assert_allclose(within_probabilities(nodes, a, b), truth, atol=1e-10)
    out, inside = out_and_in_probabilities(nodes)
    assert out.sum() == pytest.approx(inside.sum(), abs=1e-10)
    rough = CutoffLaw(level - level[k], k, NOISES[noise]).rough_within_table(a, b)
    np.testing.assert_allclose(rough, truth, atol=1e-3)


@pytest.mark.parametrize("noise", NOISES)
def test_a_race_of_many_is_that_of_its_items_one_by_one(
    noise: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Kinks within the cut-off's range and ties at the border of what counts as right too."""
    rng = np.random.default_rng(8)
    parts = rng.normal(0.0, 6.0, 1500), rng.uniform(-0.5, 0.5, 60), np.full(40, 0.3)
    level = -np.sort(-np.concatenate(parts))
    k = int(np.searchsorted(-level, -0.3)) + 5
    race = CutoffRace(level - level[k], k, NOISES[noise])
    assert len(race.window.condensed_level_groups(np.array([k]))[1]) < len(race.window.level) / 3
    few = figures(race)
    monkeypatch.setattr(module, "_MANY", 10**9)
    every = figures(CutoffRace(level - level[k], k, NOISES[noise]))
    for one, other in zip(few, every, strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=2e-12)


def figures(race: CutoffRace) -> list[np.ndarray]:
    a, b = np.array([0, race.k // 2, race.k - 3]), np.array([race.k, race.k + 40, race.d])
    return [race.within_table(a, b), race.hits(race.k + 35), race.inclusion(), np.array(race.error)]

"""Condensed levels: sums over a cell and values within it, at every angle in use."""

import numpy as np
import pytest

from dpviz.base import NOISES
from dpviz.numerics.cutoff import level_condensation as module
from dpviz.numerics.cutoff.cutoff_race import CutoffRace


@pytest.mark.parametrize("noise", NOISES)
def test_a_race_of_many_is_that_of_its_items_one_by_one(
    noise: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Kinks within the cut-off's range and ties at the border of what counts as right too."""
    rng = np.random.default_rng(8)
    level = -np.sort(
        -np.concatenate([rng.normal(0.0, 6.0, 1500), rng.uniform(-0.5, 0.5, 60), np.full(40, 0.3)])
    )
    k = int(np.searchsorted(-level, -0.3)) + 5
    race = CutoffRace(level - level[k], k, NOISES[noise])
    assert len(race.window.evaluation_groups(np.array([k]))[1]) < len(race.window.level) / 3
    few = figures(race)
    monkeypatch.setattr(module, "_MANY", 10**9)
    for one, other in zip(
        few, figures(CutoffRace(level - level[k], k, NOISES[noise])), strict=True
    ):
        np.testing.assert_allclose(one, other, rtol=0, atol=2e-12)


def figures(race: CutoffRace) -> list[np.ndarray]:
    a, b = np.array([0, race.k // 2, race.k - 3]), np.array([race.k, race.k + 40, race.d])
    return [race.within_table(a, b), race.hits(race.k + 35), race.inclusion(), np.array(race.error)]

"""Condensed levels: sums over a cell and values within it, at every angle in use."""

import numpy as np
import pytest

from dpviz.base import NOISES
from dpviz.numerics.cutoff import level_condensation as module
from dpviz.numerics.cutoff.cutoff_race import CutoffRace
from dpviz.numerics.cutoff.level_condensation import InterpolationLevels, condense_levels

GUMBEL = NOISES["gumbel"]
Z = np.linspace(-1.0, 3.0, 9)


@pytest.mark.parametrize("density", [13, 30, 400])
@pytest.mark.parametrize("theta", [0.05, 1.0, 2.0, 3.1])
def test_products_over_a_few_levels_are_those_over_all(density: int, theta: float) -> None:
    level = -np.sort(-np.random.default_rng(density).uniform(-20.0, 8.0, 28 * density))
    count = np.ones(len(level))
    _, few, weight = condense_levels(level, count, np.array([0]), far=Z[0] - 8)
    assert len(few) < 28 * density
    one, other = (
        product(levels, counts, theta) for levels, counts in ((level, count), (few, weight))
    )
    np.testing.assert_allclose(one, other, rtol=0, atol=1e-12)


def product(level: np.ndarray, count: np.ndarray, theta: float) -> np.ndarray:
    """Π t of items that pass Z, as many of each level as said."""
    sf, cdf, _ = GUMBEL.tails(Z[:, None] - level)
    t = cdf + np.exp(1j * theta) * sf
    turned = np.log(np.abs(t)) @ count + 1j * (np.angle(t) @ count)
    return np.asarray(np.exp(turned))


def test_a_chance_of_an_item_is_that_of_its_level() -> None:
    level = -np.sort(-np.random.default_rng(1).uniform(-20.0, 8.0, 2000))
    points = InterpolationLevels(level, np.ones(2000), far=Z[0] - 8)
    assert len(points.level) < 400
    for z in Z:
        passing, exactly = GUMBEL.tails(z - points.level)[0], GUMBEL.tails(z - level)[0]
        np.testing.assert_allclose(points.interpolate_items(passing), exactly, rtol=0, atol=1e-12)


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


def test_levels_that_are_kept_are_not_touched() -> None:
    level = -np.sort(-np.random.default_rng(2).uniform(-4.0, 4.0, 2000))
    kept = np.abs(level) < 0.6
    _, few, weight = condense_levels(level, np.ones(2000), np.array([0]), kept=kept)
    assert set(level[kept]) <= set(few[weight == 1])
    assert len(few) <= kept.sum() + 8 * 8
    assert weight.sum() == pytest.approx(2000, abs=1e-9)

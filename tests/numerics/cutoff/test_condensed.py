"""A few levels that stand for many: sums over a cell and values within it, at every angle that the sums use."""

import numpy as np
import pytest

from dpviz.base import NOISES
from dpviz.numerics.cutoff.condensed import LevelPoints, condensed

GUMBEL = NOISES["gumbel"]
Z = np.linspace(-1.0, 3.0, 9)


@pytest.mark.parametrize("density", [13, 30, 400])
@pytest.mark.parametrize("theta", [0.05, 1.0, 2.0, 3.1])
def test_products_over_a_few_levels_are_those_over_all(density: int, theta: float) -> None:
    level = -np.sort(-np.random.default_rng(density).uniform(-20.0, 8.0, 28 * density))
    count = np.ones(len(level))
    _, few, weight = condensed(level, count, np.array([0]), far=Z[0] - 8)
    assert len(few) < 28 * density
    one, other = (product(levels, counts, theta) for levels, counts in ((level, count), (few, weight)))
    np.testing.assert_allclose(one, other, rtol=0, atol=1e-12)


def product(level: np.ndarray, count: np.ndarray, theta: float) -> np.ndarray:
    """Π t of items that pass Z, as many of each level as said."""
    sf, cdf, _ = GUMBEL.tails(Z[:, None] - level)
    t = cdf + np.exp(1j * theta) * sf
    turned = np.log(np.abs(t)) @ count + 1j * (np.angle(t) @ count)
    return np.asarray(np.exp(turned))


def test_a_chance_of_an_item_is_that_of_its_level() -> None:
    level = -np.sort(-np.random.default_rng(1).uniform(-20.0, 8.0, 2000))
    points = LevelPoints(level, np.ones(2000), far=Z[0] - 8)
    assert len(points.level) < 400
    for z in Z:
        passing, exactly = GUMBEL.tails(z - points.level)[0], GUMBEL.tails(z - level)[0]
        np.testing.assert_allclose(points.at_items(passing), exactly, rtol=0, atol=1e-12)

"""Polygons through tests: the lowest that any two of them, and a coin, can make."""

import numpy as np
import pytest

from dpviz.privacy import trade_off
from dpviz.privacy.trade_off import TradeOff


@pytest.mark.parametrize("rounds", [1, 3, 40])
@pytest.mark.parametrize("shape", ["any", "at the edges", "falling", "one far below"])
def test_a_polygon_is_the_lowest_of_all_coins_between_two_tests(
    monkeypatch: pytest.MonkeyPatch, shape: str, rounds: int
) -> None:
    """By every pair of 300 tests; the last far below takes corner after corner away."""
    monkeypatch.setattr(trade_off, "_ROUNDS", rounds)
    rng = np.random.default_rng(5)
    alarms, misses = rng.random(300), rng.random(300)
    if shape == "at the edges":
        alarms[:50], misses[50:80] = 0.0, 0.0
    elif shape != "any":
        alarms = np.linspace(0.01, 0.9, 300)
        misses = 0.5 + 0.4 * (1 - alarms) ** 3
    if shape == "one far below":
        misses[-1] = 0.0
    polygon = TradeOff.from_any_tests(alarms, misses)
    x, y = np.append([0.0, 1.0], alarms), np.append([1.0, 0.0], misses)
    at = np.linspace(0.0, 1.0, 23)
    run = x[None, :] - x[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        share = (at[:, None, None] - x[:, None]) / run
        coins = y[:, None] + share * (y[None, :] - y[:, None])
    coins[~((share >= 0) & (share <= 1))] = np.inf
    least = np.minimum(coins.min(axis=(1, 2)), np.where(x == at[:, None], y, np.inf).min(axis=1))
    np.testing.assert_allclose(polygon.miss_probability(at), least, atol=1e-12)
    assert (np.diff(polygon.alarms) > 0).all()


def test_tests_that_coincide_up_to_rounding_lose_no_corner() -> None:
    """Each corner of a curve stands four times, off by rounding."""
    rng = np.random.default_rng(9)
    dense = np.linspace(0.0, 1.0, 2001)
    for _ in range(200):
        corners = np.sort(rng.random(6)), np.sort(rng.random(6))[::-1]
        many = [np.repeat(v, 4) * (1 + rng.integers(-2, 3, 24) * 2.0**-53) for v in corners]
        whole, again = (
            TradeOff.from_any_tests(*v).miss_probability(dense) for v in (corners, many)
        )
        np.testing.assert_allclose(again, whole, atol=1e-12)

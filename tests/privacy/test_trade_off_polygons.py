"""Polygons through tests: the lowest that any two of them, and a coin, can make."""

import numpy as np
import pytest

from dpviz.privacy import trade_off
from dpviz.privacy.trade_off import TradeOff


def test_the_lowest_polygon_of_any_tests() -> None:
    """Against the lowest line between any two of them."""
    rng = np.random.default_rng(3)
    x, y = rng.random(30), rng.random(30) * 0.5
    x[:5], y[5:8] = 0.0, 0.0
    found = TradeOff.from_any_tests(x, y)
    ends_x, ends_y = np.append(x, [0.0, 1.0]), np.append(y, [1.0, 0.0])
    for at in np.linspace(0, 1, 101):
        left, right = np.flatnonzero(ends_x <= at), np.flatnonzero(ends_x >= at)
        lines = [
            min(ends_y[i], ends_y[j])
            if ends_x[i] == ends_x[j]
            else np.interp(at, [ends_x[i], ends_x[j]], [ends_y[i], ends_y[j]])
            for i in left
            for j in right
        ]
        assert found.miss_probability(np.array([at]))[0] == pytest.approx(min(lines), abs=1e-12)


@pytest.mark.parametrize("rounds", [1, 3, 40])
@pytest.mark.parametrize("shape", ["any", "falling", "one far below"])
def test_a_polygon_is_the_lowest_of_all_coins_between_two_tests(
    monkeypatch: pytest.MonkeyPatch, shape: str, rounds: int
) -> None:
    """By every pair of 300 tests; the last far below takes corner after corner away."""
    monkeypatch.setattr(trade_off, "_ROUNDS", rounds)
    rng = np.random.default_rng(5)
    alarms, misses = rng.random(300), rng.random(300)
    if shape != "any":
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
        alarms = np.sort(rng.random(6))
        misses = np.sort(rng.random(6))[::-1]
        whole = TradeOff.from_any_tests(alarms, misses)
        many = [
            np.repeat(v, 4) * (1 + rng.integers(-2, 3, 24) * 2.0**-53) for v in (alarms, misses)
        ]
        np.testing.assert_allclose(
            TradeOff.from_any_tests(*many).miss_probability(dense),
            whole.miss_probability(dense),
            atol=1e-12,
        )

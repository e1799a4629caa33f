"""Lower bounds from chances known to an error: no figure is above the true one."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.base import Floats
from dpviz.base.law import OutcomeComparison, PrivacyCeiling
from dpviz.privacy.loss_laws import EventLosses
from dpviz.privacy.outcomes import comparison_loss
from tests.privacy.oracle import both_ways, delta, loss_of, output_at, renyi

CEILING = PrivacyCeiling(9.0)
CHANCES = st.lists(st.floats(0.02, 1.0), min_size=3, max_size=6)


def worlds(p: list[float], q: list[float]) -> tuple[Floats, Floats]:
    """Two laws over the same outputs."""
    size = min(len(p), len(q))
    return np.array(p[:size]) / sum(p[:size]), np.array(q[:size]) / sum(q[:size])


@given(
    p=CHANCES, q=CHANCES, error=st.sampled_from([0.0, 1e-9, 0.003, 0.05]), seed=st.integers(0, 999)
)
def test_outputs_known_to_an_error(p: list[float], q: list[float], error: float, seed: int) -> None:
    laws = worlds(p, q)
    rng = np.random.default_rng(seed)
    near = [side + rng.choice([-1, 1], len(side)) * error for side in laws]
    found = loss_of(*near, error, error, epsilon=9.0)
    a, b = np.log(laws)
    full = float(np.abs(a - b).max())
    assert found.largest <= full + 1e-12
    if found.method == "exact":
        assert found.largest == pytest.approx(full, abs=1e-6)
    else:
        assert error > 1e-7
    for way, x, y in both_ways(found, a, b):
        for at in (0.0, 0.2, 1.0):
            assert way.delta(at) <= delta(x, y, at) + 1e-12
            assert error > 1e-8 or way.delta(at) == pytest.approx(delta(x, y, at), abs=1e-7)
        for order in (1, 1.2, 2, 9):
            assert way.renyi(order) <= renyi(x, y, order) + 1e-9
            assert error > 1e-8 or way.renyi(order) == pytest.approx(renyi(x, y, order), abs=1e-5)
    shown = found.output.items[0]
    assert error > 1e-8 or abs(a - b)[shown] == pytest.approx(found.largest, abs=1e-6)


@given(p=CHANCES, q=CHANCES, error=st.sampled_from([0.0, 0.003, 0.05]), seed=st.integers(0, 999))
def test_events_known_to_an_error(p: list[float], q: list[float], error: float, seed: int) -> None:
    """Events are the outputs up to one of them, which overlap."""
    laws = worlds(p, q)
    rng = np.random.default_rng(seed)
    sums = [np.cumsum(side)[:-1] for side in laws]
    near = [side + rng.choice([-1, 1], len(side)) * error for side in sums]
    both = OutcomeComparison(*near, error, error, output_at, "it", events=True)
    found = comparison_loss(both, CEILING)
    a, b = np.log(laws)
    assert found.method == "at least"
    assert found.largest <= float(np.abs(a - b).max()) + 1e-12
    for way, x, y in both_ways(found, a, b):
        for at in (0.0, 0.2, 1.0):
            assert way.delta(at) <= delta(x, y, at) + 1e-12
        for order in (1, 1.2, 2, 9):
            assert way.renyi(order) <= renyi(x, y, order) + 1e-9
    if not error:
        events, others = (np.append(side, 1 - side) for side in sums)
        best = np.abs(np.log(events / others)).max()
        assert found.largest == pytest.approx(float(best), abs=1e-9)
        apart = float(np.abs(sums[0] - sums[1]).max())
        assert found.delta(0.0) == pytest.approx(apart, abs=1e-9)
        assert found.mean >= 2 * apart**2 - 1e-9  # Pinsker


def test_an_output_or_event_of_one_world_only() -> None:
    found = loss_of(np.array([0.2, 0.8]), np.array([0.0, 1.0]))
    assert (found.method, found.largest, found.mean) == ("exact", math.inf, math.inf)
    assert found.renyi(3) == math.inf
    assert found.delta(100.0) == pytest.approx(0.2)
    assert found.reversed.mean == pytest.approx(math.log(1 / 0.8))
    event = EventLosses(np.array([0.2]), np.array([0.0]))
    assert event.highest == math.inf
    assert event.delta(np.array([50.0])).tolist() == [0.2]

"""The figures of merit derived from a law, the grid, and estimates with their intervals."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz import Cancelled, Canonical, ParameterError, Scores, estimate
from dpviz.topk.classes import log_class_size

SCORES = Scores([30.0, 12.0, 25.0, 7.0, 18.0, 3.0, 3.0, 1.0], monotonic=True)
MECHANISM = Canonical(epsilon=0.4, k=3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda d: d.within(4, 5), "a must be a whole number from 0 to 3, not 4"),
        (lambda d: d.within(0, -1), "b must be a whole number of at least 0, not -1"),
        (lambda d: d.event_probability("best"), "event must be one of"),
        (lambda d: d.grid(0, 3), "rows must be a whole number of at least 1, not 0"),
        (lambda d: d.log_probability([0, 1]), r"3 distinct item indices, not \[0, 1\]"),
        (lambda d: d.log_probability([0, 0, 1]), "items must be 3 distinct item indices"),
        (lambda d: d.log_probability([0, 1, 8]), "items must be a whole number from 0 to 7, not 8"),
    ],
)
def test_bad_arguments(call: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        call(MECHANISM.distribution(SCORES))


@given(
    d=st.integers(5, 300),
    share=st.floats(0.01, 0.95),
    epsilon=st.sampled_from([0.01, 0.2, 1.0, 4.0]),
    rows=st.integers(1, 30),
    columns=st.integers(1, 30),
    seed=st.integers(0, 99),
)
def test_grid_bins_the_class_table(
    d: int, share: float, epsilon: float, rows: int, columns: int, seed: int
) -> None:
    k = max(1, min(d - 1, round(share * d)))
    s = Scores(np.random.default_rng(seed).integers(0, 60, d), monotonic=True)
    dist = Canonical(epsilon=epsilon, k=k).distribution(s)
    grid = dist.grid(rows, columns)
    assert grid.mass.shape == (len(grid.h_edges) - 1, len(grid.t_edges) - 1)
    assert (np.array(grid.mass.shape) <= (rows, columns)).all()
    assert 0 <= grid.h_edges[0] < grid.h_edges[-1] <= k <= grid.t_edges[0] < grid.t_edges[-1]
    assert grid.t_edges[-1] <= d + 1
    bins = [grid.h_edges - 0.5, grid.t_edges - 0.5]
    wanted, _, _ = np.histogram2d(dist.h, dist.t, bins=bins, weights=dist.probability)
    np.testing.assert_allclose(grid.mass, wanted, atol=1e-9)
    assert grid.covered_mass >= 0.999 - 1e-9
    np.testing.assert_allclose(grid.h_mass, grid.mass.sum(1))
    np.testing.assert_allclose(grid.t_mass, grid.mass.sum(0))
    h, t = (v.ravel() for v in np.meshgrid(np.arange(k), np.arange(k + 1, d + 1), indexing="ij"))
    h, t = np.append(h, k - 1), np.append(t, k)
    if math.comb(d, k) < 1e300:
        sets = np.exp(log_class_size(h, t, k))
        sizes, _, _ = np.histogram2d(h, t, bins=bins, weights=sets)
        np.testing.assert_allclose(np.exp(grid.log_sets), sizes, rtol=1e-6)


def test_estimate_reports_and_can_be_cancelled() -> None:
    seen: list[float] = []

    def stop(fraction: float) -> None:
        seen.append(fraction)
        if len(seen) == 2:
            raise Cancelled

    wide = Scores(np.arange(3000.0), monotonic=True)
    with pytest.raises(Cancelled):
        estimate(Canonical(epsilon=0.1, k=2000), wide, samples=5000, progress=stop)
    assert len(seen) == 2
    assert 0 < seen[0] < seen[1] < 1


def test_number_of_samples_and_generator_are_checked() -> None:
    for samples in (0, -1, 1.5, True, "many"):
        with pytest.raises(ParameterError, match="samples must be a whole number of at least 1"):
            estimate(MECHANISM, SCORES, samples=samples)  # type: ignore[arg-type]
    for rng in ("3", 3.0, True, -3, None):
        with pytest.raises(ParameterError, match=r"rng must be a numpy.random.Generator, or"):
            MECHANISM.sample(SCORES, 2, rng=rng)  # type: ignore[arg-type]
    assert MECHANISM.sample(SCORES, 0, rng=np.random.default_rng(1)).shape == (0, 3)

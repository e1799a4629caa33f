"""Numbers of runs: generating functions against their series, and digits kept for rare events."""

import numpy as np
import pytest

from dpviz.candidates.run_counts import FixedRuns, GeometricRuns, NegativeBinomialRuns, PoissonRuns

COUNTS = [
    GeometricRuns(0.1),
    GeometricRuns(0.1, 7),
    GeometricRuns(1.0, 3),
    GeometricRuns(0.3, 1),
    FixedRuns(5),
    PoissonRuns(3.0),
    NegativeBinomialRuns(0.0, 0.1),
    NegativeBinomialRuns(-0.5, 0.1),
    NegativeBinomialRuns(2.5, 0.2),
]


@pytest.mark.parametrize("count", COUNTS, ids=repr)
def test_series(count):
    n, miss, step = np.arange(600), count.miss_probability, 1e-9
    p = count.pmf(n)
    a = np.array([0.0, 1e-9, 0.2, 0.7, 1.0])
    assert miss(a) == pytest.approx(p @ (1 - a) ** n[:, None], abs=1e-13)
    slope = (miss(a[1:4] - step) - miss(a[1:4] + step)) / (2 * step)
    assert slope == pytest.approx(count.negative_miss_slope(a[1:4]), rel=1e-5)
    for start, step in (([0.0, 0.2, 0.7], 0.1), ([0.0, 0.2, 0.7], 0.3), (1.0 - 1e-3, 1e-3)):
        a, b = np.array(start), np.array(start) + step
        difference = count.miss_difference(a, np.array(step))
        assert difference == pytest.approx(miss(a) - miss(b), abs=1e-13)


@pytest.mark.parametrize("count", [c for c in COUNTS if not isinstance(c, FixedRuns)], ids=repr)
def test_rare_outcomes_keep_their_digits(count):
    a, p = np.array(0.05), np.array(1e-18)
    slope = float(count.negative_miss_slope(a))
    assert float(count.miss_difference(a, p)) == pytest.approx(slope * 1e-18, rel=1e-12)


def test_quantile_is_the_smallest_number_that_reaches_its_chance():
    assert [FixedRuns(5).quantile(p) for p in (0.1, 1.0)] == [5, 5]
    assert GeometricRuns(0.1, 7).quantile(1.0) == 7
    for count in COUNTS:
        for p in (0.03, 0.5, 0.97):
            n = count.quantile(p)
            assert count.sf(np.array(n)) <= 1 - p < (count.sf(np.array(n - 1)) if n else 2)

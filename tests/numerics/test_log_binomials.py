"""Logs of binomial coefficients and probabilities against exact integers."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.numerics.log_binomials import log_binomial, log_binomial_probability


@given(st.integers(0, 1_000_000), st.data())
def test_log_binomial(n: int, data: st.DataObject) -> None:
    r = data.draw(st.one_of(st.integers(0, n), st.integers(0, min(n, 30))))
    with mpmath.workdps(50):
        exact = mpmath.loggamma(n + 1) - mpmath.loggamma(r + 1) - mpmath.loggamma(n - r + 1)
    assert float(log_binomial(n, r)) == pytest.approx(float(exact), rel=4e-16 * 8, abs=2e-15)


def test_impossible_choices_have_no_weight() -> None:
    assert np.exp(log_binomial([3, 3, -1, 0], [4, -1, 0, 0])).tolist() == [0, 0, 0, 1]
    among_others = np.exp(log_binomial([[3], [5000]], [4, 0, 1, 3]))
    exact = [[0, 1, 3, 1], [math.comb(5000, r) for r in (4, 0, 1, 3)]]
    np.testing.assert_allclose(among_others, exact, rtol=1e-13)


@given(st.integers(1, 10**9), st.floats(1e-9, 1.0, exclude_max=True), st.floats(-12.0, 12.0))
def test_log_binomial_probability(n: int, p: float, off: float) -> None:
    r = min(n, max(0, round(n * p + off * math.sqrt(n * p * (1 - p)))))
    with mpmath.workdps(50):
        log_each = r * mpmath.log(p) + (n - r) * mpmath.log1p(-mpmath.mpf(p))
        exact = float(mpmath.log(mpmath.binomial(n, r)) + log_each)
    rounding = 1e-15 * (4 + abs(exact) + abs(r - n * p))  # of the distance from the mean too
    assert abs(float(log_binomial_probability(n, r, p)) - exact) <= rounding

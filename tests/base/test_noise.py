"""Noise families: F and S of each, written independently, and their contract."""

import math

import mpmath
import numpy as np
import pytest

from dpviz.base.noise import log1mexp
from tests.noise_contract import DIGITS, NoiseContract


class TestGumbel(NoiseContract):
    family = "gumbel"

    def cdf(self, u: mpmath.mpf) -> mpmath.mpf:
        return mpmath.exp(-mpmath.exp(-u))

    def sf(self, u: mpmath.mpf) -> mpmath.mpf:
        return -mpmath.expm1(-mpmath.exp(-u))


class TestExponential(NoiseContract):
    family = "exponential"

    def cdf(self, u: mpmath.mpf) -> mpmath.mpf:
        return -mpmath.expm1(-max(u, 0))

    def sf(self, u: mpmath.mpf) -> mpmath.mpf:
        return mpmath.exp(-max(u, 0))


class TestLaplace(NoiseContract):
    family = "laplace"

    def cdf(self, u: mpmath.mpf) -> mpmath.mpf:
        return mpmath.exp(u) / 2 if u < 0 else 1 - mpmath.exp(-u) / 2

    def sf(self, u: mpmath.mpf) -> mpmath.mpf:
        return mpmath.exp(-u) / 2 if u > 0 else 1 - mpmath.exp(u) / 2


class TestLogistic(NoiseContract):
    family = "logistic"

    def cdf(self, u: mpmath.mpf) -> mpmath.mpf:
        return 1 / (1 + mpmath.exp(-u))

    def sf(self, u: mpmath.mpf) -> mpmath.mpf:
        return 1 / (1 + mpmath.exp(u))


class TestHalfLogistic(NoiseContract):
    family = "half_logistic"

    def cdf(self, u: mpmath.mpf) -> mpmath.mpf:
        return mpmath.tanh(max(u, 0) / 2)

    def sf(self, u: mpmath.mpf) -> mpmath.mpf:
        return 2 / (1 + mpmath.exp(max(u, mpmath.mpf(0))))


def test_log1mexp_at_both_ends() -> None:
    with mpmath.workdps(DIGITS):
        for a in (1e-300, 1e-20, 1e-5, 0.69, 0.7, 3.0, 50.0, 800.0):
            exact = float(mpmath.log(-mpmath.expm1(-mpmath.mpf(a))))
            assert float(log1mexp(np.array(a))) == pytest.approx(exact, rel=1e-14, abs=1e-320)
    assert float(log1mexp(np.array(0.0))) == -math.inf

"""Properties that every noise family must have: right logs far out, and those of the proofs."""

import math
from typing import ClassVar

import mpmath
import numpy as np
from scipy import stats

from dpviz import NOISES
from dpviz.base.noise import Noise, log1mexp
from tests.gaps.sparse.oracle import tails
from tests.menus import Contract
from tests.meters import FALSE_ALARM

DIGITS = 400  # 1 − e^−800 is a number apart from 1
POINTS = [-800.0, -40.0, -30.0, -5.0, -1.0, -1e-3, 0.0, 1e-9, 1e-3, 0.5, 0.7, 1.0, 5.0, 30.0]
POINTS += [36.9, 37.1, 200.0, 800.0]
DRAWS = 20_000


def log_of(value: mpmath.mpf) -> float:
    return float(mpmath.log(value)) if value > 0 else -math.inf


class NoiseContract(Contract):
    """Subclass, name the `family`, and write `cdf` and `sf` for mpmath, each by itself."""

    menu = NOISES
    family: ClassVar[str]

    @classmethod
    def covered(cls) -> frozenset[str]:
        return frozenset({cls.family})

    def cdf(self, u: mpmath.mpf) -> mpmath.mpf:
        """F(u)."""
        self.missing("cdf(u): F at any precision of mpmath")

    def sf(self, u: mpmath.mpf) -> mpmath.mpf:
        """S(u) = 1 − F(u), without cancellation."""
        self.missing("sf(u): S at any precision of mpmath")

    @property
    def noise(self) -> Noise:
        return NOISES[self.family]

    def test_logs_of_both_tails_against_the_definition(self) -> None:
        with mpmath.workdps(DIGITS):
            for point in POINTS:
                u = mpmath.mpf(point)
                for log, exact in (
                    (self.noise.log_cdf, self.cdf(u)),
                    (self.noise.log_sf, self.sf(u)),
                ):
                    wanted, got = log_of(exact), float(log(np.array(point)))
                    if wanted < -1e300:  # e^(−e^800) is nothing to a double
                        assert got == -math.inf
                    else:
                        assert math.isclose(got, wanted, rel_tol=1e-13, abs_tol=1e-300), point

    def test_density_is_the_slope_of_the_cdf(self) -> None:
        with mpmath.workdps(DIGITS):
            for point in POINTS:
                if point in self.noise.kinks or point == 800.0 or point < -700:
                    continue
                exact = mpmath.diff(self.cdf, mpmath.mpf(point))
                got = float(self.noise.log_pdf(np.array(point)))
                if exact < mpmath.mpf("1e-290"):
                    assert got < -600
                else:
                    assert math.isclose(got, log_of(exact), rel_tol=1e-10, abs_tol=1e-10), point

    def test_brute_force_uses_the_same_family(self) -> None:
        """The oracle of the top-k laws has its own F, S and f."""
        u = [-20.0, -3.0, -0.5, 0.25, 2.0, 30.0]
        cdf, sf, pdf = tails(self.family, np.array(u))
        exact = [
            (self.cdf(mpmath.mpf(v)), self.sf(mpmath.mpf(v)), mpmath.diff(self.cdf, v)) for v in u
        ]
        wanted = np.array(exact, float).T
        np.testing.assert_allclose([cdf, sf], wanted[:2], rtol=1e-12, atol=1e-300)
        np.testing.assert_allclose(pdf, wanted[2], rtol=1e-7, atol=1e-300)

    def test_tails_are_the_exponentials_of_the_logs(self) -> None:
        u = np.linspace(-20, 60, 4001) + 1e-4
        sf, cdf, pdf = self.noise.tails(u)
        np.testing.assert_allclose(sf, np.exp(self.noise.log_sf(u)), rtol=1e-13)
        np.testing.assert_allclose(cdf, np.exp(self.noise.log_cdf(u)), rtol=1e-11, atol=1e-300)
        np.testing.assert_allclose(pdf, np.exp(self.noise.log_pdf(u)), rtol=1e-11, atol=1e-300)

    def test_quantile_inverts_both_tails(self) -> None:
        for log_q in (-700.0, -50.0, -36.5, -20.0, -3.0, -0.8, -0.6, -0.1, -1e-3):
            log_p = float(log1mexp(np.array(-log_q)))
            u = self.noise.quantile(np.array(log_p), np.array(log_q))
            assert math.isclose(float(self.noise.log_sf(u)), log_q, rel_tol=1e-12)
            assert math.isclose(float(self.noise.log_cdf(u)), log_p, rel_tol=1e-9)

    def test_lifted_is_e_to_the_quantile(self) -> None:
        q = np.array([1e-300, 1e-9, 0.2, 0.5, 0.7, 1 - 1e-9])
        exact = np.exp(self.noise.quantile(np.log1p(-q), np.log(q)))
        np.testing.assert_allclose(self.noise.exp_upper_quantile(q), exact, rtol=1e-12)

    def test_log_survival_is_one_lipschitz_and_bounded_by_the_tail(self) -> None:
        """What the privacy proofs ask for, and what the bounds on dropped classes use."""
        u = np.linspace(-60, 700, 20_001)
        slope = np.diff(self.noise.log_sf(u)) / np.diff(u)
        assert (slope <= 1e-10).all()
        assert (slope >= -1 - 1e-10).all()
        assert (self.noise.log_sf(u) <= math.log(self.noise.tail) - u + 1e-9).all()
        assert self.noise.tail <= 2 + 1e-12
        far = np.array([33.0])  # where the kernels take the tail for the noise itself
        assert math.isclose(
            float(self.noise.log_sf(far)[0] + 33.0), math.log(self.noise.tail), abs_tol=1e-13
        )

    def test_samples_follow_the_cdf(self) -> None:
        draws = self.noise.sample(np.random.default_rng(4), DRAWS)
        uniform = np.exp(self.noise.log_cdf(draws))
        assert stats.kstest(uniform, stats.uniform.cdf).pvalue > FALSE_ALARM

    def test_largest_of_m_follows_the_power_of_the_cdf(self) -> None:
        for log_m in (0.0, 3.0, 30.0):
            draws = self.noise.sample_largest(np.random.default_rng(9), np.full(DRAWS, log_m))
            uniform = np.exp(math.exp(log_m) * self.noise.log_cdf(draws))
            assert stats.kstest(uniform, stats.uniform.cdf).pvalue > FALSE_ALARM, log_m

    def test_max_stable_family_is_moved_by_log_m(self) -> None:
        u = np.linspace(-2, 20, 50)
        moved = np.allclose(
            math.exp(3.0) * self.noise.log_cdf(u + 3.0), self.noise.log_cdf(u), rtol=1e-9
        )
        assert moved == self.noise.max_stable

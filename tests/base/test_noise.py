"""Noise families: their tails against mpmath, their quantiles, and what the proofs ask of them."""

import math
from collections.abc import Iterator

import mpmath
import numpy as np
import pytest
from scipy import stats

from dpviz import NOISES
from dpviz.base.noise import log1mexp

DIGITS = 400  # 1 − e^−800 is a number apart from 1
POINTS = [-800.0, -40.0, -30.0, -5.0, -1.0, -1e-3, 0.0, 1e-9, 1e-3, 0.5, 0.7, 1.0, 5.0, 30.0, 36.9, 37.1, 200.0, 800.0]

# F and S written down apart from the library, for any precision
REFERENCE = {
    "gumbel": (lambda u: mpmath.exp(-mpmath.exp(-u)), lambda u: -mpmath.expm1(-mpmath.exp(-u))),
    "exponential": (lambda u: -mpmath.expm1(-max(u, 0)), lambda u: mpmath.exp(-max(u, 0))),
    "laplace": (
        lambda u: mpmath.exp(u) / 2 if u < 0 else 1 - mpmath.exp(-u) / 2,
        lambda u: mpmath.exp(-u) / 2 if u > 0 else 1 - mpmath.exp(u) / 2,
    ),
    "logistic": (lambda u: 1 / (1 + mpmath.exp(-u)), lambda u: 1 / (1 + mpmath.exp(u))),
    "half_logistic": (
        lambda u: mpmath.tanh(max(u, 0) / 2),
        lambda u: 2 / (1 + mpmath.exp(max(u, mpmath.mpf(0)))),
    ),
}
SCIPY = {
    "gumbel": stats.gumbel_r,
    "exponential": stats.expon,
    "laplace": stats.laplace,
    "logistic": stats.logistic,
    "half_logistic": stats.halflogistic,
}


@pytest.fixture(autouse=True)
def digits() -> Iterator[None]:
    with mpmath.workdps(DIGITS):
        yield


def log_of(value: mpmath.mpf) -> float:
    return float(mpmath.log(value)) if value > 0 else -math.inf


@pytest.mark.parametrize("name", list(NOISES))
def test_cdf_survival_and_density_belong_together(name: str) -> None:
    """What every family keeps, one without a reference above too."""
    noise = NOISES[name]
    u = np.linspace(-30, 30, 1201) + 0.0123
    np.testing.assert_allclose(np.exp(noise.log_cdf(u)) + np.exp(noise.log_sf(u)), 1.0, rtol=1e-13)
    step = 1e-5
    slope = (np.exp(noise.log_cdf(u + step)) - np.exp(noise.log_cdf(u - step))) / (2 * step)
    np.testing.assert_allclose(np.exp(noise.log_pdf(u)), slope, rtol=1e-5, atol=1e-9)


@pytest.mark.parametrize("name", list(REFERENCE))
def test_logs_of_both_tails_against_mpmath(name: str) -> None:
    noise, (cdf, sf) = NOISES[name], REFERENCE[name]
    for point in POINTS:
        u = mpmath.mpf(point)
        for told, exact in ((noise.log_cdf, cdf(u)), (noise.log_sf, sf(u))):
            wanted, got = log_of(exact), float(told(np.array(point)))
            if wanted < -1e300 or wanted == -math.inf:  # e^(−e^800) is nothing to a double
                assert got == -math.inf
            else:
                assert got == pytest.approx(wanted, rel=1e-13, abs=1e-300), (name, point, told)


@pytest.mark.parametrize("name", list(REFERENCE))
def test_density_is_the_slope_of_the_cdf(name: str) -> None:
    noise, (cdf, _) = NOISES[name], REFERENCE[name]
    for point in POINTS:
        if point in noise.kinks or point == 800.0 or point < -700:
            continue
        exact = mpmath.diff(cdf, mpmath.mpf(point))
        got = float(noise.log_pdf(np.array(point)))
        if exact < mpmath.mpf("1e-290"):
            assert got < -600
        else:
            assert got == pytest.approx(log_of(exact), rel=1e-10, abs=1e-10), (name, point)


@pytest.mark.parametrize("name", list(NOISES))
def test_tails_are_the_exponentials_of_the_logs(name: str) -> None:
    noise = NOISES[name]
    u = np.linspace(-20, 60, 4001) + 1e-4
    sf, cdf, pdf = noise.tails(u)
    np.testing.assert_allclose(sf, np.exp(noise.log_sf(u)), rtol=1e-13)
    np.testing.assert_allclose(cdf, np.exp(noise.log_cdf(u)), rtol=1e-11, atol=1e-300)
    np.testing.assert_allclose(pdf, np.exp(noise.log_pdf(u)), rtol=1e-11, atol=1e-300)


@pytest.mark.parametrize("name", list(NOISES))
def test_quantile_inverts_both_tails(name: str) -> None:
    noise = NOISES[name]
    for log_q in (-700.0, -50.0, -36.5, -20.0, -3.0, -0.8, -0.6, -0.1, -1e-3):
        log_p = float(log1mexp(np.array(-log_q)))
        u = noise.quantile(np.array(log_p), np.array(log_q))
        assert float(noise.log_sf(u)) == pytest.approx(log_q, rel=1e-12)
        assert float(noise.log_cdf(u)) == pytest.approx(log_p, rel=1e-9)


@pytest.mark.parametrize("name", list(NOISES))
def test_log_survival_is_one_lipschitz_and_bounded_by_the_tail(name: str) -> None:
    """What the privacy proofs ask for, and what the bounds on dropped classes use."""
    noise = NOISES[name]
    u = np.linspace(-60, 700, 20_001)
    slope = np.diff(noise.log_sf(u)) / np.diff(u)
    assert (slope <= 1e-10).all()
    assert (slope >= -1 - 1e-10).all()
    assert (noise.log_sf(u) <= math.log(noise.tail) - u + 1e-9).all()
    assert noise.tail <= 2 + 1e-12
    far = np.array([33.0])  # where the kernels take the tail for the noise itself
    assert float(noise.log_sf(far)[0] + 33.0) == pytest.approx(math.log(noise.tail), abs=1e-13)


@pytest.mark.parametrize("name", list(NOISES))
def test_samples_follow_the_cdf(name: str) -> None:
    draws = NOISES[name].sample(np.random.default_rng(4), 20_000)
    assert stats.kstest(np.exp(NOISES[name].log_cdf(draws)), stats.uniform.cdf).pvalue > 1e-6
    if name in SCIPY:
        assert stats.kstest(draws, SCIPY[name].cdf).pvalue > 1e-6


@pytest.mark.parametrize("name", list(NOISES))
@pytest.mark.parametrize("log_m", [0.0, 3.0, 30.0])
def test_largest_of_m_follows_the_power_of_the_cdf(name: str, log_m: float) -> None:
    noise = NOISES[name]
    draws = noise.largest(np.random.default_rng(9), np.full(20_000, log_m))
    uniform = np.exp(math.exp(log_m) * noise.log_cdf(draws))
    assert stats.kstest(uniform, stats.uniform.cdf).pvalue > 1e-6


def test_largest_of_astronomically_many_stays_finite() -> None:
    for name in NOISES:
        draws = NOISES[name].largest(np.random.default_rng(2), np.full(1000, 5000.0))
        assert np.isfinite(draws).all()
        assert 4990 < draws.min() < draws.max() < 5030


def test_max_stable_family_is_moved_by_log_m() -> None:
    for name in NOISES:
        noise = NOISES[name]
        u = np.linspace(-2, 20, 50)
        moved = np.allclose(math.exp(3.0) * noise.log_cdf(u + 3.0), noise.log_cdf(u), rtol=1e-9)
        assert moved == noise.max_stable, name


def test_log1mexp_at_both_ends() -> None:
    for a in (1e-300, 1e-20, 1e-5, 0.69, 0.7, 3.0, 50.0, 800.0):
        exact = float(mpmath.log(-mpmath.expm1(-mpmath.mpf(a))))
        assert float(log1mexp(np.array(a))) == pytest.approx(exact, rel=1e-14, abs=1e-320)
    assert float(log1mexp(np.array(0.0))) == -math.inf

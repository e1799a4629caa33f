"""log P of one set, far below the smallest double: closed forms and high precision."""

import itertools
import math

import mpmath
import numpy as np
import pytest

from dpviz import NOISES
from dpviz.base import Floats
from dpviz.base.noise import Laplace
from dpviz.numerics import set_race
from dpviz.numerics.set_race import log_set_probability


@pytest.mark.parametrize("gap", [0.0, 1.0, 50.0, 700.0, 5000.0, 1e9, 1e14])
def test_two_items_in_closed_form(gap: float) -> None:
    """P(the item `gap` below shows more): e^(−g)/(1+e^(−g)), ½e^(−g), (½ + g/4)·e^(−g)."""
    worse, better = np.array([-gap]), np.array([0.0])
    closed = {
        "gumbel": -gap - math.log1p(math.exp(-gap)),
        "exponential": -gap - math.log(2),
        "laplace": math.log(0.5 + gap / 4) - gap,
    }
    for noise, value in closed.items():
        assert log_set_probability(NOISES[noise], worse, better) == pytest.approx(
            value, rel=1e-9, abs=1e-9
        ), noise


def high_precision(noise: str, chosen: list[float], others: list[float]) -> float:
    """The integral with 40 digits."""
    with mpmath.workdps(40):
        cdf = {
            "logistic": lambda u: 1 / (1 + mpmath.exp(-u)),
            "half_logistic": lambda u: mpmath.tanh(u / 2) if u > 0 else mpmath.mpf(0),
            "exponential": lambda u: 1 - mpmath.exp(-u) if u > 0 else mpmath.mpf(0),
        }[noise]
        pdf = {
            "logistic": lambda u: mpmath.sech(u / 2) ** 2 / 4,
            "half_logistic": lambda u: mpmath.sech(u / 2) ** 2 / 2 if u > 0 else mpmath.mpf(0),
            "exponential": lambda u: mpmath.exp(-u) if u > 0 else mpmath.mpf(0),
        }[noise]

        def density(z: mpmath.mpf) -> mpmath.mpf:
            inside = mpmath.fprod(1 - cdf(z - q) for q in chosen)
            slope = sum(
                pdf(z - others[j])
                * mpmath.fprod(cdf(z - q) for i, q in enumerate(others) if i != j)
                for j in range(len(others))
            )
            return inside * slope

        ends = sorted({*chosen, *others, min(chosen + others) - 60, max(chosen + others) + 60})
        cuts = sorted(
            {float(v) for low, high in itertools.pairwise(ends) for v in np.linspace(low, high, 5)}
        )
        return float(mpmath.log(mpmath.quad(density, cuts)))


@pytest.mark.parametrize("noise", ["logistic", "half_logistic", "exponential"])
@pytest.mark.parametrize(
    ("chosen", "others"),
    [
        ([0.0], [30.0, 28.5]),
        ([1.0, -25.0], [0.0, 0.0, -3.0]),
        ([-20.0, -20.0], [3.0]),
        ([2.0], [1.0, 1.0]),
    ],
)
def test_sets_agree_with_high_precision(
    noise: str, chosen: list[float], others: list[float]
) -> None:
    seen = log_set_probability(NOISES[noise], np.array(chosen), np.array(others))
    assert seen == pytest.approx(high_precision(noise, chosen, others), rel=1e-10, abs=1e-10)


def test_many_items_keep_their_digits() -> None:
    """All m of one level against n of another, gumbel: a product of ratios."""
    m, n, gap = 300, 700, 9.0
    left, value = n * math.exp(gap) + m, 0.0
    for _ in range(m):
        value -= math.log(left)
        left -= 1
    value += math.lgamma(m + 1)
    assert log_set_probability(NOISES["gumbel"], np.full(m, -gap), np.zeros(n)) == pytest.approx(
        value, rel=1e-11
    )


def test_huge_distances_stay_finite() -> None:
    for noise in NOISES:
        value = log_set_probability(NOISES[noise], np.array([-1e300]), np.array([0.0, -5.0]))
        assert value == pytest.approx(-1e300, rel=1e-9)
        assert log_set_probability(
            NOISES[noise], np.array([1e300]), np.array([0.0])
        ) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("noise", NOISES)
def test_one_among_equals(noise: str) -> None:
    for n in (1, 2, 1000):
        value = log_set_probability(NOISES[noise], np.zeros(1), np.zeros(n))
        assert value == pytest.approx(-math.log(n + 1), abs=1e-9)


class SlowBelow(Laplace):
    """Of one's own: F falls a thousand times as slowly as the family's, and half of it lies below
    0.
    """

    def log_pdf(self, u: Floats) -> Floats:
        return np.where(u < 0, u / 1000 - math.log(2000), super().log_pdf(u))

    def log_cdf(self, u: Floats) -> Floats:
        return np.where(u < 0, u / 1000 - math.log(2), super().log_cdf(u))

    def log_sf(self, u: Floats) -> Floats:
        return np.where(u < 0, np.log1p(-0.5 * np.exp(np.minimum(u, 0.0) / 1000)), -u - math.log(2))


@pytest.mark.parametrize("n", [1, 2, 40])
def test_levels_far_below_count_where_a_noise_falls_slowly(n: int) -> None:
    value = log_set_probability(SlowBelow(), np.zeros(1), np.zeros(n))
    assert value == pytest.approx(-math.log(n + 1), rel=1e-12)


@pytest.mark.parametrize("noise", NOISES)
def test_many_levels_are_condensed(noise: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Against all of them, one by one: levels close together, far apart and both, chosen well and
    badly.
    """
    rng = np.random.default_rng(3)
    for scale, k in [(0.3, 40), (5.0, 200), (300.0, 20)]:
        level = np.sort(rng.exponential(scale, 500))[::-1]
        for chosen in (np.arange(k), np.sort(rng.choice(500, k, replace=False))):
            inside = np.isin(np.arange(500), chosen)
            few = log_set_probability(NOISES[noise], level[inside], level[~inside])
            with monkeypatch.context() as patch:
                patch.setattr(set_race, "_MANY", math.inf)
                patch.setattr(set_race, "_UNFELT", math.inf)
                every = log_set_probability(NOISES[noise], level[inside], level[~inside])
            assert few == pytest.approx(every, rel=1e-12, abs=1e-12)

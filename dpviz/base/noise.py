"""Noise families for private selection, log first.

Symbols: u = noise value in standard form; F = cdf, S = 1 − F = sf, f = density, p = F(u), q = S(u).
A family gives log f, log F, log S and the quantile from (log p, log q); the rest is derived.
Invariants: log S is 1-Lipschitz, which is what the privacy proofs ask for, so e^u·S(u) never falls;
it has a finite limit `tail`, reached like 1 + O(e^(−u)), so S(u) ≤ tail·e^(−u) everywhere.
Logs stay right hundreds of units out, where p itself underflows.
Source: Shekelyan & Loukides 2022, Def 2.1 and A.3 (laplace and logistic corrected).
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar, Literal

import numpy as np
import scipy

from dpviz.base.arrays import Floats, cached_property, log1mexp
from dpviz.base.noise_check import check_noise_privacy
from dpviz.base.registry import Registry
from dpviz.base.user_code import register_entry_points
from dpviz.base.user_errors import NamesUserErrors

_LOG2 = math.log(2.0)
_FAR = 37.0  # e^-37 is below half an ulp of 1


class Noise(NamesUserErrors, ABC):
    """One family in standard form (scale 1).

    `start` is where the support begins. `kinks` are the points where the density is not smooth, at
    which quadrature must split. `max_stable`: the largest of m draws is one draw plus log m, which
    gives closed forms. `hides_values`: log f is 1-Lipschitz, so a value with such noise is private
    itself, not only the index of the largest. `hazard_proved`: f/S ≤ 1 is proved; otherwise
    `check_noise_privacy` only measures it before the family goes on the menu.
    """

    start: ClassVar[float] = -math.inf
    kinks: ClassVar[tuple[float, ...]] = ()
    max_stable: ClassVar[bool] = False
    hides_values: ClassVar[bool] = False
    hazard_proved: ClassVar[bool] = False

    @abstractmethod
    def log_pdf(self, u: Floats) -> Floats:
        """log f(u), −inf outside the support."""

    @abstractmethod
    def log_cdf(self, u: Floats) -> Floats:
        """log F(u)."""

    @abstractmethod
    def log_sf(self, u: Floats) -> Floats:
        """log S(u)."""

    @abstractmethod
    def quantile(self, log_p: Floats, log_q: Floats) -> Floats:
        """The u with F(u) = p and S(u) = q = 1 − p; from both logs, so no tail is lost."""

    @cached_property
    def tail(self) -> float:
        """Smallest c with S(u) ≤ c·e^(−u) for all u: the limit of the rising e^u·S(u)."""
        return float(np.exp(self.log_sf(np.array(600.0)) + 600.0))

    def tails(self, u: Floats) -> tuple[Floats, Floats, Floats]:
        """(S, F, f) at `u`, each of the shape of `u`."""
        return np.exp(self.log_sf(u)), np.exp(self.log_cdf(u)), np.exp(self.log_pdf(u))

    def exp_upper_quantile(self, q: Floats) -> Floats:
        """e^u at S(u) = q, mostly without logs: a fast way to find the largest of many draws."""
        return np.exp(self.quantile(np.log1p(-q), np.log(q)))

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...]) -> Floats:
        """Independent draws."""
        return self.sample_largest(rng, np.zeros(size))

    def sample_largest(self, rng: np.random.Generator, log_m: Floats) -> Floats:
        """For each entry the largest of m independent draws, by F⁻¹(U^(1/m)), from log m."""
        log_u = np.log(1.0 - rng.random(np.shape(log_m)))  # in (−37, 0]
        minus_log_u = np.maximum(-log_u, 1e-300)
        return self._at_log_minus(np.log(minus_log_u) - log_m)  # p = U^(1/m)

    def sample_descending(self, rng: np.random.Generator, log_left: Floats) -> Floats:
        """The largest, the second largest, … of m draws, from log m, log(m − 1), … on the last axis.

        −log p of the j-th largest is a sum of E_i/(m − i + 1), i ≤ j, of exponential E_i (Rényi).
        """
        spacing = np.maximum(-np.log(1.0 - rng.random(np.shape(log_left))), 1e-300)
        log_m = log_left[..., :1]
        total = np.cumsum(spacing * np.exp(log_m - log_left), axis=-1)
        return self._at_log_minus(np.log(total) - log_m)

    def _at_log_minus(self, log_minus: Floats) -> Floats:
        """The quantile at log(−log p)."""
        minus = np.exp(log_minus)
        log_q = np.where(log_minus < -_FAR, log_minus, log1mexp(np.maximum(minus, 1e-300)))
        return self.quantile(-minus, log_q)


NOISES: Registry[Noise] = Registry("noise", check=check_noise_privacy)

NoiseName = Literal["gumbel", "exponential", "laplace", "logistic", "half_logistic"]
"""Names of dpviz's own families, for editors and type checkers."""


def _register(name: str, label: str, says: str) -> Callable[[type[Noise]], type[Noise]]:
    def put(family: type[Noise]) -> type[Noise]:
        # f/S = y/(e^y − 1) at y = e^−u, 1, at most 1, F, and 1/(1 + e^−u)
        family.hazard_proved = True
        NOISES.add(name, family(), label=label, says=says)
        return family

    return put


@_register(
    "gumbel",
    "Gumbel (exponential mechanism)",
    "The usual noise, with a proved low cost for many releases. Begin with it.",
)
class Gumbel(Noise):
    """F(u) = exp(−e^(−u)). As top-1 noise it gives the exponential mechanism."""

    max_stable = True

    @np.errstate(over="ignore")
    def log_pdf(self, u: Floats) -> Floats:
        return -u - np.exp(-u)

    @np.errstate(over="ignore")
    def log_cdf(self, u: Floats) -> Floats:
        return -np.exp(-u)

    @np.errstate(over="ignore")
    def log_sf(self, u: Floats) -> Floats:
        return np.where(u > _FAR, -u, log1mexp(np.where(u > _FAR, 1.0, np.exp(-u))))

    def quantile(self, log_p: Floats, log_q: Floats) -> Floats:
        far = log_q < -_FAR
        return np.where(far, -log_q, -np.log(np.where(far, 1.0, -log_p)))

    def tails(self, u: Floats) -> tuple[Floats, Floats, Floats]:
        e = np.exp(-np.maximum(u, -30.0))  # e^30 units down F and f are 0 to any precision
        cdf = np.exp(-e)
        return -np.expm1(-e), cdf, e * cdf


@_register(
    "exponential",
    "Exponential (permute-and-flip)",
    "Spreads least. Use it for a single release of one item, where Gumbel is never better.",
)
class Exponential(Noise):
    """F(u) = 1 − e^(−u), u ≥ 0. As top-1 noise it gives permute-and-flip."""

    start = 0.0
    kinks = (0.0,)

    def log_pdf(self, u: Floats) -> Floats:
        return np.where(u >= 0, -u, -np.inf)

    def log_cdf(self, u: Floats) -> Floats:
        return log1mexp(np.maximum(u, 0.0))

    def log_sf(self, u: Floats) -> Floats:
        return -np.maximum(u, 0.0)

    def quantile(self, log_p: Floats, log_q: Floats) -> Floats:
        return -log_q

    def exp_upper_quantile(self, q: Floats) -> Floats:
        return 1 / q

    def tails(self, u: Floats) -> tuple[Floats, Floats, Floats]:
        v = np.maximum(u, 0.0)
        e = np.exp(-v)
        return e, -np.expm1(-v), np.where(u > 0, e, 0.0)


@_register(
    "laplace",
    "Laplace (report noisy max)",
    "Protects the noisy scores too. Use it with one-shot if one person counts in few items.",
)
class Laplace(Noise):
    """F(u) = ½e^u below 0, 1 − ½e^(−u) above. As top-1 noise it gives report noisy max."""

    kinks = (0.0,)
    hides_values = True

    def log_pdf(self, u: Floats) -> Floats:
        return -np.abs(u) - _LOG2

    def log_cdf(self, u: Floats) -> Floats:
        return np.where(u < 0, u - _LOG2, np.log1p(-0.5 * np.exp(-np.abs(u))))

    def log_sf(self, u: Floats) -> Floats:
        return self.log_cdf(-u)

    def quantile(self, log_p: Floats, log_q: Floats) -> Floats:
        return np.where(log_p < log_q, log_p + _LOG2, -(log_q + _LOG2))

    def exp_upper_quantile(self, q: Floats) -> Floats:
        return np.where(q > 0.5, 2 * (1 - q), 0.5 / q)

    def tails(self, u: Floats) -> tuple[Floats, Floats, Floats]:
        e = 0.5 * np.exp(-np.abs(u))
        right = u > 0
        return np.where(right, e, 1 - e), np.where(right, 1 - e, e), e


@_register(
    "logistic",
    "Logistic",
    "Spreads most, and protects the noisy scores too. Use it only to compare, as Laplace does the"
    " same and spreads less.",
)
class Logistic(Noise):
    """F(u) = 1/(1 + e^(−u))."""

    hides_values = True

    def log_pdf(self, u: Floats) -> Floats:
        return self.log_cdf(u) + self.log_sf(u)

    def log_cdf(self, u: Floats) -> Floats:
        return np.minimum(u, 0.0) - np.log1p(np.exp(-np.abs(u)))

    def log_sf(self, u: Floats) -> Floats:
        return self.log_cdf(-u)

    def quantile(self, log_p: Floats, log_q: Floats) -> Floats:
        return log_p - log_q

    def exp_upper_quantile(self, q: Floats) -> Floats:
        return (1 - q) / q

    def tails(self, u: Floats) -> tuple[Floats, Floats, Floats]:
        e = np.exp(-np.abs(u))
        large = 1 / (1 + e)
        small = e * large
        right = u > 0
        return np.where(right, small, large), np.where(right, large, small), small * large


@_register(
    "half_logistic",
    "Half-logistic",
    "Spreads more than Exponential and less than Gumbel. Use it to compare with these two.",
)
class HalfLogistic(Noise):
    """F(u) = (1 − e^(−u))/(1 + e^(−u)), u ≥ 0."""

    start = 0.0
    kinks = (0.0,)

    def log_pdf(self, u: Floats) -> Floats:
        v = np.maximum(u, 0.0)
        return np.where(u >= 0, _LOG2 - v - 2 * np.log1p(np.exp(-v)), -np.inf)

    def log_cdf(self, u: Floats) -> Floats:
        v = np.maximum(u, 0.0)
        return log1mexp(v) - np.log1p(np.exp(-v))

    def log_sf(self, u: Floats) -> Floats:
        v = np.maximum(u, 0.0)
        return -v - np.log1p(0.5 * np.expm1(-v))

    def quantile(self, log_p: Floats, log_q: Floats) -> Floats:
        return np.log1p(np.exp(log_p)) - log_q

    def exp_upper_quantile(self, q: Floats) -> Floats:
        return (2 - q) / q

    def tails(self, u: Floats) -> tuple[Floats, Floats, Floats]:
        v = np.maximum(u, 0.0)
        e = np.exp(-v)
        r = 1 / (1 + e)
        sf = 2 * e * r
        return sf, -np.expm1(-v) * r, np.where(u > 0, sf * r, 0.0)


class Gaussian(Noise):
    """F(u) = Φ(u), on no menu: log S is not Lipschitz, so ε needs a δ. Hides the noisy scores."""

    @np.errstate(over="ignore")
    def log_pdf(self, u: Floats) -> Floats:
        return -0.5 * np.square(u) - 0.5 * math.log(2 * math.pi)

    def log_cdf(self, u: Floats) -> Floats:
        return np.asarray(scipy.special.log_ndtr(u))

    def log_sf(self, u: Floats) -> Floats:
        return np.asarray(scipy.special.log_ndtr(-np.asarray(u)))

    def quantile(self, log_p: Floats, log_q: Floats) -> Floats:
        return np.where(
            log_p < log_q, scipy.special.ndtri_exp(log_p), -scipy.special.ndtri_exp(log_q)
        )

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...]) -> Floats:
        return rng.standard_normal(size)

    @cached_property
    def tail(self) -> float:
        """Value of e^u·S(u) where the hazard is 1, near u = 0.3, its largest."""
        return 0.516


GAUSSIAN = Gaussian()

register_entry_points(NOISES, "dpviz.noises")

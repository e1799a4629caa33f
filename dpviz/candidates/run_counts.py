"""Laws of a number of runs J ≥ 0, and the chance that none of J runs hits an event.

Symbols: γ = stop probability, T = limit; miss(a) = E[(1 − a)^J], the chance that none of the J runs
hits an event of chance a. So P(best score ≥ z) = 1 − miss(P(score ≥ z)).
Sources: Liu & Talwar 2018, Thm 3.2, 3.5; Papernot & Steinke 2022, Def 1.
"""

import math
from abc import ABC, abstractmethod
from bisect import bisect_left
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.random import Generator

from dpviz.base import Floats, Ints, cached_property


class RunCountLaw(ABC):
    """The law of the number of runs J."""

    @property
    @abstractmethod
    def mean(self) -> float:
        """E[J]."""

    @abstractmethod
    def pmf(self, n: Ints) -> Floats:
        """P(J = n)."""

    @abstractmethod
    def sf(self, n: Ints) -> Floats:
        """P(J > n)."""

    @abstractmethod
    def miss_probability(self, a: Floats) -> Floats:
        """E[(1 − a)^J]."""

    @abstractmethod
    def miss_difference(self, a: Floats, p: Floats) -> Floats:
        """miss(a) − miss(a + p), without cancellation."""

    @abstractmethod
    def negative_miss_slope(self, a: Floats) -> Floats:
        """−miss′(a)."""

    @abstractmethod
    def sample(self, rng: Generator, size: int) -> Ints:
        """Independent draws of J."""

    def quantile(self, p: float) -> int:
        """The smallest n with P(J ≤ n) ≥ p, by bisection."""

        def enough(n: int) -> bool:
            return float(self.sf(np.array(n))) <= 1 - p

        high = 1
        while not enough(high):
            high *= 2
        return bisect_left(range(high), True, key=enough)


@dataclass(frozen=True)
class GeometricRuns(RunCountLaw):
    """Stop after each run with probability `stop`, and at run `limit` in any case (None: never)."""

    stop: float
    limit: int | None = None

    @property
    def mean(self) -> float:
        """E[J] = (1 − (1 − γ)^T)/γ."""
        if self.limit is None or self.stop == 1:
            return 1 / self.stop
        return -math.expm1(self.limit * math.log1p(-self.stop)) / self.stop

    @np.errstate(divide="ignore", invalid="ignore")
    def _go_on(self, n: Floats) -> Floats:
        return np.where(n == 0, 1.0, np.exp(n * np.log1p(-self.stop)))

    def pmf(self, n: Ints) -> Floats:
        n = np.asarray(n)
        chance = np.where(n >= 1, self.stop * self._go_on(np.maximum(n - 1.0, 0.0)), 0.0)
        if self.limit is None:
            return chance
        last = self._go_on(np.array(self.limit - 1.0))
        return np.where(n < self.limit, chance, np.where(n == self.limit, last, 0.0))

    def sf(self, n: Ints) -> Floats:
        left = self._go_on(np.maximum(np.asarray(n, float), 0.0))
        return left if self.limit is None else np.where(np.asarray(n) < self.limit, left, 0.0)

    @np.errstate(divide="ignore")
    def _goes_on(self, a: Floats) -> Floats:
        """log((1 − γ)(1 − a)), the chance of one more miss after which it goes on."""
        return np.asarray(np.log1p(-self.stop) + np.log1p(-np.minimum(a, 1.0)), float)

    def miss_probability(self, a: Floats) -> Floats:
        a = np.asarray(a, float)
        missed = self.stop * (1 - a) / (a * (1 - self.stop) + self.stop)  # below: 1 − (1−γ)(1−a)
        if self.limit is None:
            return missed
        all_missed = np.exp(self.limit * self._goes_on(a))
        return np.asarray(missed * (1 - all_missed) + all_missed, float)

    @np.errstate(divide="ignore", invalid="ignore")
    def miss_difference(self, a: Floats, p: Floats) -> Floats:
        a, p = np.asarray(a, float), np.asarray(p, float)
        q, b = 1 - self.stop, np.asarray(a + p, float)
        unlimited = self.stop * p / ((a * q + self.stop) * (b * q + self.stop))
        if self.limit is None:
            return unlimited
        # miss = m + h·x with m the unlimited one, h = 1 − m = a/(a q + γ) and x = ((1−γ)(1−a))^T
        first = np.exp(self.limit * self._goes_on(a))
        fell = np.where(
            b < 1,
            -np.expm1(self.limit * (np.log1p(-np.minimum(b, 1.0)) - np.log1p(-np.minimum(a, 1.0)))),
            1.0,
        )
        hit = np.where(b > 0, b / (b * q + self.stop), 0.0)
        # h(a)x(a) − h(b)x(b) = (h(a) − h(b))x(a) + h(b)(x(a) − x(b)), and h(b) − h(a) is
        # `unlimited`
        return np.asarray(unlimited - unlimited * first + hit * first * fell, float)

    @np.errstate(divide="ignore", invalid="ignore")
    def negative_miss_slope(self, a: Floats) -> Floats:
        a = np.asarray(a, float)
        ends = a * (1 - self.stop) + self.stop
        unlimited = self.stop / ends**2
        if self.limit is None:
            return unlimited
        x = np.exp(self.limit * self._goes_on(a))
        falls = np.where(a < 1, self.limit * x / (1 - np.minimum(a, 1 - 1e-300)), 0.0)
        return np.asarray(unlimited * (1 - x) + a / ends * falls, float)

    def sample(self, rng: Generator, size: int) -> Ints:
        drawn = rng.geometric(self.stop, size)
        return drawn if self.limit is None else np.minimum(drawn, self.limit)


@dataclass(frozen=True)
class FixedRuns(RunCountLaw):
    """Exactly n runs."""

    n: int

    @property
    def mean(self) -> float:
        return float(self.n)

    def pmf(self, n: Ints) -> Floats:
        return np.where(np.asarray(n) == self.n, 1.0, 0.0)

    def sf(self, n: Ints) -> Floats:
        return np.where(np.asarray(n) < self.n, 1.0, 0.0)

    @np.errstate(divide="ignore")
    def miss_probability(self, a: Floats) -> Floats:
        return np.asarray(np.exp(self.n * np.log1p(-np.minimum(a, 1.0))), float)

    def miss_difference(self, a: Floats, p: Floats) -> Floats:
        return self.miss_probability(a) - self.miss_probability(np.asarray(a) + p)

    def negative_miss_slope(self, a: Floats) -> Floats:
        return np.asarray(self.n * (1 - np.asarray(a, float)) ** (self.n - 1), float)

    def sample(self, rng: Generator, size: int) -> Ints:
        return np.full(size, self.n, np.int64)


@dataclass(frozen=True)
class PoissonRuns(RunCountLaw):
    """J ~ Poisson(μ); no run at all with probability e^(−μ)."""

    expected: float

    @property
    def mean(self) -> float:
        return self.expected

    def pmf(self, n: Ints) -> Floats:
        n = np.asarray(n, float)
        log = scipy.special.xlogy(n, self.mean) - self.mean - scipy.special.gammaln(n + 1)
        return np.where(n < 0, 0.0, np.exp(log))

    def sf(self, n: Ints) -> Floats:
        n = np.asarray(n, float)
        return np.where(n < 0, 1.0, scipy.special.gammainc(np.maximum(n, 0.0) + 1, self.mean))

    def miss_probability(self, a: Floats) -> Floats:
        return np.exp(-self.mean * np.asarray(a, float))

    def miss_difference(self, a: Floats, p: Floats) -> Floats:
        return -self.miss_probability(a) * np.expm1(-self.mean * np.asarray(p, float))

    def negative_miss_slope(self, a: Floats) -> Floats:
        return self.mean * self.miss_probability(a)

    def sample(self, rng: Generator, size: int) -> Ints:
        return rng.poisson(self.mean, size)


@dataclass(frozen=True)
class NegativeBinomialRuns(RunCountLaw):
    """Negative binomial cut to J ≥ 1: P(n) ∝ (1 − γ)^n Γ(n + η)/n!; logarithmic for η = 0."""

    shape: float
    stop: float

    @cached_property
    def _norm(self) -> float:
        """γ^(−η) − 1, or −log γ in the limit η = 0."""
        log = -math.log(self.stop)
        return math.expm1(self.shape * log) if self.shape else log

    @property
    def mean(self) -> float:
        log = math.log(self.stop)
        if not self.shape:
            return (1 / self.stop - 1) / -log
        return self.shape * (1 - self.stop) / (self.stop * -math.expm1(self.shape * log))

    def pmf(self, n: Ints) -> Floats:
        n, eta, log_gamma = np.asarray(n, float), self.shape, scipy.special.gammaln
        k = np.maximum(n, 1.0)
        # Γ(k+η)/(Γ(η) k!) = η·Γ(k+η)/(Γ(1+η) k!): no pole at η = 0, and the sign of η is that of
        # the norm
        log = (
            k * math.log1p(-self.stop) + log_gamma(k + eta) - log_gamma(1 + eta) - log_gamma(k + 1)
        )
        return np.where(n >= 1, np.exp(log) * ((eta or 1.0) / self._norm), 0.0)

    def sf(self, n: Ints) -> Floats:
        n = np.asarray(n)
        flat = np.maximum(n.ravel(), 0).astype(np.int64)
        sums = np.append(0.0, np.cumsum(self.pmf(np.arange(1, int(flat.max(initial=0)) + 1))))
        return np.asarray(np.clip(1 - sums[flat], 0.0, 1.0).reshape(n.shape), float)

    def _base(self, a: Floats) -> Floats:
        """1 − (1−γ)(1−a)."""
        return self.stop + (1 - self.stop) * np.asarray(a, float)

    def miss_probability(self, a: Floats) -> Floats:
        log = 0.0 - np.log(self._base(a))  # no minus zero where a = 1
        return np.asarray((np.expm1(self.shape * log) if self.shape else log) / self._norm, float)

    def miss_difference(self, a: Floats, p: Floats) -> Floats:
        base = self._base(a)
        ratio = np.log1p((1 - self.stop) * np.asarray(p, float) / base)
        if not self.shape:
            return np.asarray(ratio / self._norm, float)
        return np.asarray(
            -np.exp(-self.shape * np.log(base)) * np.expm1(-self.shape * ratio) / self._norm, float
        )

    def negative_miss_slope(self, a: Floats) -> Floats:
        scale = (self.shape or 1.0) * (1 - self.stop) / self._norm
        return np.asarray(scale * self._base(a) ** (-self.shape - 1), float)

    def sample(self, rng: Generator, size: int) -> Ints:
        u = rng.random(size)
        reach = 64
        while float(self.sf(np.array(reach))) > 1 - float(u.max(initial=0.0)) and reach < 1 << 26:
            reach *= 2
        sums = np.cumsum(self.pmf(np.arange(1, reach + 1)))
        return np.minimum(np.searchsorted(sums, u, side="right"), reach - 1).astype(np.int64) + 1

"""Percentile sparse vector: the first private query likely enough to reach its threshold.

Symbols: query i is an ε1-DP run with p_i = P(score ≥ τ_i); Φ(x) = x/(1−x); S = 2ε1 (log Φ(p_i)
moves by at most S); ν ~ Lap(2S/ε3), ξ_i ~ Lap(4S/ε3): the first i with e^ξ_i Φ(p_i) > e^ν Φ(p*).
ε3-DP. Sampled: p_i from N runs, Φ(x) = (Nx+D)/(N(1−x)+D), S = 2(ε1+ε0), D =
C·log(8R/δ)/(ε0(e^(ε0+ε1)−1)), C = 2(e^(ε0+ε1)+1+e^(ε0/2)), at most R queries, ε0 and ε1 below 1:
(ε3, δ)-DP.
Invariant: given ν the queries are independent, so the law of the stop is one integral.
Source: Liu & Talwar 2018, Thm 4.1, Lemma 4.3, Thm 4.4.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from dpviz.base import (
    NOISES,
    EpsilonDelta,
    Floats,
    Frame,
    Ints,
    ParameterError,
    Progress,
    ReadOnlyArrays,
    TabularResult,
    ValueEquality,
    check_generator,
    check_integer,
    check_number,
    check_open_interval,
    check_parameters,
    check_several,
    delta_parameter,
    ignore_progress,
    open_interval_parameter,
    parameter,
    pd,
)
from dpviz.numerics.first_pass import first_pass_law, shared_laplace_noise
from dpviz.numerics.log_binomials import log_binomial_probability

_SHARED = shared_laplace_noise(0.5)  # ν in units of the queries' own noise
_STRIDE = 0.1
_WINDOW = 12.0  # standard deviations of a binomial kept, and as many counts more


@dataclass(frozen=True, eq=False, repr=False)
class StopLaw(ReadOnlyArrays, ValueEquality, TabularResult):
    """The chance that a search stops at each query or threshold, and at none.

    Parameters
    ----------
    stop
        The chance of each query or threshold, shape (steps,).
    none
        The chance of none.
    error
        Bound on the error of each.
    method
        "exact".
    """

    stop: Floats
    none: float
    error: float
    method: str = "exact"

    def frame(self) -> Frame:
        """A row for each query or threshold and one for none: stop, value, error, method."""
        names = [*range(1, len(self.stop) + 1), "none"]
        value = [*self.stop.tolist(), self.none]
        return pd.DataFrame(
            {"stop": names, "value": value, "error": self.error, "method": self.method}
        )

    def __repr__(self) -> str:
        at = int(np.argmax(self.stop))
        told = f"likeliest {at + 1}: {self.stop[at]:.4g}, none {self.none:.4g}"
        return f"StopLaw({len(self.stop):,} steps, {told}, {self.method})"


@dataclass(frozen=True, kw_only=True)
class PercentileSparseVector:
    """Find the first query i with P(score ≥ τ_i) clearly above a percentile.

    The oracle form knows these chances; the sampled form estimates each from runs.

    Parameters
    ----------
    percentile
        p* above 0 and below 1.
    epsilon
        ε3 above 0, the total for one release.
    candidate_epsilon
        ε1 above 0 of one run, below 1 in the sampled form.
    samples
        N ≥ 1 runs a query; None for the oracle form.
    queries
        R ≥ 2, the most queries of the sampled form.
    delta
        δ above 0 and below 1 of the sampled form.
    epsilon0
        ε0 above 0 and below 1, the slack of the sampled form.

    Raises
    ------
    ParameterError
        Outside the theorems' conditions.

    Examples
    --------
    >>> m = PercentileSparseVector(percentile=0.5, epsilon=1.0, candidate_epsilon=0.1)
    >>> law = m.distribution([0.2, 0.5, 0.9])
    >>> law.stop.round(3).tolist(), round(law.none, 3)
    ([0.113, 0.428, 0.434], 0.026)
    """

    percentile: float = open_interval_parameter(0.5, "Percentile p*")
    epsilon: float = parameter(1.0, low=0.0, above=True, high=1e6, label="ε3, the privacy budget")
    candidate_epsilon: float = parameter(0.5, low=0.0, above=True, high=1e6, label="ε1 of one run")
    samples: int | None = None
    queries: int = parameter(100, low=2, integer=True, label="At most R queries")
    delta: float = delta_parameter()
    epsilon0: float = open_interval_parameter(0.5, "ε0")

    def __post_init__(self) -> None:
        check_parameters(self)
        if self.samples is not None:
            object.__setattr__(self, "samples", check_integer("samples", self.samples, low=1))
            check_open_interval("candidate_epsilon", self.candidate_epsilon)

    @property
    def sensitivity(self) -> float:
        """S: 2ε1, or 2(ε1 + ε0) in the sampled form."""
        return 2 * (self.candidate_epsilon + (self.epsilon0 if self.samples else 0.0))

    @property
    def offset(self) -> float:
        """D of the sampled form, in runs; 0 in the oracle form."""
        if self.samples is None:
            return 0.0
        both = self.epsilon0 + self.candidate_epsilon
        c = 2 * (math.exp(both) + 1 + math.exp(self.epsilon0 / 2))
        small = self.epsilon0 * math.expm1(both)
        return c * math.log(8 * self.queries / self.delta) / small if small else math.inf

    @property
    def query_scale(self) -> float:
        """4S/ε3, the scale of ξ; ν has half of it."""
        return 4 * self.sensitivity / self.epsilon

    def total_epsilon(self) -> EpsilonDelta:
        """(ε3, 0) in the oracle form, (ε3, δ) in the sampled one."""
        return EpsilonDelta(self.epsilon, 0.0 if self.samples is None else self.delta)

    @np.errstate(divide="ignore")
    def log_odds(self, p: Floats) -> Floats:
        """log Φ(p); infinite at 0 and 1 in the oracle form."""
        n, d = (1.0, 0.0) if self.samples is None else (float(self.samples), self.offset)
        if d == math.inf:  # of an ε0 next to 0
            return np.zeros(np.shape(p))
        return np.asarray(np.log(n * p + d) - np.log(n * (1 - p) + d), float)

    def distribution(
        self, percentiles: Iterable[float], *, progress: Progress = ignore_progress
    ) -> StopLaw:
        """The law of the query at which it stops.

        Parameters
        ----------
        percentiles
            P(score ≥ τ_i) of each query in order, e.g. `pool.tail(τ)`, from 0 to 1.
        progress
            Told the fraction done; may raise `Cancelled`.

        Returns
        -------
        StopLaw
            The chance of each query, and of none.
        """
        p = self._checked(percentiles)
        start = float(self.log_odds(np.array(self.percentile)))
        if self.samples is None:
            gaps = np.clip((self.log_odds(p) - start) / self.query_scale, -300.0, 300.0)
            law, rest = first_pass_law(gaps, _SHARED, progress)
            return StopLaw(law, rest.none, rest.error)
        coarse = self._walk(p, start, self.samples, _STRIDE)
        progress(1 / 3)
        fine = self._walk(p, start, self.samples, _STRIDE / 2)
        progress(1.0)
        error = float(np.abs(fine - coarse).sum()) + 1e-12
        return StopLaw(fine[:-1], float(fine[-1]), error)

    def sample(self, percentiles: Iterable[float], size: int = 1, *, rng: Generator | int) -> Ints:
        """Independent releases.

        Parameters
        ----------
        percentiles
            P(score ≥ τ_i) of each query in order, from 0 to 1.
        size
            How many releases.
        rng
            The generator, or its seed.

        Returns
        -------
        Ints
            The index of the query answered ⊤, −1 for none, shape (size,).
        """
        p = self._checked(percentiles)
        size = check_integer("size", size, low=0)
        rng = check_generator(rng)
        seen = np.broadcast_to(p, (size, len(p)))
        if self.samples is not None:
            seen = rng.binomial(self.samples, seen) / self.samples
        level = self.log_odds(np.array(self.percentile)) + rng.laplace(
            0, self.query_scale / 2, (size, 1)
        )
        passed = self.log_odds(seen) + rng.laplace(0, self.query_scale, (size, len(p))) > level
        return np.where(passed.any(axis=1), passed.argmax(axis=1), -1)

    def _checked(self, percentiles: Iterable[float]) -> Floats:
        p = check_chances("percentiles", percentiles)
        if self.samples is not None and len(p) > self.queries:
            raise ParameterError(
                "the number of queries", len(p), f"at most queries = {self.queries}"
            )
        return p

    def _walk(self, p: Floats, start: float, n: int, stride: float) -> Floats:
        """The law of the sampled form, one integral over ν of binomial mixtures."""
        panels = 2 * math.ceil(_SHARED.reach / stride)  # an even number: a panel ends at 0
        edges = np.linspace(-_SHARED.reach, _SHARED.reach, panels + 1)
        x, v = np.polynomial.legendre.leggauss(3)
        half = (edges[1] - edges[0]) / 2
        w = ((edges[1:] + edges[:-1])[:, None] / 2 + half * x).ravel()
        mass = np.tile(half * v, panels) * _SHARED.pdf(w)
        passes = {chance: self._passes(chance, start, n, w) for chance in dict.fromkeys(p.tolist())}
        law = np.empty(len(p) + 1)
        for i, chance in enumerate(p.tolist()):
            law[i] = mass @ passes[chance]
            mass = mass * (1 - passes[chance])
        law[-1] = mass.sum()
        return law

    def _passes(self, chance: float, start: float, n: int, w: Floats) -> Floats:
        """P(⊤) of one query at every node: a binomial mixture of Laplace tails."""
        spread = _WINDOW * math.sqrt(n * chance * (1 - chance)) + _WINDOW
        low, high = max(0, math.floor(n * chance - spread)), min(n, math.ceil(n * chance + spread))
        counts = np.arange(low, high + 1)
        gaps = (self.log_odds(counts / n) - start) / self.query_scale
        weights = np.exp(log_binomial_probability(n, counts, chance))
        total = np.zeros(len(w))
        for weight, gap in zip(weights.tolist(), gaps.tolist(), strict=True):
            if weight > 1e-18:
                total += weight * np.exp(NOISES["laplace"].log_cdf(gap + w))
        return total


def check_chances(name: str, chances: Iterable[float]) -> Floats:
    given = check_several(name, chances, "a list with the chance of each query")
    p = np.array([check_number(f"{name}[{i}]", x, low=0.0, high=1.0) for i, x in enumerate(given)])
    if not len(p):
        raise ParameterError("the number of queries", 0, "at least 1")
    return p

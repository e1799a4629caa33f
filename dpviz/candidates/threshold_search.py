"""Search for an unknown threshold among private candidates.

Symbols: thresholds τ_1 > τ_2 > … and p_i = P(a run scores ≥ τ_i), so p_i rises; N runs are made
once and used for every threshold, p̃_i is their share ≥ τ_i. S = ε1 + ε0, C = 2(e^S + 1 + e^(ε0/2)),
D = C·log(4R/δ)/(ε0(e^S − 1)), ν ~ Lap(2S/ε3), ξ_i ~ Lap(4S/ε3). The first i is published with
e^ξ_i (N p̃_i + D) ≥ e^ν β^(6S/ε3) e^(−ε0/2) (N p* + D). It is (ε3, δ)-DP for every N.
N = 3D e^(ε0/2)/p* · β^(−12S/ε3) (R+1)^(6S/ε3) makes the threshold good; it passes every double.
Invariants: given ν and N ≤ 200 the counts N p̃_i are a Markov chain, as the runs below τ_i reach
τ_(i+1) with (p_(i+1) − p_i)/(1 − p_i). Above that p_i stands for p̃_i, and `error` bounds the
difference: a test's chance moves by at most E|log(N p̃_i + D) − log(N p_i + D)|·ε3/(8S).
Source: Liu & Talwar 2018, Thm 4.6.
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
    Ints,
    ParameterError,
    Progress,
    check_generator,
    check_integer,
    check_parameters,
    delta_parameter,
    ignore_progress,
    open_interval_parameter,
    parameter,
)
from dpviz.candidates.percentile_sparse_vector import StopLaw, check_chances
from dpviz.numerics.first_pass import first_pass_law, noise_nodes_and_weights, shared_laplace_noise
from dpviz.numerics.log_binomials import log_binomial_probability

_SHARED = shared_laplace_noise(0.5)  # ν in units of ξ
_MOST_CHAINED = 200
_MOST_DRAWN = 1e15  # more runs than that have their expected share


@dataclass(frozen=True, kw_only=True)
class ThresholdSearch:
    """Find the largest of R thresholds that a run reaches with a chance of about p*.

    Parameters
    ----------
    percentile
        p* above 0 and below 1.
    epsilon
        ε3 above 0, the total of the search.
    candidate_epsilon
        ε1 above 0 of one run with its score.
    epsilon0
        ε0 above 0 and below 1, the slack for sampled chances.
    delta
        δ above 0 and below 1.
    beta
        β above 0 and below 1, the chance that the search may fail.
    steps
        R ≥ 2, the most thresholds.
    samples
        N ≥ 1 runs; None for as many as the theorem asks for.

    Raises
    ------
    ParameterError
        Outside the theorem's conditions.

    Examples
    --------
    >>> search = ThresholdSearch(percentile=0.05, candidate_epsilon=0.1, steps=10)
    >>> law = search.distribution([0.0, 1e-8, 1e-5, 0.05, 0.5])
    >>> law.stop.round(3).tolist(), round(law.none, 3)
    ([0.0, 0.037, 0.478, 0.472, 0.012], 0.0)
    """

    percentile: float = open_interval_parameter(0.05, "Percentile p*")
    epsilon: float = parameter(1.0, low=0.0, above=True, high=1e6, label="ε3, the privacy budget")
    candidate_epsilon: float = parameter(0.5, low=0.0, above=True, high=700.0, label="ε1 of a run")
    epsilon0: float = open_interval_parameter(0.5, "ε0")
    delta: float = delta_parameter()
    beta: float = open_interval_parameter(0.1, "Chance β to fail")
    steps: int = parameter(10, low=2, high=10_000, integer=True, label="At most R thresholds")
    samples: int | None = None

    def __post_init__(self) -> None:
        check_parameters(self)
        if self.samples is not None:
            object.__setattr__(self, "samples", check_integer("samples", self.samples, low=1))

    @property
    def sensitivity(self) -> float:
        """S = ε1 + ε0, by which one person moves the log of a softened count."""
        return self.candidate_epsilon + self.epsilon0

    @property
    def query_scale(self) -> float:
        """4S/ε3, the scale of ξ; ν has half of it."""
        return 4 * self.sensitivity / self.epsilon

    @property
    def _log_offset(self) -> float:
        """log D."""
        s, e0 = self.sensitivity, self.epsilon0
        c = 2 * (math.exp(s) + 1 + math.exp(e0 / 2))
        unions = math.log(4 * self.steps / self.delta)
        return math.log(c * unions) - math.log(e0) - math.log(math.expm1(s))

    @property
    def _log_samples(self) -> float:
        if self.samples is not None:
            return math.log(self.samples)
        power = 1.5 * self.query_scale  # 6S/ε3
        asked = math.log(3) + self._log_offset + self.epsilon0 / 2 - math.log(self.percentile)
        return asked - 2 * power * math.log(self.beta) + power * math.log(self.steps + 1)

    @property
    def log10_samples(self) -> float:
        """log10 of N, the number of runs that the search makes."""
        return self._log_samples / math.log(10)

    @property
    def log10_least_chance(self) -> float:
        """log10 of the p_i below which it stops with probability at most β + δ/2 (Thm 4.6b)."""
        power = 1.5 * self.query_scale * math.log(self.beta**2 / (self.steps + 1))
        return (power + math.log(self.percentile / 3) - self.epsilon0 / 2) / math.log(10)

    def total_epsilon(self) -> EpsilonDelta:
        """(ε3, δ) of the search alone; the run that is chosen with its threshold comes on top."""
        return EpsilonDelta(self.epsilon, self.delta)

    def distribution(
        self, chances: Iterable[float], *, progress: Progress = ignore_progress
    ) -> StopLaw:
        """The exact law of the threshold found.

        Parameters
        ----------
        chances
            p_i of each threshold, the highest threshold first, e.g. `pool.mixture_tail(thresholds)`.
        progress
            Told the fraction done; may raise `Cancelled`.

        Returns
        -------
        StopLaw
            The chance of each threshold, and of none.
        """
        p = self._checked(chances)
        if self.samples is not None and self.samples <= _MOST_CHAINED:
            progress(1.0)
            return self._chain(p, self.samples)
        log_chance = _logs(p)
        law, rest = first_pass_law(self._leads(log_chance), _SHARED, progress)
        return StopLaw(law, rest.none, rest.error + self._sampling_error(p, log_chance))

    def sample(self, chances: Iterable[float], size: int = 1, *, rng: Generator | int) -> Ints:
        """Independent searches, each with one sample of runs for all thresholds.

        Parameters
        ----------
        chances
            p_i of each threshold, the highest threshold first.
        size
            How many searches.
        rng
            The generator, or its seed.

        Returns
        -------
        Ints
            The index of the threshold found, −1 for none, shape (size,).
        """
        p = self._checked(chances)
        size, rng = check_integer("size", size, low=0), check_generator(rng)
        runs = math.exp(min(self._log_samples, 700.0))
        seen = np.broadcast_to(p, (size, len(p)))
        if runs <= _MOST_DRAWN:
            left, counts = np.full(size, round(runs)), []
            for chance in _rising_steps(p).tolist():
                left = left - (made := rng.binomial(left, chance))
                counts.append(made)
            seen = np.cumsum(counts, axis=0).T / round(runs)
        noise = rng.laplace(0, 1, seen.shape) - rng.laplace(0, 0.5, (size, 1))
        passed = self._leads(_logs(seen)) + noise >= 0
        return np.where(passed.any(axis=1), passed.argmax(axis=1), -1)

    def _checked(self, chances: Iterable[float]) -> Floats:
        p = check_chances("chances", chances)
        if len(p) > self.steps:
            raise ParameterError(
                "the number of thresholds", len(p), f"at most steps = {self.steps}"
            )
        if (np.diff(p) < 0).any():
            raise ParameterError("chances", p.tolist(), "rising, as the thresholds come down")
        return p

    def _log_counts(self, log_chance: Floats) -> Floats:
        """log(N p + D)."""
        return np.asarray(np.logaddexp(self._log_samples + log_chance, self._log_offset))

    def _leads(self, log_chance: Floats) -> Floats:
        """How far each test is passed without noise, in units of the scale of ξ."""
        asked = float(self._log_counts(np.array(math.log(self.percentile))))
        lowered = 1.5 * self.query_scale * math.log(self.beta) - self.epsilon0 / 2
        return (self._log_counts(log_chance) - asked - lowered) / self.query_scale

    def _sampling_error(self, p: Floats, log_chance: Floats) -> float:
        """The most by which the law with p_i differs from that with p̃_i."""
        counts = self._log_counts(log_chance)
        # X = N(p̃ − p)/(Np + D): |log(1+X)| ≤ 2 log 2 |X| from −½ on; below it, with probability
        # e^(−Np/8) at most (Chernoff), it is at most log(1 + Np/D)
        spread = np.exp(0.5 * (self._log_samples + log_chance + _logs(1 - p)) - counts)
        rare = np.exp(-np.exp(np.minimum(self._log_samples + log_chance, 700.0)) / 8)
        moved = 2 * math.log(2) * spread + rare * (counts - self._log_offset)
        return min(1.0, float(moved.sum()) / 2 / self.query_scale)

    def _chain(self, p: Floats, runs: int) -> StopLaw:
        """The law by the Markov chain of counts, at nodes of ν whose panels end at every kink."""
        counts = np.arange(runs + 1)
        leads = self._leads(_logs(counts / runs))
        w, width = noise_nodes_and_weights(_SHARED.reach, -leads)
        passes = np.exp(NOISES["laplace"].log_cdf(leads + w[:, None]))
        mass = np.zeros((len(w), runs + 1))
        mass[:, 0] = width * _SHARED.pdf(w)
        law = np.zeros(len(p))
        for i, chance in enumerate(_rising_steps(p).tolist()):
            steps = np.exp(
                log_binomial_probability(
                    runs - counts[:, None], np.maximum(counts - counts[:, None], 0), chance
                )
            )
            mass = mass @ np.where(counts >= counts[:, None], steps, 0.0)
            law[i] = float((mass * passes).sum())
            mass = mass * (1 - passes)
        return StopLaw(law, float(mass.sum()), _SHARED.outside + 1e-11)


@np.errstate(divide="ignore")
def _logs(p: Floats) -> Floats:
    """log p; −inf at 0."""
    return np.asarray(np.log(p), float)


def _rising_steps(p: Floats) -> Floats:
    """The chance of a run below each threshold to reach the next, (p_(i+1) − p_i)/(1 − p_i)."""
    before = np.append(0.0, p[:-1])
    return np.asarray(np.diff(p, prepend=0.0) / np.where(before < 1, 1 - before, 1.0))

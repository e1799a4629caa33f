"""Known threshold: draw runs until one scores τ or more, or a coin says stop with nothing.

Symbols: γ = stop probability, T = limit, p1 = P(score ≥ τ) of Q, a = (1−p1)(1−γ):
P(a run x with score ≥ τ comes out) = p(x)(1−a^T)/(1−a), else ⊥; E[runs] = (1−a^T)/(1−a).
Privacy: 2ε1 + ε0, ε0 in (0, 1], for T ≥ max(log(2/ε0)/γ, 1 + 1/(eγ)); for (ε1, δ1) candidates
(2ε1 + ε0, 3e^(2ε1+ε0)·δ1/γ).
Source: Liu & Talwar 2018, Thm 3.1.
"""

import math
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.random import Generator

from dpviz.base.arrays import Floats
from dpviz.base.errors import ParameterError
from dpviz.base.parameters import check_integer, parameter
from dpviz.base.progress import Progress
from dpviz.candidates.best_of import share_levels
from dpviz.candidates.pool import CandidatePool
from dpviz.candidates.rules import CANDIDATES, CandidateRule, Releases, ScoreLaw, SelectionLaw, check_candidate
from dpviz.candidates.run_counts import Geometric


@CANDIDATES.register(
    "known_threshold",
    label="Known threshold",
    says="Runs candidates until one is good enough, for little more than twice the price of one. Take it where it is "
    "known beforehand what is good enough.",
)
@dataclass(frozen=True, kw_only=True)
class KnownThreshold(CandidateRule):
    """The first run that scores at least the threshold.

    Parameters
    ----------
    threshold
        τ, chosen without looking at the private data, in the unit of the scores.
    stop
        γ above 0 up to 1, the chance to give up after each failure.
    epsilon0
        ε0 above 0 up to 1, the price of a limit.
    limit
        The most runs T; None for the fewest that the theorem allows.

    Raises
    ------
    ParameterError
        For a limit below that, and parameters out of range.

    Examples
    --------
    >>> pool = CandidatePool([[0.9, 0.7], [0.6, 0.5]])
    >>> law = KnownThreshold(threshold=0.8, stop=0.01).distribution(pool)
    >>> law.candidate.round(4).tolist(), round(law.bottom, 4), round(law.runs.mean, 3)
    ([0.9709, 0.0], 0.0291, 3.883)
    """

    threshold: float = parameter(label="Threshold τ", help="Chosen without looking at the private data.")
    stop: float = parameter(
        0.01, low=0.0, high=1.0, above=True, label="Stop chance γ", help="Chance to give up after each failure."
    )
    epsilon0: float = parameter(0.1, low=0.0, high=1.0, above=True, label="ε0", help="The price of a limit.")
    limit: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        least = self.least_limit
        if self.limit is None:
            object.__setattr__(self, "limit", least)
        elif (limit := check_integer("limit", self.limit, low=1)) < least:
            raise ParameterError("limit", limit, f"at least {least}, the smallest that Thm 3.1 allows here")

    @property
    def least_limit(self) -> int:
        """⌈max(log(2/ε0)/γ, 1 + 1/(eγ))⌉."""
        return math.ceil(max(math.log(2 / self.epsilon0) / self.stop, 1 + 1 / (math.e * self.stop)))

    def total_epsilon(self, candidate_epsilon: float, candidate_delta: float = 0.0) -> tuple[float, float]:
        """What one release costs: (2ε1 + ε0, 3e^(2ε1+ε0)·δ1/γ).

        Parameters
        ----------
        candidate_epsilon
            ε1 above 0, the price of one run with its score.
        candidate_delta
            δ1 of one run; 0 for pure ones.

        Returns
        -------
        tuple[float, float]
            (ε, δ); a δ that reaches 1 promises nothing and is given as 1.

        Examples
        --------
        >>> KnownThreshold(threshold=0.8, stop=0.01, epsilon0=0.1).total_epsilon(0.5)
        (1.1, 0.0)
        """
        epsilon, delta = check_candidate(candidate_epsilon, candidate_delta)
        total = 2 * epsilon + self.epsilon0
        if not delta:
            return total, 0.0
        log_delta = math.log(3 * delta / self.stop) + total
        return total, math.exp(min(0.0, log_delta))

    def _runs(self, pool: CandidatePool) -> Geometric:
        passes = float(pool.mixture_tail(np.array(self.threshold)))
        return Geometric(passes + self.stop * (1 - passes), self.limit)

    def _law(self, pool: CandidatePool, progress: Progress) -> SelectionLaw:
        runs = self._runs(pool)
        good = pool.level >= self.threshold
        level = np.where(good, pool.level_mass * runs.mean, 0.0)
        candidate = share_levels(pool, level)
        for k, law in pool.smooth.items():
            candidate[k] = float(law.tail(np.array(self.threshold))) / pool.size * runs.mean
        passes = float(pool.mixture_tail(np.array(self.threshold)))
        progress(1.0)
        return SelectionLaw(
            pool=pool,
            candidate=candidate,
            bottom=max(0.0, 1 - passes * runs.mean),
            score_law=ScoreLaw(pool.level[good], level[good], partial(_tail, pool, self.threshold, runs.mean)),
            runs=runs,
            error=1e-15 * max(1, len(pool.level)) ** 0.5,
        )

    def _sample(self, pool: CandidatePool, size: int, rng: Generator) -> Releases:
        candidate = np.full(size, -1, np.int64)
        score = np.full(size, -np.inf)
        runs = np.zeros(size, np.int64)
        active = np.arange(size)
        for _ in range(self.limit or 0):
            if not len(active):
                break
            owner, made = pool.runs(rng, len(active))
            runs[active] += 1
            passed = made >= self.threshold
            candidate[active[passed]], score[active[passed]] = owner[passed], made[passed]
            active = active[~passed & (rng.random(len(active)) >= self.stop)]
        return Releases(candidate, score, runs)


def _tail(pool: CandidatePool, threshold: float, mean: float, z: Floats) -> Floats:
    return pool.mixture_tail(np.maximum(z, threshold)) * mean

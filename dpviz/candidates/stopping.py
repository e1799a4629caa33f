"""Rules that draw runs until a coin says stop: known threshold, and random stopping.

Symbols: γ = stop probability, T = limit (none: unlimited). Known threshold: the first run that
scores τ or more, or nothing. With p1 = P(score ≥ τ) of Q and a = (1−p1)(1−γ), P(a run x with score
≥ τ comes out) = p(x)(1−a^T)/(1−a), else ⊥; E[runs] = (1−a^T)/(1−a). Its ε0 asks for T ≥
max(log(2/ε0)/γ, 1 + 1/(eγ)).
Random stopping: the best run seen. Runs ~ Geometric(γ), cut at T. Privacy: 3ε1 without a limit (Thm
3.2); with one, 3ε1 + 3ε0 for pure candidates, ε0 < ½ the smallest that T allows (Thm 3.5); for
(ε1, δ1) ones (3ε1 + 3√(2δ1), √(2δ1)·T + (1−γ)^T), δ1 < 0.1 (Thm 3.4).
Source: Liu & Talwar 2018, Thm 3.1, Sec 3.2.
"""

import math
from dataclasses import dataclass
from functools import partial

import numpy as np
import scipy
from numpy.random import Generator

from dpviz.base import (
    EpsilonDelta,
    Floats,
    ParameterError,
    Progress,
    check_integer,
    check_number,
    check_open_interval,
    parameter,
)
from dpviz.base.former_names import former_names
from dpviz.candidates.best_of_runs import BestOfRuns, candidate_mass_from_levels
from dpviz.candidates.pool import CandidatePool
from dpviz.candidates.rules import (
    CANDIDATES,
    CandidateRule,
    Releases,
    ScoreLaw,
    SelectionLaw,
    check_run_privacy,
)
from dpviz.candidates.run_counts import GeometricRuns


@CANDIDATES.register(
    "known_threshold",
    label="Known threshold",
    says=(
        "Runs candidates until one is good enough, for little more than twice the cost of one run."
        " Use it if you know beforehand what is good enough."
    ),
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

    threshold: float = parameter(
        label="Threshold τ", help="Choose it without looking at the private data."
    )
    stop: float = parameter(
        0.01,
        low=0.0,
        high=1.0,
        above=True,
        label="Stop chance γ",
        help="Chance to give up after each failure.",
    )
    epsilon0: float = parameter(
        0.1, low=0.0, high=1.0, above=True, label="ε0", help="The cost of a limit."
    )
    limit: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        least = self.least_limit
        if self.limit is None:
            object.__setattr__(self, "limit", least)
        elif (limit := check_integer("limit", self.limit, low=1)) < least:
            raise ParameterError(
                "limit", limit, f"at least {least}, the smallest that Thm 3.1 allows here"
            )

    @property
    def least_limit(self) -> int:
        """⌈max(log(2/ε0)/γ, 1 + 1/(eγ))⌉."""
        return math.ceil(max(math.log(2 / self.epsilon0) / self.stop, 1 + 1 / (math.e * self.stop)))

    def total_epsilon(self, candidate_epsilon: float, candidate_delta: float = 0.0) -> EpsilonDelta:
        """Cost of one release: (2ε1 + ε0, 3e^(2ε1+ε0)·δ1/γ).

        Parameters
        ----------
        candidate_epsilon, candidate_delta
            ε1 above 0 and δ1, the price of one run with its score.

        Returns
        -------
        EpsilonDelta
            (ε, δ); a δ that reaches 1 promises nothing and is given as 1.

        Examples
        --------
        >>> KnownThreshold(threshold=0.8, stop=0.01, epsilon0=0.1).total_epsilon(0.5)
        EpsilonDelta(epsilon=1.1, delta=0.0)
        """
        epsilon, delta = check_run_privacy(candidate_epsilon, candidate_delta)
        total = 2 * epsilon + self.epsilon0
        if not delta:
            return EpsilonDelta(total)
        log_delta = math.log(3 * delta / self.stop) + total
        return EpsilonDelta(total, math.exp(min(0.0, log_delta)))

    def _runs(self, pool: CandidatePool) -> GeometricRuns:
        passes = float(pool.mixture_tail(np.array(self.threshold)))
        return GeometricRuns(passes + self.stop * (1 - passes), self.limit)

    def _law(self, pool: CandidatePool, progress: Progress) -> SelectionLaw:
        runs = self._runs(pool)
        passes = float(pool.mixture_tail(np.array(self.threshold)))
        good = pool.score_levels >= self.threshold
        level = np.where(good, pool.level_mass * runs.mean, 0.0)
        candidate = candidate_mass_from_levels(pool, level)
        for k, law in pool.continuous_laws.items():
            candidate[k] = float(law.tail(np.array(self.threshold))) / pool.size * runs.mean
        progress(1.0)
        return SelectionLaw(
            pool=pool,
            candidate=candidate,
            bottom=max(0.0, 1 - passes * runs.mean),
            score_law=ScoreLaw(
                pool.score_levels[good],
                level[good],
                partial(_tail, pool, self.threshold, runs.mean),
            ),
            runs=runs,
            error=1e-15 * max(1, len(pool.score_levels)) ** 0.5,
        )

    def _sample(self, pool: CandidatePool, size: int, rng: Generator) -> Releases:
        candidate, score = np.full(size, -1, np.int64), np.full(size, -np.inf)
        runs = np.zeros(size, np.int64)
        active = np.arange(size)
        for _ in range(self.limit or 0):
            if not len(active):
                break
            owner, made = pool.sample_runs(rng, len(active))
            runs[active] += 1
            passed = made >= self.threshold
            candidate[active[passed]], score[active[passed]] = owner[passed], made[passed]
            active = active[~passed & (rng.random(len(active)) >= self.stop)]
        return Releases(candidate, score, runs)


def _tail(pool: CandidatePool, threshold: float, mean: float, z: Floats) -> Floats:
    return pool.mixture_tail(np.maximum(z, threshold)) * mean


def sufficient_limit_for_epsilon0(stop: float, epsilon0: float) -> int:
    """The limit T = ⌈(1/γ)(log a + log log a)⌉, a = 2(1+γ)²/(ε0γ²), 0 < ε0 < ½ (Thm 3.5)."""
    stop = check_number("stop", stop, low=0.0, high=1.0, above=True)
    epsilon0 = check_open_interval("epsilon0", epsilon0, 0.5)
    log_a = math.log(2 * (1 + stop) ** 2 / (epsilon0 * stop**2))
    return math.ceil((log_a + math.log(log_a)) / stop)


def sufficient_limit_for_delta2(stop: float, delta2: float) -> int:
    """T = ⌈log(1/δ2)/γ⌉: a run reaches this limit with probability at most δ2 (Thm 3.4)."""
    stop = check_number("stop", stop, low=0.0, high=1.0, above=True)
    return math.ceil(-math.log(check_open_interval("delta2", delta2)) / stop)


@former_names(count="run_count")
@CANDIDATES.register(
    "random_stopping",
    label="Random stopping",
    says=(
        "Runs candidates until a coin says stop, and publishes the best run, for three times the"
        " cost of one. Use it if nobody knows beforehand what is good enough."
    ),
    field_names={
        "private selection from private candidates": {},
        "Liu-Talwar": {},
        "hyperparameter tuning": {},
    },
)
@dataclass(frozen=True, kw_only=True)
class RandomStopping(BestOfRuns):
    """The best of a geometric number of runs.

    It is private selection from private candidates (Liu-Talwar), as for hyperparameter tuning.

    Parameters
    ----------
    stop
        γ above 0 up to 1; 1/γ runs are made on average.
    limit
        The most runs T, None for no limit; see `sufficient_limit_for_epsilon0` and
        `sufficient_limit_for_delta2`.

    Examples
    --------
    >>> from dpviz import CandidatePool
    >>> pool = CandidatePool([[0.9], [0.8], [0.8], [0.1]])
    >>> RandomStopping(stop=0.2).distribution(pool).candidate.round(4).tolist()
    [0.625, 0.1562, 0.1562, 0.0625]
    """

    stop: float = parameter(
        0.01,
        low=0.0,
        high=1.0,
        above=True,
        label="Stop chance γ",
        help="1/γ runs are made on average.",
    )
    limit: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.limit is not None:
            object.__setattr__(self, "limit", check_integer("limit", self.limit, low=1))

    @property
    def run_count(self) -> GeometricRuns:
        return GeometricRuns(self.stop, self.limit)

    def total_epsilon(self, candidate_epsilon: float, candidate_delta: float = 0.0) -> EpsilonDelta:
        """Cost of one release; see the module for the theorem used.

        Parameters
        ----------
        candidate_epsilon, candidate_delta
            ε1 above 0 and δ1 below 0.1, the price of one run with its score.

        Returns
        -------
        EpsilonDelta
            (ε, δ).

        Raises
        ------
        ParameterError
            For δ1 > 0 without a limit, and for a limit so low that Thm 3.5 has no ε0 below ½.

        Examples
        --------
        >>> RandomStopping(stop=0.1).total_epsilon(0.5)
        EpsilonDelta(epsilon=1.5, delta=0.0)
        """
        epsilon, delta = check_run_privacy(candidate_epsilon, candidate_delta)
        if self.limit is None:
            if delta:
                allowed = "a whole number where candidate_delta is above 0 (Thm 3.4)"
                raise ParameterError("limit", None, allowed, "missing")
            return EpsilonDelta(3 * epsilon)
        if delta:
            check_open_interval("candidate_delta", delta, 0.1)
            reached = float(np.exp(self.limit * np.log1p(-self.stop))) if self.stop < 1 else 0.0
            root = math.sqrt(2 * delta)
            return EpsilonDelta(3 * epsilon + 3 * root, min(1.0, root * self.limit + reached))
        return EpsilonDelta(3 * epsilon + 3 * self.hard_stop_epsilon)

    @property
    def hard_stop_epsilon(self) -> float:
        """ε0, the smallest for which `limit` is at least the T of Thm 3.5; 0 without a limit."""
        if self.limit is None:
            return 0.0
        # log a + log log a = γT  ⇔  log a = W(e^(γT)), Lambert's W
        target = self.stop * self.limit
        log_a = (
            float(scipy.special.lambertw(math.exp(target)).real)
            if target < 500
            else target - math.log(target)
        )
        epsilon0 = 2 * (1 + self.stop) ** 2 / self.stop**2 * math.exp(-log_a)
        if not epsilon0 < 0.5:
            least = sufficient_limit_for_epsilon0(self.stop, math.nextafter(0.5, 0))
            raise ParameterError(
                "limit", self.limit, f"at least {least}, where ε0 of Thm 3.5 is below ½"
            )
        return epsilon0

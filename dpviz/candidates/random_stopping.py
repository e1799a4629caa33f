"""Random stopping: draw runs until a coin says stop, publish the best seen.

Symbols: γ = stop probability, T = limit (none: unlimited), level of mass p with mass A strictly above:
P(level) = γp / ((A(1−γ)+γ)((A+p)(1−γ)+γ)) without a limit. Runs ~ Geometric(γ), cut at T.
Privacy: 3ε1 without a limit (Thm 3.2); with one, 3ε1 + 3ε0 for pure candidates, ε0 < ½ the smallest
that T allows (Thm 3.5); for (ε1, δ1) ones (3ε1 + 3√(2δ1), √(2δ1)·T + (1−γ)^T), δ1 < 0.1 (Thm 3.4).
Source: Liu & Talwar 2018, Sec 3.2.
"""

import math
from dataclasses import dataclass

import numpy as np
import scipy

from dpviz.base.errors import ParameterError
from dpviz.base.parameters import check_inside, check_integer, check_number, parameter
from dpviz.candidates.best_of import BestOfRuns
from dpviz.candidates.rules import CANDIDATES, check_candidate
from dpviz.candidates.run_counts import Geometric

_LARGEST_DELTA = 0.1


def limit_for_epsilon(stop: float, epsilon0: float) -> int:
    """T = ⌈(1/γ)(log a + log log a)⌉, a = 2(1+γ)²/(ε0γ²): the limit that costs pure candidates 3ε0 (Thm 3.5).

    Raises `ParameterError` unless 0 < ε0 < ½ and 0 < γ ≤ 1.

    >>> limit_for_epsilon(0.1, 0.1)
    99
    """
    stop = check_number("stop", stop, low=0.0, high=1.0, above=True)
    epsilon0 = check_inside("epsilon0", epsilon0, 0.5)
    log_a = math.log(2 * (1 + stop) ** 2 / (epsilon0 * stop**2))
    return math.ceil((log_a + math.log(log_a)) / stop)


def limit_for_delta(stop: float, delta2: float) -> int:
    """T = ⌈log(1/δ2)/γ⌉: a run reaches this limit with probability at most δ2 (Thm 3.4).

    >>> limit_for_delta(0.1, 1e-6)
    139
    """
    stop = check_number("stop", stop, low=0.0, high=1.0, above=True)
    return math.ceil(-math.log(check_inside("delta2", delta2)) / stop)


@CANDIDATES.register(
    "random_stopping",
    label="Random stopping",
    says="Runs candidates until a coin says stop and gives the best run, for three times the price of one. Take it "
    "where nobody knows beforehand what is good enough.",
)
@dataclass(frozen=True, kw_only=True)
class RandomStopping(BestOfRuns):
    """The best of a geometric number of runs.

    Parameters
    ----------
    stop
        γ above 0 up to 1; 1/γ runs are made on average.
    limit
        The most runs T, None for no limit; see `limit_for_epsilon` and `limit_for_delta`.

    Examples
    --------
    >>> from dpviz import CandidatePool
    >>> pool = CandidatePool([[0.9], [0.8], [0.8], [0.1]])
    >>> RandomStopping(stop=0.2).distribution(pool).candidate.round(4).tolist()
    [0.625, 0.1562, 0.1562, 0.0625]
    """

    stop: float = parameter(
        0.01, low=0.0, high=1.0, above=True, label="Stop chance γ", help="1/γ runs are made on average."
    )
    limit: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.limit is not None:
            object.__setattr__(self, "limit", check_integer("limit", self.limit, low=1))

    @property
    def count(self) -> Geometric:
        """The law of the number of runs."""
        return Geometric(self.stop, self.limit)

    def total_epsilon(self, candidate_epsilon: float, candidate_delta: float = 0.0) -> tuple[float, float]:
        """What one release costs; see the module for the theorem used.

        Parameters
        ----------
        candidate_epsilon
            ε1 above 0, the price of one run with its score.
        candidate_delta
            δ1 of one run; 0 for pure ones, else below 0.1.

        Returns
        -------
        tuple[float, float]
            (ε, δ).

        Raises
        ------
        ParameterError
            For δ1 > 0 without a limit or with δ1 ≥ 0.1, and for a limit so low that Thm 3.5 has no ε0 below ½.

        Examples
        --------
        >>> RandomStopping(stop=0.1).total_epsilon(0.5)
        (1.5, 0.0)
        """
        epsilon, delta = check_candidate(candidate_epsilon, candidate_delta)
        if self.limit is None:
            if delta:
                allowed = "a whole number where candidate_delta is above 0 (Thm 3.4)"
                raise ParameterError("limit", None, allowed, "missing")
            return 3 * epsilon, 0.0
        if delta:
            check_inside("candidate_delta", delta, _LARGEST_DELTA)
            reached = float(np.exp(self.limit * np.log1p(-self.stop))) if self.stop < 1 else 0.0
            root = math.sqrt(2 * delta)
            return 3 * epsilon + 3 * root, min(1.0, root * self.limit + reached)
        return 3 * epsilon + 3 * self.hard_stop_epsilon, 0.0

    @property
    def hard_stop_epsilon(self) -> float:
        """ε0, the smallest for which `limit` is at least the T of Thm 3.5; 0 without a limit."""
        if self.limit is None:
            return 0.0
        # log a + log log a = γT  ⇔  log a = W(e^(γT)), Lambert's W
        target = self.stop * self.limit
        log_a = float(scipy.special.lambertw(math.exp(target)).real) if target < 500 else target - math.log(target)
        epsilon0 = 2 * (1 + self.stop) ** 2 / self.stop**2 * math.exp(-log_a)
        if not epsilon0 < 0.5:
            least = limit_for_epsilon(self.stop, math.nextafter(0.5, 0))
            raise ParameterError("limit", self.limit, f"at least {least}, where ε0 of Thm 3.5 is below ½")
        return epsilon0

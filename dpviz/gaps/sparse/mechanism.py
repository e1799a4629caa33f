"""The base of all mechanisms that say which queries exceed a public threshold, and their menu.

Symbols: f_i = raw scores, asked in the order given; T = threshold; Δ = sensitivity; margin m_i =
(f_i − T)/Δ; η ~ Lap(1/ε0) the threshold noise; n = number of queries; c = 2, or 1 for monotonic
scores, whose answers are cheaper.
Invariant: the budget ε = ε0 + units·c·ε1 is spent in whole units, never added up as floats.
Source: Ding, Wang, Zhang & Kifer 2019, Algorithms 1 and 4.
"""

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.random import Generator

from dpviz.base import (
    Floats,
    Mechanism,
    ParameterError,
    Progress,
    Registry,
    Scores,
    check_choice,
    check_flag,
    check_generator,
    check_number,
    check_open_interval,
    check_scores,
    declared_parameters,
    ignore_progress,
    parameter,
)
from dpviz.base.former_names import former_names
from dpviz.gaps.sparse.answer_strings import answer_string_probabilities
from dpviz.gaps.sparse.lower_bounds import ConfidenceBound, Coverage
from dpviz.gaps.sparse.run_law import ThresholdDistribution, bound_coverage
from dpviz.gaps.sparse.run_plan import Branch, RunPlan
from dpviz.gaps.sparse.run_replay import ThresholdRelease, ThresholdReplay, simulate_run

SPLITS = {"optimal": "Smallest variance of a gap", "even": "Half for the threshold"}


THRESHOLD: "Registry[type[ThresholdMechanism]]" = Registry(
    "mechanism", first_names=("sparse_vector", "adaptive_sparse_vector")
)


@former_names(
    suited_to="match_monotonicity", unit="unit_epsilon", with_share="with_threshold_share"
)
@dataclass(frozen=True, kw_only=True)
class ThresholdMechanism(Mechanism):
    """Says which of n queries, asked in order, exceed the threshold, under a total budget of ε."""

    _menu: ClassVar = THRESHOLD

    epsilon: float = parameter(
        low=0.0,
        above=True,
        high=1e6,
        label="ε, the privacy budget",
        help="Total for one release of all answers.",
    )
    k: int = parameter(
        low=1,
        high=100_000,
        integer=True,
        label="k",
        help="The number of answers that the budget covers.",
    )
    threshold: float = parameter(label="Threshold", help="Public, in score units.")
    split: str | tuple[float, float] = parameter(
        "optimal",
        choices=SPLITS,
        label="Split of ε",
        help="How ε is divided between the threshold's noise and the answers.",
    )
    monotonic: bool = False

    def __post_init__(self) -> None:
        pair = None if isinstance(self.split, str) else _checked_pair(self.split)
        for declared in declared_parameters(type(self)):
            if pair is None or declared.name != "split":
                object.__setattr__(
                    self, declared.name, declared.check_value(getattr(self, declared.name))
                )
        object.__setattr__(self, "monotonic", check_flag("monotonic", self.monotonic))
        if pair is not None:
            object.__setattr__(self, "split", pair)
            times = self.answer_cost * self.units
            total = pair[0] + times * pair[1]
            if not math.isclose(total, self.epsilon, rel_tol=1e-9):
                rule = f"epsilon0 + {times}·epsilon1 = epsilon = {self.epsilon:g}"
                raise ParameterError("split", pair, f"a pair with {rule} (here {total:.12g})")

    def match_monotonicity(self, scores: Scores) -> Self:
        """The same mechanism with the `monotonic` of these scores."""
        return self.replace(monotonic=scores.same_direction)

    def with_threshold_share(self, share: float) -> Self:
        """The same mechanism with this share of ε for the threshold, and the rest for answers."""
        epsilon0 = check_open_interval("share", share) * self.epsilon
        return self.replace(
            split=(epsilon0, (self.epsilon - epsilon0) / (self.answer_cost * self.units))
        )

    @property
    def answer_cost(self) -> int:
        """c: an answer whose noise has rate ε1 costs c·ε1; 1 for monotonic scores, else 2."""
        return 1 if self.monotonic else 2

    @property
    def epsilon0(self) -> float:
        """The ε of the threshold's noise Lap(1/ε0); "optimal" is ε0 : ε − ε0 = 1 : (ck)^(2/3)."""
        if self.split == "optimal":
            return float(self.epsilon / (1 + (self.answer_cost * self.k) ** (2 / 3)))
        return self.epsilon / 2 if self.split == "even" else float(self.split[0])

    @property
    def epsilon1(self) -> float:
        """The rate of the noise of an answer that costs one unit."""
        if not isinstance(self.split, str):
            return self.split[1]
        return (self.epsilon - self.epsilon0) / (self.answer_cost * self.units)

    @property
    def unit_epsilon(self) -> float:
        """The ε of one unit of the budget for answers."""
        return self.answer_cost * self.epsilon1

    @property
    @abstractmethod
    def units(self) -> int:
        """The budget for answers, in units."""

    @abstractmethod
    def branches(self) -> tuple[Branch, ...]:
        """The tests that a query goes through in turn; the first that it passes answers it."""

    @property
    def branch_names(self) -> tuple[str, ...]:
        return self.plan.names

    @property
    def plan(self) -> RunPlan:
        return RunPlan(
            self.branches(),
            self.units,
            self.unit_epsilon,
            self.epsilon0,
            self.epsilon,
            self.k,
            self.threshold,
        )

    def distribution(
        self, scores: Scores, *, progress: Progress = ignore_progress
    ) -> ThresholdDistribution:
        """The exact law of a run on these scores, whose dear figures are computed when first read.

        Parameters
        ----------
        scores
            The queries, in the order in which they are asked.
        progress
            Told the fraction done, also by figures that are read later; may raise `Cancelled`.

        Returns
        -------
        ThresholdDistribution
            The law of the answers, query by query.
        """
        return ThresholdDistribution(self.plan, scores, self.margins(scores), progress)

    def release(
        self, scores: Scores, *, rng: Generator | int, confidence: float = 0.95
    ) -> ThresholdRelease:
        """One run, with gaps and lower bounds: an illustration, as noise in double precision leaks.

        Parameters
        ----------
        scores
            The queries, in the order in which they are asked.
        rng
            The generator, or its seed.
        confidence
            That of the lower bounds, above 0 and below 1.

        Returns
        -------
        ThresholdRelease
            The published figures.
        """
        return self.replay(scores, rng=rng, confidence=confidence).release

    def replay(
        self, scores: Scores, *, rng: Generator | int, confidence: float = 0.95
    ) -> ThresholdReplay:
        """The very run of `release` with the same generator, and its noise.

        Parameters
        ----------
        scores
            The queries, in the order in which they are asked.
        rng
            The generator, or its seed.
        confidence
            That of the lower bounds, above 0 and below 1.

        Returns
        -------
        ThresholdReplay
            The release, and the noise behind it, which nobody may publish.
        """
        rng, margins = check_generator(rng), self.margins(scores)
        bounds = [self.confidence_bound(confidence, branch).t for branch in self.branch_names]
        return simulate_run(self.plan, scores, margins, np.array(bounds), rng)

    def confidence_bound(
        self, confidence: float = 0.95, branch: str | None = None
    ) -> ConfidenceBound:
        """The t of Lemma 7 for the gaps of a branch.

        Parameters
        ----------
        confidence
            That of the bound, above 0 and below 1.
        branch
            The branch's name; None for the last one.

        Returns
        -------
        ConfidenceBound
            The bound.

        Raises
        ------
        ParameterError
            For a confidence out of range, or a branch that there is not.
        """
        confidence = check_open_interval("confidence", confidence)
        tests = {test.name: test for test in self.branches()}
        test = tests[check_choice("branch", branch or self.branch_names[-1], tests)]
        return ConfidenceBound(confidence, self.epsilon0, test.rate, test.offset)

    def coverage(
        self, scores: Scores, confidence: float = 0.95, *, progress: Progress = ignore_progress
    ) -> Coverage:
        """Chance that the bound holds for each query once it was answered in a run.

        Parameters
        ----------
        scores
            The queries, in the order in which they are asked.
        confidence
            That of the bound, above 0 and below 1.
        progress
            Told the fraction done; may raise `Cancelled`.

        Returns
        -------
        Coverage
            Chances by branch and query.
        """
        bounds = tuple(self.confidence_bound(confidence, branch) for branch in self.branch_names)
        return bound_coverage(self.plan, self.margins(scores), bounds, progress)

    def answer_strings(self, scores: Scores) -> dict[str, float]:
        """P(answer string) for few queries: a branch's letter for an answer, "_" for none."""
        return answer_string_probabilities(self.plan, self.margins(scores))

    def margins(self, scores: Scores) -> Floats:
        """m_i = (f_i − T)/Δ, shape (n,), once the scores are checked."""
        check_scores(scores)
        if self.k > scores.d:
            raise ParameterError("k", self.k, f"at most {scores.d}, the number of queries")
        if self.monotonic and not scores.same_direction:
            raise ParameterError(
                "monotonic",
                True,
                "False for scores that are not monotonic (the cost would be wrong)",
            )
        if abs(self.threshold) > 1e300 * min(scores.sensitivity, 1.0):
            raise ParameterError(
                "threshold", self.threshold, "at most 1e300 in size once divided by the sensitivity"
            )
        return np.asarray(scores.scaled_excess(self.threshold))


def score_quantile(scores: Scores, quantile: float) -> float:
    """The score that this share of the scores lies below: a threshold, for public scores only."""
    quantile = check_number("quantile", quantile, low=0.0, high=1.0)
    return float(np.quantile(check_scores(scores).values, quantile))


def _checked_pair(split: object) -> tuple[float, float]:
    if isinstance(split, bytes) or not isinstance(split, Sequence) or len(split) != 2:
        raise ParameterError(
            "split", split, "one of " + ", ".join(SPLITS) + ", or a pair (epsilon0, epsilon1)"
        )
    return (
        check_number("the epsilon0 of split", split[0], low=0.0, above=True),
        check_number("the epsilon1 of split", split[1], low=0.0, above=True),
    )

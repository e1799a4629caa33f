"""Bases of mechanisms that need a δ, and of those that choose among the items that occur.

Symbols: f_i = counts; an item with f_i ≤ 0 does not occur and never comes out. Δ = a person's
change of a count, so the name of a single person counts at most Δ.
Invariants where names were unknown: (ε, δ), never ε alone. A name in only one of two neighbouring
worlds comes out with a chance of at most δ in all. k may exceed the number of items, as refusing it
would reveal that number.
"""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from dpviz.base import (
    Floats,
    Noise,
    ParameterError,
    Progress,
    Scores,
    check_scores,
    delta_parameter,
)
from dpviz.numerics.cutoff.floor import Floor
from dpviz.topk.floored_law import FlooredLaw, floored_sampler
from dpviz.topk.law import Draw, RankLaw
from dpviz.topk.mechanism import TopKMechanism


@dataclass(frozen=True, kw_only=True)
class ApproximateMechanism(TopKMechanism):
    """A private choice of k items under (ε, δ) for one release."""

    delta: float = delta_parameter(
        "For one release. It should be below 1 divided by the number of people."
    )

    @property
    def delta_spent(self) -> float:
        return self.delta


class FlooredScores(NamedTuple):
    levels: Floats
    noise: Noise
    floor: Floor


@dataclass(frozen=True, kw_only=True)
class OccurringItemsMechanism(ApproximateMechanism):
    """At most k of the items that occur, under (ε, δ) for one release."""

    releases_order: ClassVar[bool] = True
    shorter: ClassVar[bool] = True
    needs_names: ClassVar[bool] = False

    def largest_list_size(self, scores: Scores) -> int:
        """k, or the number of items that occur if it is smaller."""
        return min(self.k, max(1, occurring_item_count(scores)))

    def check_scores(self, scores: Scores) -> None:
        """Raise `ParameterError` for counts below 0, and where one person may lower some."""
        if isinstance(pair := check_scores(scores).sensitivities, tuple):
            allowed = "one number without a list of all possible items, as counts only rise"
            raise ParameterError("sensitivity", pair, allowed)
        if (lowest := float(scores.values.min())) < 0:
            raise ParameterError(
                "the lowest score", lowest, "at least 0 without a list of all possible items"
            )

    @abstractmethod
    def _floored(self, scores: Scores) -> FlooredScores:
        """The levels, their noise and the floor."""

    def _law(self, scores: Scores, progress: Progress) -> RankLaw:
        levels, noise, floor = self._floored(scores)
        return FlooredLaw(scores.d, levels, self.k, noise, floor, progress)

    def _sampler(self, scores: Scores, progress: Progress) -> Draw:
        levels, noise, floor = self._floored(scores)
        return floored_sampler(levels, self.k, noise, floor)


def occurring_item_count(scores: Scores) -> int:
    return int(np.count_nonzero(scores.values > 0))


def levels_relative_to_best(
    scores: Scores, item_count: int, k: int, scale: float, extra_count: float
) -> tuple[Floats, float]:
    """Levels of the best items and of a count, relative to the same item: differences first."""
    rank = min(k + 1, max(1, item_count))
    reference = float(scores.values[scores.order[rank - 1]])
    at = (extra_count - reference) / scores.effective_sensitivity
    return scale * scores.differences_from_rank(rank)[:item_count], scale * at

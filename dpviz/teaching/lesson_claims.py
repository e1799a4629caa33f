"""General sentences of lessons, each with a predicate that tests try to refute.

A claim stands in the file of its lesson, beside the prose that says it.
Invariant: a predicate computes both of its sides; it never looks at the lesson's own data.
"""

from collections.abc import Callable
from dataclasses import dataclass

from dpviz.base import Scores

SLACK = 1e-9
"""Rounding allowed between two figures that are the same."""


@dataclass(frozen=True)
class Case:
    """Counts in no order, an ε, a list length k, and the counts that one person is in (`moves`)."""

    counts: tuple[int, ...]
    epsilon: float
    k: int
    moves: tuple[int, ...]

    @property
    def scores(self) -> Scores:
        """Counts as scores."""
        return Scores(self.counts, monotonic=True)

    @property
    def scores_with_person(self) -> Scores:
        """Scores with one person more."""
        return Scores(
            [n + more for n, more in zip(self.counts, self.moves, strict=True)], monotonic=True
        )


@dataclass(frozen=True)
class Claim:
    """A sentence as it stands in the prose, and a predicate that says if it holds of a case."""

    says: str
    holds: Callable[[Case], bool]

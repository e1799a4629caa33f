"""Sentences that generalise, each with a predicate that its own words must pass on scores nobody
chose for them.

A claim stands in the file of its lesson, beside the prose that says it. Tests look for a `Case`
that refutes it, and see that the sentences that stood there before, which were false, are refuted.
Invariant: a predicate computes both of its sides; it never looks at the lesson's own data.
"""

from collections.abc import Callable
from dataclasses import dataclass

from dpviz.base import Scores

SLACK = 1e-9
"""By how much two figures that are the same may differ by rounding."""


@dataclass(frozen=True)
class Case:
    """Counts in no order, an ε, and how many of them are chosen; `moves` says which counts one
    person is in.
    """

    counts: tuple[int, ...]
    epsilon: float
    k: int
    moves: tuple[int, ...]

    @property
    def scores(self) -> Scores:
        """The counts as scores."""
        return Scores(self.counts, monotonic=True)

    @property
    def scores_with_person(self) -> Scores:
        """The same with one person more."""
        return Scores(
            [n + more for n, more in zip(self.counts, self.moves, strict=True)], monotonic=True
        )


@dataclass(frozen=True)
class Claim:
    """What is said, as it stands in the prose, and whether it is so of a case."""

    says: str
    holds: Callable[[Case], bool]

"""The base of mechanisms that choose one item at (ε, δ) for any universe size; law and menu.

Symbols: s = (raw scores − the best)/Δ in descending order (never Δ/2 here), d items, of which the
last `zeros` may be unlisted items of score zero.
Invariants: `inclusion` + `zero_mass` + `fail` is 1, exact up to `error`; unlisted items rank last.
"""

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from dpviz.base import (
    Floats,
    Frame,
    Ints,
    Mechanism,
    Noise,
    OutcomeComparison,
    ParameterError,
    Plottable,
    Progress,
    Registry,
    RevealingOutput,
    Scores,
    SingleNameLaw,
    check_generator,
    check_integer,
    check_number,
    check_scores,
    delta_parameter,
    ignore_progress,
    notebook_table,
    parameter,
    pd,
)
from dpviz.base.notebook import method_and_error_text

MOST_ZEROS = 10**1000
MOST_DRAWN = 100_000_000  # unlisted items that a sampler tells apart
_NOISY_CELLS = 2_000_000  # noisy values drawn at once


def log_of_count(number: int) -> float:
    """log of a number of items, which may be larger than any double; −inf for none."""
    return math.log(number) if number else -math.inf


def check_zero_count(scores: Scores, zeros: int, limit: int = MOST_ZEROS) -> int:
    """`zeros` as an int; raises `ParameterError` unless that many unlisted zeros can rank last."""
    check_scores(scores)
    zeros = check_integer("zeros", zeros, low=0, high=limit)
    if zeros and (lowest := float(scores.values.min())) < 0:
        raise ParameterError(
            "the lowest score", lowest, "at least 0 where unlisted items of score zero are added"
        )
    return zeros


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class TopOneLaw(SingleNameLaw, Plottable):
    """The law of one item, or of nothing.

    Parameters
    ----------
    scores
        The scores of the items that are listed.
    inclusion
        The chance of each, shape (d,).
    error
        Bound on the error of any figure.
    fail
        The chance of nothing.
    zeros
        Number of further items, which all have score 0.
    zero_mass
        The chance of these together.
    rank_law
        P(ℓ = rank) of the front group of large margin.
    beyond
        The chance that ℓ lies beyond the items listed.
    rounded
        False where a chance of 0 says that the item cannot come out.
    """

    scores: Scores
    inclusion: Floats
    error: float
    fail: float = 0.0
    zeros: int = 0
    zero_mass: float = 0.0
    rank_law: Floats | None = None
    beyond: float = 0.0
    rounded: bool = True

    @property
    def names(self) -> Sequence[str]:
        return (*self.scores.names, *(("an item not listed",) if self.zeros else ()))

    @property
    def chances(self) -> Floats:
        return np.append(self.inclusion, self.zero_mass) if self.zeros else self.inclusion

    @property
    def incomplete_list_probability(self) -> float:
        return self.fail

    def compare_outcomes(
        self, other: "TopOneLaw", progress: Progress = ignore_progress
    ) -> OutcomeComparison:
        """The item, or nothing; without error for a mechanism that never gives nothing.

        Parameters
        ----------
        other
            The law of the same mechanism on a neighbour's data.
        progress
            Told the fraction done; may raise `Cancelled`.

        Returns
        -------
        OutcomeComparison
            The same outcomes with their chances in both worlds.
        """
        uncertain = np.append(
            np.full(len(self.chances), self.rounded),
            self.rounded and max(self.fail, other.fail) > 0,
        )

        def output(at: int) -> RevealingOutput:
            return (
                RevealingOutput(self.names[at], (at,))
                if at < len(self.chances)
                else RevealingOutput("nothing")
            )

        p, q = (np.append(law.chances, law.fail) for law in (self, other))
        progress(1.0)
        return OutcomeComparison(
            p, q, self.error * uncertain, other.error * uncertain, output, "the item"
        )

    @property
    def best_probability(self) -> float:
        """The chance that an item of the highest score comes out."""
        return self.near_best_probability(0.0)

    def near_best_probability(self, distance: float) -> float:
        """The chance that the item's raw score is at least the highest score − `distance`."""
        distance = check_number("distance", distance, low=0.0)
        level = self.scores.values.max() - distance
        listed = float(self.inclusion[self.scores.values >= level].sum())
        return min(1.0, listed + (self.zero_mass if level <= 0 else 0.0))

    def _repr_html_(self) -> str:
        best = self.scores.order[:5].tolist()
        rows = [
            ("P(an item of the highest score)", f"{self.best_probability:.4f}"),
            ("P(nothing)", f"{self.fail:.4f}"),
            *((f"P({self.scores.label(i)})", f"{self.inclusion[i]:.4f}") for i in best),
        ]
        more = " and many more of score 0" if self.zeros else ""
        title = f"One of {self.scores.d:,} items{more}"
        return notebook_table(title, rows, method_and_error_text(self.method, self.error))

    def table(self) -> Frame:
        """A row per listed item, best first: label, raw score, probability, P(ℓ = rank)."""
        order = self.scores.order
        columns: dict[str, object] = {
            "item": [self.scores.label(int(i)) for i in order],
            "score": self.scores.values[order],
            "probability": self.inclusion[order],
        }
        return pd.DataFrame(
            columns if self.rank_law is None else {**columns, "rank_law": self.rank_law}
        )


TOP_ONE: "Registry[type[TopOneMechanism]]" = Registry(
    "mechanism", first_names=("large_margin", "noisy_max", "instability")
)


@dataclass(frozen=True, kw_only=True)
class TopOneMechanism(Mechanism):
    """A private choice of one item under (ε, δ) for one release; under ε alone if it is `pure`."""

    _menu: ClassVar = TOP_ONE
    pure: ClassVar[bool] = False

    epsilon: float = parameter(
        low=0.0, above=True, high=1e6, label="ε, the privacy budget", help="Total for one release."
    )
    delta: float = delta_parameter()

    @property
    def delta_spent(self) -> float:
        """The cost of one release beside ε: δ, or 0 if it is `pure`."""
        return 0.0 if self.pure else self.delta

    def distribution(
        self, scores: Scores, *, zeros: int = 0, progress: Progress = ignore_progress
    ) -> TopOneLaw:
        """The exact law of the item that comes out.

        Unlisted items cost no memory and may be very many; they rank last.

        Parameters
        ----------
        scores
            The scores to choose from.
        zeros
            Number of further, unlisted items of score zero.
        progress
            Told the fraction done; may raise `Cancelled`.

        Returns
        -------
        TopOneLaw
            The chances of the listed items, of the others, and of nothing.

        Raises
        ------
        ParameterError
            If there are unlisted items and a score is below 0.
        """
        return self._law(scores, check_zero_count(scores, zeros), progress)

    def sample(
        self, scores: Scores, size: int = 1, *, rng: Generator | int, zeros: int = 0
    ) -> Ints:
        """Parameters
        ----------
        scores
            The scores to choose from.
        size
            Number of releases.
        rng
            The generator, or its seed.
        zeros
            Number of further, unlisted items of score zero.

        Returns
        -------
        Ints
            Item indices, shape (size,): d, d + 1, … for unlisted items, −1 if nothing is released.
        """
        zeros = check_zero_count(scores, zeros, MOST_DRAWN)
        size = check_integer("size", size, low=0)
        rng = check_generator(rng)
        return self._sample(scores, zeros, size, rng)

    @abstractmethod
    def _law(self, scores: Scores, zeros: int, progress: Progress) -> TopOneLaw:
        """The exact law."""

    @abstractmethod
    def _sample(self, scores: Scores, zeros: int, size: int, rng: Generator) -> Ints:
        """Releases drawn step by step as the mechanism says, never from the law."""


def draw_noisy_best(
    noise: Noise, level: Floats, zero_level: float, zeros: int, size: int, rng: Generator
) -> Ints:
    """The item with the largest level + noise, of many releases; unlisted items are at
    `zero_level`.
    """
    items = np.empty(size, np.int64)
    rows = max(1, _NOISY_CELLS // len(level))
    for start in range(0, size, rows):
        part = items[start : start + rows]
        noisy = level + noise.sample(rng, (len(part), len(level)))
        part[:] = noisy.argmax(1)
        if zeros:
            unlisted = zero_level + noise.sample_largest(rng, np.full(len(part), math.log(zeros)))
            above = unlisted > noisy.max(1)
            part[above] = len(level) + rng.integers(zeros, size=int(above.sum()))
    return items


def scores_and_zero_below_best(scores: Scores) -> tuple[Floats, float]:
    """(f − max f)/Δ in descending order (ties in input order), and the value of a zero score."""
    best = float(scores.values[scores.order[0]])
    return scores.scaled_excess(best)[scores.order], -best / scores.sensitivity

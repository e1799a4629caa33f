"""The base of mechanisms that choose one item at (ε, δ) for any universe size, their law and menu.

Symbols: s = (raw scores − the best)/Δ in descending order (no Δ/2 here, whatever the neighbours), d
items, of which the last `zeros` may be items of score zero that nobody lists.
Invariants: `inclusion` + `zero_mass` + `fail` is 1; everything is exact up to `error`; ties keep
the order of the input, and unlisted zero items rank after listed ones.
Sources: Chaudhuri, Hsu & Song 2014; Smith & Thakurta 2013.
"""

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
    check_open_interval,
    check_parameters,
    check_scores,
    ignore_progress,
    notebook_table,
    parameter,
    pd,
)

MOST_ZEROS = 10**1000
MOST_DRAWN = 100_000_000  # unlisted items that a sampler tells apart


def check_zero_count(scores: Scores, zeros: int, most: int = MOST_ZEROS) -> int:
    """`zeros` as an int; raises `ParameterError` unless that many unlisted zero items can rank
    last.
    """
    check_scores(scores)
    zeros = check_integer("zeros", zeros, low=0, high=most)
    if zeros and (lowest := float(scores.values.min())) < 0:
        raise ParameterError(
            "the lowest score", lowest, "at least 0 where unlisted items of score zero are added"
        )
    return zeros


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class TopOneLaw(SingleNameLaw, Plottable):
    """Which one item comes out."""

    scores: Scores
    inclusion: Floats
    error: float
    fail: float = 0.0
    zeros: int = 0
    zero_mass: float = 0.0
    rank_law: Floats | None = None
    beyond: float = 0.0
    rounded: bool = True  # False where a chance of 0 says that the item cannot come out

    @property
    def names(self) -> Sequence[str]:
        """What the listed items are called, and all those that are not listed together."""
        return (*self.scores.names, *(("an item not listed",) if self.zeros else ()))

    @property
    def chances(self) -> Floats:
        """`inclusion`, and `zero_mass` where there are items that are not listed."""
        return np.append(self.inclusion, self.zero_mass) if self.zeros else self.inclusion

    @property
    def incomplete_list_probability(self) -> float:
        """`fail`."""
        return self.fail

    def compare_outcomes(
        self, other: "TopOneLaw", progress: Progress = ignore_progress
    ) -> OutcomeComparison:
        """The item, or nothing; a mechanism that never says nothing does so without error."""
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
        """How often the best comes out, and nothing."""
        best = self.scores.order[:5].tolist()
        rows = [
            ("P(an item of the highest score)", f"{self.best_probability:.4f}"),
            ("P(nothing)", f"{self.fail:.4f}"),
        ]
        rows += [(f"P({self.scores.label(i)})", f"{self.inclusion[i]:.4f}") for i in best]
        items = f"One of {self.scores.d:,} items" + (
            " and many more of score 0" if self.zeros else ""
        )
        return notebook_table(items, rows, f"{self.method}, error at most {self.error:.1g}")

    def table(self) -> Frame:
        """A row a listed item, the best first: label, raw score, probability (and P(ℓ = rank) if
        there is one).
        """
        order = self.scores.order
        columns: dict[str, object] = {
            "item": [self.scores.label(int(i)) for i in order],
            "score": self.scores.values[order],
            "probability": self.inclusion[order],
        }
        if self.rank_law is not None:
            columns["rank_law"] = self.rank_law
        return pd.DataFrame(columns)


TOP_ONE: "Registry[type[TopOneMechanism]]" = Registry(
    "mechanism", first=("large_margin", "noisy_max", "instability")
)


@dataclass(frozen=True, kw_only=True)
class TopOneMechanism(Mechanism):
    """A private choice of one item under (ε, δ) for one release; under ε alone where it is `pure`.

    Raises `ParameterError` for an ε that is not above 0 or a δ outside (0, 1) when it is made.
    """

    _menu: ClassVar = TOP_ONE
    pure: ClassVar[bool] = False

    epsilon: float = parameter(
        low=0.0, above=True, high=1e6, label="Privacy budget ε", help="Total for one release."
    )
    delta: float = parameter(
        1e-6, low=0.0, above=True, high=1.0, label="δ", help="Below 1 over the number of people."
    )

    def __post_init__(self) -> None:
        check_open_interval("delta", self.delta, self._delta_below)
        check_parameters(self)

    @property
    def delta_spent(self) -> float:
        """What one release costs beside ε: δ, or 0 where it is `pure`."""
        return 0.0 if self.pure else self.delta

    @property
    def _delta_below(self) -> float:
        return 1.0

    def distribution(
        self, scores: Scores, *, zeros: int = 0, progress: Progress = ignore_progress
    ) -> TopOneLaw:
        """Which item comes out, exactly.

        Unlisted items cost no memory, and may be more than anyone can count; listed scores must
        then be at least 0, so that they rank first.

        Parameters
        ----------
        scores
            What the mechanism is run on.
        zeros
            How many further items of score zero there are, which nobody lists.
        progress
            Told the fraction done; may raise `Cancelled`.

        Returns
        -------
        TopOneLaw
            The chances of the listed items, of the others, and of nothing.

        Raises
        ------
        ParameterError
            For scores below 0 beside unlisted items.
        """
        zeros = check_zero_count(scores, zeros)
        return self._law(scores, zeros, progress)

    def sample(
        self, scores: Scores, size: int = 1, *, rng: Generator | int, zeros: int = 0
    ) -> Ints:
        """Independent releases.

        Parameters
        ----------
        scores
            What the mechanism is run on.
        size
            How many releases.
        rng
            The generator, or its seed.
        zeros
            How many further items of score zero there are, which nobody lists.

        Returns
        -------
        Ints
            An item's index, d, d + 1, … for the unlisted items in their order, −1 where nothing is
            released; shape (size,).
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


def scores_below_best(scores: Scores) -> tuple[Floats, float]:
    """(f − max f)/Δ in descending order (ties in input order), shape (d,), and what a score of zero
    is then.

    Differences first: laws and margins depend on them alone, so the size of the scores costs no
    digits.
    """
    best = float(scores.values[scores.order[0]])
    return scores.scaled_excess(best)[scores.order], -best / scores.sensitivity

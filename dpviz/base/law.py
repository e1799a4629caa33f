"""Laws of released answers: the protocol that every menu's laws keep, and base classes.

A name is an item, query or candidate, by its index; an answer is the names released together.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from dpviz.base.arrays import Floats, Ints, ReadOnlyArrays, ValueEquality
from dpviz.base.errors import ParameterError
from dpviz.base.frames import Frame, pd
from dpviz.base.notebook import TabularResult
from dpviz.base.parameters import check_generator, check_integer, check_item_indices
from dpviz.base.progress import Progress, ignore_progress


class EpsilonDelta(NamedTuple):
    epsilon: float
    delta: float = 0.0


class PrivacyCeiling(EpsilonDelta):
    """(ε, δ) that a mechanism promises for every pair of neighbours."""

    unproved: str = ""  # why that is not proved, in a sentence, where it is not


@dataclass(frozen=True)
class RevealingOutput:
    """An output that shows a privacy loss: in words, and as item indices if it is about items."""

    text: str
    items: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class OutcomeComparison(ReadOnlyArrays):
    """Probabilities of the same outputs under two neighbouring data sets."""

    here: Floats
    there: Floats
    error: Floats | float
    other_error: Floats | float
    output: Callable[[int], RevealingOutput]
    seen: str
    events: bool = False
    whole: bool = True


class Law(Protocol):
    """Law of the answer that a mechanism releases on some data."""

    @property
    def names(self) -> Sequence[str]:
        """Everything that can be released."""

    @property
    def chances(self) -> Floats:
        """P(released) of every name, shape (names,)."""

    @property
    def requested_count(self) -> int:
        """Number of names asked for."""

    @property
    def incomplete_list_probability(self) -> float:
        """P(nothing, or fewer names than asked for, are released)."""

    @property
    def error(self) -> float:
        """Bound on the error of any figure where `method` is "exact"."""

    @property
    def method(self) -> str:
        """Either "exact" or "estimated"."""

    @property
    def draws(self) -> int:
        """Number of draws behind the figures; 0 where they are exact."""

    def bounds(self, probability: Floats) -> tuple[Floats, Floats]:
        """(low, high) of probabilities of this law: the error bound, or 95 % where estimated."""

    def draw(self, size: int, rng: np.random.Generator | int) -> Ints:
        """`size` answers, a row each: ascending indices, then −1 where fewer names are released."""

    def log_probability(self, answer: Iterable[int]) -> float:
        """log P(exactly these names are released)."""

    def compare_outcomes(
        self, other: Any, progress: Progress = ignore_progress
    ) -> OutcomeComparison | None:
        """Outcomes under this law and a neighbour's; None if there are too many to list."""


class ExactLaw(ReadOnlyArrays, ValueEquality, TabularResult):
    """Base of laws whose figures are right to an error."""

    error: float
    method: str = "exact"
    draws: int = 0

    def __repr__(self: "Law") -> str:
        likeliest = int(np.argmax(self.chances))
        told = f"{self.names[likeliest]} {self.chances[likeliest]:.4g}"
        return (
            f"{type(self).__name__}({len(self.chances):,} names, asked={self.requested_count},"
            f" likeliest {told}, {self.method})"
        )

    def frame(self: "Law") -> Frame:
        """A row for each name and one for an incomplete answer: name, value, low, high, method."""
        value = np.append(self.chances, self.incomplete_list_probability)
        low, high = self.bounds(value)
        names = [*self.names, "(nothing, or less than asked)"]
        return pd.DataFrame(
            {"name": names, "value": value, "low": low, "high": high, "method": self.method}
        )

    def bounds(self, probability: Floats) -> tuple[Floats, Floats]:
        return np.maximum(probability - self.error, 0.0), np.minimum(probability + self.error, 1.0)


class SingleNameLaw(ExactLaw):
    """Base of laws of one name or nothing."""

    requested_count: int = 1

    def draw(self: "Law", size: int, rng: np.random.Generator | int) -> Ints:
        """Independent answers.

        Parameters
        ----------
        size
            Number of answers.
        rng
            The generator, or its seed.

        Returns
        -------
        Ints
            Indices of the names, shape (size, 1); −1 for nothing.
        """
        mass = np.append(self.chances, self.incomplete_list_probability)
        drawn = check_generator(rng).choice(
            len(mass), check_integer("size", size, low=0), p=mass / mass.sum()
        )
        return np.where(drawn < len(self.chances), drawn, -1)[:, None]

    def log_probability(self: "Law", answer: Iterable[int]) -> float:
        """log P of one name, or of nothing where `answer` is empty."""
        chosen = check_item_indices("answer", answer, len(self.chances))
        if len(chosen) > 1:
            raise ParameterError("answer", chosen, "one name, or none")
        mass = float(self.chances[chosen[0]]) if chosen else self.incomplete_list_probability
        return math.log(mass) if mass > 0 else -math.inf


Ceiling = PrivacyCeiling  # the former name, in stored pickles
Output = RevealingOutput  # the former name, in stored pickles

"""What every law of what comes out keeps, whatever the menu of its mechanism: whoever has one can
ask it.

Symbols: a name is an item, a query or a candidate, known by its index; an answer is the names that
come out together.
Invariants: `chances` and `incomplete_list_probability` are right to `error` where `method` is "exact". A draw is an
answer a row: indices in ascending order, filled up with −1 where fewer names come out. What only
some laws have (classes, hits, the score that comes out) is a property of theirs.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.random import Generator

from dpviz.base.arrays import Floats, Ints
from dpviz.base.errors import ParameterError
from dpviz.base.former_names import former_members
from dpviz.base.frames import Frame, pd
from dpviz.base.parameters import check_generator, check_integer
from dpviz.base.progress import Progress, ignore_progress
from dpviz.base.read_only_arrays import ReadOnlyArrays
from dpviz.base.value_equality import ValueEquality


class EpsilonDelta(NamedTuple):
    """An (ε, δ)."""

    epsilon: float
    delta: float = 0.0


class PrivacyCeiling(EpsilonDelta):
    """What a mechanism promises for every pair of neighbours: (ε, δ)."""

    unproved: str = ""  # why that is not proved, in a sentence, where it is not


@dataclass(frozen=True)
class RevealingOutput:
    """What shows a privacy loss: in words, and as item indices where it is about items."""

    text: str
    items: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class OutcomeComparison(ReadOnlyArrays):
    """Outputs in two worlds side by side."""

    here: Floats
    there: Floats
    error: Floats | float
    other_error: Floats | float
    output: Callable[[int], RevealingOutput]
    seen: str
    events: bool = False
    whole: bool = True


class Law(Protocol):
    """The law of what comes out when a mechanism is run on data."""

    @property
    def names(self) -> Sequence[str]:
        """What can come out."""

    @property
    def chances(self) -> Floats:
        """P(it comes out) of every name, shape (names,)."""

    @property
    def requested_count(self) -> int:
        """How many names are asked for."""

    @property
    def incomplete_list_probability(self) -> float:
        """The chance that nothing, or fewer names than asked for, come out."""

    @property
    def error(self) -> float:
        """A bound on the error of a figure."""

    @property
    def method(self) -> str:
        """How figures came about: "exact" or "estimated"."""

    @property
    def draws(self) -> int:
        """How many draws figures rest on; 0 where they are exact."""

    def bounds(self, probability: Floats) -> tuple[Floats, Floats]:
        """(low, high) of probabilities of this law: the error bound, or 95 % where estimated."""

    def draw(self, size: int, rng: Generator | int) -> Ints:
        """`size` answers, a row each."""

    def log_probability(self, answer: Iterable[int]) -> float:
        """log P(just these names come out)."""

    def compare_outcomes(
        self, other: Any, progress: Progress = ignore_progress
    ) -> OutcomeComparison | None:
        """Beside the law of the same mechanism on a neighbour: what the privacy loss is made of.

        None where answers are sets that are too many to list; what they show is then asked of both
        laws.
        """


class ExactLaw(ReadOnlyArrays, ValueEquality):
    """The base of laws whose figures are right to an error."""

    error: float
    method: str = "exact"
    draws: int = 0

    def __repr__(self) -> str:
        """What it is of, and how much is asked for."""
        of = getattr(self, "scores", None) or getattr(self, "pool", None)
        asked = getattr(self, "requested_count", 1)
        return f"{type(self).__name__}({of!r}, asked={asked}, {self.method})"

    def frame(self: "Law") -> Frame:
        """The chance of every name, a row each: name, value, low, high, method; and last that of
        nothing.
        """
        value = np.append(self.chances, self.incomplete_list_probability)
        low, high = self.bounds(value)
        names = [*self.names, "(nothing, or less than asked)"]
        return pd.DataFrame(
            {"name": names, "value": value, "low": low, "high": high, "method": self.method}
        )

    def bounds(self, probability: Floats) -> tuple[Floats, Floats]:
        """(low, high) of probabilities of this law: the error bound."""
        return np.maximum(probability - self.error, 0.0), np.minimum(probability + self.error, 1.0)


class SingleNameLaw(ExactLaw, ABC):
    """The base of laws of one name or nothing."""

    requested_count: int = 1

    @property
    @abstractmethod
    def names(self) -> Sequence[str]:
        """What can come out."""

    @property
    @abstractmethod
    def chances(self) -> Floats:
        """P(it comes out) of every name, shape (names,)."""

    @property
    @abstractmethod
    def incomplete_list_probability(self) -> float:
        """P(nothing comes out)."""

    def draw(self, size: int, rng: Generator | int) -> Ints:
        """`size` answers, shape (size, 1); −1 for nothing."""
        mass = np.append(self.chances, self.incomplete_list_probability)
        drawn = check_generator(rng).choice(
            len(mass), check_integer("size", size, low=0), p=mass / mass.sum()
        )
        return np.where(drawn < len(self.chances), drawn, -1)[:, None]

    def log_probability(self, answer: Iterable[int]) -> float:
        """log P of one name, or of nothing where `answer` is empty."""
        chosen = [check_integer("answer", at, low=0, high=len(self.chances) - 1) for at in answer]
        if len(chosen) > 1:
            raise ParameterError("answer", chosen, "one name, or none")
        mass = float(self.chances[chosen[0]]) if chosen else self.incomplete_list_probability
        return math.log(mass) if mass > 0 else -math.inf


__getattr__ = former_members(
    __name__, Ceiling="PrivacyCeiling", Output="RevealingOutput"
)  # in stored pickles

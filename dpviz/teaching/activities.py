"""Guesses, walkthroughs and formulas of a lesson, as plain data.

A `GuessPrompt` asks for a guess before anything is drawn. A `Demonstration` plays one release as
`WalkthroughMove` parts: a sentence and a few rows, each a `WalkthroughRow`.
Invariants: a play draws the mechanism's own noise from an explicit generator, so a seed plays the
same again; no play tells a chance that the lesson asks for.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from numpy.random import Generator

from dpviz.base import ParameterError, check_integer, check_number

FULL = 100
"""End of the scale of guesses: releases, of a hundred."""

Sign = Literal["", "now", "out", "won"]
SIGNS: dict[Sign, str] = {"": "", "now": "now", "out": "out", "won": "chosen"}
"""Marks of a row, and the word for each."""


@dataclass(frozen=True)
class GuessPrompt:
    """Question for the chance of one outcome (its index), asked before anything is drawn."""

    asks: str
    outcome: int = 0

    def __post_init__(self) -> None:
        check_integer("outcome", self.outcome, low=0)


@dataclass(frozen=True)
class WalkthroughRow:
    """Row of a picture: a bar from zero, `noise` added to it, and the text `shown`."""

    name: str
    value: float
    shown: str = ""
    noise: float = 0.0
    sign: Sign = ""

    def __post_init__(self) -> None:
        check_number("value", self.value, low=-1e12, high=1e12)
        check_number("noise", self.noise, low=-1e12, high=1e12)


@dataclass(frozen=True)
class WalkthroughMove:
    """One step of a mechanism: a sentence, its rows, and a `line` that a row has to reach."""

    says: str
    rows: tuple[WalkthroughRow, ...]
    line: float | None = None


@dataclass(frozen=True)
class Walkthrough:
    """One release, step by step; `outcome` is an index of the experiment's outcomes, or None."""

    moves: tuple[WalkthroughMove, ...]
    outcome: int | None = None

    def __post_init__(self) -> None:
        if len(self.moves) < 2:
            raise ParameterError("the number of moves", len(self.moves), "at least 2")


@dataclass(frozen=True)
class Demonstration:
    """A mechanism at work: a title, and a function that plays one release."""

    title: str
    play: Callable[[Generator], Walkthrough]


@dataclass(frozen=True)
class Formula:
    """A formula in LaTeX, and a sentence that reads it aloud."""

    latex: str
    says: str

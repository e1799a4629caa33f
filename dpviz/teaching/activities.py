"""What lets one find out: a mark of one's own, a mechanism at work step by step, and a formula, as
plain data.

A lesson fills them; a page, a class, slides and files to take away show the same ones. A `GuessPrompt`
asks for a mark on the scale of chances before anything is drawn. `Demonstration` plays one release, a
`WalkthroughMove` at a time: a sentence and a few rows, each a `WalkthroughRow`.
Invariants: a play uses the mechanism's own luck, from an explicit generator, so that a seed plays
the same again; no play tells a chance that the lesson asks for.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from numpy.random import Generator

from dpviz.base import ParameterError, check_integer, check_number

FULL = 100
"""The end of the scale on which a mark is set: releases, of a hundred."""

Sign = Literal["", "now", "out", "won"]
SIGNS: dict[Sign, str] = {"": "", "now": "now", "out": "out", "won": "chosen"}
"""What a row is marked with, and how that is read."""


@dataclass(frozen=True)
class GuessPrompt:
    """Where one expects a chance, before anything is drawn: that of an outcome (its index) of what
    is drawn first.
    """

    asks: str
    outcome: int = 0

    def __post_init__(self) -> None:
        check_integer("outcome", self.outcome, low=0)


@dataclass(frozen=True)
class WalkthroughRow:
    """A line of a picture: `value` is the bar from zero, `noise` what is added to it or taken off,
    `shown` the text.
    """

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
    """One step of a mechanism: what happens, and how things stand then; `line` is what a row has to
    reach.
    """

    says: str
    rows: tuple[WalkthroughRow, ...]
    line: float | None = None


@dataclass(frozen=True)
class Walkthrough:
    """One release, from the first step to the last; `outcome` is which of the experiment's came,
    None for none.
    """

    moves: tuple[WalkthroughMove, ...]
    outcome: int | None = None

    def __post_init__(self) -> None:
        if len(self.moves) < 2:
            raise ParameterError("the number of moves", len(self.moves), "at least 2")


@dataclass(frozen=True)
class Demonstration:
    """A mechanism at work: what is seen, and how a generator's luck plays it."""

    title: str
    play: Callable[[Generator], Walkthrough]


@dataclass(frozen=True)
class Formula:
    """A formula in LaTeX, and how it is said: to who hears it, and where it cannot be set."""

    latex: str
    says: str

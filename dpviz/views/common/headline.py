"""Headline figures: what stands on a page's cards, in words, with the law that says how it came about."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from dpviz.charts.words import percent


class Source(Protocol):
    """What a figure was read from: how it came about, and how far it can be wrong."""

    @property
    def method(self) -> str:
        """ "exact" or "estimated"."""

    @property
    def error(self) -> float:
        """A bound on the error of any figure."""


@dataclass(frozen=True)
class Exact:
    """A source that computes, with a bound on the error of what is read from it."""

    error: float
    method: str = "exact"


@dataclass(frozen=True)
class Simulated:
    """A source that draws: how many releases, and the 95 % interval in words."""

    draws: int
    interval: str
    error: float = math.inf
    method: str = "estimated"


@dataclass(frozen=True)
class Headline:
    """A figure by its name, in words, with what it means; without a value its place waits.

    `source` is the law that it was read from, where there is one, `remark` what else is to be said of how the figure
    came about; `of` stands smaller beside the value: what it is out of.
    """

    name: str
    value: str | None
    meaning: str
    source: Source | None = None
    remark: str = ""
    of: str = ""


L = TypeVar("L", bound=Source)


def headline(name: str, law: L | None, chance: Callable[[L], float], meaning: str) -> Headline:
    """A chance that is read off a law, or its place while there is none."""
    return Headline(name, None if law is None else percent(chance(law)), meaning, law)

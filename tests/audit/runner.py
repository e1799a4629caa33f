"""Random cases of families of figures, each made of its family's name and its number alone.

A check draws a case and yields a `Finding` for each figure; one that is further from what is true
than it says of itself is a violation.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

SEED = 2021


@dataclass(frozen=True)
class Finding:
    """One figure of one case: what was told and is true, and how far beyond its stated error."""

    case: Any
    figure: str
    told: Any
    true: Any
    beyond: float


def between(
    case: Any, figure: str, told: float, low: float, high: float, error: float = 0.0
) -> Finding:
    """The figure has to lie from `low` to `high`, infinities too, but for the error stated."""
    told = float(told)
    beyond = 0.0 if told in (low, high) else max(low - told, told - high) - error
    return Finding(case, figure, told, (low, high), beyond)


def about(case: Any, figure: str, told: float, true: float, error: float) -> Finding:
    """The figure has to be the true one, but for the error stated."""
    return between(case, figure, told, float(true), float(true), error)


def says(case: Any, figure: str, told: Any, true: Any) -> Finding:
    """What was told has to be just that."""
    return Finding(case, figure, told, true, 0.0 if told == true else math.inf)


@dataclass(frozen=True)
class Family:
    """Figures checked together: cases each time and in the long run, and what it must notice."""

    check: Callable[[Generator], Iterator[Finding]]
    few: int
    many: int
    broken: Sequence[tuple[Any, str, Callable[[Any], Any]]]
    """Whose attribute, its name, and what makes a wrong one of the right one."""

    @property
    def name(self) -> str:
        """The check's name."""
        return self.check.__name__


def violations(family: Family, count: int) -> list[str]:
    """What is wrong in the first cases, each with its number, which makes it again."""
    found: list[str] = []
    for number in range(count):
        looked = 0
        try:
            rng = np.random.default_rng([SEED, number, *family.name.encode()])
            for one in family.check(rng):
                looked += 1
                if not one.beyond <= 0:  # what is no number is a violation
                    told = f"{one.figure} is {one.told}, true is {one.true}"
                    found.append(f"case {number}: {told}, {one.beyond:.3g} beyond; {one.case}")
        except Exception as error:  # noqa: BLE001 - whatever a case raises was found by it
            found.append(f"case {number}: raised is {error!r}")
            continue
        if not looked:
            found.append(f"case {number}: no figure was looked at")
    return found

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
_SHOWN = 4  # violations in the message of a failure


@dataclass(frozen=True)
class Finding:
    """One figure of one case: what was told and is true, and how far beyond its stated error."""

    case: Any
    figure: str
    told: Any
    true: Any
    beyond: float

    @property
    def wrong(self) -> bool:
        """Whether it is a violation; what is no number is one."""
        return not self.beyond <= 0


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


Check = Callable[[Generator], Iterator[Finding]]
Break = tuple[Any, str, Callable[[Any], Any]]
"""Whose attribute, its name, and what makes a wrong one of the right one."""


@dataclass(frozen=True)
class Family:
    """Figures checked together: cases each time and in the long run, and what it must notice."""

    check: Check
    few: int
    many: int
    broken: Sequence[Break]

    @property
    def name(self) -> str:
        """The check's name."""
        return self.check.__name__


def generator(name: str, number: int) -> Generator:
    """The generator of a case."""
    return np.random.default_rng([SEED, number, *name.encode()])


def violations(family: Family, numbers: Sequence[int]) -> list[str]:
    """What was found wrong, with what makes it again."""
    found: list[str] = []
    for number in numbers:
        looked = 0
        try:
            for finding in family.check(generator(family.name, number)):
                looked += 1
                if finding.wrong:
                    found.append(
                        f"case {number}: {finding.figure} is {finding.told}, true is"
                        f" {finding.true}, {finding.beyond:.3g} beyond; {finding.case}"
                    )
        except Exception as error:  # noqa: BLE001 - whatever a case raises was found by it
            found.append(f"case {number}: raised is {error!r}; {_again(family, number)}")
            continue
        if not looked:
            found.append(f"case {number}: no figure was looked at; {_again(family, number)}")
    return found


def audit(family: Family, count: int) -> None:
    """Fail with the first violations, and what makes them again."""
    found = violations(family, range(count))
    number = int(found[0].split(":")[0].removeprefix("case ")) if found else 0
    shown = "\n".join([*found[:_SHOWN], _again(family, number)])
    assert not found, f"{family.name}: {len(found)} violations in {count} cases.\n{shown}"


def _again(family: Family, number: int) -> str:
    module, name = family.check.__module__, family.name
    return f"Again: from {module} import {name}; list({name}(generator({name!r}, {number})))"

"""What the page on neighbours adds to the scenario: which mechanism, whose data, the guesser's prior.

Invariant: a link names items by their index, never by their label; what does not fit the data at hand is told in one
sentence and left out.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from dpviz.base.errors import ParameterError
from dpviz.base.parameters import parameter
from dpviz.candidates import CANDIDATES
from dpviz.gaps.noisy_top_k import GAPS
from dpviz.gaps.sparse.mechanism import THRESHOLD
from dpviz.margin.one_item import TOP_ONE
from dpviz.studies.scenario import DataSpec, Scenario
from dpviz.ui.shell.page_parameters import PageParameters

__all__ = [
    "FIRST",
    "MOST_TICKED",
    "PAGE",
    "WAYS",
    "WHERE",
    "WHO",
    "Settings",
    "indices",
    "read",
    "written",
]

FIRST = Scenario(data=DataSpec(name="class_trip"), epsilon=1.0, k=2)
"""What the page opens on: few enough people for one of them to be seen."""

WHERE = "neighbours"
_OF_DESIGN = "top_k"
MOST_TICKED = 200  # what a link can hold
WHO = {"average": "Average", "heavy": "Heavy", "worst": "Worst found", "ticked": "Tick items"}
WAYS = {"leaves": "she is in the data", "joins": "she comes on top"}
_OF = {_OF_DESIGN: "the scenario's first design"} | {
    name: menu.label(name) for menu in (GAPS, THRESHOLD, TOP_ONE, CANDIDATES) for name in menu
}
_INDICES = re.compile(r"i(?:\d{1,9}(?:-\d{1,9})*)?")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """`of` names a mechanism that is none of the scenario's designs; `items` and `other` are hers and another's.

    Empty texts stand for those of an average person.
    """

    of: str = parameter(_OF_DESIGN, choices=_OF, label="The mechanism")
    who: str = parameter("average", choices=WHO, label="Whose data")
    way: str = parameter("leaves", choices=WAYS, label="Whether she is in the data")
    items: str = parameter("", label="Her items")
    other: str = parameter("", label="The other one's items")
    prior: float = parameter(0.5, low=0.01, high=0.99, label="The guess beforehand")


def indices(text: str) -> list[int]:
    """The items that a text of the link names.

    >>> indices("i0-17"), indices("i")
    ([0, 17], [])
    """
    return [int(index) for index in text[1:].split("-") if index]


def written(items: Iterable[int]) -> str:
    """As `indices` reads it.

    >>> written([17, 0])
    'i0-17'
    """
    return "i" + "-".join(map(str, sorted(items)))


def _list(value: object) -> object:
    allowed = f"at most {MOST_TICKED} indices such as i0-17"
    if not isinstance(value, str) or (value and not _INDICES.fullmatch(value)) or len(indices(value)) > MOST_TICKED:
        raise ParameterError("the list of items", value, allowed)
    return value


PAGE = PageParameters(
    Settings, "neighbours.", where=WHERE, checks={"items": _list, "other": _list}, by_label=True, tell=True
)


def read() -> Settings:
    """The page's settings; what a link has wrong is told in the sidebar."""
    return PAGE.read()[0]

"""What the page Neighbours adds to the scenario: which mechanism of every menu, whose data, the
guesser's prior.

A family is a menu of the library with how its entries are built from the scenario and what people
call their answers.
Invariants: a link names items by their index, never by their label, and what does not fit the data
at hand is left out; an entry that is added to a menu of the library is in a family too.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from dpviz.base import ParameterError, Registry, Scores, parameter, parameters_of
from dpviz.candidates import CANDIDATES, CandidatePool
from dpviz.gaps import GAPS, THRESHOLD
from dpviz.margin import TOP_ONE
from dpviz.pages.candidates import RunsStudy
from dpviz.pages.gaps import study
from dpviz.studies import DataSpec, Scenario
from dpviz.studies.page_parameters import Declared
from dpviz.topk import TOP_K

FIRST = Scenario(data=DataSpec(name="class_trip"), epsilon=1.0, k=2)
"""What the page opens on: few enough people for one of them to be seen."""

_OF_DESIGN = "top_k"
MOST_TICKED = 200  # what a link can hold
WHO = {"average": "Average", "heavy": "Heavy", "worst": "Worst found", "ticked": "Tick items"}
WAYS = {"leaves": "Yes", "joins": "No, they are added"}
_OF = {_OF_DESIGN: "the scenario's first design"} | {
    name: menu.label(name) for menu in (GAPS, THRESHOLD, TOP_ONE, CANDIDATES) for name in menu
}
_INDICES = re.compile(r"i(?:\d{1,9}(?:-\d{1,9})*)?")


@dataclass(frozen=True, kw_only=True)
class NeighboursSettings:
    """`of` names a mechanism that is none of the scenario's designs; `items` and `other` are hers
    and another's.

    Empty texts stand for those of an average person.
    """

    of: str = parameter(_OF_DESIGN, choices=_OF, label="The mechanism")
    who: str = parameter("average", choices=WHO, label="Whose data")
    way: str = parameter("leaves", choices=WAYS, label="Whether her data are among these")
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
    if (
        not isinstance(value, str)
        or (value and not _INDICES.fullmatch(value))
        or len(indices(value)) > MOST_TICKED
    ):
        raise ParameterError("the list of items", value, allowed)
    return value


NEIGHBOURS_PAGE = Declared(
    NeighboursSettings, "neighbours.", checks={"items": _list, "other": _list}, by_label=True
)


@dataclass(frozen=True, eq=False)
class Family:
    """A menu, how its entries are built, and what they are called; `designed` where the scenario's
    designs are.

    `noun` and `verb` say what is counted: of 100 published lists, 41 include an item.
    """

    menu: Registry[Any]
    noun: str
    verb: str
    build: Callable[[str, Scenario, Any], Any]
    designed: bool = False

    @property
    def pooled(self) -> bool:
        """Whether its entries are run on a pool of candidates, and not on scores."""
        return next(iter(self.menu.values())).runs_on is CandidatePool

    def has_k(self, name: str) -> bool:
        """Whether an entry takes the scenario's k."""
        return any(declared.name == "k" for declared in parameters_of(self.menu[name]))

    def label(self, name: str, scenario: Scenario, contributions: int | None) -> str:
        """What people call an entry, with what the scenario's design sets."""
        return (
            scenario.designs[0].label_for(scenario.k, contributions)
            if self.designed
            else self.menu.label(name)
        )


def of_one_item(name: str) -> Declared[Any]:
    """The parameters of a mechanism for one item; δ is that of the page Margin."""
    return Declared(TOP_ONE[name], by_label=True)


def _one_item(name: str, scenario: Scenario, scores: Scores) -> Any:
    values, _ = of_one_item(name).values_on(scenario.page)
    return TOP_ONE[name](**{**values, "epsilon": scenario.epsilon})


def _threshold(name: str, scenario: Scenario, scores: Scores) -> Any:
    return study.read(scenario, scores).mechanism(
        THRESHOLD[name], scenario.epsilon, scenario.k, scores
    )


FAMILIES = (
    Family(
        TOP_K,
        "published lists",
        "include",
        lambda name, of, scores: of.mechanisms[0],
        designed=True,
    ),
    Family(
        GAPS,
        "published lists",
        "include",
        lambda name, of, scores: GAPS[name](epsilon=of.epsilon, k=of.k),
    ),
    Family(THRESHOLD, "runs", "report", _threshold),
    Family(TOP_ONE, "releases", "name", _one_item),
    Family(
        CANDIDATES,
        "releases",
        "publish a run of",
        lambda name, of, table: RunsStudy(scenario=of, table=table).rule_named(name),
    ),
)


def family_of(name: str) -> Family:
    """The family that has this name on its menu."""
    return next(family for family in FAMILIES if name in family.menu)


def name_on(scenario: Scenario) -> str:
    """The name that is chosen, on whichever menu it is; else that of the scenario's first design."""
    of = NEIGHBOURS_PAGE.on(scenario.page)[0].of
    return of if any(of in family.menu for family in FAMILIES) else scenario.designs[0].mechanism


def among_candidates(scenario: Scenario) -> bool:
    """Whether it is a rule among candidates that is chosen, which is about a pool and not about
    scores.
    """
    return family_of(name_on(scenario)).pooled

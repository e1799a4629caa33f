"""Page parameters of Neighbours: a mechanism of any menu, a person, and the prior."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from dpviz.base import ParameterError, Registry, Scores, declared_parameters, parameter
from dpviz.candidates import CANDIDATES, CandidatePool
from dpviz.gaps import GAPS, THRESHOLD
from dpviz.margin import TOP_ONE
from dpviz.pages.candidates.study import RunsStudy
from dpviz.pages.gaps import study
from dpviz.studies import DataSpec, DeclaredParameters, Scenario
from dpviz.topk import TOP_K

FIRST = Scenario(data=DataSpec(name="class_trip"), epsilon=1.0, k=2)
"""Scenario that the page opens on: few enough people for one of them to be seen."""

_OF_DESIGN = "top_k"
MOST_TICKED = 200  # what a link can hold
WHO = {"average": "Average", "heavy": "Heavy", "worst": "Worst found", "ticked": "Tick items"}
WAYS = {"leaves": "Yes", "joins": "No, she is added"}
_OF = {_OF_DESIGN: "the scenario's first design"} | {
    name: menu.label(name) for menu in (GAPS, THRESHOLD, TOP_ONE, CANDIDATES) for name in menu
}
_INDICES = re.compile(r"i(?:\d{1,9}(?:-\d{1,9})*)?")


@dataclass(frozen=True, kw_only=True)
class NeighboursSettings:
    """Page parameters; `items` are one person's, `other` another's, "" an average person's."""

    of: str = parameter(_OF_DESIGN, choices=_OF, label="Mechanism")
    who: str = parameter("average", choices=WHO, label="Whose data")
    way: str = parameter("leaves", choices=WAYS, label="Are her data in the data?")
    items: str = parameter("", label="Her items")
    other: str = parameter("", label="Items of the person who replaces her")
    prior: float = parameter(0.5, low=0.01, high=0.99, label="Suspicion before the release")


def decode_item_indices(text: str) -> list[int]:
    """Items that a text of the link names.

    >>> decode_item_indices("i0-17"), decode_item_indices("i")
    ([0, 17], [])
    """
    return [int(index) for index in text[1:].split("-") if index]


def encode_item_indices(items: Iterable[int]) -> str:
    """Text that `decode_item_indices` reads.

    >>> encode_item_indices([17, 0])
    'i0-17'
    """
    return "i" + "-".join(map(str, sorted(items)))


def _list(value: object) -> object:
    allowed = f"at most {MOST_TICKED} indices such as i0-17"
    if (
        not isinstance(value, str)
        or (value and not _INDICES.fullmatch(value))
        or len(decode_item_indices(value)) > MOST_TICKED
    ):
        raise ParameterError("the list of items", value, allowed)
    return value


NEIGHBOURS_PAGE = DeclaredParameters(
    NeighboursSettings, "neighbours.", checks={"items": _list, "other": _list}, by_label=True
)


@dataclass(frozen=True, eq=False)
class MechanismFamily:
    """A menu, how its entries are built, and wording: 41 of 100 `noun` `verb` an item."""

    menu: Registry[Any]
    noun: str
    verb: str
    build: Callable[[str, Scenario, Any], Any]
    designed: bool = False

    @property
    def runs_on_candidates(self) -> bool:
        """True if its entries run on a pool of candidates."""
        return next(iter(self.menu.values())).runs_on is CandidatePool

    def has_k(self, name: str) -> bool:
        return any(declared.name == "k" for declared in declared_parameters(self.menu[name]))

    def label(self, name: str, scenario: Scenario, contributions: int | None) -> str:
        return (
            scenario.designs[0].label_for_data(scenario.k, contributions)
            if self.designed
            else self.menu.label(name)
        )


def top_one_parameters(name: str) -> DeclaredParameters[Any]:
    """Parameters of a mechanism for one item; δ is that of the page One item."""
    return DeclaredParameters(TOP_ONE[name], by_label=True)


def _threshold(name: str, scenario: Scenario, scores: Scores) -> Any:
    return study.read_gaps_settings(scenario, scores).build_mechanism(
        THRESHOLD[name], scenario.epsilon, scenario.k, scores
    )


FAMILIES = (
    MechanismFamily(
        TOP_K,
        "published lists",
        "include",
        lambda name, subject, scores: subject.mechanisms[0],
        designed=True,
    ),
    MechanismFamily(
        GAPS,
        "published lists",
        "include",
        lambda name, subject, scores: study.build_noisy_top_k(subject, subject.k),
    ),
    MechanismFamily(THRESHOLD, "runs", "report", _threshold),
    MechanismFamily(
        TOP_ONE,
        "releases",
        "name",
        lambda name, subject, scores: TOP_ONE[name](
            **{**top_one_parameters(name).read_values(subject.page)[0], "epsilon": subject.epsilon}
        ),
    ),
    MechanismFamily(
        CANDIDATES,
        "releases",
        "publish a run of",
        lambda name, subject, table: RunsStudy(scenario=subject, table=table).build_rule(name),
    ),
)


def find_family(name: str) -> MechanismFamily:
    return next(family for family in FAMILIES if name in family.menu)


def chosen_mechanism_name(scenario: Scenario) -> str:
    of = NEIGHBOURS_PAGE.read_settings(scenario.page)[0].of
    return of if any(of in family.menu for family in FAMILIES) else scenario.designs[0].mechanism


def is_candidate_rule(scenario: Scenario) -> bool:
    """True if a rule among candidates is chosen, which needs a pool and no scores."""
    return find_family(chosen_mechanism_name(scenario)).runs_on_candidates

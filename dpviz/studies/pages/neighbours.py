"""What the page Neighbours adds to the scenario: which mechanism, whose data, the guesser's prior; and the two worlds.

Symbols: a person's step moves each item by −1, 0 or 1 in units of Δ. A family is a menu of the library with how its
entries are built from the scenario and what people call their answers.
Invariants: a link names items by their index, never by their label, and what does not fit the data at hand is left out;
an entry that is added to a menu of the library is in a family too.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.base.arrays import Floats, Ints
from dpviz.base.errors import ParameterError
from dpviz.base.parameters import parameter
from dpviz.base.registry import Registry
from dpviz.base.scores import Scores
from dpviz.candidates import CANDIDATES
from dpviz.candidates.pool import CandidatePool
from dpviz.candidates.worth import mean_scores
from dpviz.data import EXAMPLES
from dpviz.gaps.noisy_top_k import GAPS
from dpviz.gaps.sparse.mechanism import THRESHOLD
from dpviz.margin.one_item import TOP_ONE
from dpviz.privacy.candidate_neighbours import moved_pool
from dpviz.privacy.neighbours import moved_scores
from dpviz.privacy.people import average_size, most_items, person_step, typical_items
from dpviz.studies.pages import candidates, gaps
from dpviz.studies.pages.declared import Declared
from dpviz.studies.scenario import DataSpec, Scenario
from dpviz.topk.mechanism import TOP_K

__all__ = [
    "FAMILIES",
    "FIRST",
    "MOST_TICKED",
    "NEIGHBOURS_PAGE",
    "WAYS",
    "WHO",
    "Family",
    "Pair",
    "Settings",
    "among_candidates",
    "family_of",
    "indices",
    "moved",
    "name_on",
    "of_one_item",
    "pair",
    "preset",
    "ticked",
    "written",
]

FIRST = Scenario(data=DataSpec(name="class_trip"), epsilon=1.0, k=2)
"""What the page opens on: few enough people for one of them to be seen."""

_OF_DESIGN = "top_k"
MOST_TICKED = 200  # what a link can hold
_HEAVY = 10  # times the items of an average person
_TICKED = 20  # items that are ticked to begin with
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


NEIGHBOURS_PAGE = Declared(Settings, "neighbours.", checks={"items": _list, "other": _list}, by_label=True)


@dataclass(frozen=True, eq=False)
class Family:
    """A menu; `noun` and `verb` say what is counted: of 100 published lists, 41 include an item."""

    menu: Registry[Any]
    noun: str
    verb: str
    build: Callable[[str, Scenario, Any], Any]


def of_one_item(name: str) -> Declared[Any]:
    """The parameters of a mechanism for one item; δ is that of the page Margin."""
    return Declared(TOP_ONE[name], by_label=True)


def _one_item(name: str, scenario: Scenario, scores: Scores) -> Any:
    values, _ = of_one_item(name).values_on(scenario.page)
    return TOP_ONE[name](**{**values, "epsilon": scenario.epsilon})


def _threshold(name: str, scenario: Scenario, scores: Scores) -> Any:
    return gaps.read(scenario, scores).mechanism(THRESHOLD[name], scenario.epsilon, scenario.k, scores)


def _rule(name: str, scenario: Scenario, own: CandidatePool | None) -> Any:
    return candidates.rule_on(scenario.page, name, candidates.suited_threshold(own))


FAMILIES = (
    Family(TOP_K, "published lists", "include", lambda name, of, scores: of.mechanisms[0]),
    Family(GAPS, "published lists", "include", lambda name, of, scores: GAPS[name](epsilon=of.epsilon, k=of.k)),
    Family(THRESHOLD, "runs", "report", _threshold),
    Family(TOP_ONE, "releases", "name", _one_item),
    Family(CANDIDATES, "releases", "publish a run of", _rule),
)


def family_of(name: str) -> Family:
    """The family that has this name on its menu."""
    return next(family for family in FAMILIES if name in family.menu)


def name_on(scenario: Scenario) -> str:
    """The name that is chosen, on whichever menu it is; else that of the scenario's first design."""
    of = NEIGHBOURS_PAGE.on(scenario.page)[0].of
    return of if any(of in family.menu for family in FAMILIES) else scenario.designs[0].mechanism


def among_candidates(scenario: Scenario) -> bool:
    """Whether it is a rule among candidates that is chosen, which is about a pool and not about scores."""
    return family_of(name_on(scenario)).menu is CANDIDATES


@dataclass(frozen=True, eq=False)
class Pair:
    """Two worlds: `here` with her data, `there` without; `moved` says how she moves each item, in units of Δ."""

    here: Any
    there: Any
    moved: Floats
    joins: bool = False

    @property
    def hers(self) -> Ints:
        """The items that she counts in."""
        return np.flatnonzero(self.moved > 0)

    @property
    def others(self) -> Ints:
        """The items of whoever is in her place."""
        return np.flatnonzero(self.moved < 0)


def preset(scenario: Scenario, of: Any, who: str) -> tuple[list[int], list[int]]:
    """The items of an average or a heavy person, and of another like her, who replaces her where scores are general."""
    if isinstance(of, CandidatePool):
        return [int(np.argmax(mean_scores(of)))], []
    people = EXAMPLES[scenario.data.name].people if scenario.data.source == "example" else None
    size = average_size(of, people)
    if who == "heavy":
        size = min(_HEAVY * size, most_items(of), max(size, of.d // 2))
    if of.monotonic:
        return typical_items(of, size).tolist(), []
    both = typical_items(of, min(2 * size, of.d))
    return both[::2].tolist(), both[1::2].tolist()


def ticked(scenario: Scenario, of: Any, settings: Settings) -> tuple[list[int], list[int]]:
    """The items that are ticked, hers and another's, as far as these data and one person have them.

    Where none were named, some of an average person's.
    """
    size, most = (of.d, most_items(of)) if isinstance(of, Scores) else (of.size, of.size)
    first = preset(scenario, of, "average")
    hers, other = (
        [item for item in indices(text) if item < size] if text else begin[:_TICKED]
        for text, begin in zip((settings.items, settings.other), first, strict=True)
    )
    return hers[:most], other[:most]


def pair(scenario: Scenario, of: Any, settings: Settings, epsilon: float) -> Pair:
    """The two worlds of the person chosen; `epsilon` is the price of a run where `of` is a pool."""
    hers, others = ticked(scenario, of, settings) if settings.who == "ticked" else preset(scenario, of, settings.who)
    if isinstance(of, CandidatePool):
        step = np.zeros(of.size)
        step[hers] = 1.0
        return Pair(moved_pool(of, hers, epsilon), of, step, joins=True)
    joins = of.monotonic and settings.way == "joins"
    return moved(of, person_step(of, hers, () if of.monotonic else others, joins=joins))


def moved(scores: Scores, step: Floats) -> Pair:
    """The pair that a step from the data makes: a person comes on top, leaves, or is replaced."""
    other = moved_scores(scores, step)
    if scores.monotonic and (step > 0).any():
        return Pair(other, scores, step, joins=True)
    return Pair(scores, other, -step)

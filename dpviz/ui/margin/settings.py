"""What the page on front groups adds to the scenario: δ, the size of the universe, what is good, how many people.

They are page parameters of the scenario, so a link has them. A value that is not allowed is told in one sentence,
and the one that the page would choose by itself stands in for it.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dpviz.base.errors import ParameterError
from dpviz.base.parameters import Parameter, check_integer, check_number, parameters
from dpviz.base.scores import Scores
from dpviz.data import EXAMPLES, Example
from dpviz.margin.large_margin import LargeMargin
from dpviz.margin.universe_curve import MOST_UNLISTED
from dpviz.studies.scenario import DataSpec, Scenario

__all__ = ["DELTA", "FIRST", "MOST_PEOPLE", "Settings", "checked", "read"]

FIRST = Scenario(data=DataSpec(source="example", name="bought_together"), epsilon=0.5, k=1)
DELTA: Parameter = next(p for p in parameters(LargeMargin) if p.name == "delta")
MOST_PEOPLE = 10_000_000_000
_GOOD_SHARE = 0.1  # of the spread of the scores


@dataclass(frozen=True)
class Settings:
    """Checked values; `told` are the sentences on those that could not be used."""

    delta: float
    universe: int
    good: float
    people: int
    told: tuple[str, ...] = ()


def read(scenario: Scenario, scores: Scores) -> Settings:
    """The page's parameters for these scores."""
    told: list[str] = []

    def value(name: str) -> Any:
        given = scenario.page.get(name)
        usual = _USUAL[name](scenario, scores)
        if given is None:
            return usual
        try:
            return checked(name, given, scores)
        except ParameterError as err:
            told.append(f"{err} It is taken as {usual:,.10g}.")
            return usual

    delta, universe, good, people = (value(name) for name in ("delta", "universe", "good", "people"))
    return Settings(delta, universe, good, people, tuple(told))


def checked(name: str, value: object, scores: Scores) -> float | int:
    """The value of a page parameter, if these scores allow it; raises `ParameterError` else."""
    if name == "delta":
        return LargeMargin(epsilon=1.0, delta=value).delta  # type: ignore[arg-type]
    if name == "universe":
        most = scores.d if negative(scores) else scores.d + MOST_UNLISTED
        return check_integer("the universe", value, low=scores.d, high=most)
    if name == "good":
        return check_number("the distance of a good item", value, low=0.0)
    return check_integer("people", value, low=2, high=MOST_PEOPLE)


def negative(scores: Scores) -> bool:
    """Whether unlisted items of score zero would not rank last."""
    return bool(scores.values.min() < 0)


def _example(scenario: Scenario) -> Example | None:
    return EXAMPLES[scenario.data.name] if scenario.data.source == "example" else None


def _usual_universe(scenario: Scenario, scores: Scores) -> int:
    example = _example(scenario)
    return scores.d if example is None or example.universe is None else example.universe


def _usual_good(scenario: Scenario, scores: Scores) -> float:
    spread = float(scores.values.max() - min(scores.values.min(), 0.0 if not negative(scores) else math.inf))
    return float(f"{_GOOD_SHARE * spread:.2g}")


def _usual_people(scenario: Scenario, scores: Scores) -> int:
    """As many as the best score shows at least, where nothing says how many there are."""
    example = _example(scenario)
    if example is not None and example.people is not None:
        return example.people
    return min(MOST_PEOPLE, max(2, math.ceil(float(scores.values.max()) / scores.sensitivity)))


_USUAL: dict[str, Callable[[Scenario, Scores], float | int]] = {
    "delta": lambda scenario, scores: DELTA.default,
    "universe": _usual_universe,
    "good": _usual_good,
    "people": _usual_people,
}

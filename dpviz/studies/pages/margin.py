"""What the page Margin adds to the scenario: δ, the size of the universe, what is good, how many people.

A value that these scores do not allow is told in one sentence, and the one that the page would choose by itself
stands in for it.
"""

import math
from dataclasses import dataclass, replace

from dpviz.base.parameters import Parameter, parameter, parameters
from dpviz.base.scores import Scores
from dpviz.data import EXAMPLES
from dpviz.margin.large_margin import LargeMargin
from dpviz.margin.universe_curve import MOST_UNLISTED, usual_distance
from dpviz.studies.pages.declared import Declared
from dpviz.studies.scenario import DataSpec, Scenario

__all__ = ["DELTA", "FIRST", "MOST_DIGITS", "MOST_PEOPLE", "Settings", "declared_for", "negative", "read"]

FIRST = Scenario(data=DataSpec(source="example", name="chat_openings"), epsilon=0.5, k=1)
DELTA: Parameter = next(p for p in parameters(LargeMargin) if p.name == "delta")
MOST_PEOPLE = 10_000_000_000
MOST_DIGITS = 1000


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The page's own parameters; defaults of all but δ, and the limits of the universe, are those of the scores.

    `digits`, where it is given, makes the universe that power of ten, whatever `universe` says.
    """

    delta: float = parameter(DELTA.default, low=0.0, high=1.0, label="δ")
    universe: int = parameter(1, low=1, integer=True, label="the universe")
    digits: int | None = parameter(None, low=1, high=MOST_DIGITS, integer=True, label="the universe's power of ten")
    good: float = parameter(0.0, low=0.0, label="the distance of a good item")
    people: int = parameter(2, low=2, high=MOST_PEOPLE, integer=True, label="people")


def _delta(value: object) -> float:
    return LargeMargin(epsilon=1.0, delta=value).delta  # type: ignore[arg-type]


_PAGE = Declared(Settings, checks={"delta": _delta}, by_label=True)


def declared_for(scenario: Scenario, scores: Scores) -> Declared[Settings]:
    """The page's parameters as these scores allow them; where nothing is said, the example's universe and people.

    People are else as many as the best score shows at least.
    """
    example = EXAMPLES[scenario.data.name] if scenario.data.source == "example" else None
    below_zero, d = negative(scores), scores.d
    named = None if example is None else example.universe
    shown = min(MOST_PEOPLE, max(2, math.ceil(float(scores.values.max()) / scores.sensitivity)))
    return _PAGE.suited(
        universe={
            "low": d,
            "high": d if below_zero else max(d + MOST_UNLISTED, 0 if named is None else named),
            "default": d if named is None or below_zero else named,
        },
        good={"default": usual_distance(scores)},
        people={"default": shown if example is None or example.people is None else example.people},
    )


def read(scenario: Scenario, scores: Scores) -> tuple[Settings, list[str]]:
    """The settings for these scores, and the sentences on those that could not be used."""
    settings, refused = declared_for(scenario, scores).on(scenario.page)
    if settings.digits is not None and not negative(scores):
        settings = replace(settings, universe=max(scores.d, 10**settings.digits))
    return settings, [f"{err} It is taken as {getattr(settings, name):,.10g}." for name, err in refused.items()]


def negative(scores: Scores) -> bool:
    """Whether unlisted items of score zero would not rank last."""
    return bool(scores.values.min() < 0)

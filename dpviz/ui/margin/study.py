"""Everything the page on front groups shows, computed beside the page and handed over as it comes.

Curves over the universe do not depend on the size chosen, so they are kept apart from the laws that do.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from dpviz.base.errors import ParameterError
from dpviz.base.progress import Progress
from dpviz.base.scores import Scores
from dpviz.margin.compared import COMPARED
from dpviz.margin.front_group import FrontGroup, Limits, closeness, front_group, limits, promises
from dpviz.margin.large_margin import LargeMargin
from dpviz.margin.one_item import TopOneLaw, TopOneMechanism
from dpviz.margin.universe_curve import UniverseCurve, far_curve, half_way, universe_curve, universe_sizes
from dpviz.studies.scenario import Scenario
from dpviz.ui.margin.settings import Settings, negative, read
from dpviz.ui.work.answer import work_on
from dpviz.ui.work.job import Job, Step

__all__ = ["Study", "study"]

_CURVES = "dpviz.margin.curves"
_MOST_CURVES = 32
_FARTHEST = 100_000.0  # digits
_FAR_POINTS = 121
_FEW = 10  # items
_VISIBLE = 7.5  # digits: a half-way point up to here is on the exact part already


@dataclass(frozen=True, eq=False)
class Study:
    """What is known so far; places that are not filled yet read None."""

    scenario: Scenario
    scores: Scores
    settings: Settings
    key: str
    job: Job

    @property
    def mechanism(self) -> LargeMargin:
        """Large margin as the page has it."""
        return LargeMargin(epsilon=self.scenario.epsilon, delta=self.settings.delta)

    def law(self, rule: str) -> TopOneLaw | None:
        """The law of a rule; None while it is not there, and where the rule cannot have this δ."""
        found = self.job.results.get(f"law {rule}")
        return found if isinstance(found, TopOneLaw) else None

    @property
    def laws(self) -> dict[str, TopOneLaw] | None:
        """Every law that there is, once all are there."""
        if any(f"law {rule}" not in self.job.results for rule in COMPARED):
            return None
        return {rule: law for rule in COMPARED if (law := self.law(rule)) is not None}

    @property
    def refused(self) -> dict[str, str]:
        """Why a rule has no law, by its name."""
        found = {rule: self.job.results.get(f"law {rule}") for rule in COMPARED}
        return {rule: told for rule, told in found.items() if isinstance(told, str)}

    def get(self, name: str) -> Any:
        """The result of the step with this name."""
        return self.job.results.get(name)

    @property
    def front(self) -> FrontGroup | None:
        """Where the scores drop away."""
        return self.get("front")  # type: ignore[no-any-return]

    @property
    def curves(self) -> dict[str, UniverseCurve] | None:
        """The chance of a good item against the universe, by rule, once all are there."""
        found = {rule: self.get(f"curve {rule}") for rule in COMPARED if rule not in self.refused}
        return None if any(made is None for made in found.values()) else {rule: made[0] for rule, made in found.items()}


def study(scenario: Scenario, scores: Scores) -> Study:
    """The study of these scores: at once where that is quick, else as it comes."""
    told = read(scenario, scores)
    key = f"margin {scenario.epsilon!r} {told.delta!r} {told.universe} {told.good!r} {told.people} {scores.digest}"
    kept: OrderedDict[str, Any] = st.session_state.setdefault(_CURVES, OrderedDict())
    job = work_on(key, lambda: _steps(scenario.epsilon, told, scores, kept))
    return Study(scenario, scores, told, key, job)


def _steps(epsilon: float, told: Settings, scores: Scores, kept: "OrderedDict[str, Any]") -> Mapping[str, Step]:
    mechanism = LargeMargin(epsilon=epsilon, delta=told.delta)
    zeros = told.universe - scores.d

    def at(rule: str) -> TopOneMechanism:
        return COMPARED[rule].replace(epsilon=epsilon, delta=told.delta)

    def law(rule: str, progress: Progress, done: Mapping[str, Any]) -> TopOneLaw | str:
        try:
            return at(rule).distribution(scores, zeros=zeros, progress=progress)
        except ParameterError as err:
            if rule == "large_margin":
                raise
            return str(err)

    def curve(rule: str, progress: Progress, done: Mapping[str, Any]) -> tuple[UniverseCurve, TopOneLaw] | None:
        if negative(scores) or isinstance(done[f"law {rule}"], str):
            return None
        sizes = universe_sizes(scores.d)
        made = partial(universe_curve, at(rule), scores, told.good, sizes, progress)
        return _once(kept, f"{rule} {epsilon!r} {told.delta!r} {told.good!r} {scores.digest}", made)  # type: ignore[no-any-return]

    def far(progress: Progress, done: Mapping[str, Any]) -> dict[str, UniverseCurve] | None:
        half = done["half"]
        if half is None or not _VISIBLE < half < _FARTHEST:
            return None
        found: dict[str, UniverseCurve] = {}
        for i, rule in enumerate(COMPARED):
            progress(i / len(COMPARED))
            if done[f"curve {rule}"] is not None:
                near, widest = done[f"curve {rule}"]
                digits = np.linspace(near.log10_size[-1], 1.25 * half, _FAR_POINTS)
                found[rule] = far_curve(at(rule), widest, told.good, digits)
        return found

    return {
        **{f"law {rule}": partial(law, rule) for rule in COMPARED},
        "front": lambda progress, done: front_group(mechanism, scores, zeros=zeros),
        "closeness": lambda progress, done: {
            rule: closeness(done[f"law {rule}"]) for rule in COMPARED if not isinstance(done[f"law {rule}"], str)
        },
        "promised": lambda progress, done: promises(mechanism, scores, zeros=zeros, progress=progress),
        "limits": lambda progress, done: _limits(epsilon, told),
        **{f"curve {rule}": partial(curve, rule) for rule in COMPARED},
        "half": lambda progress, done: None if negative(scores) else half_way(scores, epsilon, told.good),
        "far": far,
    }


def _limits(epsilon: float, told: Settings) -> Limits | str:
    """The lower bounds, or why there are none."""
    if epsilon >= 1:
        return "The lower bounds are theorems for ε below 1."
    if told.universe < _FEW:
        return f"The lower bounds grow with the number of items: below {_FEW} there is nothing to draw."
    return limits(epsilon, told.delta, told.universe, told.people)


def _once(kept: "OrderedDict[str, Any]", key: str, make: Callable[[], Any]) -> Any:
    """What was made before under this key, else made now."""
    if key not in kept:
        made = make()
        kept[key] = made
        while len(kept) > _MOST_CURVES:
            kept.popitem(last=False)
        return made
    return kept[key]

"""Everything the page on front groups shows, computed beside the page and handed over as it comes.

Curves over the universe do not depend on the size chosen, so they are kept apart from the laws that do.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

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
from dpviz.ui.work.job import Done, Job, Step
from dpviz.ui.work.kept import Kept, kept

__all__ = ["Study", "study"]

_MOST_CURVES = 32
_FARTHEST = 100_000.0  # digits
_FAR_POINTS = 121
_FEW = 10  # items
_MOST_NEAR = 10**12  # items near the top, as far as the lower bounds are drawn
_VISIBLE = 7.5  # digits: a half-way point up to here is on the exact part already


@dataclass(frozen=True, eq=False)
class Curve:
    """The chance of a good item against the universe, and the law at the widest one."""

    near: UniverseCurve
    widest: TopOneLaw


@dataclass(frozen=True, eq=False)
class Study:
    """What is known so far; places that are not filled yet read None."""

    scenario: Scenario
    scores: Scores
    settings: Settings
    job: Job

    @property
    def mechanism(self) -> LargeMargin:
        """Large margin as the page has it."""
        return LargeMargin(epsilon=self.scenario.epsilon, delta=self.settings.delta)

    def law(self, rule: str) -> TopOneLaw | None:
        """The law of a rule; None while it is not there, and where the rule cannot have this δ."""
        return self.job.result(f"law {rule}", TopOneLaw)

    @property
    def laws(self) -> dict[str, TopOneLaw] | None:
        """Every law that there is, once all are there."""
        if any(f"law {rule}" not in self.job.results for rule in COMPARED):
            return None
        return {rule: law for rule in COMPARED if (law := self.law(rule)) is not None}

    @property
    def refused(self) -> dict[str, str]:
        """Why a rule has no law, by its name."""
        return {rule: why for rule in COMPARED if (why := self.job.result(f"law {rule}", str)) is not None}

    @property
    def front(self) -> FrontGroup | None:
        """Where the scores drop away."""
        return self.job.result("front", FrontGroup)

    @property
    def curves(self) -> dict[str, UniverseCurve] | None:
        """The chance of a good item against the universe, by rule, once all are there."""
        curves = {rule: self.job.result(f"curve {rule}", Curve) for rule in COMPARED if rule not in self.refused}
        known = {rule: curve.near for rule, curve in curves.items() if curve is not None}
        return known if len(known) == len(curves) else None


def study(scenario: Scenario, scores: Scores) -> Study:
    """The study of these scores: at once where that is quick, else as it comes."""
    settings, _ = read(scenario, scores)
    key = f"margin {scenario.epsilon!r} {settings} {scores.digest}"
    curves: Kept[Curve] = kept("curves over the universe", _MOST_CURVES)
    (job,) = work_on((key, lambda: _steps(scenario.epsilon, settings, scores, curves)))
    return Study(scenario, scores, settings, job)


def _steps(epsilon: float, settings: Settings, scores: Scores, curves: Kept[Curve]) -> Mapping[str, Step]:
    mechanism = LargeMargin(epsilon=epsilon, delta=settings.delta)
    zeros = settings.universe - scores.d

    def at(rule: str) -> TopOneMechanism:
        return COMPARED[rule].replace(epsilon=epsilon, delta=settings.delta)

    def law(rule: str, progress: Progress, done: Done) -> TopOneLaw | str:
        try:
            return at(rule).distribution(scores, zeros=zeros, progress=progress)
        except ParameterError as err:
            if rule == "large_margin":
                raise
            return str(err)

    def curve(rule: str, progress: Progress, done: Done) -> Curve | None:
        if negative(scores) or isinstance(done[f"law {rule}"], str):
            return None
        sizes = universe_sizes(scores.d)
        key = f"{rule} {epsilon!r} {settings.delta!r} {settings.good!r} {scores.digest}"
        near = partial(universe_curve, at(rule), scores, settings.good, sizes, progress)
        return curves.once(key, lambda: Curve(*near()))

    def far(progress: Progress, done: Done) -> dict[str, UniverseCurve] | None:
        half = done["half"]
        if half is None or not _VISIBLE < half < _FARTHEST:
            return None
        farthest = 1.25 * max(half, math.log10(settings.universe))
        extended: dict[str, UniverseCurve] = {}
        for i, rule in enumerate(COMPARED):
            progress(i / len(COMPARED))
            made: Curve | None = done[f"curve {rule}"]
            if made is not None:
                digits = np.linspace(made.near.log10_size[-1], farthest, _FAR_POINTS)
                extended[rule] = far_curve(at(rule), made.widest, settings.good, digits)
        return extended

    return {
        **{f"law {rule}": partial(law, rule) for rule in COMPARED},
        "half": lambda progress, done: None if negative(scores) else half_way(scores, epsilon, settings.good),
        "front": lambda progress, done: front_group(mechanism, scores, zeros=zeros),
        "closeness": lambda progress, done: {
            rule: closeness(done[f"law {rule}"]) for rule in COMPARED if not isinstance(done[f"law {rule}"], str)
        },
        "promised": lambda progress, done: promises(mechanism, scores, zeros=zeros, progress=progress),
        "limits": lambda progress, done: _limits(epsilon, settings),
        **{f"curve {rule}": partial(curve, rule) for rule in COMPARED},
        "far": far,
    }


def _limits(epsilon: float, settings: Settings) -> Limits | str:
    """The lower bounds, or why there are none."""
    if epsilon >= 1:
        return "The lower bounds are theorems for ε below 1."
    if settings.universe < _FEW:
        return f"The lower bounds grow with the number of items: below {_FEW} there is nothing to draw."
    return limits(epsilon, settings.delta, min(settings.universe, _MOST_NEAR), settings.people)

"""One item of a huge universe, by large margin and by its rivals."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Self, cast

import numpy as np

from dpviz.base import (
    Floats,
    Parameter,
    Progress,
    Scores,
    declared_parameters,
    iterate_with_progress,
    parameter,
)
from dpviz.data import EXAMPLES
from dpviz.margin import COMPARED, MOST_UNLISTED, LargeMargin, TopOneLaw, TopOneMechanism
from dpviz.margin.front_group import (
    DistanceLowerBounds,
    FrontGroup,
    distance_from_best_cdf,
    distance_lower_bounds,
    front_group,
    utility_guarantee_curve,
)
from dpviz.margin.uneven_sensitivities import BestProbabilityCurves, uneven_curves
from dpviz.margin.universe_curve import (
    GoodItemCurve,
    default_distance,
    half_chance_log10_zeros,
    huge_universe_curve,
    universe_curve,
    universe_sizes,
)
from dpviz.studies import (
    DataSpec,
    DeclaredParameters,
    Scenario,
    ScenarioStudy,
    StepRefusal,
    result_or_refusal,
    step,
    steps_by_name,
)

FIRST = Scenario(data=DataSpec(source="example", name="chat_openings"), epsilon=0.5, k=1)
DELTA: Parameter = next(p for p in declared_parameters(LargeMargin) if p.name == "delta")
MOST_PEOPLE = 10_000_000_000
MOST_DIGITS = 1000


@dataclass(frozen=True, kw_only=True)
class MarginSettings:
    """Page parameters; with `digits` the universe is that power of ten."""

    delta: float = parameter(DELTA.default, low=0.0, high=1.0, label="δ")
    universe: int = parameter(1, low=1, integer=True, label="the universe")
    digits: int | None = parameter(
        None, low=1, high=MOST_DIGITS, integer=True, label="the universe's power of ten"
    )
    good: float = parameter(0.0, low=0.0, label="the distance of a good item")
    people: int = parameter(2, low=2, high=MOST_PEOPLE, integer=True, label="people")


def _delta(value: object) -> float:
    return LargeMargin(epsilon=1.0, delta=value).delta  # type: ignore[arg-type]


MARGIN_PAGE = DeclaredParameters(MarginSettings, checks={"delta": _delta}, by_label=True)


def margin_parameters(scenario: Scenario, scores: Scores) -> DeclaredParameters[MarginSettings]:
    """Page parameters with the limits of these scores, and the example's defaults."""
    example = EXAMPLES[scenario.data.name] if scenario.data.source == "example" else None
    below_zero, d = has_negative_scores(scores), scores.d
    named = None if example is None else example.universe
    people = min(MOST_PEOPLE, max(2, math.ceil(float(scores.values.max()) / scores.sensitivity)))
    return MARGIN_PAGE.with_declarations(
        universe={
            "low": d,
            "high": d if below_zero else max(d + MOST_UNLISTED, 0 if named is None else named),
            "default": d if named is None or below_zero else named,
        },
        good={"default": default_distance(scores)},
        people={"default": people if example is None or example.people is None else example.people},
    )


def read_margin_settings(scenario: Scenario, scores: Scores) -> tuple[MarginSettings, list[str]]:
    """Settings for these scores, and sentences on those that were not allowed."""
    settings, refused = margin_parameters(scenario, scores).read_settings(scenario.page)
    if settings.digits is not None and not has_negative_scores(scores):
        settings = replace(settings, universe=max(scores.d, 10**settings.digits))
    return settings, [
        f"{err} It is taken as {getattr(settings, name):,.10g}." for name, err in refused.items()
    ]


def has_negative_scores(scores: Scores) -> bool:
    """True if unlisted items of score zero would not rank last."""
    return bool(scores.values.min() < 0)


_FARTHEST = 100_000.0  # digits
_FAR_POINTS = 121
_FEW = 10  # items
_MOST_NEAR = 10**12  # items near the top, as far as the lower bounds are drawn
_VISIBLE = 7.5  # digits: a half-way point up to here is on the exact part already
LARGE_MARGIN, EXPONENTIAL, GENERALISED = "large_margin", "gumbel", "generalised"


@dataclass(frozen=True, kw_only=True, eq=False)
class MarginStudy(ScenarioStudy):
    """Laws of each rule at (ε, δ), the drop of the scores, and larger universes."""

    settings: MarginSettings

    @classmethod
    def from_scenario(cls, scenario: Scenario, scores: Scores) -> Self:
        return cls(
            scenario=scenario, scores=scores, settings=read_margin_settings(scenario, scores)[0]
        )

    @property
    def key(self) -> str:
        return f"margin {self.scenario.epsilon!r} {self.settings} {self.scores.digest}"

    def build_rule(self, name: str) -> TopOneMechanism:
        return COMPARED[name].replace(epsilon=self.scenario.epsilon, delta=self.settings.delta)

    @property
    def large_margin(self) -> LargeMargin:
        return LargeMargin(epsilon=self.scenario.epsilon, delta=self.settings.delta)

    @property
    def unlisted_count(self) -> int:
        return self.settings.universe - self.scores.d

    @steps_by_name(list_names=lambda study: COMPARED)
    def law(self, rule: str, progress: Progress) -> TopOneLaw | StepRefusal:
        def make() -> TopOneLaw:
            return self.build_rule(rule).distribution(
                self.scores, zeros=self.unlisted_count, progress=progress
            )

        return make() if rule == LARGE_MARGIN else result_or_refusal(make)

    def existing_law(self, rule: str) -> TopOneLaw:
        """Law of a rule that has one at all settings."""
        return cast(TopOneLaw, self.law[rule])

    @property
    def laws(self) -> dict[str, TopOneLaw]:
        return {rule: law for rule, law in self.law.items() if isinstance(law, TopOneLaw)}

    @step
    def half_chance_log10_universe(self, progress: Progress) -> float | None:
        """log10 of the universe at which the exponential mechanism is down to one half."""
        if has_negative_scores(self.scores):
            return None
        zeros = half_chance_log10_zeros(self.scores, self.scenario.epsilon, self.settings.good)
        if zeros is None:
            return None
        # with the listed items, in logs as 10^zeros may be too large
        log_size = np.logaddexp(zeros * math.log(10), math.log(self.scores.d))
        return float(log_size / math.log(10))

    @step
    def best_probability_by_sensitivity(self, progress: Progress) -> BestProbabilityCurves:
        """Both exponential mechanisms as one item becomes more sensitive than the others."""
        both = self.build_rule(EXPONENTIAL), self.build_rule(GENERALISED)
        return uneven_curves(*both, self.scores, progress)

    @step
    def front_group_of_scores(self, progress: Progress) -> FrontGroup:
        """Front group, where the scores drop away."""
        return front_group(self.large_margin, self.scores, zeros=self.unlisted_count)

    @step
    def distance_below_best_cdfs(self, progress: Progress) -> dict[str, tuple[Floats, Floats]]:
        """Distribution of the distance below the best, by rule."""
        return {rule: distance_from_best_cdf(law) for rule, law in self.laws.items()}

    @step
    def promised_distance_curve(self, progress: Progress) -> tuple[Floats, Floats]:
        """Bound of Theorem 3 on that distribution, for large margin."""
        return utility_guarantee_curve(
            self.large_margin, self.scores, zeros=self.unlisted_count, progress=progress
        )

    @step
    def lower_bounds(self, progress: Progress) -> DistanceLowerBounds | StepRefusal:
        """Distances that no mechanism can beat."""
        epsilon, universe = self.scenario.epsilon, self.settings.universe
        if epsilon >= 1:
            return StepRefusal("The lower bounds are theorems for ε below 1.")
        if universe < _FEW:
            return StepRefusal(
                f"The lower bounds grow with the number of items. Below {_FEW} items there is none"
                " to draw."
            )
        return distance_lower_bounds(
            epsilon, self.settings.delta, min(universe, _MOST_NEAR), self.settings.people
        )

    @steps_by_name(list_names=lambda study: () if has_negative_scores(study.scores) else COMPARED)
    def curve(self, rule: str, progress: Progress) -> tuple[GoodItemCurve, TopOneLaw] | StepRefusal:
        """Chance of a good item against the universe, and the law at its widest size."""
        if isinstance(refused := self.law[rule], StepRefusal):
            return refused
        key = (
            f"curve {rule} {self.build_rule(rule).key} {self.settings.good!r} {self.scores.digest}"
        )
        make = partial(universe_curve, self.build_rule(rule), self.scores, self.settings.good)
        curve: tuple[GoodItemCurve, TopOneLaw] = self.keep(
            key, lambda: make(universe_sizes(self.scores.d), progress)
        )
        return curve

    @property
    def curves(self) -> dict[str, GoodItemCurve]:
        return {
            rule: curve[0]
            for rule, curve in self.curve.items()
            if not isinstance(curve, StepRefusal)
        }

    @step
    def huge_universe_curves(self, progress: Progress) -> Mapping[str, GoodItemCurve] | None:
        """Curves beyond the exact part, where they still fall; None where nothing is to see."""
        if (
            self.half_chance_log10_universe is None
            or not _VISIBLE < self.half_chance_log10_universe < _FARTHEST
        ):
            return None
        farthest = 1.25 * max(self.half_chance_log10_universe, math.log10(self.settings.universe))
        extended = {}
        for rule, part in iterate_with_progress(list(self.curves), progress):
            part(0.0)
            near, widest = cast(tuple[GoodItemCurve, TopOneLaw], self.curve[rule])
            extended[rule] = huge_universe_curve(
                self.build_rule(rule),
                widest,
                self.settings.good,
                np.linspace(near.log10_size[-1], farthest, _FAR_POINTS),
            )
        return extended

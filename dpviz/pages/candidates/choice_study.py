"""Candidates: the law of a rule on the runs, its price, and the time to stop by γ."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Self

from dpviz.base import Floats, Progress, cached_property
from dpviz.candidates import (
    CANDIDATES,
    CandidateRule,
    NegativeBinomialRepeats,
    PoissonRepeats,
    SelectionLaw,
    naive_best,
)
from dpviz.candidates.repeats import gaussian_rule_epsilons
from dpviz.candidates.search_cost import runs_needed
from dpviz.candidates.utility import (
    RulePrice,
    RuleUtility,
    ScoreBins,
    StopProbabilityCurve,
    rule_prices,
    rule_utility,
    score_bins,
    stop_probability_curve,
)
from dpviz.pages.candidates.runs_study import RunsStudy
from dpviz.pages.candidates.settings import LIMITS, STOPS
from dpviz.studies import StepRefusal, result_or_refusal, step, steps_by_name


@dataclass(frozen=True, kw_only=True, eq=False)
class ChoiceStudy(RunsStudy):
    """Law of a rule on the runs; `given` are rules in place of the page's, the first one chosen."""

    given: tuple[CandidateRule, ...] = ()

    def with_rules(self, *rules: CandidateRule) -> Self:
        return self.replace(given=rules, results={"runs": self.runs})

    @property
    def dependencies(self) -> tuple[object, ...]:
        return self.rule.key, self.settings.share

    @cached_property
    def rule(self) -> CandidateRule:
        """The rule chosen; raises `ParameterError` where the page's parameters do not fit it."""
        return self.given[0] if self.given else self.build_rule(self.settings.rule)

    @step
    def law(self, progress: Progress) -> SelectionLaw:
        return self.rule.distribution(self.runs.pool, progress=progress)

    @step
    def run_worth(self, progress: Progress) -> RuleUtility:
        """Quality of the run that comes out."""
        return rule_utility(self.law, self.settings.share)

    @step
    def score_histogram(self, progress: Progress) -> ScoreBins:
        return score_bins(self.law)

    @step
    def naive_law(self, progress: Progress) -> SelectionLaw:
        return naive_best(self.runs.pool)


class PriceStudy(ChoiceStudy):
    @property
    def dependencies(self) -> tuple[object, ...]:
        return *super().dependencies, [way.key for way in self.compared_rules], *self.run_price

    @property
    def rules_by_name(self) -> dict[str, CandidateRule | StepRefusal]:
        """Every rule with the page's parameters, or why they do not fit it."""
        return {name: result_or_refusal(partial(self.build_rule, name)) for name in CANDIDATES}

    @cached_property
    def compared_rules(self) -> list[CandidateRule]:
        return list(self.given) or [
            way for way in self.rules_by_name.values() if not isinstance(way, StepRefusal)
        ]

    @step
    def prices(self, progress: Progress) -> list[RulePrice]:
        """Total and quality of each rule, of one run, and of the naive best."""
        return rule_prices(
            self.compared_rules, self.runs.pool, *self.run_price, self.settings.share, progress
        )

    @cached_property
    def runs_needed(self) -> dict[str, tuple[Floats, Floats]]:
        """Total and number of runs of each way to the best median, the search's among them."""
        return runs_needed(self.candidate_count, self.settings.epsilon1)

    def gaussian_total_epsilons(self, noise: float, delta: float) -> dict[str, float | None]:
        """Total ε at δ of repeats of a Gaussian mechanism with this noise."""
        repeats = [
            rule
            for rule in map(self.build_rule, CANDIDATES)
            if isinstance(rule, NegativeBinomialRepeats | PoissonRepeats)
        ]
        return gaussian_rule_epsilons(repeats, self.candidate_count, noise, delta)


def _with_mean(rule: CandidateRule, gamma: float) -> CandidateRule:
    return rule.replace(mean=1 / gamma)


def _with_stop(rule: CandidateRule, free: Mapping[str, None], gamma: float) -> CandidateRule:
    return rule.replace(stop=gamma, **free)


class StopStudy(ChoiceStudy):
    @property
    def dependencies(self) -> tuple[object, ...]:
        return (
            *super().dependencies,
            [make(0.5).key for make in self.rule_makers.values()],
            self.stop_probability,
        )

    @property
    def stop_probabilities(self) -> list[float]:
        """Every γ of the curves, the page's among them."""
        return sorted({*STOPS, self.stop_probability})

    @cached_property
    def rule_makers(self) -> dict[str, Callable[[float], CandidateRule]]:
        """Every rule as a function of γ, without a limit."""
        return {name: self._at_stop(name) for name in CANDIDATES}

    def _at_stop(self, name: str) -> Callable[[float], CandidateRule]:
        free = {"limit": None} if name in LIMITS.declared else {}
        if "stop" not in self.rule_parameters(name).declared:  # it makes 1/γ runs on average
            return partial(_with_mean, self.build_rule(name, **free))
        return partial(_with_stop, self.build_rule(name, stop=0.5, **free), free)

    def allowed_stop_probabilities(self, name: str) -> list[float]:
        """Every γ that the rule allows: some exclude 1."""
        refused = isinstance(
            result_or_refusal(lambda: self.rule_makers[name](self.stop_probabilities[-1])),
            StepRefusal,
        )
        return self.stop_probabilities[:-1] if refused else self.stop_probabilities

    @property
    def rules_costlier_with_runs(self) -> list[str]:
        """Rules whose total grows with more runs, for pure candidates of this ε1."""
        epsilon, _ = self.run_price

        def total(name: str, gamma: float) -> float:
            return self.rule_makers[name](gamma).total_epsilon(epsilon)[0]

        return [name for name in CANDIDATES if total(name, 0.01) > total(name, 0.5) + 1e-9]

    @steps_by_name(over=lambda study: CANDIDATES)
    def curve(self, name: str, progress: Progress) -> StopProbabilityCurve:
        return stop_probability_curve(
            self.rule_makers[name],
            self.runs.pool,
            self.settings.share,
            self.allowed_stop_probabilities(name),
            progress,
        )

"""Candidates: the runs and the page's settings, the base of the page's studies.

Symbols: ε1, δ1 = price of one run; γ = chance to stop after a run; τ = threshold. Invariants:
built-in runs are made anew at each ε1, a table of runs has an ε1 of its own and is in no scenario.
"""

import math
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

from dpviz.base import Floats, ParameterError, Progress, cached_property
from dpviz.candidates import (
    CANDIDATES,
    CandidateRule,
    NegativeBinomialRepeats,
    PercentileSparseVector,
    PoissonRepeats,
    SelectionLaw,
    StopLaw,
    naive_best,
)
from dpviz.candidates.leaks import NaiveLeak, ThresholdLeak, naive_leak, threshold_leak
from dpviz.candidates.repeats import gaussian_rule_epsilons
from dpviz.candidates.search_cost import runs_needed
from dpviz.candidates.trained_runs import GRID, logistic_regression_runs
from dpviz.candidates.utility import (
    RulePrice,
    RuleUtility,
    ScoreBins,
    StopProbabilityCurve,
    rule_prices,
    rule_utility,
    score_bins,
    stop_probability_curve,
    top_quantile,
)
from dpviz.pages.candidates.settings import (
    CANDIDATES_PAGE,
    DEMONSTRATIONS,
    FIRST_RULE,
    FORM,
    LIMITS,
    MOST_STEPS,
    SEARCH,
    STOPS,
    CandidatesSettings,
    DemonstrationSizes,
)
from dpviz.studies import (
    DeclaredParameters,
    Scenario,
    StepRefusal,
    Study,
    result_or_refusal,
    step,
    steps_by_name,
)
from dpviz.studies.candidate_runs import CandidateRuns

_THRESHOLD = 0.8  # of the built-in runs
_OWN_SHARE = 0.25  # of one's own runs that reach the threshold where none is named


@dataclass(frozen=True, kw_only=True, eq=False)
class RunsStudy(Study):
    """Candidates of the scenario's page: those of `table`, else models trained as the page says."""

    scenario: Scenario
    table: CandidateRuns | None = None

    @property
    def key(self) -> str:
        """Identity: the runs and the page's dependencies alone."""
        return " ".join([type(self).__name__, self.runs_key, *map(str, self.dependencies)])

    @property
    def dependencies(self) -> tuple[object, ...]:
        return ()

    @property
    def runs_key(self) -> str:
        if self.table is not None:
            return self.table.key
        page = self.settings
        return (
            f"built-in runs {page.people} {page.runs} {page.epsilon1!r} {page.delta1!r}"
            f" {self.scenario.seed}"
        )

    @cached_property
    def settings(self) -> CandidatesSettings:
        return CANDIDATES_PAGE.read_settings(self.scenario.page)[0]

    @property
    def run_epsilon_and_delta(self) -> tuple[float, float]:
        return self.settings.epsilon1, self.settings.delta1

    @property
    def needs_table(self) -> bool:
        return self.table is None and self.settings.pool != "built_in"

    @property
    def name(self) -> str:
        return "Private logistic regressions" if self.table is None else self.table.name

    @property
    def candidate_count(self) -> int:
        return len(GRID) if self.table is None else self.table.pool.size

    @property
    def is_empirical(self) -> bool:
        """True if the runs stand for the law of new ones."""
        return self.table is None or self.table.empirical

    def with_epsilon(self, epsilon1: float) -> Self:
        return self.with_page_parameters(**{CANDIDATES_PAGE.prefix + "epsilon1": epsilon1})

    def with_page_parameters(self, **page: Any) -> Self:
        """The same study with other page parameters, by their names in the scenario."""
        return self.replace(scenario=self.scenario.replace(page={**self.scenario.page, **page}))

    def rule_parameters(self, rule: str) -> DeclaredParameters[CandidateRule]:
        """Parameters of a rule; by default a quarter of uploaded runs reach the threshold."""
        uploaded = self.table if self.is_empirical else None
        threshold = _THRESHOLD if uploaded is None else top_quantile(uploaded.pool, _OWN_SHARE)
        return DeclaredParameters(CANDIDATES[rule], CANDIDATES_PAGE.prefix).with_declarations(
            threshold={"default": threshold}
        )

    def build_rule(self, name: str, **changes: Any) -> CandidateRule:
        """Build the rule with the page's parameters; raises `ParameterError` if they do not fit."""
        values = self.rule_parameters(name).read_values(self.scenario.page)[0]
        if name in LIMITS.declared:
            values["limit"] = LIMITS.read_values(self.scenario.page)[0][name] or None
        return CANDIDATES[name](**{**values, **changes})

    def total_or_error(self, rule: CandidateRule) -> tuple[float, float] | ParameterError:
        """Total (ε, δ) of a rule, or why its theorem does not cover these candidates."""
        try:
            return rule.total_epsilon(*self.run_epsilon_and_delta)
        except ParameterError as err:
            return err

    @property
    def stop_probability(self) -> float:
        """γ of the page."""
        return float(self.rule_parameters(FIRST_RULE).read_values(self.scenario.page)[0]["stop"])

    @property
    def threshold(self) -> float:
        """τ of the page."""
        return float(
            self.rule_parameters("known_threshold").read_values(self.scenario.page)[0]["threshold"]
        )

    @step
    def runs(self, progress: Progress) -> CandidateRuns:
        """The runs of the table, else newly made ones."""
        if self.table is not None:
            return self.table
        page, (epsilon, delta) = self.settings, self.run_epsilon_and_delta
        made = logistic_regression_runs(
            people=page.people,
            epsilon=epsilon,
            delta=delta,
            runs=page.runs,
            seed=self.scenario.seed,
            progress=progress,
        )
        return CandidateRuns(
            made.pool,
            self.runs_key,
            self.name,
            note=f"without privacy the accuracy would be {made.accuracy_without_privacy:.3g}",
        )


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
    def chosen_rule_utility(self, progress: Progress) -> RuleUtility:
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
        return (
            *super().dependencies,
            [way.key for way in self.compared_rules],
            *self.run_epsilon_and_delta,
        )

    @property
    def rules_by_name(self) -> dict[str, CandidateRule | StepRefusal]:
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
            self.compared_rules,
            self.runs.pool,
            *self.run_epsilon_and_delta,
            self.settings.share,
            progress,
        )

    @cached_property
    def runs_needed(self) -> dict[str, tuple[Floats, Floats]]:
        """Total and number of runs of each way to the best median, the search's among them."""
        return runs_needed(self.candidate_count, self.settings.epsilon1)

    def gaussian_total_epsilons(self, sigma: float, delta: float) -> dict[str, float | None]:
        """Total ε at δ of repeats of a Gaussian mechanism with this noise."""
        repeats = [
            rule
            for rule in map(self.build_rule, CANDIDATES)
            if isinstance(rule, NegativeBinomialRepeats | PoissonRepeats)
        ]
        return gaussian_rule_epsilons(repeats, self.candidate_count, sigma, delta)


class StopStudy(ChoiceStudy):
    @property
    def dependencies(self) -> tuple[object, ...]:
        return (
            *super().dependencies,
            [self.rule_at_gamma(name, 0.5).key for name in CANDIDATES],
            self.stop_probability,
        )

    @property
    def curve_stop_probabilities(self) -> list[float]:
        """Every γ of the curves, the page's among them."""
        return sorted({*STOPS, self.stop_probability})

    def rule_at_gamma(self, name: str, gamma: float) -> CandidateRule:
        """A rule at γ, without a limit; one without a γ makes 1/γ runs on average."""
        by_stop = "stop" in self.rule_parameters(name).declared
        changes: dict[str, Any] = {"stop": gamma} if by_stop else {"mean": 1 / gamma}
        if name in LIMITS.declared:
            changes["limit"] = None
        return self.build_rule(name, **changes)

    def allowed_stop_probabilities(self, name: str) -> list[float]:
        """Every γ that the rule allows: some exclude 1."""
        refused = isinstance(
            result_or_refusal(lambda: self.rule_at_gamma(name, self.curve_stop_probabilities[-1])),
            StepRefusal,
        )
        return self.curve_stop_probabilities[:-1] if refused else self.curve_stop_probabilities

    @property
    def rules_costlier_with_runs(self) -> list[str]:
        """Rules whose total grows with more runs, for pure candidates of this ε1."""
        epsilon, _ = self.run_epsilon_and_delta

        def total(name: str, gamma: float) -> float:
            return self.rule_at_gamma(name, gamma).total_epsilon(epsilon)[0]

        return [name for name in CANDIDATES if total(name, 0.01) > total(name, 0.5) + 1e-9]

    @steps_by_name(list_names=lambda study: CANDIDATES)
    def curve(self, name: str, progress: Progress) -> StopProbabilityCurve:
        return stop_probability_curve(
            partial(self.rule_at_gamma, name),
            self.runs.pool,
            self.settings.share,
            self.allowed_stop_probabilities(name),
            progress,
        )


class SearchStudy(RunsStudy):
    """Percentile sparse vector: candidates are asked in order until one is good often enough."""

    @property
    def dependencies(self) -> tuple[object, ...]:
        return self.search, self.threshold

    @cached_property
    def search(self) -> PercentileSparseVector:
        """The search; raises `ParameterError` where the page's parameters do not fit it."""
        values, form = (
            SEARCH.read_values(self.scenario.page)[0],
            FORM.read_settings(self.scenario.page)[0],
        )
        names = ["percentile", "epsilon"]
        given: dict[str, Any] = {"candidate_epsilon": self.settings.epsilon1}
        if form.form == "sampled":
            names += ["queries", "delta", "epsilon0"]
            given["samples"] = form.samples
        return PercentileSparseVector(**{name: values[name] for name in names}, **given)

    @property
    def success_probabilities(self) -> Floats:
        return self.runs.pool.tail(self.threshold)

    @step
    def law(self, progress: Progress) -> StopLaw:
        return self.search.distribution(self.success_probabilities, progress=progress)

    @property
    def right_wrong_stop_probabilities(self) -> tuple[float, float]:
        """Chances to stop at a candidate that is good often enough, and at another."""
        good = self.success_probabilities >= self.search.percentile
        return float(self.law.stop[good].sum()), float(self.law.stop[~good].sum())


class LeakStudy(RunsStudy):
    """Two exact demonstrations of a loss by comparing runs, on the worst pairs of neighbours."""

    @property
    def demonstration_sizes(self) -> DemonstrationSizes:
        return DEMONSTRATIONS.read_settings(self.scenario.page)[0]

    @property
    def largest_failure_probability(self) -> float:
        """Largest failure chance at which both outcomes of a run stay within e^ε1."""
        return 1 / (1 + math.exp(self.settings.epsilon1))

    @property
    def naive_best_leak(self) -> NaiveLeak:
        """Loss of the naive best of K runs and of random stopping, by K."""
        return naive_leak(MOST_STEPS, self.settings.epsilon1, self.stop_probability)

    @property
    def falling_thresholds_leak(self) -> ThresholdLeak:
        return threshold_leak(
            self.demonstration_sizes.steps,
            min(self.demonstration_sizes.failure, self.largest_failure_probability),
            self.stop_probability,
            self.settings.epsilon1,
        )

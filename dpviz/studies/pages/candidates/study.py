"""Candidates: the runs there are, what a rule makes of them, what that costs, when to stop, and what leaks.

Symbols: ε1, δ1 = the price of one run; γ = the chance to stop after a run; τ = a threshold.
Invariants: the page's own runs are made anew at each ε1, a table of runs stays as it is: its ε1 is a fact about it. A
table is never in a scenario: whoever has one hands it over. A study is computed anew only for what it depends on.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Self

from dpviz.base import Floats, ParameterError, Progress
from dpviz.candidates import (
    CANDIDATES,
    CandidatePool,
    CandidateRule,
    NegativeBinomialRepeats,
    PercentileSparseVector,
    PoissonRepeats,
    SelectionLaw,
    StopLaw,
    naive_best,
)
from dpviz.candidates.leaks import NaiveLeak, ThresholdLeak, naive_leak, threshold_leak
from dpviz.candidates.repeats import gaussian_totals
from dpviz.candidates.trained_runs import GRID, logistic_regression_runs
from dpviz.candidates.worth import (
    Price,
    RunWorth,
    ScoreBins,
    StopCurve,
    prices,
    score_bins,
    stop_curve,
    top_quantile,
    utility,
)
from dpviz.studies import Refused, Scenario, Study, step, steps, unless_refused
from dpviz.studies.pages.candidates.settings import (
    CANDIDATES_PAGE,
    DEMONSTRATIONS,
    FIRST_RULE,
    FORM,
    LIMITS,
    MOST_STEPS,
    SEARCH,
    STOPS,
    CandidatesSettings,
    Demonstrations,
)
from dpviz.studies.pages.declared import Declared

_THRESHOLD = 0.8  # of the built-in runs
_OWN_SHARE = 0.25  # of one's own runs that reach the threshold where none is named


@dataclass(frozen=True, eq=False)
class Runs:
    """Runs that are there: their key and name; `empirical` where they stand for the law of new ones."""

    pool: CandidatePool
    key: str
    name: str = "Your own runs"
    empirical: bool = True
    note: str = ""


@dataclass(frozen=True, kw_only=True, eq=False)
class RunsStudy(Study):
    """The candidates of the scenario's page: those of a `table`, else models that are trained as the page says."""

    scenario: Scenario
    table: Runs | None = None

    @property
    def key(self) -> str:
        """The runs, and what else of the page it depends on."""
        return " ".join([type(self).__name__, self.runs_key, *map(str, self.about)])

    @property
    def about(self) -> tuple[object, ...]:
        """What it depends on beside the runs."""
        return ()

    @property
    def runs_key(self) -> str:
        """What tells these runs from others."""
        if self.table is not None:
            return self.table.key
        page = self.settings
        return f"built-in runs {page.people} {page.runs} {page.epsilon1!r} {page.delta1!r} {self.scenario.seed}"

    @cached_property
    def settings(self) -> CandidatesSettings:
        """The page's own parameters."""
        return CANDIDATES_PAGE.on(self.scenario.page)[0]

    @property
    def price(self) -> tuple[float, float]:
        """(ε1, δ1) of one run."""
        return self.settings.epsilon1, self.settings.delta1

    @property
    def missing(self) -> bool:
        """Whether a table must be handed over first."""
        return self.table is None and self.settings.pool != "built_in"

    @property
    def name(self) -> str:
        """What the candidates are called."""
        return "Private logistic regressions" if self.table is None else self.table.name

    @property
    def size(self) -> int:
        """How many candidates there are."""
        return len(GRID) if self.table is None else self.table.pool.size

    @property
    def empirical(self) -> bool:
        """Whether the runs stand for the law of new ones."""
        return self.table is None or self.table.empirical

    def at(self, epsilon1: float) -> Self:
        """The same at another price of one run."""
        return self.changed(**{CANDIDATES_PAGE.prefix + "epsilon1": epsilon1})

    def changed(self, **page: Any) -> Self:
        """The same with other parameters of the page, by their names in the scenario."""
        return self.replace(scenario=self.scenario.replace(page={**self.scenario.page, **page}))

    def declared(self, rule: str) -> Declared[CandidateRule]:
        """The parameters of a rule; a threshold begins where a quarter of one's own uploaded runs reach it."""
        uploaded = self.table if self.empirical else None
        threshold = _THRESHOLD if uploaded is None else top_quantile(uploaded.pool, _OWN_SHARE)
        return Declared(CANDIDATES[rule], CANDIDATES_PAGE.prefix).suited(threshold={"default": threshold})

    def rule_named(self, name: str, **changes: Any) -> CandidateRule:
        """The rule with the page's parameters, some changed. Raises `ParameterError` where they do not do for it."""
        values = self.declared(name).values_on(self.scenario.page)[0]
        if name in LIMITS.declared:
            values["limit"] = LIMITS.values_on(self.scenario.page)[0][name] or None
        return CANDIDATES[name](**{**values, **changes})

    def total(self, rule: CandidateRule) -> tuple[float, float] | ParameterError:
        """The total (ε, δ) of a rule, or why its theorem does not cover these candidates."""
        try:
            return rule.total_epsilon(*self.price)
        except ParameterError as err:
            return err

    @property
    def stop(self) -> float:
        """The page's γ."""
        return float(self.declared(FIRST_RULE).values_on(self.scenario.page)[0]["stop"])

    @property
    def threshold(self) -> float:
        """The page's τ."""
        return float(self.declared("known_threshold").values_on(self.scenario.page)[0]["threshold"])

    @step
    def runs(self, progress: Progress) -> Runs:
        """The runs, made where no table has them."""
        if self.table is not None:
            return self.table
        page, (epsilon, delta) = self.settings, self.price
        made = logistic_regression_runs(
            people=page.people, epsilon=epsilon, delta=delta, runs=page.runs, seed=self.scenario.seed, progress=progress
        )
        note = f"without privacy the accuracy would be {made.accuracy_without_privacy:.3g}"
        return Runs(made.pool, self.runs_key, self.name, note=note)


@dataclass(frozen=True, kw_only=True, eq=False)
class ChoiceStudy(RunsStudy):
    """What a rule makes of the runs; `given` are rules in place of the page's, the first of them the one chosen."""

    given: tuple[CandidateRule, ...] = ()

    def by(self, *rules: CandidateRule) -> Self:
        """The same runs, chosen by these rules."""
        return self.replace(given=rules, results={"runs": self.runs})

    @property
    def about(self) -> tuple[object, ...]:
        """The rule, and what counts as good."""
        return self.rule.key, self.settings.share

    @cached_property
    def rule(self) -> CandidateRule:
        """The rule that is chosen. Raises `ParameterError` where the page's parameters do not do for it."""
        return self.given[0] if self.given else self.rule_named(self.settings.rule)

    @step
    def law(self, progress: Progress) -> SelectionLaw:
        """The law of what comes out."""
        return self.rule.distribution(self.runs.pool, progress=progress)

    @step
    def worth(self, progress: Progress) -> RunWorth:
        """How good that is."""
        return utility(self.law, self.settings.share)

    @step
    def bins(self, progress: Progress) -> ScoreBins:
        """Its scores."""
        return score_bins(self.law)

    @step
    def naive(self, progress: Progress) -> SelectionLaw:
        """The law of the best of one run each."""
        return naive_best(self.runs.pool)

    @property
    def quantile(self) -> float:
        """The score from which on a run counts as good."""
        return top_quantile(self.runs.pool, self.settings.share)


class PriceStudy(ChoiceStudy):
    """What every way to choose costs and what that buys."""

    @property
    def about(self) -> tuple[object, ...]:
        """All rules and the price of a run, too."""
        return *super().about, [way.key for way in self.ways], *self.price

    @property
    def every_rule(self) -> dict[str, CandidateRule | Refused]:
        """Every rule with the page's parameters, or why they do not do for it."""
        return {name: unless_refused(partial(self.rule_named, name)) for name in CANDIDATES}

    @cached_property
    def ways(self) -> list[CandidateRule]:
        """The rules that are compared."""
        return list(self.given) or [way for way in self.every_rule.values() if not isinstance(way, Refused)]

    @step
    def prices(self, progress: Progress) -> list[Price]:
        """The total of each, of one run and of the naive best, with what they are worth."""
        return prices(self.ways, self.runs.pool, *self.price, self.settings.share, progress)

    def gaussian(self, noise: float, delta: float) -> dict[str, float | None]:
        """The total ε of repeats at δ where one run is a Gaussian mechanism of this noise."""
        named = [self.rule_named(name) for name in CANDIDATES]
        repeats = [rule for rule in named if isinstance(rule, NegativeBinomialRepeats | PoissonRepeats)]
        return gaussian_totals(repeats, self.size, noise, delta)


class StopStudy(ChoiceStudy):
    """What each rule is worth by γ."""

    @property
    def about(self) -> tuple[object, ...]:
        """All rules and the page's γ, too."""
        return *super().about, [make(0.5).key for make in self.at_stop.values()], self.stop

    @property
    def stops(self) -> list[float]:
        """The γ that curves are computed at, the page's among them."""
        return sorted({*STOPS, self.stop})

    @cached_property
    def at_stop(self) -> dict[str, Callable[[float], CandidateRule]]:
        """Every rule at any γ, without a limit of one's own."""
        return {name: self._at_stop(name) for name in CANDIDATES}

    def _at_stop(self, name: str) -> Callable[[float], CandidateRule]:
        free = {"limit": None} if name in LIMITS.declared else {}
        if "stop" not in self.declared(name).declared:  # it makes 1/γ runs on average
            base = self.rule_named(name, **free)
            return lambda gamma: base.replace(mean=1 / gamma)
        stopping = self.rule_named(name, stop=0.5, **free)
        return lambda gamma: stopping.replace(stop=gamma, **free)

    def stops_of(self, name: str) -> list[float]:
        """Those γ that the rule takes: some do not take 1."""
        refused = isinstance(unless_refused(lambda: self.at_stop[name](self.stops[-1])), Refused)
        return self.stops[:-1] if refused else self.stops

    @property
    def dearer(self) -> list[str]:
        """The rules whose total grows with more runs, for pure candidates of this ε1."""
        epsilon, _ = self.price

        def total(name: str, gamma: float) -> float:
            return self.at_stop[name](gamma).total_epsilon(epsilon)[0]

        return [name for name in CANDIDATES if total(name, 0.01) > total(name, 0.5) + 1e-9]

    @steps(over=lambda study: CANDIDATES)
    def curve(self, name: str, progress: Progress) -> StopCurve:
        """What a rule is worth by γ."""
        return stop_curve(self.at_stop[name], self.runs.pool, self.settings.share, self.stops_of(name), progress)


class SearchStudy(RunsStudy):
    """The percentile sparse vector: candidates are asked one by one until one is good often enough."""

    @property
    def about(self) -> tuple[object, ...]:
        """The search and the threshold."""
        return self.search, self.threshold

    @cached_property
    def search(self) -> PercentileSparseVector:
        """As the page has it. Raises `ParameterError` where its parameters do not do."""
        values, form = SEARCH.values_on(self.scenario.page)[0], FORM.on(self.scenario.page)[0]
        names = ["percentile", "epsilon"]
        given: dict[str, Any] = {"candidate_epsilon": self.settings.epsilon1}
        if form.form == "sampled":
            names += ["queries", "delta", "epsilon0"]
            given["samples"] = form.samples
        return PercentileSparseVector(**{name: values[name] for name in names}, **given)

    @property
    def chances(self) -> Floats:
        """How likely a run of each reaches the threshold."""
        return self.runs.pool.tail(self.threshold)

    @step
    def law(self, progress: Progress) -> StopLaw:
        """Where the search stops."""
        return self.search.distribution(self.chances, progress=progress)

    @property
    def right_and_wrong(self) -> tuple[float, float]:
        """The chances to stop at a candidate that is good often enough, and at one that is not."""
        good = self.chances >= self.search.percentile
        return float(self.law.stop[good].sum()), float(self.law.stop[~good].sum())


class LeakStudy(RunsStudy):
    """Two exact demonstrations of what leaks when runs are compared, on the worst pairs of neighbours."""

    @property
    def sizes(self) -> Demonstrations:
        """How large they are."""
        return DEMONSTRATIONS.on(self.scenario.page)[0]

    @property
    def largest_failure(self) -> float:
        """The largest chance of a run to fail of which both outcomes stay within e^ε1."""
        return 1 / (1 + math.exp(self.settings.epsilon1))

    @property
    def best_of_runs(self) -> NaiveLeak:
        """The naive best of K runs and random stopping, by K."""
        return naive_leak(MOST_STEPS, self.settings.epsilon1, self.stop)

    @property
    def thresholds(self) -> ThresholdLeak:
        """Thresholds that come down, by step."""
        failure = min(self.sizes.failure, self.largest_failure)
        return threshold_leak(self.sizes.steps, failure, self.stop, self.settings.epsilon1)

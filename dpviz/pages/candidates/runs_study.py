"""Candidates: the runs and the page's settings, the base of the page's studies.

Symbols: ε1, δ1 = price of one run; γ = chance to stop after a run; τ = threshold. Invariants:
built-in runs are made anew at each ε1, a table of runs has an ε1 of its own. A table is never in a
scenario. A study is computed anew only for what it depends on.
"""

from dataclasses import dataclass
from typing import Any, Self

from dpviz.base import ParameterError, Progress, cached_property
from dpviz.candidates import (
    CANDIDATES,
    CandidateRule,
)
from dpviz.candidates.trained_runs import GRID, logistic_regression_runs
from dpviz.candidates.utility import top_quantile
from dpviz.pages.candidates.settings import CANDIDATES_PAGE, FIRST_RULE, LIMITS, CandidatesSettings
from dpviz.studies import DeclaredParameters, Scenario, Study, step
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
        """Inputs beside the runs."""
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
    def run_price(self) -> tuple[float, float]:
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
            return rule.total_epsilon(*self.run_price)
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
        page, (epsilon, delta) = self.settings, self.run_price
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

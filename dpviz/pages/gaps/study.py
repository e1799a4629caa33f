"""Gaps: the values that noisy max and sparse vectors throw away, by halves of the page."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from dpviz.base import Bools, Floats, ParameterError, Progress, Scores, cached_property, parameter
from dpviz.gaps import (
    ORDERS,
    AdaptiveSparseVector,
    NoisyTopKWithGap,
    SparseVector,
    ThresholdDistribution,
    reorder_scores,
)
from dpviz.gaps.gap_estimates import sparse_vector_gap_variance
from dpviz.gaps.gap_experiment import (
    MeasurementExperiment,
    half_budget_measurement_error,
    seeded_top_k_experiment,
    sparse_vector_experiment,
    theoretical_squared_error_ratio,
)
from dpviz.gaps.noisy_top_k import GAP_NOISES
from dpviz.gaps.sparse.lower_bounds import Coverage
from dpviz.gaps.sparse.mechanism import SPLITS, THRESHOLD, ThresholdMechanism, score_quantile
from dpviz.studies import (
    LARGEST_SEED,
    DataSpec,
    DeclaredParameters,
    Scenario,
    ScenarioStudy,
    StepRefusal,
    step,
    steps_by_name,
)

FIRST = Scenario(data=DataSpec(name="song_listeners"), epsilon=1.0, k=10)
"""Scenario that the page opens on: enough queries lie above the threshold."""

HALVES = {"top_k": "Noisy top-k", "sparse_vector": "Sparse vector"}
CUSTOM = "custom"
SPLIT_MENU = {**SPLITS, CUSTOM: "By hand"}
BY = {"quantile": "by quantile", "value": "by hand"}
RUNS, RUNS_OTHER = 20_000, 4_000  # simulated releases: at the k chosen, at others
_USUAL = (2, 3, 5, 8, 12, 18, 25, 50, 100, 200, 500, 1000, 2000, 5000)
_LEAST_K = 25  # ratios go at least this far, as far as there are items


@dataclass(frozen=True, kw_only=True)
class GapsSettings:
    """Page parameters; `threshold` is in units of the scores, `step` a query (None: the last)."""

    half: str = parameter("top_k", choices=HALVES, label="Part of the page")
    by: str = parameter("quantile", choices=BY, label="Threshold by")
    quantile: float = parameter(0.95, low=0.0, high=1.0, label="Quantile of the threshold")
    threshold: float = parameter(None, label="The threshold")
    split: str = parameter("optimal", choices=SPLIT_MENU, label="The split of ε")
    share: float = parameter(0.5, low=0.0, above=True, high=1.0, label="The threshold's share of ε")
    order: str = parameter("given", choices=ORDERS, label=ORDERS.what)
    shuffle: int = parameter(
        1, low=0, high=LARGEST_SEED, integer=True, label="The seed of the shuffle"
    )
    branches: int = parameter(2, low=2, high=4, integer=True, label="Branches of the adaptive one")
    deviations: float = parameter(2.0, low=0.0, high=10.0, label="σ in standard deviations")
    noise: str = parameter("laplace", choices=GAP_NOISES, label="Noise of one item with its gap")
    confidence: float = parameter(0.95, low=0.5, high=0.999, label="The confidence of the bounds")
    design: str = parameter("adaptive_sparse_vector", choices=THRESHOLD, label=THRESHOLD.what)
    run: bool = parameter(False, label="A release is shown")
    step: int | None = parameter(None, integer=True, label="Query shown in detail")

    def build_mechanism(
        self, cls: type[ThresholdMechanism], epsilon: float, k: int, scores: Scores
    ) -> ThresholdMechanism:
        adaptive = cls is AdaptiveSparseVector
        more = {"branch_count": self.branches, "deviations": self.deviations} if adaptive else {}
        made = cls(
            **more,
            epsilon=epsilon,
            k=k,
            threshold=self.threshold,
            split="optimal" if self.split == CUSTOM else self.split,
            monotonic=scores.same_direction,
        )
        return made.with_threshold_share(self.share) if self.split == CUSTOM else made

    def order_queries(self, scores: Scores, order: str | None = None) -> Scores:
        return reorder_scores(scores, self.order if order is None else order, self.shuffle)


def _share(value: object) -> object:
    if value == 1.0:
        allowed = "above 0 and below 1, or nothing is left for answers"
        raise ParameterError("The threshold's share of ε", 1.0, allowed)
    return value


GAPS_PAGE = DeclaredParameters(GapsSettings, "gaps.", checks={"share": _share}, by_label=True)


def read_gaps_settings(scenario: Scenario, scores: Scores) -> GapsSettings:
    """Settings of the scenario's page; raises `ParameterError` for one that is not allowed."""
    values, refused = GAPS_PAGE.read_values(scenario.page)
    unused = {"run", "step"} | ({"threshold"} if values["by"] == "quantile" else set())
    for name in refused.keys() - unused:
        raise refused[name]
    if values["by"] == "quantile" or values["threshold"] is None:
        values["threshold"] = score_quantile(scores, values["quantile"])
    return GapsSettings(**values)


def experiment_k_values(k: int, d: int) -> list[int]:
    """Each k of the experiments, with the k chosen among them.

    >>> experiment_k_values(10, 2000)
    [2, 3, 5, 8, 10, 12, 18, 25]
    """
    most = min(max(k, _LEAST_K), d - 1)
    return sorted(
        {n for n in _USUAL if n <= most} | {most, k} - {1} | ({1} if most == 1 else set())
    )


BOTH: dict[str, type[SparseVector | AdaptiveSparseVector]] = {
    "plain": SparseVector,
    "adaptive": AdaptiveSparseVector,
}
KINDS = {False: "general", True: "monotonic"}
HARDLY_ANY = StepRefusal("There are too few answers to measure.")
_HARDLY = 0.01  # answers a run: below this there is nothing to simulate


def _sizes_and_kinds(study: "GapWorthStudy") -> Iterable[str]:
    """The k chosen on these scores first, then the chart's k on these and the other kind."""
    kinds = KINDS[study.scores.monotonic], KINDS[not study.scores.monotonic]
    return dict.fromkeys(
        [
            f"{study.k} {kinds[0]}",
            *(f"{n} {kind}" for kind in kinds for n in study.experiment_k_values),
        ]
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class GapWorthStudy(ScenarioStudy):
    """Value of the gaps of noisy top-k: selected items are measured with them and without."""

    k: int

    @classmethod
    def from_scenario(cls, scenario: Scenario, scores: Scores) -> Self:
        """Study with k below the number of items."""
        return cls(scenario=scenario, scores=scores, k=min(scenario.k, scores.d - 1))

    @property
    def key(self) -> str:
        return f"gaps {self.scenario.epsilon!r} {self.k} {self.scores.digest}"

    @property
    def mechanism(self) -> NoisyTopKWithGap:
        return build_noisy_top_k(self.scenario, self.k)

    @property
    def experiment_k_values(self) -> list[int]:
        return experiment_k_values(self.k, self.scores.d)

    @steps_by_name(list_names=_sizes_and_kinds)
    def experiment(self, size_and_kind: str, progress: Progress) -> MeasurementExperiment:
        """Simulation: half of ε selects k items, the other half measures them."""
        k, kind = size_and_kind.split()
        scores = replace(
            self.scores, labels=None, contributions=None, monotonic=kind == KINDS[True]
        )
        return seeded_top_k_experiment(
            scores,
            epsilon=self.scenario.epsilon,
            k=int(k),
            runs=RUNS if size_and_kind == next(iter(_sizes_and_kinds(self))) else RUNS_OTHER,
            progress=progress,
        )

    @property
    def current_experiment(self) -> MeasurementExperiment:
        return self.experiment[f"{self.k} {KINDS[self.scores.monotonic]}"]

    def compute_current_experiment(self, progress: Progress) -> Self:
        return self.compute(progress, f"experiment {self.k} {KINDS[self.scores.monotonic]}")

    @property
    def error_without_gaps(self) -> float:
        """Typical error of a value without the gaps."""
        return half_budget_measurement_error(self.scores, self.scenario.epsilon, self.k)

    def predicted_squared_error_ratio(self, k: int, monotonic: bool | None = None) -> float:
        """Ratio of squared errors with the gaps over without, by the formula before selection."""
        return theoretical_squared_error_ratio(
            k, monotonic=self.scores.monotonic if monotonic is None else monotonic
        )


def build_noisy_top_k(scenario: Scenario, k: int) -> NoisyTopKWithGap:
    """Mechanism of the scenario; the page's noise is for k = 1."""
    noise = GAPS_PAGE.read_settings(scenario.page)[0].noise if k == 1 else "laplace"
    return NoisyTopKWithGap(epsilon=scenario.epsilon, k=k, noise=noise)


def _orders(study: "QueryStudy") -> Iterable[str]:
    names = (study.settings.order, *(name for name in ORDERS if name != study.settings.order))
    return [f"{name} {which}" for name in names for which in BOTH]


@dataclass(frozen=True, kw_only=True, eq=False)
class QueryStudy(ScenarioStudy):
    """Queries that the plain and the adaptive sparse vector answer, their bounds, and orders."""

    settings: GapsSettings

    @classmethod
    def from_scenario(cls, scenario: Scenario, scores: Scores) -> Self:
        """Study with the page's settings; raises `ParameterError` for those not allowed."""
        return cls(
            scenario=scenario, scores=scores, settings=read_gaps_settings(scenario, scores)
        ).check_queries()

    def check_queries(self) -> Self:
        """The study itself; raises `ParameterError` where the queries are not allowed."""
        for mechanism in self.mechanisms.values():
            mechanism.margins(self.ordered_queries)
        return self

    @property
    def key(self) -> str:
        mechanisms = " ".join(mechanism.key for mechanism in self.mechanisms.values())
        settings = f"{self.settings.confidence!r} {self.settings.shuffle}"
        return f"threshold {mechanisms} {self.ordered_queries.digest} {settings}"

    @cached_property
    def mechanisms(self) -> dict[str, ThresholdMechanism]:
        epsilon, k = self.scenario.epsilon, self.scenario.k
        return {
            which: self.settings.build_mechanism(cls, epsilon, k, self.scores)
            for which, cls in BOTH.items()
        }

    @cached_property
    def ordered_queries(self) -> Scores:
        return self.settings.order_queries(self.scores)

    @property
    def is_above_threshold(self) -> Bools:
        """Queries truly at or above the threshold, in the order chosen."""
        return np.asarray(self.ordered_queries.values >= self.settings.threshold)

    def _law(self, which: str, scores: Scores, progress: Progress) -> ThresholdDistribution:
        mechanism = self.mechanisms[which]
        law: ThresholdDistribution = self.keep(
            f"{mechanism.key} {scores.digest}",
            lambda: mechanism.distribution(scores, progress=progress),
        )
        return law

    @steps_by_name(list_names=lambda study: BOTH)
    def law(self, mechanism_name: str, progress: Progress) -> ThresholdDistribution:
        return self._law(mechanism_name, self.ordered_queries, progress)

    @steps_by_name(list_names=lambda study: BOTH)
    def answer_count_probabilities(self, mechanism_name: str, progress: Progress) -> Floats:
        """P(exactly n answers); the precision is computed with it."""
        return self.law[mechanism_name].answer_count_probabilities

    @steps_by_name(list_names=lambda study: BOTH)
    def coverage(self, mechanism_name: str, progress: Progress) -> Coverage:
        """Coverage of lower bounds, before and after the answer is seen."""
        mechanism, confidence = self.mechanisms[mechanism_name], self.settings.confidence
        key = f"coverage {confidence!r} {mechanism.key} {self.ordered_queries.digest}"
        coverage: Coverage = self.keep(
            key, lambda: mechanism.coverage(self.ordered_queries, confidence, progress=progress)
        )
        return coverage

    @step
    def measurement_experiment(self, progress: Progress) -> MeasurementExperiment | StepRefusal:
        """Simulation: half of ε selects by the plain mechanism, the other half measures."""
        if self.law["plain"].expected_answers < _HARDLY:
            return HARDLY_ANY
        plain = self.mechanisms["plain"]
        split = (
            plain.split
            if isinstance(plain.split, str)
            else (plain.epsilon0 / 2, plain.epsilon1 / 2)
        )
        try:
            return sparse_vector_experiment(
                self.ordered_queries,
                epsilon=plain.epsilon,
                k=plain.k,
                threshold=plain.threshold,
                split=split,
                runs=RUNS_OTHER,
                rng=np.random.default_rng(plain.k),
                progress=progress,
            )
        except ParameterError as err:
            if err.parameter != "threshold":  # of which no run gave an answer
                raise
            return HARDLY_ANY

    @steps_by_name(list_names=_orders)
    def expected_true_and_false_answers(
        self, name_and_order: str, progress: Progress
    ) -> tuple[float, float]:
        """Expected answers to queries truly above the threshold, and to others."""
        name, which = name_and_order.split()
        law = self._law(which, self.settings.order_queries(self.scores, name), progress)
        above = law.scores.values >= law.plan.threshold
        return float(law.answer_probabilities[above].sum()), float(
            law.answer_probabilities[~above].sum()
        )

    @property
    def error_without_gaps(self) -> float:
        plain = self.mechanisms["plain"]
        return half_budget_measurement_error(self.ordered_queries, plain.epsilon, plain.k)

    @property
    def predicted_squared_error_ratio(self) -> float:
        plain = self.mechanisms["plain"]
        gap = sparse_vector_gap_variance(plain.epsilon0 / 2, plain.epsilon1 / 2)
        return gap / (gap + 2 * (2 * plain.k / plain.epsilon) ** 2)

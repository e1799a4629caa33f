"""What the page computes, beside the page, and what of it is known so far.

Laws are kept in the session by mechanism and scores, so that a change of the confidence or of the order
looked at does not compute again what is there.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from dpviz.base.errors import ParameterError
from dpviz.base.progress import Progress
from dpviz.base.scores import Scores
from dpviz.gaps.gap_experiment import (
    MeasurementExperiment,
    repeatable_experiment,
    sparse_vector_experiment,
)
from dpviz.gaps.sparse.lower_bounds import Coverage
from dpviz.gaps.sparse.mechanism import ThresholdMechanism
from dpviz.gaps.sparse.query_order import ORDERS
from dpviz.gaps.sparse.run_law import ThresholdDistribution
from dpviz.studies.pages.gaps import RUNS, RUNS_OTHER, ratios_at
from dpviz.studies.scenario import Scenario
from dpviz.ui.gaps.settings import Settings
from dpviz.ui.work.answer import work_on
from dpviz.ui.work.job import Done, Job, Step
from dpviz.ui.work.kept import Kept, kept

__all__ = ["BOTH", "KINDS", "GapAnswer", "ThresholdAnswer", "compute_gaps", "compute_threshold"]

BOTH = ("plain", "adaptive")
KINDS = {False: "general", True: "monotonic"}
_LAWS, _COVERAGES = 32, 8  # that are kept
_HARDLY = 0.01  # answers a run: below this there is nothing to simulate


@dataclass(frozen=True, eq=False)
class GapAnswer:
    """What is known so far of the measurement experiment on noisy top-k with gap."""

    scores: Scores
    epsilon: float
    k: int
    job: Job

    def experiment(self, k: int, monotonic: bool) -> MeasurementExperiment | None:
        """The experiment at k on scores of this kind."""
        return self.job.result(_named(k, monotonic), MeasurementExperiment)

    @property
    def now(self) -> MeasurementExperiment | None:
        """The experiment at the k chosen, on the scores as they are."""
        return self.experiment(self.k, self.scores.monotonic)

    @property
    def grid(self) -> list[int]:
        """The k of the chart."""
        return ratios_at(self.k, self.scores.d)


@dataclass(frozen=True, eq=False)
class ThresholdAnswer:
    """What is known so far of the plain and the adaptive sparse vector, on the queries in the order chosen."""

    mechanisms: Mapping[str, ThresholdMechanism]
    scores: Scores
    settings: Settings
    job: Job

    def law(self, which: str) -> ThresholdDistribution | None:
        """The law of the run, None while it is computed."""
        return self.job.result(f"law {which}", ThresholdDistribution)

    def counted(self, which: str) -> bool:
        """Whether the number of answers and the precision are there."""
        return f"count {which}" in self.job.results

    def coverage(self, which: str) -> Coverage | None:
        """How often bounds hold."""
        return self.job.result(f"coverage {which}", Coverage)

    @property
    def worth_known(self) -> bool:
        """Whether the measurement experiment is done."""
        return "worth" in self.job.results

    @property
    def worth(self) -> MeasurementExperiment | None:
        """The measurement experiment of the plain mechanism; None where hardly any run gives an answer."""
        return self.job.result("worth", MeasurementExperiment)

    def order(self, name: str, which: str) -> tuple[float, float] | None:
        """Expected answers under an order: to queries truly at or above the threshold, and to others."""
        answers: tuple[float, float] | None = self.job.results.get(f"order {name} {which}")
        return answers


def compute_gaps(scenario: Scenario, scores: Scores) -> GapAnswer:
    """The experiment over k: the k chosen first, on the scores as they are."""
    k = min(scenario.k, scores.d - 1)
    key = f"gaps epsilon={scenario.epsilon!r} k={k} {scores.digest}"
    (job,) = work_on((key, lambda: _gap_steps(scores, scenario.epsilon, k)))
    return GapAnswer(scores, scenario.epsilon, k, job)


def _named(k: int, monotonic: bool) -> str:
    return f"{k} {KINDS[monotonic]}"


def _gap_steps(scores: Scores, epsilon: float, k: int) -> Mapping[str, Step]:
    kinds = {
        kind: Scores(scores.values, sensitivity=scores.sensitivity, monotonic=kind)
        for kind in (scores.monotonic, not scores.monotonic)
    }

    def experiment(n: int, kind: bool, runs: int) -> Step:
        def run(progress: Progress, done: Done) -> MeasurementExperiment:
            return repeatable_experiment(kinds[kind], epsilon=epsilon, k=n, runs=runs, progress=progress)

        return run

    steps = {_named(k, scores.monotonic): experiment(k, scores.monotonic, RUNS)}
    for kind in kinds:
        for n in ratios_at(k, scores.d):
            steps.setdefault(_named(n, kind), experiment(n, kind, RUNS_OTHER))
    return steps


def compute_threshold(scenario: Scenario, scores: Scores, settings: Settings) -> ThresholdAnswer:
    """Laws first, then the numbers of answers, how often bounds hold, and the other orders."""
    asked = settings.asked(scores)
    mechanisms = {
        "plain": settings.plain(scenario.epsilon, scenario.k, scores),
        "adaptive": settings.adaptive(scenario.epsilon, scenario.k, scores),
    }
    for mechanism in mechanisms.values():
        mechanism.margins(asked)  # what cannot be used is told at once
    keys = " ".join(mechanism.key for mechanism in mechanisms.values())
    key = f"threshold {keys} {asked.digest} confidence={settings.confidence!r} shuffle={settings.shuffle}"
    laws: Kept[ThresholdDistribution] = kept("laws of sparse vectors", _LAWS)
    coverages: Kept[Coverage] = kept("coverages of bounds", _COVERAGES)
    (job,) = work_on((key, lambda: _threshold_steps(mechanisms, scores, settings, laws, coverages)))
    return ThresholdAnswer(mechanisms, asked, settings, job)


def _threshold_steps(
    mechanisms: Mapping[str, ThresholdMechanism],
    scores: Scores,
    settings: Settings,
    laws: Kept[ThresholdDistribution],
    coverages: Kept[Coverage],
) -> Mapping[str, Step]:
    asked = settings.asked(scores)
    steps: dict[str, Step] = {f"law {which}": _law(m, lambda: asked, laws) for which, m in mechanisms.items()}
    steps |= {f"count {which}": _count(which) for which in mechanisms}
    steps |= {f"coverage {which}": _coverage(m, asked, settings, coverages) for which, m in mechanisms.items()}
    steps["worth"] = _worth(mechanisms["plain"], asked)
    for name in (settings.order, *(name for name in ORDERS if name != settings.order)):
        for which, mechanism in mechanisms.items():
            steps[f"order {name} {which}"] = _answers(_law(mechanism, partial(settings.asked, scores, name), laws))
    return steps


Law = Callable[[Progress, Done], ThresholdDistribution]


def _law(mechanism: ThresholdMechanism, scores: Callable[[], Scores], laws: Kept[ThresholdDistribution]) -> Law:
    def law(progress: Progress, done: Done) -> ThresholdDistribution:
        here = scores()
        return laws.once(f"{mechanism.key} {here.digest}", lambda: mechanism.distribution(here, progress=progress))

    return law


def _count(which: str) -> Step:
    """The law of the number of answers, which the distribution keeps once it was read."""

    def count(progress: Progress, done: Done) -> bool:
        done[f"law {which}"].count  # noqa: B018
        return True

    return count


def _coverage(mechanism: ThresholdMechanism, scores: Scores, settings: Settings, coverages: Kept[Coverage]) -> Step:
    def coverage(progress: Progress, done: Done) -> Coverage:
        key = f"{settings.confidence!r} {mechanism.key} {scores.digest}"
        return coverages.once(key, lambda: mechanism.coverage(scores, settings.confidence, progress=progress))

    return coverage


def _worth(mechanism: ThresholdMechanism, scores: Scores) -> Step:
    """Half of ε selects by the plain mechanism, the other half measures what it answered."""

    def worth(progress: Progress, done: Done) -> MeasurementExperiment | None:
        if done["law plain"].expected_answers < _HARDLY:
            return None
        split = (
            mechanism.split if isinstance(mechanism.split, str) else (mechanism.epsilon0 / 2, mechanism.epsilon1 / 2)
        )
        try:
            return sparse_vector_experiment(
                scores,
                epsilon=mechanism.epsilon,
                k=mechanism.k,
                threshold=mechanism.threshold,
                split=split,
                runs=RUNS_OTHER,
                rng=np.random.default_rng(mechanism.k),
                progress=progress,
            )
        except ParameterError:  # no run gave an answer
            return None

    return worth


def _answers(law: Law) -> Step:
    def answers(progress: Progress, done: Done) -> tuple[float, float]:
        dist = law(progress, done)
        above = dist.scores.values >= dist.plan.threshold
        return float(dist.answered[above].sum()), float(dist.answered[~above].sum())

    return answers

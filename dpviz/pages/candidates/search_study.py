"""Candidates: search for one that is good often enough."""

from typing import Any

from dpviz.base import Floats, Progress, cached_property
from dpviz.candidates import (
    PercentileSparseVector,
    StopLaw,
)
from dpviz.pages.candidates.runs_study import RunsStudy
from dpviz.pages.candidates.settings import FORM, SEARCH
from dpviz.studies import step


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
        """Chance that a run of each candidate reaches the threshold."""
        return self.runs.pool.tail(self.threshold)

    @step
    def law(self, progress: Progress) -> StopLaw:
        return self.search.distribution(self.success_probabilities, progress=progress)

    @property
    def right_and_wrong_probabilities(self) -> tuple[float, float]:
        """Chances to stop at a candidate that is good often enough, and at another."""
        good = self.success_probabilities >= self.search.percentile
        return float(self.law.stop[good].sum()), float(self.law.stop[~good].sum())

"""Candidates: the search for one that is good often enough."""

from typing import Any

from dpviz.base import Floats, Progress
from dpviz.base.caching import cached_property
from dpviz.candidates import (
    PercentileSparseVector,
    StopLaw,
)
from dpviz.pages.candidates.runs_study import RunsStudy
from dpviz.pages.candidates.settings import FORM, SEARCH
from dpviz.studies import step


class SearchStudy(RunsStudy):
    """The percentile sparse vector: candidates are asked one by one until one is good often enough."""

    @property
    def dependencies(self) -> tuple[object, ...]:
        """The search and the threshold."""
        return self.search, self.threshold

    @cached_property
    def search(self) -> PercentileSparseVector:
        """As the page has it. Raises `ParameterError` where its parameters do not do."""
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
        """How likely a run of each reaches the threshold."""
        return self.runs.pool.tail(self.threshold)

    @step
    def law(self, progress: Progress) -> StopLaw:
        """Where the search stops."""
        return self.search.distribution(self.success_probabilities, progress=progress)

    @property
    def right_and_wrong_probabilities(self) -> tuple[float, float]:
        """The chances to stop at a candidate that is good often enough, and at one that is not."""
        good = self.success_probabilities >= self.search.percentile
        return float(self.law.stop[good].sum()), float(self.law.stop[~good].sum())

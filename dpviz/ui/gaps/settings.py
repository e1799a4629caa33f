"""What the page adds to the scenario: which half is shown, threshold, split, order, confidence, and the run.

Invariants: everything is kept in the scenario's page parameters, so that a link brings it back; whatever a
link may hold is checked here, and what cannot be used is told in one sentence.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.base.errors import ParameterError
from dpviz.base.parameters import check_integer, check_number
from dpviz.base.scores import Scores
from dpviz.gaps.sparse.mechanism import SPLITS, THRESHOLD, ThresholdMechanism
from dpviz.gaps.sparse.query_order import ORDERS, reordered
from dpviz.gaps.sparse.sparse_vector import AdaptiveSparseVector, SparseVector
from dpviz.studies.scenario import DataSpec, Scenario

__all__ = ["CUSTOM", "FIRST", "HALVES", "SPLIT_MENU", "Settings", "read"]

FIRST = Scenario(data=DataSpec(name="song_listeners"), epsilon=1.0, k=10)
"""What the page opens on: enough queries above the threshold for the budget to matter."""

HALVES = {"top_k": "Noisy top-k", "sparse_vector": "Sparse vector"}
CUSTOM = "custom"
SPLIT_MENU = {**SPLITS, CUSTOM: "By hand"}
_BY = ("quantile", "value")


@dataclass(frozen=True)
class Settings:
    """The page's own parameters, checked; `threshold` is in units of the scores, whichever way it was given."""

    half: str
    by: str
    quantile: float
    threshold: float
    split: str
    share: float
    order: str
    shuffle: int
    confidence: float
    design: str

    def mechanism(self, cls: type[ThresholdMechanism], epsilon: float, k: int, scores: Scores) -> ThresholdMechanism:
        """A mechanism of this class at these settings, suited to the scores."""
        made = cls(epsilon=epsilon, k=k, threshold=self.threshold, split=_usual(self.split), monotonic=scores.monotonic)
        if self.split != CUSTOM:
            return made
        epsilon0 = self.share * epsilon
        return made.replace(split=(epsilon0, (epsilon - epsilon0) / (made.answer_cost * made.units)))

    def plain(self, epsilon: float, k: int, scores: Scores) -> ThresholdMechanism:
        """The plain sparse vector."""
        return self.mechanism(SparseVector, epsilon, k, scores)

    def adaptive(self, epsilon: float, k: int, scores: Scores) -> ThresholdMechanism:
        """The adaptive one."""
        return self.mechanism(AdaptiveSparseVector, epsilon, k, scores)

    def asked(self, scores: Scores, order: str | None = None) -> Scores:
        """The queries in the order chosen, or in another."""
        return reordered(scores, self.order if order is None else order, self.shuffle)


def _usual(split: str) -> str:
    return "optimal" if split == CUSTOM else split


def read(scenario: Scenario, scores: Scores) -> Settings:
    """The settings of the scenario's page. Raises `ParameterError` for one that cannot be used."""
    page = scenario.page

    def given(name: str, default: Any) -> Any:
        return page.get(f"gaps.{name}", default)

    by = _one_of("The way the threshold is given", given("by", "quantile"), _BY)
    quantile = check_number("The quantile of the threshold", given("quantile", 0.95), low=0.0, high=1.0)
    measured = float(np.quantile(scores.values, quantile))
    threshold = measured if by == "quantile" else check_number("The threshold", given("threshold", measured))
    share = check_number("The threshold's share of ε", given("share", 0.5), low=0.0, above=True, high=1.0)
    if share == 1.0:
        raise ParameterError("The threshold's share of ε", share, "above 0 and below 1, or nothing is left for answers")
    confidence = check_number("The confidence of the bounds", given("confidence", 0.95), low=0.5, high=0.999)
    order, design = given("order", "given"), given("design", "adaptive_sparse_vector")
    ORDERS[order], THRESHOLD[design]
    return Settings(
        half=_one_of("The half of the page", given("half", "top_k"), HALVES),
        by=by,
        quantile=quantile,
        threshold=threshold,
        split=_one_of("The split of ε", given("split", "optimal"), SPLIT_MENU),
        share=share,
        order=order,
        shuffle=check_integer("The seed of the shuffle", given("shuffle", 1), low=0, high=2**32 - 1),
        confidence=confidence,
        design=design,
    )


def _one_of(what: str, value: Any, allowed: Any) -> str:
    if not isinstance(value, str) or value not in allowed:
        raise ParameterError(what, value, "one of " + ", ".join(allowed))
    return value

"""What the page Gaps adds to the scenario: which half is shown, threshold, split, order, confidence, and the run.

Invariant: whatever a link may hold is checked here, and what cannot be used is told in one sentence.
"""

from dataclasses import dataclass

from dpviz.base.errors import ParameterError
from dpviz.base.parameters import parameter
from dpviz.base.scores import Scores
from dpviz.gaps.sparse.mechanism import SPLITS, THRESHOLD, ThresholdMechanism, score_quantile
from dpviz.gaps.sparse.query_order import ORDERS, reordered
from dpviz.gaps.sparse.sparse_vector import AdaptiveSparseVector, SparseVector
from dpviz.studies.pages.declared import Declared
from dpviz.studies.scenario import LARGEST_SEED, DataSpec, Scenario

__all__ = [
    "BY",
    "CUSTOM",
    "FIRST",
    "GAPS_PAGE",
    "HALVES",
    "RUNS",
    "RUNS_OTHER",
    "SPLIT_MENU",
    "Settings",
    "ratios_at",
    "read",
]

FIRST = Scenario(data=DataSpec(name="song_listeners"), epsilon=1.0, k=10)
"""What the page opens on: enough queries above the threshold for the budget to matter."""

HALVES = {"top_k": "Noisy top-k", "sparse_vector": "Sparse vector"}
CUSTOM = "custom"
SPLIT_MENU = {**SPLITS, CUSTOM: "By hand"}
BY = {"quantile": "by quantile", "value": "by hand"}
RUNS, RUNS_OTHER = 20_000, 4_000  # simulated releases: at the k chosen, at others
_USUAL = (2, 3, 5, 8, 12, 18, 25, 50, 100, 200, 500, 1000, 2000, 5000)
_LEAST_K = 25  # ratios go at least this far, as far as there are items


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The page's own parameters; `threshold` is in units of the scores, whichever way it was given.

    `step` is the query of the run that is looked at (None: the last one).
    """

    half: str = parameter("top_k", choices=HALVES, label="The half of the page")
    by: str = parameter("quantile", choices=BY, label="The way the threshold is given")
    quantile: float = parameter(0.95, low=0.0, high=1.0, label="The quantile of the threshold")
    threshold: float = parameter(None, label="The threshold")
    split: str = parameter("optimal", choices=SPLIT_MENU, label="The split of ε")
    share: float = parameter(0.5, low=0.0, above=True, high=1.0, label="The threshold's share of ε")
    order: str = parameter("given", choices=ORDERS, label=ORDERS.what)
    shuffle: int = parameter(1, low=0, high=LARGEST_SEED, integer=True, label="The seed of the shuffle")
    confidence: float = parameter(0.95, low=0.5, high=0.999, label="The confidence of the bounds")
    design: str = parameter("adaptive_sparse_vector", choices=THRESHOLD, label=THRESHOLD.what)
    run: bool = parameter(False, label="Whether a release is shown")
    step: int | None = parameter(None, integer=True, label="The query looked at")

    def mechanism(self, cls: type[ThresholdMechanism], epsilon: float, k: int, scores: Scores) -> ThresholdMechanism:
        """A mechanism of this class at these settings, suited to the scores."""
        split = "optimal" if self.split == CUSTOM else self.split
        made = cls(epsilon=epsilon, k=k, threshold=self.threshold, split=split, monotonic=scores.monotonic)
        return made.with_share(self.share) if self.split == CUSTOM else made

    def plain(self, epsilon: float, k: int, scores: Scores) -> ThresholdMechanism:
        """The plain sparse vector."""
        return self.mechanism(SparseVector, epsilon, k, scores)

    def adaptive(self, epsilon: float, k: int, scores: Scores) -> ThresholdMechanism:
        """The adaptive one."""
        return self.mechanism(AdaptiveSparseVector, epsilon, k, scores)

    def asked(self, scores: Scores, order: str | None = None) -> Scores:
        """The queries in the order chosen, or in another."""
        return reordered(scores, self.order if order is None else order, self.shuffle)


def _share(value: object) -> object:
    if value == 1.0:
        allowed = "above 0 and below 1, or nothing is left for answers"
        raise ParameterError("The threshold's share of ε", 1.0, allowed)
    return value


GAPS_PAGE = Declared(Settings, "gaps.", checks={"share": _share}, by_label=True)


def read(scenario: Scenario, scores: Scores) -> Settings:
    """The settings of the scenario's page. Raises `ParameterError` for one that cannot be used."""
    values, refused = GAPS_PAGE.values_on(scenario.page)
    unused = {"run", "step"} | ({"threshold"} if values["by"] == "quantile" else set())
    for name in refused.keys() - unused:
        raise refused[name]
    if values["by"] == "quantile" or values["threshold"] is None:
        values["threshold"] = score_quantile(scores, values["quantile"])
    return Settings(**values)


def ratios_at(k: int, d: int) -> list[int]:
    """The k at which gaps are tried out, with the k chosen among them.

    >>> ratios_at(10, 2000)
    [2, 3, 5, 8, 10, 12, 18, 25]
    """
    most = min(max(k, _LEAST_K), d - 1)
    return sorted({n for n in _USUAL if n <= most} | {most, k} - {1} | ({1} if most == 1 else set()))

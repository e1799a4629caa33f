"""Choosing among private candidates, each a private, randomised run with a score."""

from dpviz.base.former_names import former_members
from dpviz.candidates.naive_choice import (
    decreasing_thresholds_loss,
    naive_best,
    naive_epsilon,
    naive_worst_pair,
    zero_score_probability,
)
from dpviz.candidates.percentile_sparse_vector import PercentileSparseVector, StopLaw
from dpviz.candidates.pool import CandidatePool
from dpviz.candidates.repeats import NegativeBinomialRepeats, PoissonRepeats, accounted_epsilon
from dpviz.candidates.rules import CANDIDATES, CandidateRule, Releases, ScoreLaw, SelectionLaw
from dpviz.candidates.search_cost import SelectionBySearch
from dpviz.candidates.stopping import (
    KnownThreshold,
    RandomStopping,
    sufficient_limit_for_delta2,
    sufficient_limit_for_epsilon0,
)
from dpviz.candidates.threshold_search import ThresholdSearch

__all__ = [
    "CANDIDATES",
    "CandidatePool",
    "CandidateRule",
    "KnownThreshold",
    "NegativeBinomialRepeats",
    "PercentileSparseVector",
    "PoissonRepeats",
    "RandomStopping",
    "Releases",
    "ScoreLaw",
    "SelectionBySearch",
    "SelectionLaw",
    "StopLaw",
    "ThresholdSearch",
    "accounted_epsilon",
    "decreasing_thresholds_loss",
    "naive_best",
    "naive_epsilon",
    "naive_worst_pair",
    "sufficient_limit_for_delta2",
    "sufficient_limit_for_epsilon0",
    "zero_score_probability",
]

__getattr__ = former_members(
    __name__,
    decreasing_thresholds="zero_score_probability",
    limit_for_epsilon="sufficient_limit_for_epsilon0",
    limit_for_delta="sufficient_limit_for_delta2",
)

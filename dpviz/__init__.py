"""dpviz: exact laws of private selection, the choice of the best of many items under differential privacy.

Scores and mechanisms are frozen descriptions. `mechanism.distribution(scores)` is the law of what comes out, exact
where that can be and otherwise estimated with its interval:

    >>> from dpviz import Canonical, Scores, smallest_epsilon
    >>> votes = Scores({"zoo": 9, "lake": 14, "castle": 12, "cave": 2}, monotonic=True)
    >>> mechanism = Canonical(epsilon=1.0, k=2)
    >>> law = mechanism.distribution(votes)
    >>> law.method, round(law.top, 3), law.inclusion.round(2).tolist()
    ('exact', 0.759, [0.23, 0.93, 0.82, 0.01])
    >>> round(smallest_epsilon(mechanism, votes, probability=0.99, event="top"), 2)
    3.09
    >>> mechanism.sample(votes, size=3, rng=7).shape
    (3, 2)

What there is, and `help` of each says more:

    the data          Scores; read_table, scores_from; count_files, count_in_engine
    k items           TOP_K: Canonical, OneShot, Peeling, JointExponential; TopKMechanism, TopKDistribution,
                      estimate, smallest_epsilon, figures_by_epsilon
    what comes free   GAPS, THRESHOLD: NoisyTopKWithGap, SparseVector, AdaptiveSparseVector; blue, fuse
    one of very many  TOP_ONE: LargeMargin, DistanceToInstability
    private runs      CANDIDATES: RandomStopping, KnownThreshold, NegativeBinomialRepeats, PoissonRepeats;
                      CandidatePool, PercentileSparseVector, naive_best, naive_epsilon
    the privacy       privacy_loss, PrivacyLoss, worst_neighbour, inclusion_with_and_without, posterior_bound,
                      guess_bound, compose
    many at once      Sweep, Design, run_sweep; Scenario, which the app saves; Question, decide, Decision
    the rest          NOISES, ParameterError, Cancelled

An rng is a numpy Generator or the seed of one. Bad input raises ParameterError, one sentence. Figures are computed
from the raw scores and are not private. A public name is loaded when it is first asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dpviz.base.errors import Cancelled, ParameterError
    from dpviz.base.noise import NOISES
    from dpviz.base.scores import Scores
    from dpviz.candidates import (
        CANDIDATES,
        CandidatePool,
        KnownThreshold,
        NegativeBinomialRepeats,
        PercentileSparseVector,
        PoissonRepeats,
        RandomStopping,
        naive_best,
        naive_epsilon,
    )
    from dpviz.data.counting.engine import count_in_engine
    from dpviz.data.counting.files import count_files
    from dpviz.data.ingest.files import read_table
    from dpviz.data.ingest.table import scores_from
    from dpviz.gaps.gap_estimates import blue, fuse
    from dpviz.gaps.noisy_top_k import GAPS, NoisyTopKWithGap
    from dpviz.gaps.sparse.mechanism import THRESHOLD
    from dpviz.gaps.sparse.sparse_vector import AdaptiveSparseVector, SparseVector
    from dpviz.margin.instability import DistanceToInstability
    from dpviz.margin.large_margin import LargeMargin
    from dpviz.margin.one_item import TOP_ONE
    from dpviz.privacy.composition import compose
    from dpviz.privacy.inclusion import inclusion_with_and_without
    from dpviz.privacy.loss import PrivacyLoss
    from dpviz.privacy.meter import privacy_loss
    from dpviz.privacy.odds import guess_bound, posterior_bound
    from dpviz.privacy.worst import worst_neighbour
    from dpviz.studies.decision.answer import Decision, decide
    from dpviz.studies.decision.question import Question
    from dpviz.studies.design import Design
    from dpviz.studies.grid import Sweep
    from dpviz.studies.run import run_sweep
    from dpviz.studies.scenario import Scenario
    from dpviz.topk.budget import smallest_epsilon
    from dpviz.topk.canonical import Canonical
    from dpviz.topk.curves import figures_by_epsilon
    from dpviz.topk.distribution import TopKDistribution
    from dpviz.topk.joint.joint_exponential import JointExponential
    from dpviz.topk.mechanism import TOP_K, TopKMechanism, estimate
    from dpviz.topk.one_shot import OneShot
    from dpviz.topk.peeling import Peeling

__version__ = "0.1.0"

__all__ = [
    "CANDIDATES",
    "GAPS",
    "NOISES",
    "THRESHOLD",
    "TOP_K",
    "TOP_ONE",
    "AdaptiveSparseVector",
    "Cancelled",
    "CandidatePool",
    "Canonical",
    "Decision",
    "Design",
    "DistanceToInstability",
    "JointExponential",
    "KnownThreshold",
    "LargeMargin",
    "NegativeBinomialRepeats",
    "NoisyTopKWithGap",
    "OneShot",
    "ParameterError",
    "Peeling",
    "PercentileSparseVector",
    "PoissonRepeats",
    "PrivacyLoss",
    "Question",
    "RandomStopping",
    "Scenario",
    "Scores",
    "SparseVector",
    "Sweep",
    "TopKDistribution",
    "TopKMechanism",
    "blue",
    "compose",
    "count_files",
    "count_in_engine",
    "decide",
    "estimate",
    "figures_by_epsilon",
    "fuse",
    "guess_bound",
    "inclusion_with_and_without",
    "naive_best",
    "naive_epsilon",
    "posterior_bound",
    "privacy_loss",
    "read_table",
    "run_sweep",
    "scores_from",
    "smallest_epsilon",
    "worst_neighbour",
]

_HOMES = {  # the imports above once more, for the interpreter
    "CANDIDATES": "dpviz.candidates",
    "GAPS": "dpviz.gaps.noisy_top_k",
    "NOISES": "dpviz.base.noise",
    "THRESHOLD": "dpviz.gaps.sparse.mechanism",
    "TOP_K": "dpviz.topk.mechanism",
    "TOP_ONE": "dpviz.margin.one_item",
    "AdaptiveSparseVector": "dpviz.gaps.sparse.sparse_vector",
    "Cancelled": "dpviz.base.errors",
    "CandidatePool": "dpviz.candidates",
    "Canonical": "dpviz.topk.canonical",
    "Decision": "dpviz.studies.decision.answer",
    "Design": "dpviz.studies.design",
    "DistanceToInstability": "dpviz.margin.instability",
    "JointExponential": "dpviz.topk.joint.joint_exponential",
    "KnownThreshold": "dpviz.candidates",
    "LargeMargin": "dpviz.margin.large_margin",
    "NegativeBinomialRepeats": "dpviz.candidates",
    "NoisyTopKWithGap": "dpviz.gaps.noisy_top_k",
    "OneShot": "dpviz.topk.one_shot",
    "ParameterError": "dpviz.base.errors",
    "Peeling": "dpviz.topk.peeling",
    "PercentileSparseVector": "dpviz.candidates",
    "PoissonRepeats": "dpviz.candidates",
    "PrivacyLoss": "dpviz.privacy.loss",
    "Question": "dpviz.studies.decision.question",
    "RandomStopping": "dpviz.candidates",
    "Scenario": "dpviz.studies.scenario",
    "Scores": "dpviz.base.scores",
    "SparseVector": "dpviz.gaps.sparse.sparse_vector",
    "Sweep": "dpviz.studies.grid",
    "TopKDistribution": "dpviz.topk.distribution",
    "TopKMechanism": "dpviz.topk.mechanism",
    "blue": "dpviz.gaps.gap_estimates",
    "compose": "dpviz.privacy.composition",
    "count_files": "dpviz.data.counting.files",
    "count_in_engine": "dpviz.data.counting.engine",
    "decide": "dpviz.studies.decision.answer",
    "estimate": "dpviz.topk.mechanism",
    "figures_by_epsilon": "dpviz.topk.curves",
    "fuse": "dpviz.gaps.gap_estimates",
    "guess_bound": "dpviz.privacy.odds",
    "inclusion_with_and_without": "dpviz.privacy.inclusion",
    "naive_best": "dpviz.candidates",
    "naive_epsilon": "dpviz.candidates",
    "posterior_bound": "dpviz.privacy.odds",
    "privacy_loss": "dpviz.privacy.meter",
    "read_table": "dpviz.data.ingest.files",
    "run_sweep": "dpviz.studies.run",
    "scores_from": "dpviz.data.ingest.table",
    "smallest_epsilon": "dpviz.topk.budget",
    "worst_neighbour": "dpviz.privacy.worst",
}

if not TYPE_CHECKING:  # to a type checker every name would exist that this function is there to look for

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = getattr(import_module(_HOMES[name]), name)
        globals()[name] = found  # which is looked at first, from now on
        return found

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})

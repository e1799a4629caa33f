"""dpviz: exact laws of private top-k selection.

Scores and mechanisms are frozen descriptions; `mechanism.distribution(scores)` gives the law of what
comes out, exact where that can be and otherwise estimated with its interval.
"""

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
from dpviz.studies.scenario import Scenario
from dpviz.topk.budget import smallest_epsilon
from dpviz.topk.canonical import Canonical
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
    "RandomStopping",
    "Scenario",
    "Scores",
    "SparseVector",
    "TopKDistribution",
    "TopKMechanism",
    "blue",
    "compose",
    "estimate",
    "fuse",
    "guess_bound",
    "inclusion_with_and_without",
    "naive_best",
    "naive_epsilon",
    "posterior_bound",
    "privacy_loss",
    "smallest_epsilon",
    "worst_neighbour",
]

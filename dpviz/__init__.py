"""dpviz: exact laws of private top-k selection.

Scores and mechanisms are frozen descriptions; `mechanism.distribution(scores)` gives the law of what
comes out, exact where that can be and otherwise estimated with its interval.
"""

from dpviz.budget import smallest_epsilon
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
from dpviz.distribution import TopKDistribution
from dpviz.errors import Cancelled, ParameterError
from dpviz.estimation import estimate
from dpviz.mechanisms.base import TOP_K, TopKMechanism
from dpviz.mechanisms.canonical import Canonical
from dpviz.mechanisms.gap import GAPS, NoisyTopKWithGap
from dpviz.mechanisms.gap_estimates import blue, fuse
from dpviz.mechanisms.instability import DistanceToInstability
from dpviz.mechanisms.joint import JointExponential
from dpviz.mechanisms.large_margin import LargeMargin
from dpviz.mechanisms.one_shot import OneShot
from dpviz.mechanisms.peeling import Peeling
from dpviz.mechanisms.sparse_vector import AdaptiveSparseVector, SparseVector
from dpviz.mechanisms.threshold import THRESHOLD
from dpviz.mechanisms.top_one import TOP_ONE
from dpviz.noise import NOISES
from dpviz.scenario import Scenario
from dpviz.scores import Scores

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
    "RandomStopping",
    "Scenario",
    "Scores",
    "SparseVector",
    "TopKDistribution",
    "TopKMechanism",
    "blue",
    "estimate",
    "fuse",
    "naive_best",
    "naive_epsilon",
    "smallest_epsilon",
]

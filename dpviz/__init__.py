"""dpviz: exact laws of private top-k selection.

Scores and mechanisms are frozen descriptions; `mechanism.distribution(scores)` gives the law of what
comes out, exact where that can be and otherwise estimated with its interval.
"""

from dpviz.budget import smallest_epsilon
from dpviz.distribution import TopKDistribution
from dpviz.errors import Cancelled, ParameterError
from dpviz.estimation import estimate
from dpviz.mechanisms.base import TOP_K, TopKMechanism
from dpviz.mechanisms.canonical import Canonical
from dpviz.mechanisms.gap import GAPS, NoisyTopKWithGap
from dpviz.mechanisms.gap_estimates import blue, fuse
from dpviz.mechanisms.joint import JointExponential
from dpviz.mechanisms.one_shot import OneShot
from dpviz.mechanisms.peeling import Peeling
from dpviz.mechanisms.sparse_vector import AdaptiveSparseVector, SparseVector
from dpviz.mechanisms.threshold import THRESHOLD
from dpviz.noise import NOISES
from dpviz.scenario import Scenario
from dpviz.scores import Scores

__version__ = "0.1.0"

__all__ = [
    "GAPS",
    "NOISES",
    "THRESHOLD",
    "TOP_K",
    "AdaptiveSparseVector",
    "Cancelled",
    "Canonical",
    "JointExponential",
    "NoisyTopKWithGap",
    "OneShot",
    "ParameterError",
    "Peeling",
    "Scenario",
    "Scores",
    "SparseVector",
    "TopKDistribution",
    "TopKMechanism",
    "blue",
    "estimate",
    "fuse",
    "smallest_epsilon",
]

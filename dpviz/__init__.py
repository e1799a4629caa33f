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
from dpviz.mechanisms.joint import JointExponential
from dpviz.mechanisms.one_shot import OneShot
from dpviz.mechanisms.peeling import Peeling
from dpviz.noise import NOISES
from dpviz.scenario import Scenario
from dpviz.scores import Scores

__version__ = "0.1.0"

__all__ = [
    "NOISES",
    "TOP_K",
    "Cancelled",
    "Canonical",
    "JointExponential",
    "OneShot",
    "ParameterError",
    "Peeling",
    "Scenario",
    "Scores",
    "TopKDistribution",
    "TopKMechanism",
    "estimate",
    "smallest_epsilon",
]

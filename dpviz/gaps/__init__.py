"""Noisy top-k and sparse vector, with the gaps that they compute and usually throw away."""

from dpviz.base import import_submodules
from dpviz.base.former_names import former_members
from dpviz.gaps.gap_experiment import MeasurementExperiment, SimulatedEstimate
from dpviz.gaps.noisy_top_k import GAPS, GapRelease, NoisyTopKWithGap
from dpviz.gaps.sparse.mechanism import SPLITS, THRESHOLD
from dpviz.gaps.sparse.query_order import ORDERS, reorder_scores
from dpviz.gaps.sparse.run_law import ThresholdDistribution
from dpviz.gaps.sparse.run_replay import ThresholdReplay, simulate_run
from dpviz.gaps.sparse.sparse_vector import AdaptiveSparseVector, SparseVector

__all__ = [
    "GAPS",
    "ORDERS",
    "SPLITS",
    "THRESHOLD",
    "AdaptiveSparseVector",
    "GapRelease",
    "MeasurementExperiment",
    "NoisyTopKWithGap",
    "SimulatedEstimate",
    "SparseVector",
    "ThresholdDistribution",
    "ThresholdReplay",
    "reorder_scores",
    "simulate_run",
]

import_submodules(__name__)

__getattr__ = former_members(
    __name__,
    Estimate="SimulatedEstimate",
    reordered="reorder_scores",
    one_run="simulate_run",
)

"""Private mechanisms that choose k items, and the exact law of the list that comes out."""

from dpviz.base import import_submodules, register_entry_points, register_environment_module
from dpviz.base.former_names import former_members
from dpviz.topk.adaptive_curves import utility_curve, utility_curves
from dpviz.topk.canonical import Canonical
from dpviz.topk.class_mechanism import ClassMechanism
from dpviz.topk.classes import (
    EVENTS,
    ClassScore,
    event_bounds,
    log_class_size,
    log_set_count_within,
)
from dpviz.topk.distribution import TopKDistribution
from dpviz.topk.epsilon_search import LARGEST_EPSILON, Looked, smallest_epsilon
from dpviz.topk.figure_curve import FigureCurve, exact_goal_curve, figures_by_k, k_grid
from dpviz.topk.goal import Goal, goal_figures
from dpviz.topk.law import ClassLaw
from dpviz.topk.law_grid import Grid, bin_on_edges, frame_edges
from dpviz.topk.mechanism import TOP_K, TopKMechanism
from dpviz.topk.one_shot import OneShot
from dpviz.topk.publication_bound import largest_publication_probability

__all__ = [
    "EVENTS",
    "LARGEST_EPSILON",
    "TOP_K",
    "Canonical",
    "ClassLaw",
    "ClassMechanism",
    "ClassScore",
    "FigureCurve",
    "Goal",
    "Grid",
    "Looked",
    "OneShot",
    "TopKDistribution",
    "TopKMechanism",
    "bin_on_edges",
    "event_bounds",
    "exact_goal_curve",
    "figures_by_k",
    "frame_edges",
    "goal_figures",
    "k_grid",
    "largest_publication_probability",
    "log_class_size",
    "log_set_count_within",
    "smallest_epsilon",
    "utility_curve",
    "utility_curves",
]

import_submodules(__name__)
register_entry_points(TOP_K, "dpviz.mechanisms")
register_environment_module(TOP_K, TopKMechanism)

__getattr__ = former_members(
    __name__,
    grid_on="bin_on_edges",
    points_of="exact_goal_curve",
    figures_of="goal_figures",
    spread_of_k="k_grid",
    keep_chance="largest_publication_probability",
    log_size="log_class_size",
    log_count_within="log_set_count_within",
)

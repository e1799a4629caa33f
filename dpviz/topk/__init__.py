"""Which k items: private mechanisms for the top k, and the exact law of what comes out.

Read `mechanism` first (the base and its menu), then `distribution` (every figure, derived once from
one of four laws in `law`), then `canonical`. `cutoff_law` holds the one-shot law, `joint` the laws
over loss levels. `goal` is what is asked of a figure, `epsilon_search` solves for ε,
`adaptive_curves` follows a figure over ε, `shortfall_guarantees` has the theorems' bounds.
"""

from dpviz.base import bring_in, bring_own, discover
from dpviz.topk.adaptive_curves import utility_curve, utility_curves
from dpviz.topk.canonical import Canonical
from dpviz.topk.classes import EVENTS, event_bounds, log_set_count, log_size
from dpviz.topk.distribution import TopKDistribution
from dpviz.topk.epsilon_search import LARGEST_EPSILON, Looked, smallest_epsilon
from dpviz.topk.figure_curve import FigureCurve, points_of
from dpviz.topk.figure_points import figures_by_k, spread_of_k
from dpviz.topk.goal import Goal, figures_of
from dpviz.topk.law import ClassLaw, ClassScore
from dpviz.topk.law_grid import Grid, grid_on, shared_edges
from dpviz.topk.mechanism import TOP_K, TopKMechanism
from dpviz.topk.one_shot import OneShot
from dpviz.topk.publication_bound import keep_chance

__all__ = [
    "EVENTS",
    "LARGEST_EPSILON",
    "TOP_K",
    "Canonical",
    "ClassLaw",
    "ClassScore",
    "FigureCurve",
    "Goal",
    "Grid",
    "Looked",
    "OneShot",
    "TopKDistribution",
    "TopKMechanism",
    "event_bounds",
    "figures_by_k",
    "figures_of",
    "grid_on",
    "keep_chance",
    "log_set_count",
    "log_size",
    "points_of",
    "shared_edges",
    "smallest_epsilon",
    "spread_of_k",
    "utility_curve",
    "utility_curves",
]

discover(__name__)
bring_in(TOP_K, "dpviz.mechanisms")
bring_own(TOP_K, TopKMechanism)

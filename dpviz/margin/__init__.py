"""Choice of one item from a huge universe: the large margin mechanism and its rivals."""

from dpviz.base import import_submodules
from dpviz.base.former_names import former_members
from dpviz.margin.baselines import COMPARED, NoisyMax
from dpviz.margin.front_group import DistanceLowerBounds
from dpviz.margin.generalised_exponential import GeneralisedExponential
from dpviz.margin.large_margin import LargeMargin
from dpviz.margin.top_one import TOP_ONE, TopOneLaw, TopOneMechanism
from dpviz.margin.universe_curve import MOST_UNLISTED, GoodItemCurve, universe_sizes

__all__ = [
    "COMPARED",
    "MOST_UNLISTED",
    "TOP_ONE",
    "DistanceLowerBounds",
    "GeneralisedExponential",
    "GoodItemCurve",
    "LargeMargin",
    "NoisyMax",
    "TopOneLaw",
    "TopOneMechanism",
    "universe_sizes",
]

import_submodules(__name__)

__getattr__ = former_members(
    __name__,
    LeastDistances="DistanceLowerBounds",
    UniverseCurve="GoodItemCurve",
)

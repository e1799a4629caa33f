"""Parts of charts: marks and axes. Only these modules know plotly's settings."""

from dpviz.charts.chart import Chart, Figure, Mark, Marks, item_column_builder
from dpviz.charts.grammar import axes, marks
from dpviz.charts.look import DASHES, LIGHT, MARKERS, STACKED, Look, design_identity

__all__ = [
    "DASHES",
    "LIGHT",
    "MARKERS",
    "STACKED",
    "Chart",
    "Figure",
    "Look",
    "Mark",
    "Marks",
    "axes",
    "design_identity",
    "item_column_builder",
    "marks",
]

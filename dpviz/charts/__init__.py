"""Charts: arrays and tables in, a `Chart` out; nothing here computes a probability."""

from dpviz.charts.chart import Chart, DrawnFigure
from dpviz.charts.integer_bins import Fold
from dpviz.charts.look import DARK, LIGHT, LOOKS, Look
from dpviz.charts.text_format import (
    as_typed,
    at_least,
    at_least_percent,
    at_most,
    at_most_of_100,
    at_most_percent,
    count,
    isolated,
    label,
    listed,
    number,
    of_releases,
    percent,
    power,
    trimmed,
)
from dpviz.charts.topk.class_heatmap import class_heatmap
from dpviz.charts.topk.heatmap_measures import MEASURES
from dpviz.charts.topk.hits import draw_dots, hits_law
from dpviz.charts.topk.item_rows import MOST_NAMED, item_rows
from dpviz.charts.topk.score_bars import score_bars

__all__ = [
    "DARK",
    "LIGHT",
    "LOOKS",
    "MEASURES",
    "MOST_NAMED",
    "Chart",
    "DrawnFigure",
    "Fold",
    "Look",
    "as_typed",
    "at_least",
    "at_least_percent",
    "at_most",
    "at_most_of_100",
    "at_most_percent",
    "class_heatmap",
    "count",
    "draw_dots",
    "hits_law",
    "isolated",
    "item_rows",
    "label",
    "listed",
    "number",
    "of_releases",
    "percent",
    "power",
    "score_bars",
    "trimmed",
]

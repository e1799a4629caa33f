"""Charts: arrays and tables in, a `Chart` out; nothing here computes a probability."""

from dpviz.charts.base import Chart
from dpviz.charts.draws import draw_dots
from dpviz.charts.heatmap import class_heatmap
from dpviz.charts.look import DARK, LIGHT, LOOKS, Look
from dpviz.charts.measures import MEASURES
from dpviz.charts.score_bars import score_bars

__all__ = ["DARK", "LIGHT", "LOOKS", "MEASURES", "Chart", "Look", "class_heatmap", "draw_dots", "score_bars"]

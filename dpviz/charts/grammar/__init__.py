"""The grammar of charts: a chart says what is shown, in plain nouns; how plotly is fed is said here
once.

A `Figure` takes marks (`marks.py`: columns and bars, dots and curves, words, levels and uprights,
notes) in the order in which they are drawn, over axes and a legend (`axes.py`); a `Chart` adds what
is said of it, in the house's own way of writing numbers, and the columns of its table.
"""

from dpviz.charts.chart import Chart
from dpviz.charts.figure import Figure, Mark, Marks
from dpviz.charts.grammar.axes import (
    HALVES,
    axis,
    axis_suffix,
    bottom_legend,
    colour_bar,
    horizontal_legend,
    percent_axis,
    row_axis,
    spaced_row_axis,
)
from dpviz.charts.grammar.marks import (
    CLEAR,
    Values,
    curve_mark,
    dots,
    error_bars,
    filled_area,
    hatch_pattern,
    horizontal_bars,
    horizontal_line,
    panel_heading,
    point_texts,
    segments,
    text_annotation,
    trace,
    vertical_bars,
    vertical_line,
)
from dpviz.charts.look import LIGHT, STACKED, Look
from dpviz.charts.text_format import (
    count_text,
    hundred_frequency_text,
    input_percent_text,
    isolate_direction,
    join_with_and,
    number_text,
    percent,
    power_of_ten,
    release_frequency_text,
    safe_label,
    shorten_text,
)

__all__ = [
    "CLEAR",
    "HALVES",
    "LIGHT",
    "STACKED",
    "Chart",
    "Figure",
    "Look",
    "Mark",
    "Marks",
    "Values",
    "axis",
    "axis_suffix",
    "bottom_legend",
    "colour_bar",
    "count_text",
    "curve_mark",
    "dots",
    "error_bars",
    "filled_area",
    "hatch_pattern",
    "horizontal_bars",
    "horizontal_legend",
    "horizontal_line",
    "hundred_frequency_text",
    "input_percent_text",
    "isolate_direction",
    "join_with_and",
    "number_text",
    "panel_heading",
    "percent",
    "percent_axis",
    "point_texts",
    "power_of_ten",
    "release_frequency_text",
    "row_axis",
    "safe_label",
    "segments",
    "shorten_text",
    "spaced_row_axis",
    "text_annotation",
    "trace",
    "vertical_bars",
    "vertical_line",
]

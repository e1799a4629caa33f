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
    airy_rows,
    axis,
    colour_bar,
    legend_at,
    legend_below,
    nth,
    rows,
    shares,
)
from dpviz.charts.grammar.marks import (
    CLEAR,
    Values,
    area,
    bars,
    columns,
    curve,
    dots,
    errors,
    hatch,
    heading,
    level,
    note,
    segments,
    trace,
    upright,
    words,
)
from dpviz.charts.look import LIGHT, STACKED, Look
from dpviz.charts.text_format import (
    as_typed,
    count,
    isolated,
    label,
    listed,
    number,
    of_hundred,
    of_releases,
    percent,
    power,
    trimmed,
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
    "airy_rows",
    "area",
    "as_typed",
    "axis",
    "bars",
    "colour_bar",
    "columns",
    "count",
    "curve",
    "dots",
    "errors",
    "hatch",
    "heading",
    "isolated",
    "label",
    "legend_at",
    "legend_below",
    "level",
    "listed",
    "note",
    "nth",
    "number",
    "of_hundred",
    "of_releases",
    "percent",
    "power",
    "rows",
    "segments",
    "shares",
    "trace",
    "trimmed",
    "upright",
    "words",
]

"""Charts: arrays and tables in, a `Chart` out; nothing here computes a probability."""

from dpviz.base.former_names import former_members
from dpviz.base.text_format import (
    count_text,
    isolate_direction,
    join_with_and,
    lower_bound_text,
    lower_percent_text,
    number_text,
    percent,
    percent_upper_bound,
    power_of_ten_text,
    release_frequency_text,
    safe_label,
    shorten_text,
    stated_percent_text,
    upper_bound_text,
    upper_percent_text,
)
from dpviz.charts.chart import Chart, PrebuiltFigure
from dpviz.charts.grammar.axes import IntegerBins
from dpviz.charts.look import DARK, LIGHT, LOOKS, Look
from dpviz.charts.topk.chance_by_size import chance_by_count_chart
from dpviz.charts.topk.class_heatmap import MEASURES, class_heatmap
from dpviz.charts.topk.hits import drawn_hits_chart, hit_count_chart
from dpviz.charts.topk.item_rows import MOST_NAMED, item_rows
from dpviz.charts.topk.score_bars import score_bars

__all__ = [
    "DARK",
    "LIGHT",
    "LOOKS",
    "MEASURES",
    "MOST_NAMED",
    "Chart",
    "IntegerBins",
    "Look",
    "PrebuiltFigure",
    "chance_by_count_chart",
    "class_heatmap",
    "count_text",
    "drawn_hits_chart",
    "hit_count_chart",
    "isolate_direction",
    "item_rows",
    "join_with_and",
    "lower_bound_text",
    "lower_percent_text",
    "number_text",
    "percent",
    "percent_upper_bound",
    "power_of_ten_text",
    "release_frequency_text",
    "safe_label",
    "score_bars",
    "shorten_text",
    "stated_percent_text",
    "upper_bound_text",
    "upper_percent_text",
]

__getattr__ = former_members(
    __name__,
    Fold="IntegerBins",
    DrawnFigure="PrebuiltFigure",
    count="count_text",
    draw_dots="drawn_hits_chart",
    hits_law="hit_count_chart",
    at_least="lower_bound_text",
    at_least_percent="lower_percent_text",
    number="number_text",
    of_releases="release_frequency_text",
    label="safe_label",
    at_most="upper_bound_text",
    at_most_percent="upper_percent_text",
    at_most_of_100="percent_upper_bound",
    chance_by_size_chart="chance_by_count_chart",
    input_percent_text="stated_percent_text",
    power_of_ten="power_of_ten_text",
)

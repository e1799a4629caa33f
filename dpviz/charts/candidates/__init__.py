"""Charts on choosing among private candidates: who comes out, how good, after how many runs, at
what price.
"""

from dpviz.charts.candidates.cost_quality import price_dots, stop_curves
from dpviz.charts.candidates.leaks import naive_leak_chart, threshold_leak_chart
from dpviz.charts.candidates.outcomes import chosen_bars, runs_bars, score_columns
from dpviz.charts.candidates.percentile import percentile_steps

__all__ = [
    "chosen_bars",
    "naive_leak_chart",
    "percentile_steps",
    "price_dots",
    "runs_bars",
    "score_columns",
    "stop_curves",
    "threshold_leak_chart",
]

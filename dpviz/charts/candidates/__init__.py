"""Charts on choosing among private candidates: outcomes, quality, numbers of runs, cost and leaks."""

from dpviz.base.former_names import former_members
from dpviz.charts.candidates.cost_quality import cost_quality_chart, stop_chance_chart
from dpviz.charts.candidates.leaks import lowered_threshold_leak_chart, naive_leak_chart
from dpviz.charts.candidates.outcomes import (
    chosen_candidate_chart,
    output_score_chart,
    run_count_chart,
)
from dpviz.charts.candidates.percentile import percentile_search_chart
from dpviz.charts.candidates.runs_needed import runs_needed_chart

__all__ = [
    "chosen_candidate_chart",
    "cost_quality_chart",
    "lowered_threshold_leak_chart",
    "naive_leak_chart",
    "output_score_chart",
    "percentile_search_chart",
    "run_count_chart",
    "runs_needed_chart",
    "stop_chance_chart",
]

__getattr__ = former_members(
    __name__,
    chosen_bars="chosen_candidate_chart",
    price_dots="cost_quality_chart",
    score_columns="output_score_chart",
    percentile_steps="percentile_search_chart",
    runs_bars="run_count_chart",
    stop_curves="stop_chance_chart",
)

"""Candidates in words and charts: two exact demonstrations of leaks; the slider moves ε1."""

from dpviz.base import Progress, iterate_with_progress
from dpviz.charts import Chart, Look, count_text, lower_bound_text, number_text
from dpviz.charts import candidates as drawn
from dpviz.pages import common
from dpviz.pages.candidates.sentences import LEAKS, LEAKS_LEAD, page_head_texts
from dpviz.pages.candidates.settings import LARGEST_LEAK
from dpviz.pages.candidates.study import LeakStudy

HEADINGS = ("Why the best of K runs is not free", "Why a threshold must not come down")


def naive_best_leak_chart(study: LeakStudy, look: Look) -> Chart:
    return drawn.naive_leak_chart(
        study.naive_best_leak, study.settings.epsilon1, study.demonstration_sizes.k, look=look
    )


def falling_thresholds_leak_chart(study: LeakStudy, look: Look) -> Chart:
    return drawn.lowered_threshold_leak_chart(
        study.falling_thresholds_leak, study.settings.epsilon1, look=look
    )


def reduced_failure_note(study: LeakStudy) -> str:
    """Note that a smaller failure chance than the one set is used; "" where it is not."""
    if study.demonstration_sizes.failure <= study.largest_failure_probability:
        return ""
    return (
        f"With ε1 = {number_text(study.settings.epsilon1)} a run may fail with a chance of at most"
        f" {lower_bound_text(study.largest_failure_probability)}, so that chance is used here."
    )


def build_slider_preview(study: LeakStudy, request: common.PreviewRequest) -> common.PagePreview:
    losses = naive_best_leak_chart(study, request.look)
    heading, lead, below = page_head_texts(study)
    return common.PagePreview(
        texts={
            "heading": heading,
            "lead": lead,
            "sub": below,
            "failing": reduced_failure_note(study),
        },
        charts={
            "naive_leak": losses,
            "threshold_leak": falling_thresholds_leak_chart(study, request.look),
        },
        lead=losses.says_now,
        height=study.settings.epsilon1 / LARGEST_LEAK,
    )


def build_slider_figure(study: LeakStudy, progress: Progress) -> common.SliderFigure:
    """Figure of two worst pairs of neighbours, by the price of one run."""
    start = min(study.settings.epsilon1, LARGEST_LEAK)
    values = [value for value in common.epsilon_grid(start) if value <= LARGEST_LEAK]
    return common.SliderFigure(
        title=LEAKS,
        lead=LEAKS_LEAD,
        slider_quantity="ε1, the price of one run",
        steps=tuple(
            _leak(study.with_epsilon(value)) for value, _ in iterate_with_progress(values, progress)
        ),
        start=values.index(start),
        column_headings=(
            ("Best of one run each", "loss in this case, with K candidates"),
            ("Random stopping", "loss in the same case"),
            ("Falling threshold", "loss after R steps"),
        ),
        charts=HEADINGS,
        note="Exact chances in two worst cases (Liu & Talwar 2018, Appendix B.1 and B.2).",
        moving_charts=(0, 1),  # losses go with ε1
    )


def _leak(study: LeakStudy) -> common.SliderPosition:
    k, leak, epsilon = (
        study.demonstration_sizes.k,
        study.naive_best_leak,
        common.format_slider_value(study.settings.epsilon1),
    )
    losses = [
        common.format_three_digits(float(loss))
        for loss in (
            leak.naive[k - 1],
            leak.stopping[k - 1],
            study.falling_thresholds_leak.loss[-1],
        )
    ]
    said = (
        f"At ε1 = {epsilon} a run, the best of {count_text(k, 'candidate')} has a loss of"
        f" {losses[0]} in this worst case, and random stopping {losses[1]} (exact)."
    )
    return common.build_position(
        epsilon,
        said,
        [losses],
        common.chart_with_table_builder(naive_best_leak_chart, study),
        common.chart_with_table_builder(falling_thresholds_leak_chart, study),
    )

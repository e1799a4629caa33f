"""Sparse vectors in words and charts: plain beside adaptive, one release, bounds, orders."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from dpviz.base import Progress, Scores, ignore_progress, iterate_with_progress
from dpviz.charts import Chart, Look, count_text, number_text, percent, upper_bound_text
from dpviz.charts.gaps.answer_counts import threshold_answer_count_chart
from dpviz.charts.gaps.queries import answer_chance_chart, threshold_coverage_chart
from dpviz.gaps import ORDERS, ThresholdDistribution
from dpviz.pages import common
from dpviz.pages.gaps.study import BOTH, QueryStudy
from dpviz.studies import Scenario, read_if_ready

_BARS = 120  # of queries, so that a file stays small
_DROWNED, _ALONE = 0.1, 10.0  # margins, in scales of the noise
_QUERIES = 40  # rows of the table: those that are answered most often
_COSTS = {1: "one", 2: "two", 4: "four", 8: "eight"}  # units of an answer
QUESTION = (
    "Which queries lie above a threshold? The distance of each answer from it costs no extra ε."
)
COLUMNS = (
    ("Answers", "on average in one release"),
    ("Truly above", "of these, on average"),
    ("Precision", "share truly above, on average"),
    ("ε spent", "on average"),
    ("ε left", "on average"),
)


def page_heading(study: QueryStudy) -> str:
    return (
        f"Which of {study.scores.d:,} queries lie above the threshold, at ε ="
        f" {study.scenario.epsilon:.10g}?"
    )


def lead_sentence(study: QueryStudy) -> str:
    answers = read_if_ready(
        lambda: [number_text(round(study.law[which].expected_answers, 2)) for which in BOTH]
    )
    if answers is None:
        return QUESTION
    plain, adaptive = answers
    return (
        f"With a budget for {count_text(study.scenario.k, 'answer')}, the plain sparse vector gives"
        f" {plain} on average, and the adaptive one {adaptive}. Each answer has its gap."
    )


def budget_split_sentence(study: QueryStudy) -> str:
    plain, adaptive = study.mechanisms.values()
    above = int(study.is_above_threshold.sum())
    return (
        f"At or above the threshold {number_text(study.settings.threshold)}:"
        f" {count_text(above, 'query', 'queries')} of {study.scores.d:,}. The threshold uses ε ="
        f" {common.format_three_digits(plain.epsilon0)}. Plain answers can use {count_text(plain.units, 'unit')}"
        f" of ε = {common.format_three_digits(plain.unit_epsilon)}, one each. Adaptive answers can use"
        f" {adaptive.units:,} units of ε = {common.format_three_digits(adaptive.unit_epsilon)},"
        f" {' or '.join(_COSTS[branch.cost] for branch in adaptive.branches())} each."
    )


def format_precision(law: ThresholdDistribution) -> str:
    return "none" if law.precision is None else percent(law.precision)


def summary_cells(study: QueryStudy, mechanism_name: str) -> list[tuple[str | None, str]]:
    """A figure and a small text for each of `COLUMNS`; None where it is not there yet."""
    mechanism, law = study.mechanisms[mechanism_name], study.law[mechanism_name]
    k, right = mechanism.k, float(law.answer_probabilities[study.is_above_threshold].sum())
    parts = f"at most {k:,}"
    if mechanism_name == "adaptive":
        *higher, middle = (
            f"{name} {common.format_two_decimals(float(law.branch_probabilities(name).sum()))}"
            for name in law.plan.names
        )
        parts = (
            f"at most {law.plan.largest_continuing_units + 1:,}: {higher[0].replace('top', 'top branch')}, "
            + ", ".join([*higher[1:], middle])
        )
    left = mechanism.epsilon - law.expected_epsilon_spent
    share = left / mechanism.epsilon
    return [
        (common.format_two_decimals(law.expected_answers), parts),
        (
            common.format_two_decimals(right),
            f"of {count_text(int(study.is_above_threshold.sum()), 'query', 'queries')}",
        ),
        (
            format_precision(law)
            if read_if_ready(lambda: study.answer_count_probabilities[mechanism_name]) is not None
            else None,
            "",
        ),
        (common.format_two_decimals(law.expected_epsilon_spent), f"of {mechanism.epsilon:.10g}"),
        # What is left over is told where it is more than the error of the figure.
        (common.format_two_decimals(left), f"{percent(share)} of ε")
        if share > max(100 * law.error, 1e-12)
        else ("0", ""),
    ]


def answer_chance_by_query_chart(study: QueryStudy, look: Look, **more: Any) -> Chart:
    plain, adaptive = (study.law[which] for which in BOTH)
    *higher, middle = (adaptive.branch_probabilities(name) for name in adaptive.plan.names)
    return answer_chance_chart(
        study.ordered_queries,
        study.settings.threshold,
        plain.answer_probabilities,
        np.sum(higher, axis=0),
        middle,
        np.maximum(plain.reach_probabilities, adaptive.reach_probabilities),
        higher="top branch" if len(higher) == 1 else "higher branches",
        look=look,
        **more,
    )


def answer_count_chart(study: QueryStudy, look: Look) -> Chart:
    return threshold_answer_count_chart(
        study.answer_count_probabilities["plain"],
        study.answer_count_probabilities["adaptive"],
        study.scenario.k,
        look=look,
    )


def sparse_preview_range(study: QueryStudy) -> tuple[float, float]:
    """From noise that drowns the farthest query to noise that leaves the nearest alone."""
    plain = study.with_epsilon(1.0).mechanisms["plain"]
    noise = 1 / plain.epsilon0 + 1 / plain.epsilon1  # times 1/ε
    margins = np.abs(plain.margins(study.ordered_queries))
    far, near = margins.max(), margins[margins > 0].min(initial=margins.max())
    return _DROWNED * noise / max(far, 1.0), _ALONE * noise / max(near, 1.0)


def build_slider_preview(study: QueryStudy, request: common.PreviewRequest) -> common.PagePreview:
    study.compute(request.progress, "law", "answer_count_probabilities")
    said: dict[str, common.PreviewText] = {
        "heading": page_heading(study),
        "lead": lead_sentence(study),
        "setup": budget_split_sentence(study),
    }
    for which in BOTH:
        for n, (value, small) in enumerate(summary_cells(study, which)):
            said |= {f"{which}-{n}": value or "", f"small-{which}-{n}": small}
    charts = {
        "threshold_answers": answer_chance_by_query_chart(study, request.look),
        "threshold_count": answer_count_chart(study, request.look),
    }
    right = float(study.law["adaptive"].answer_probabilities[study.is_above_threshold].sum()) / max(
        int(study.is_above_threshold.sum()), 1
    )
    return common.PagePreview(texts=said, charts=charts, lead=lead_sentence(study), height=right)


def coverage_chart(study: QueryStudy, look: Look) -> Chart:
    """Coverage of lower bounds, before and after the answer is seen."""
    coverages = {which: study.coverage[which] for which in BOTH}
    rows = [
        (which if len(coverage.t) == 1 else f"{which}, {branch} branch", coverage, j)
        for which, coverage in coverages.items()
        for j, branch in enumerate(study.mechanisms[which].branch_names)
    ]
    return threshold_coverage_chart(
        study.ordered_queries,
        study.settings.threshold,
        study.settings.confidence,
        {name: coverage.coverage_after_answer[j] for name, coverage, j in rows},
        {name: coverage.coverage_before_answer[j] for name, coverage, j in rows},
        {
            which: coverage.overall_coverage
            for which, coverage in coverages.items()
            if coverage.overall_coverage is not None
        },
        look=look,
    )


def plain_adaptive_answers_by_order(
    study: QueryStudy,
) -> Mapping[str, tuple[tuple[float, float], tuple[float, float]]]:
    """Expected answers of both under each order that is there, by label."""
    come = study.expected_true_and_false_answers.ready_results()
    return {
        ORDERS.label(name): (come[f"{name} plain"], come[f"{name} adaptive"])
        for name in ORDERS
        if all(f"{name} {which}" in come for which in BOTH)
    }


# ---- tables, for the command line ----------------------------------------------------------------


def figures_table(study: QueryStudy) -> pd.DataFrame:
    """Table for the command line: a row a mechanism."""
    return pd.DataFrame(
        [
            {
                "mechanism": study.mechanisms[name].name,
                "epsilon": study.mechanisms[name].epsilon,
                "k": study.mechanisms[name].k,
                "threshold": study.mechanisms[name].threshold,
                "answers": law.expected_answers,
                "spent": law.expected_epsilon_spent,
                "answers_above": float(law.answer_probabilities[study.is_above_threshold].sum()),
                "answers_below": float(law.answer_probabilities[~study.is_above_threshold].sum()),
                "precision": law.precision,
                "confidence": study.settings.confidence,
                "covered": study.coverage[name].overall_coverage,
                "method": law.method,
            }
            for name, law in study.law.items()
        ]
    )


def release_table(study: QueryStudy) -> pd.DataFrame:
    """Table for the command line: the answers of one release of each, with the scenario's seed."""
    tables = []
    for mechanism in study.mechanisms.values():
        out = mechanism.release(
            study.ordered_queries,
            rng=np.random.default_rng(study.scenario.seed),
            confidence=study.settings.confidence,
        )
        items = out.items.tolist()
        tables.append(
            pd.DataFrame(
                {
                    "mechanism": mechanism.name,
                    "query": [i + 1 for i in items],
                    "item": [study.ordered_queries.label(i) for i in items],
                    "gap": out.gaps,
                    "at_least": out.lower_bounds,
                }
            )
        )
    return pd.concat(tables, ignore_index=True)


def queries_table(study: QueryStudy) -> pd.DataFrame:
    """Table for the command line: chance of each query to be reached and answered."""
    asked = study.ordered_queries
    columns: dict[str, Any] = {
        "query": np.arange(1, asked.d + 1),
        "item": [asked.label(i) for i in range(asked.d)],
        "score": asked.values.copy(),
    }
    for name, law in study.law.items():
        called = study.mechanisms[name].name
        columns |= {
            f"{called}_reached": law.reach_probabilities,
            f"{called}_answered": law.answer_probabilities,
        }
    return pd.DataFrame(columns)


TABLES = {"figures": figures_table, "release": release_table, "queries": queries_table}


# ---- the figure to take away ---------------------------------------------------------------------


def file_disclosure(scenario: Scenario, scores: Scores) -> str:
    if scores.d <= _BARS:
        return common.disclosure_sentence(
            scenario, f"the names and scores of the {scores.d:,} queries shown"
        )
    return common.disclosure_sentence(
        scenario,
        f"at most {_BARS} mean scores of neighbouring queries, and the names and scores of the"
        f" {_QUERIES} queries that are answered most often",
    )


def build_slider_figure(
    study: QueryStudy, progress: Progress = ignore_progress
) -> common.SliderFigure:
    scenario, scores = study.scenario, study.scores
    values, above = common.epsilon_grid(scenario.epsilon), int(study.is_above_threshold.sum())
    return common.SliderFigure(
        title=common.takeaway_title(scenario, "which queries lie above the threshold"),
        lead=(
            f"Of {count_text(scores.d, 'query', 'queries')}, {above:,} are at or above the"
            f" threshold {number_text(study.settings.threshold)}. The budget is for"
            f" {count_text(scenario.k, 'plain answer')}. {scores.change}"
        ),
        slider_quantity="ε, the privacy budget",
        steps=tuple(
            _place(study.with_epsilon(value).compute(part, "law"))
            for value, part in iterate_with_progress(values, progress)
        ),
        start=values.index(scenario.epsilon),
        column_headings=COLUMNS[:4],
        rows=tuple(BOTH),
        charts=("Which queries are answered", "Number of answers"),
        note=file_disclosure(scenario, scores),
    )


def _place(study: QueryStudy) -> common.SliderPosition:
    laws = [study.law[which] for which in BOTH]

    value = common.format_slider_value(study.scenario.epsilon)
    plain, adaptive = (number_text(round(law.expected_answers, 2)) for law in laws)
    sentence = (
        f"At ε = {value} the plain sparse vector gives {plain} answers on average, and the adaptive"
        f" one {adaptive} (exact, error at most"
        f" {upper_bound_text(max(1e-16, *(law.error for law in laws)))})."
    )
    return common.build_position(
        value,
        sentence,
        [_cells(law, study) for law in laws],
        common.chart_with_table_builder(
            answer_chance_by_query_chart, study, _most_answered, bar_limit=_BARS
        ),
        common.chart_with_table_builder(answer_count_chart, study, _likely_counts),
    )


def _likely_counts(table: pd.DataFrame) -> pd.DataFrame:
    """The numbers of answers that come out at all."""
    return common.table_as_text(table[table[["plain", "adaptive"]].max(axis=1) >= 1e-3])


def _cells(law: ThresholdDistribution, study: QueryStudy) -> list[str]:
    right = float(law.answer_probabilities[study.is_above_threshold].sum())
    answers = [number_text(round(value, 2)) for value in (law.expected_answers, right)]
    return [*answers, format_precision(law), common.format_three_digits(law.expected_epsilon_spent)]


def _most_answered(table: pd.DataFrame) -> pd.DataFrame:
    often = table[["plain", "adaptive"]].max(axis=1)
    return common.table_as_text(table.loc[often.nlargest(_QUERIES).sort_index().index])

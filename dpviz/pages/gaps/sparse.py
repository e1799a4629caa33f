"""Which queries sparse vectors answer: plain beside adaptive, one release, bounds, and the order of
the queries.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from dpviz.base import Progress, Scores, each, silent
from dpviz.charts import Chart, Look, at_most, count, number, percent
from dpviz.charts.gaps.answer_counts import threshold_count_chart, threshold_orders_chart
from dpviz.charts.gaps.queries import threshold_answers_chart, threshold_coverage_chart
from dpviz.gaps import ORDERS, ThresholdDistribution
from dpviz.pages.common import (
    Asked,
    PageStep,
    Place,
    Said,
    Takeaway,
    around,
    in_words,
    of_data,
    place,
    short,
    three,
    titled,
    two,
)
from dpviz.pages.gaps.study import BOTH, QueryStudy
from dpviz.studies import Pending, Scenario, known

_BARS = 120  # of queries, so that a file stays below two megabytes
_DROWNED, _ALONE = 0.1, 10.0  # margins, in scales of the noise
_QUERIES = 40  # rows of the table: those that are answered most often
QUESTION = (
    "Which queries lie above a threshold? Each answer's distance from it comes at no extra ε."
)
COLUMNS = (
    ("Answers", "expected in one release"),
    ("Truly above", "of these, on average"),
    ("Precision", "truly above / answers, mean"),
    ("ε spent", "on average"),
    ("ε left over", "on average"),
)


def heading(study: QueryStudy) -> str:
    """What is looked at."""
    return (
        f"Which of {study.scores.d:,} queries lie above the threshold, at ε ="
        f" {study.scenario.epsilon:.10g}?"
    )


def lead(study: QueryStudy) -> str:
    """How many answers each gives."""
    answers = known(lambda: [number(round(study.law[which].expected_answers, 2)) for which in BOTH])
    if answers is None:
        return QUESTION
    plain, adaptive = answers
    return (
        f"With a budget for {study.scenario.k:,} the plain sparse vector gives {plain} answers on"
        f" average, the adaptive one {adaptive}; each comes with its gap."
    )


def setting_up(study: QueryStudy) -> str:
    """What the threshold and the split come to."""
    plain, adaptive = study.mechanisms.values()
    above = int(study.above.sum())
    return (
        f"Threshold {number(study.settings.threshold)}: {count(above, 'query', 'queries')} of"
        f" {study.scores.d:,} at or above it. ε = {three(plain.epsilon0)} for the threshold +"
        f" {plain.units:,} × {three(plain.unit)} for plain answers, or {adaptive.units:,} ×"
        f" {three(adaptive.unit)} for adaptive ones (one or two each)."
    )


def precision(law: ThresholdDistribution) -> str:
    """The share of answers that are right, in words."""
    return "none" if law.precision is None else percent(law.precision)


def figures(study: QueryStudy, which: str) -> list[tuple[str | None, str]]:
    """The row of one of them: a figure for each of `COLUMNS`, with what stands small below; None
    waits for more.
    """
    mechanism, law = study.mechanisms[which], study.law[which]
    k, right = mechanism.k, float(law.answered[study.above].sum())
    parts = f"at most {k:,}"
    if which == "adaptive":
        top, middle = (float(law.branch(name).sum()) for name in ("top", "middle"))
        parts = f"at most {2 * k - 1:,}: top branch {two(top)}, middle {two(middle)}"
    left = mechanism.epsilon - law.spent
    share = left / mechanism.epsilon
    return [
        (two(law.expected_answers), parts),
        (two(right), f"of {count(int(study.above.sum()), 'query', 'queries')} there are"),
        (precision(law) if known(lambda: study.count[which]) is not None else None, ""),
        (two(law.spent), f"of {mechanism.epsilon:.10g}"),
        # What is left over is told where it is more than the error of the figure.
        (two(left), f"{percent(share)} of ε") if share > max(100 * law.error, 1e-12) else ("0", ""),
    ]


def answers_chart(study: QueryStudy, look: Look, **more: Any) -> Chart:
    """The chance of each query to be answered."""
    plain, adaptive = (study.law[which] for which in BOTH)
    top, middle = adaptive.branch("top"), adaptive.branch("middle")
    reached = np.maximum(plain.reached, adaptive.reached)
    return threshold_answers_chart(
        study.asked,
        study.settings.threshold,
        plain.answered,
        top,
        middle,
        reached,
        look=look,
        **more,
    )


def counts_chart(study: QueryStudy, look: Look) -> Chart:
    """The chance of each number of answers."""
    return threshold_count_chart(
        study.count["plain"], study.count["adaptive"], study.scenario.k, look=look
    )


def reach(study: QueryStudy) -> tuple[float, float]:
    """From where noise drowns the query farthest from the threshold to where it leaves the nearest
    one alone.
    """
    plain = study.at(1.0).mechanisms["plain"]
    noise = 1 / plain.epsilon0 + 1 / plain.epsilon1  # times 1/ε
    margins = np.abs(plain.margins(study.asked))
    far, near = margins.max(), margins[margins > 0].min(initial=margins.max())
    return _DROWNED * noise / max(far, 1.0), _ALONE * noise / max(near, 1.0)


def step(study: QueryStudy, asked: Asked) -> PageStep:
    """This half of the page, under the hand."""
    study.compute(asked.progress, "law", "count")
    said: dict[str, Said] = {
        "heading": heading(study),
        "lead": lead(study),
        "setup": setting_up(study),
    }
    for which in BOTH:
        for n, (value, small) in enumerate(figures(study, which)):
            said |= {f"{which}-{n}": value or "", f"small-{which}-{n}": small}
    charts = {
        "threshold_answers": answers_chart(study, asked.look),
        "threshold_count": counts_chart(study, asked.look),
    }
    right = float(study.law["adaptive"].answered[study.above].sum()) / max(
        int(study.above.sum()), 1
    )
    return PageStep(said=said, charts=charts, lead=lead(study), height=right)


def coverage_chart(study: QueryStudy, look: Look) -> Chart:
    """How often a lower bound holds, before and after the answer is seen."""
    coverages = {which: study.coverage[which] for which in BOTH}
    rows = [
        (which if len(coverage.t) == 1 else f"{which}, {branch} branch", coverage, j)
        for which, coverage in coverages.items()
        for j, branch in enumerate(study.mechanisms[which].branch_names)
    ]
    return threshold_coverage_chart(
        study.asked,
        study.settings.threshold,
        study.settings.confidence,
        {name: coverage.after[j] for name, coverage, j in rows},
        {name: coverage.before[j] for name, coverage, j in rows},
        {
            which: coverage.overall
            for which, coverage in coverages.items()
            if coverage.overall is not None
        },
        look=look,
    )


def known_orders(
    study: QueryStudy,
) -> Mapping[str, tuple[tuple[float, float], tuple[float, float]]]:
    """Expected answers of both under every order that has come, by its label."""
    come = study.order.come()
    known_names = [name for name in ORDERS if all(f"{name} {which}" in come for which in BOTH)]
    return {
        ORDERS.label(name): (come[f"{name} plain"], come[f"{name} adaptive"])
        for name in known_names
    }


def orders_chart(study: QueryStudy, look: Look) -> Chart:
    """What the order of the queries does."""
    if not (answers := known_orders(study)):
        raise Pending
    return threshold_orders_chart(
        answers, ORDERS.label(study.settings.order), int(study.above.sum()), look=look
    )


# ---- tables, for the command line ----------------------------------------------------------------


def figures_table(study: QueryStudy) -> pd.DataFrame:
    """A row a mechanism: answers, right and wrong ones, precision, ε spent, how often bounds hold."""
    rows = [
        {
            "mechanism": study.mechanisms[name].name,
            "epsilon": study.mechanisms[name].epsilon,
            "k": study.mechanisms[name].k,
            "threshold": study.mechanisms[name].threshold,
            "answers": law.expected_answers,
            "spent": law.spent,
            "answers_above": float(law.answered[study.above].sum()),
            "answers_below": float(law.answered[~study.above].sum()),
            "precision": law.precision,
            "confidence": study.settings.confidence,
            "covered": study.coverage[name].overall,
            "method": law.method,
        }
        for name, law in study.law.items()
    ]
    return pd.DataFrame(rows)


def release_table(study: QueryStudy) -> pd.DataFrame:
    """A row an answer of one release of each, with the noise of the scenario's seed."""
    tables = []
    for mechanism in study.mechanisms.values():
        rng = np.random.default_rng(study.scenario.seed)
        out = mechanism.release(study.asked, rng=rng, confidence=study.settings.confidence)
        items = out.items.tolist()
        columns = {
            "query": [i + 1 for i in items],
            "item": [study.asked.label(i) for i in items],
            "gap": out.gaps,
        }
        tables.append(
            pd.DataFrame({"mechanism": mechanism.name, **columns, "at_least": out.lower_bounds})
        )
    return pd.concat(tables, ignore_index=True)


def queries_table(study: QueryStudy) -> pd.DataFrame:
    """A row a query: how often it is reached and answered by each."""
    asked = study.asked
    columns: dict[str, Any] = {
        "query": np.arange(1, asked.d + 1),
        "item": [asked.label(i) for i in range(asked.d)],
        "score": asked.values.copy(),
    }
    for name, law in study.law.items():
        called = study.mechanisms[name].name
        columns |= {f"{called}_reached": law.reached, f"{called}_answered": law.answered}
    return pd.DataFrame(columns)


TABLES = {"figures": figures_table, "release": release_table, "queries": queries_table}


# ---- the figure to take away ---------------------------------------------------------------------


def holds(scenario: Scenario, scores: Scores) -> str:
    """What the file holds of the data, in words."""
    if scores.d <= _BARS:
        return of_data(scenario, f"the names and scores of the {scores.d:,} queries that it shows")
    return of_data(
        scenario,
        f"the mean scores of neighbouring queries, at most {_BARS} such means, and the names and"
        f" scores of the {_QUERIES} queries that are answered most often",
    )


def slider(study: QueryStudy, progress: Progress = silent) -> Takeaway:
    """Both laws at every ε around the setting."""
    scenario, scores = study.scenario, study.scores
    values, above = around(scenario.epsilon), int(study.above.sum())
    return Takeaway(
        title=titled(scenario, "which queries lie above the threshold"),
        lead=(
            f"Sparse vectors ask {count(scores.d, 'query', 'queries')}, {above:,} of them at or"
            f" above the threshold {number(study.settings.threshold)}, with a budget for"
            f" {count(scenario.k, 'plain answer')}. {scores.change}"
        ),
        moves="Privacy budget ε",
        steps=tuple(
            _place(study.at(value).compute(part, "law")) for value, part in each(values, progress)
        ),
        start=values.index(scenario.epsilon),
        heads=COLUMNS[:4],
        rows=tuple(BOTH),
        charts=("Which queries are answered", "How many answers come out"),
        note=holds(scenario, scores),
    )


def _place(study: QueryStudy) -> Place:
    laws = [study.law[which] for which in BOTH]

    def in_look(look: Look) -> list[tuple[Chart, pd.DataFrame]]:
        answers, counts = answers_chart(study, look, most=_BARS), counts_chart(study, look)
        come_out = (
            counts.table[["plain", "adaptive"]].max(axis=1) >= 1e-3
        )  # the numbers of answers that do at all
        return [
            (answers, _most_answered(answers.table)),
            (counts, in_words(counts.table[come_out])),
        ]

    value = short(study.scenario.epsilon)
    plain, adaptive = (number(round(law.expected_answers, 2)) for law in laws)
    sentence = (
        f"At ε = {value} the plain sparse vector gives {plain} answers on average, the adaptive one"
        f" {adaptive} (exact, error at most {at_most(max(1e-16, *(law.error for law in laws)))})."
    )
    return place(value, sentence, [_cells(law, study) for law in laws], in_look)


def _cells(law: ThresholdDistribution, study: QueryStudy) -> list[str]:
    right = float(law.answered[study.above].sum())
    answers = [number(round(value, 2)) for value in (law.expected_answers, right)]
    return [*answers, precision(law), three(law.spent)]


def _most_answered(table: pd.DataFrame) -> pd.DataFrame:
    often = table[["plain", "adaptive"]].max(axis=1)
    return in_words(table.loc[often.nlargest(_QUERIES).sort_index().index])

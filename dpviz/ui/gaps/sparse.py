"""The half on sparse vectors: plain beside adaptive, one run step by step, bounds, and the order of the queries."""

from collections.abc import Callable
from functools import partial

import numpy as np
import streamlit as st

from dpviz import charts
from dpviz.base.errors import ParameterError
from dpviz.base.scores import Scores
from dpviz.charts.gaps.answer_counts import threshold_count_chart
from dpviz.charts.gaps.bound_coverage import threshold_coverage_chart
from dpviz.charts.gaps.query_answers import threshold_answers_chart
from dpviz.charts.gaps.query_orders import threshold_orders_chart
from dpviz.charts.words import count, number, percent
from dpviz.gaps.gap_estimates import gap_variance
from dpviz.gaps.gap_experiment import measuring_error
from dpviz.gaps.sparse.mechanism import THRESHOLD
from dpviz.gaps.sparse.query_order import ORDERS
from dpviz.studies.scenario import Scenario
from dpviz.ui.gaps.choices import choices, order_choice
from dpviz.ui.gaps.gap_answers import BOTH, ThresholdAnswer, compute_threshold
from dpviz.ui.gaps.run import run
from dpviz.ui.gaps.settings import Settings
from dpviz.ui.gaps.worth_cards import worth_cards
from dpviz.ui.shell.badges import exact
from dpviz.ui.shell.explain import explain, lines, term
from dpviz.ui.shell.page import banner, title
from dpviz.ui.shell.show import WAIT, folded, heading, show, table, waiting
from dpviz.ui.shell.text import plain as escaped
from dpviz.ui.shell.text import two
from dpviz.ui.work.pending import filling, part, there

__all__ = ["sparse_vector"]

_WORDS = (
    f"A {term('query', 'query')} asks for an item's score. Queries come one after the other, and an "
    f"{term('answer', 'answer')} says: this one lies above the {term('threshold', 'threshold')}, with so large a "
    f"{term('gap', 'gap')}. Only answers are paid, in {term('budget_unit', 'units')} of ε."
)

_LAWS = tuple(f"law {which}" for which in BOTH)
_SWATCH = {"plain": charts.LIGHT.categories[3], "adaptive": charts.LIGHT.categories[0]}
_DARK = {"plain": charts.DARK.categories[3], "adaptive": charts.DARK.categories[0]}


def sparse_vector(
    scenario: Scenario, scores: Scores, settings: Settings, look: charts.Look, switch: Callable[[], None]
) -> None:
    """The whole half; `switch` draws the choice between the halves."""
    answer: ThresholdAnswer | None = None
    problem = None
    try:
        answer = compute_threshold(scenario, scores, settings)
    except ParameterError as err:
        problem = str(err)
    head = f"{scores.d:,} queries against a threshold, a budget for {count(scenario.k, 'answer')}: "
    head += f"ε = {scenario.epsilon:.10g}"

    def titled() -> None:
        title(scenario, scores, "Gaps", _lead(answer), "sparse vector with gap, plain and adaptive", heading=head)

    if answer is None:
        titled()
    else:
        part("title", titled, there(answer.job, *_LAWS))
    banner(settings.design)
    switch()
    st.html(f'<p class="dp-how">{_WORDS}</p>')
    explain("query", "threshold", "answer", "gap", "budget_unit", "split", "top_branch", "middle_branch")
    choices(scores, settings, None if answer is None else answer.mechanisms)
    if answer is None:
        st.error(escaped(problem or ""))
        return
    coverages = there(answer.job, *(f"coverage {which}" for which in BOTH))
    counts = there(answer.job, *(f"count {which}" for which in BOTH))
    with filling(lambda: [answer.job]):
        heading("Plain beside adaptive")
        part("table", partial(_table, answer), lambda: (there(answer.job, *_LAWS)(), counts()))
        lines(THRESHOLD, summary="What the two are, and when to take which")
        heading("One release, step by step")
        part("run", partial(run, answer, look), coverages, alone=True)
        _folded_parts(answer, settings, look, counts, coverages)


def _folded_parts(
    answer: ThresholdAnswer,
    settings: Settings,
    look: charts.Look,
    counts: Callable[[], object],
    coverages: Callable[[], object],
) -> None:
    """What is not needed at first sight."""
    orders = there(answer.job, *(f"order {name} {which}" for name in ORDERS for which in BOTH))
    for key, line, draw, known in (
        ("answers", "Which queries are answered: the chance of each, plain and adaptive", _answers, None),
        ("counts", "How many answers come out: the chance of each number", _counts, counts),
        (
            "coverage",
            "What a lower bound is worth: how often it holds before and after the answer",
            _coverage,
            coverages,
        ),
        ("worth", "What the gaps are worth for measured values: the error with them and without", _worth, None),
    ):
        draws = partial(folded, line, key, partial(draw, answer, look))
        part(key, draws, known or there(answer.job, *_LAWS, "worth"))
    line = "What the order of the queries does: the same queries, asked as given, sorted and shuffled"
    part("orders", partial(folded, line, "orders", partial(_orders, answer, settings, look)), orders)


def _lead(answer: ThresholdAnswer | None) -> str:
    plain, adaptive = (None if answer is None else answer.law(which) for which in BOTH)
    if plain is None or adaptive is None:
        return "Which queries lie above a threshold? Each answer's distance from it comes at no extra ε."
    return (
        f"For the same ε the plain sparse vector gives {number(round(plain.expected_answers, 2))} answers on average, "
        f"the adaptive one {number(round(adaptive.expected_answers, 2))}; each comes with its gap."
    )


def _table(answer: ThresholdAnswer) -> None:
    heads = [
        ("Answers", "expected in one release"),
        ("Truly above", "of these, on average"),
        ("Precision", "truly above / answers, mean"),
        ("ε spent", "on average"),
        ("ε left over", "on average"),
    ]
    row = [f"<th>{name}<small>{small}</small></th>" for name, small in heads]
    table("Plain beside adaptive", ["<th>Mechanism</th>", *row], [_row(answer, which) for which in BOTH], "dp-tall")


def _row(answer: ThresholdAnswer, which: str) -> str:
    mechanism, law = answer.mechanisms[which], answer.law(which)
    k = mechanism.k
    most = k if which == "plain" else 2 * k - 1
    colour = f"light-dark({_SWATCH[which]}, {_DARK[which]})"
    badge = "" if law is None else exact(law.error)
    name = f'<span class="dp-swatch" style="background: {colour}"></span>{which.capitalize()}{badge}'
    if law is None:
        return f'<tr><td class="dp-who">{name}</td>{f"<td>{WAIT}</td>" * 5}</tr>'
    above = answer.scores.values >= mechanism.threshold
    parts = f"at most {most:,}"
    if which == "adaptive":
        top, middle = (float(law.branch(name).sum()) for name in ("top", "middle"))
        parts += f" · {two(top)} by the top branch, {two(middle)} by the middle one"
    precision = WAIT
    if answer.counted(which):
        precision = _cell("none" if law.precision is None else percent(law.precision))
    left = mechanism.epsilon - law.spent
    cells = (
        _cell(two(law.expected_answers), parts),
        _cell(two(float(law.answered[above].sum())), f"of {count(int(above.sum()), 'query', 'queries')} there are"),
        precision,
        _cell(two(law.spent), f"of {mechanism.epsilon:.10g}"),
        _left(left, mechanism.epsilon, law.error),
    )
    return f'<tr><td class="dp-who">{name}</td>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'


def _left(left: float, epsilon: float, error: float) -> str:
    """What is left over, where it is more than the error of the figure."""
    share = left / epsilon
    return _cell(two(left), f"{percent(share)} of ε") if share > max(100 * error, 1e-12) else _cell("0")


def _cell(value: str, small: str = "") -> str:
    return f'<div class="dp-cell">{value}</div>' + (f"<small>{small}</small>" if small else "")


def _answers(answer: ThresholdAnswer, look: charts.Look) -> None:
    plain, adaptive = (answer.law(which) for which in BOTH)
    if plain is None or adaptive is None:
        waiting("The chance of each query")
        return
    chart = threshold_answers_chart(
        answer.scores,
        answer.settings.threshold,
        plain.answered,
        adaptive.branch("top"),
        adaptive.branch("middle"),
        np.maximum(plain.reached, adaptive.reached),
        look=look,
    )
    show(chart, "threshold_answers")


def _counts(answer: ThresholdAnswer, look: charts.Look) -> None:
    plain, adaptive = (answer.law(which) if answer.counted(which) else None for which in BOTH)
    if plain is None or adaptive is None:
        waiting("The number of answers")
        return
    show(threshold_count_chart(plain.count, adaptive.count, answer.mechanisms["plain"].k, look=look), "threshold_count")


def _coverage(answer: ThresholdAnswer, look: charts.Look) -> None:
    coverages = {which: answer.coverage(which) for which in BOTH}
    if any(coverage is None for coverage in coverages.values()):
        waiting("How often bounds hold")
        return
    rows = [
        (which if len(coverage.t) == 1 else f"{which}, {branch} branch", coverage, j)
        for which, coverage in coverages.items()
        if coverage is not None
        for j, branch in enumerate(answer.mechanisms[which].branch_names)
    ]
    chart = threshold_coverage_chart(
        answer.scores,
        answer.settings.threshold,
        answer.settings.confidence,
        {name: coverage.after[j] for name, coverage, j in rows},
        {name: coverage.before[j] for name, coverage, j in rows},
        {
            which: coverage.overall
            for which, coverage in coverages.items()
            if coverage is not None and coverage.overall is not None
        },
        look=look,
    )
    show(chart, "threshold_coverage")


def _worth(answer: ThresholdAnswer, look: charts.Look) -> None:
    st.html(
        '<p class="dp-how">Half of ε is for the plain sparse vector, the other half measures what it answered; each '
        "value is then the mean of its measurement and of threshold + gap, weighted by their variances before the "
        "selection. A query is answered <i>because</i> its noise was high, so the formula need not be what happens.</p>"
    )
    if answer.worth_known and answer.worth is None:
        st.html('<p class="dp-how">There are hardly any answers to measure.</p>')
        return
    plain = answer.mechanisms["plain"]
    gap = gap_variance(plain.epsilon0 / 2, plain.epsilon1 / 2)
    measured = 2 * (2 * plain.k / plain.epsilon) ** 2
    worth_cards(measuring_error(answer.scores, plain.epsilon, plain.k), answer.worth, gap / (gap + measured))


def _orders(answer: ThresholdAnswer, settings: Settings, look: charts.Look) -> None:
    order_choice(settings)
    lines(ORDERS, settings.order)
    answers = {}
    for name in ORDERS:
        plain, adaptive = (answer.order(name, which) for which in BOTH)
        if plain is not None and adaptive is not None:
            answers[ORDERS.label(name)] = (plain, adaptive)
    if not answers:
        waiting("What order does")
        return
    above = int((answer.scores.values >= answer.settings.threshold).sum())
    chart = threshold_orders_chart(answers, ORDERS.label(answer.settings.order), above, look=look)
    show(chart, "threshold_orders")
    if len(answers) < len(ORDERS):
        waiting("Other orders")

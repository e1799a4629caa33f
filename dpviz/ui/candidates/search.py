"""The percentile sparse vector on the page: ask the candidates one by one until one is good often enough."""

from typing import Any

import streamlit as st

from dpviz import charts
from dpviz.base.errors import ParameterError
from dpviz.base.progress import Progress
from dpviz.candidates import PercentileSparseVector, StopLaw
from dpviz.charts import candidates as drawn
from dpviz.charts.words import count, number, percent
from dpviz.ui.candidates import rules
from dpviz.ui.candidates.chosen import finished
from dpviz.ui.candidates.head import exact, honest
from dpviz.ui.candidates.parameters import FORM, FORMS, SEARCH
from dpviz.ui.candidates.pools import Made, price
from dpviz.ui.shell.show import card, cards, show
from dpviz.ui.shell.text import plain

__all__ = ["search"]


def search(made: Made, look: charts.Look) -> None:
    """The controls, the figures and the steps."""
    st.html(
        "<p class='dp-says'>The candidates are asked in order: does a run of yours score at least τ with a chance of "
        "p*? Noise on each answer and on p* keeps the whole search within ε3.</p>"
    )
    form, rule = _controls()
    if rule is None:
        return
    threshold, pool = rules.threshold(), made.pool
    chances = pool.tail(threshold)
    key = f"search {made.key} {rule!r} {threshold!r}"

    def make(progress: Progress) -> StopLaw:
        return rule.distribution(chances, progress=progress)

    try:
        law = finished(key, "The law of the search", make)
    except ParameterError as err:
        st.error(plain(str(err)))
        return
    good = chances >= rule.percentile
    total = rule.total_epsilon()
    badge = exact(law.error, made.empirical)
    runs = rule.samples
    shown = [
        card("Total ε", number(total[0]), f"δ = {number(total[1])}" if total[1] else "for the whole search", ""),
        card("Right", percent(float(law.stop[good].sum())), "stops at one that reaches p*", badge),
        card("Wrong", percent(float(law.stop[~good].sum())), "stops at one that does not", badge),
        card("None", percent(law.none), "all were asked, none said yes", badge),
    ]
    if runs is not None:
        shown.append(card("Runs", f"{runs:,}", "made for each candidate asked", ""))
    cards(shown, "Figures of the search")
    names = [pool.label(k) for k in range(pool.size)]
    show(drawn.percentile_steps(names, chances, rule.percentile, law, threshold, look=look), "percentile")
    st.html(f'<p class="dp-how">{_meaning(form, rule)} {honest(made, ties=False)}</p>')


def _meaning(form: str, rule: PercentileSparseVector) -> str:
    start = (
        f"A run moves the log odds of a chance by at most S = {number(rule.sensitivity)}, so each answer gets Laplace "
        f"noise of scale 4S/ε3 = {number(rule.query_scale)} and p* of half that"
    )
    if form == "oracle":
        return start + " (Liu & Talwar 2018, Theorem 4.1). It needs the chances themselves, which only an oracle knows."
    return (
        start + f" (Theorem 4.4). Chances come from {count(rule.samples or 0, 'run')} of each candidate, with "
        f"D = {number(rule.offset)} runs added on either side, so that few runs cannot tell too much."
    )


def _controls() -> tuple[str, PercentileSparseVector | None]:
    form = FORM.read()[0].form
    sampled = form == "sampled"
    FORM.switch("form", "Form", FORMS.__getitem__, form, label_visibility="collapsed")
    columns = st.columns(4 if sampled else 3)
    given: dict[str, Any] = {}
    for column, name in zip(columns, ("percentile", "epsilon"), strict=False):
        with column:
            given[name] = SEARCH.number_box(name)
    with columns[2]:
        rules.given("known_threshold").number_box("threshold", step=0.01)
    if sampled:
        with columns[3]:
            given["samples"] = FORM.number_box("samples", step=100)
        for column, name in zip(st.columns(4), ("queries", "delta", "epsilon0"), strict=False):
            with column:
                given[name] = SEARCH.number_box(name)
    try:
        return form, PercentileSparseVector(candidate_epsilon=price()[0], **given)
    except ParameterError as err:
        st.error(plain(str(err)))
        return form, None

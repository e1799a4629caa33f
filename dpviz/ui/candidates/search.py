"""The percentile sparse vector on the page: ask the candidates one by one until one is good often enough."""

from typing import Any

import streamlit as st

from dpviz import charts
from dpviz.base.errors import ParameterError
from dpviz.base.parameters import Parameter, check_integer, parameters
from dpviz.base.progress import Progress
from dpviz.candidates import CANDIDATES, PercentileSparseVector, StopLaw
from dpviz.charts import candidates as drawn
from dpviz.charts.words import count, number, percent
from dpviz.ui.candidates import rules
from dpviz.ui.candidates.chosen import finished
from dpviz.ui.candidates.head import exact, honest
from dpviz.ui.candidates.pools import Made, price
from dpviz.ui.shell.controls import on, place
from dpviz.ui.shell.page_parameters import change, number_box, value
from dpviz.ui.shell.show import card, cards, show
from dpviz.ui.shell.text import plain

__all__ = ["search"]

_DECLARED = {declared.name: declared for declared in parameters(PercentileSparseVector)}
_SAMPLES = 2_000
_ORACLE, _SAMPLED = "oracle", "sampled"
_FORMS = {_ORACLE: "Chances known (ideal)", _SAMPLED: "Chances from sampled runs"}


def search(made: Made, look: charts.Look) -> None:
    """The controls, the figures and the steps."""
    st.html(
        "<p class='dp-says'>The candidates are asked in order: does a run of yours score at least τ with probability "
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
    told = exact(law.error, made.empirical)
    runs = rule.samples
    shown = [
        card("Total ε", number(total[0]), f"δ = {number(total[1])}" if total[1] else "for the whole search", ""),
        card("Right", percent(float(law.stop[good].sum())), "stops at one that reaches p*", told),
        card("Wrong", percent(float(law.stop[~good].sum())), "stops at one that does not", told),
        card("None", percent(law.none), "all were asked, none said yes", told),
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
    if form == _ORACLE:
        return start + " (Liu & Talwar 2018, Theorem 4.1). It needs the chances themselves, which only an oracle knows."
    return (
        start + f" (Theorem 4.4). Chances come from {count(rule.samples or 0, 'run')} of each candidate, with "
        f"D = {number(rule.offset)} runs added on either side, so that few runs cannot tell too much."
    )


def _controls() -> tuple[str, PercentileSparseVector | None]:
    held = str(value("sv.form", _ORACLE))
    form = held if held in _FORMS else _ORACLE
    st.segmented_control(
        "Form",
        options=list(_FORMS),
        format_func=_FORMS.__getitem__,
        default=form,
        key=place("pc.sv.form", form),
        on_change=on("pc.sv.form", lambda given: change(**{"sv.form": given})),
        label_visibility="collapsed",
        required=True,
    )
    columns = st.columns(4 if form == _SAMPLED else 3)
    given: dict[str, Any] = {}
    with columns[0]:
        given["percentile"] = _box(_DECLARED["percentile"])
    with columns[1]:
        given["epsilon"] = _box(_DECLARED["epsilon"])
    with columns[2]:
        declared = next(p for p in parameters(CANDIDATES["known_threshold"]) if p.name == "threshold")
        number_box(declared, rules.first_threshold(), step=0.01)
    if form == _SAMPLED:
        with columns[3]:
            given["samples"] = _samples()
        for column, name in zip(st.columns(4), ("queries", "delta", "epsilon0"), strict=False):
            with column:
                given[name] = _box(_DECLARED[name])
    try:
        return form, PercentileSparseVector(candidate_epsilon=price()[0], **given)
    except ParameterError as err:
        st.error(plain(str(err)))
        return form, None


def _box(declared: Parameter) -> Any:
    return number_box(declared, declared.default, name=f"sv.{declared.name}")


def _samples() -> int:
    check = _check_samples
    held = int(value("sv.samples", _SAMPLES, check))
    st.number_input(
        "Runs N a query",
        value=held,
        step=100,
        key=place("pc.sv.samples", held),
        on_change=on("pc.sv.samples", lambda given: change(check, **{"sv.samples": given})),
    )
    return held


def _check_samples(given: object) -> int:
    return check_integer("samples", given, low=1, high=1_000_000)

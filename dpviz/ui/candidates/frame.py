"""The head of the page: what is chosen from what, at what price, the figures that matter, and the views."""

import streamlit as st

from dpviz.candidates import naive_epsilon
from dpviz.charts.words import count, number, percent
from dpviz.errors import ParameterError
from dpviz.registry import Registry
from dpviz.ui.candidates.desk import Chosen
from dpviz.ui.candidates.pools import Made, price
from dpviz.ui.candidates.values import change, value
from dpviz.ui.candidates.words import settings, words
from dpviz.ui.controls import on, place
from dpviz.ui.show import card
from dpviz.ui.text import plain

__all__ = ["VIEWS", "cards", "exact", "title", "view"]

VIEWS: Registry[str] = Registry("view")
for _name, _label in (
    ("outcome", "What comes out"),
    ("price", "What it costs"),
    ("stop", "When to stop"),
    ("percentile", "Find a good one"),
    ("leaks", "What leaks"),
):
    VIEWS.add(_name, _name, label=_label)


def total(of: Chosen) -> tuple[float, float] | str:
    """The total (ε, δ) of the chosen rule, or why its theorem does not cover these candidates."""
    try:
        return of.rule.total_epsilon(*price())
    except ParameterError as err:
        return str(err)


def title(of: Chosen) -> None:
    """What is chosen and at what price; how the pool and the rule are set."""
    made, (epsilon, delta) = of.made, price()
    size = made.pool.size
    paid = total(of)
    heading = f"One of {count(size, 'private candidate')}, chosen"
    if not isinstance(paid, str):
        heading += f" for ε = {number(paid[0])} in total"
    naive = number(naive_epsilon(size, epsilon))
    run = f"each run costs ε1 = {number(epsilon)}" + (f", δ1 = {number(delta)}" if delta else "")
    st.html(
        '<div class="dp-over">Candidates</div>'
        f'<h1 class="dp-title">{heading}</h1>'
        f'<p class="dp-lead">{words(of.rule.name).does} Publishing the best of one run each would cost ε = {naive}.</p>'
        f'<p class="dp-sub">{made.name} · {settings(of.rule)} · {run}</p>'
    )


def exact(error: float, empirical: bool) -> str:
    """HTML: the badge of a figure, with its error on hover and on focus."""
    told = f"Computed, not simulated. The error of this figure is at most {number(max(error, 1e-16))}."
    if empirical:
        told += " It is exact for the law of the runs that were made."
    return f'<span class="dp-tip" tabindex="0">exact<span role="tooltip">{told}</span></span>'


def cards(of: Chosen) -> None:
    """The headline figures."""
    worth, empirical = of.worth, of.made.empirical
    told = exact(worth.error, empirical)
    paid = total(of)
    spread = float(of.made.pool.level[-1] - of.made.pool.level[0])
    _, delta = price()
    naive = number(naive_epsilon(of.made.pool.size, price()[0]))
    shown = [
        card(
            "Total ε",
            "not covered" if isinstance(paid, str) else number(paid[0]),
            (f"and δ = {number(paid[1])}; " if not isinstance(paid, str) and paid[1] else "")
            + f"the naive best costs {naive}",
            "",
        ),
        card(
            "Mean score",
            "none" if worth.score is None else number(worth.score),
            "of what comes out" + (", when something does" if worth.bottom > 1e-12 else ""),
            exact(worth.error * max(1.0, spread), empirical),
        ),
        card(f"In the top {percent(of.share)}", percent(worth.within), "among the best of all runs", told),
    ]
    if worth.bottom > 1e-12:
        shown.append(card("Nothing", percent(worth.bottom), "⊥: no run is published", told))
    shown.append(card("Runs", number(round(worth.runs, 2)), "made on average, and kept secret", told))
    st.html(f'<div class="dp-cards" role="group" aria-label="Headline figures">{"".join(shown)}</div>')
    if isinstance(paid, str):
        st.warning(plain(f"No total ε for this rule here: {paid}"), icon=":material/info:")
    st.html(f'<p class="dp-how">{_honest(of.made)}</p>')


def _honest(made: Made) -> str:
    ties = "Equal scores share their chance in proportion to their runs, as a coin with each run would settle them."
    if not made.empirical:
        return f"These laws are as typed. {ties}"
    return (
        "ε is about real runs, made anew for a release. The law shown here is that of the runs that were made for this "
        f"page: one of them, drawn with replacement, stands for a new run. {ties}"
        + (f" For comparison: {made.note}." if made.note else "")
    )


def view() -> str:
    """The switch between views; the one that is open."""
    names = list(VIEWS)
    held = str(value("view", names[0]))
    held = held if held in VIEWS else names[0]
    key = "pc.view"
    st.segmented_control(
        "View",
        options=names,
        format_func=VIEWS.label,
        default=held,
        key=place(key, held),
        on_change=on(key, lambda name: change(view=name)),
        label_visibility="collapsed",
        required=True,
    )
    return held

"""The head of the page: what is chosen from what, at what price, the figures that matter, and the views."""

import streamlit as st

from dpviz.base.errors import ParameterError
from dpviz.candidates import CandidateRule, naive_epsilon
from dpviz.charts.words import as_typed, count, number, percent
from dpviz.reports.rule_words import problem, settings, words
from dpviz.reports.shown import candidates as shown
from dpviz.ui.candidates.chosen import Chosen
from dpviz.ui.candidates.parameters import PAGE, VIEWS
from dpviz.ui.candidates.pools import Asked, Made, price
from dpviz.ui.shell import badges, paper, show
from dpviz.ui.shell.show import card
from dpviz.ui.shell.text import plain

_LUCK = (
    "what comes out may pass that, as it is the one of many runs that does best on just the people who score them. "
    "Part of it is luck, which would not last on other people."
)

__all__ = ["cards", "current", "describe", "exact", "honest", "switch", "title"]


def total(rule: CandidateRule) -> tuple[float, float] | str:
    """The total (ε, δ) of a rule, or why its theorem does not cover these candidates."""
    try:
        return rule.total_epsilon(*price())
    except ParameterError as err:
        return problem(err)


def describe(view: str, asked: Asked, rule: CandidateRule) -> None:
    """What prints and exports of the open view are told to show."""
    paper.describe(None, shown(view, asked.name, price(), rule))


def title(view: str, asked: Asked, rule: CandidateRule) -> None:
    """What the open view is about: what is chosen and at what price; how the pool and the rule are set."""
    epsilon, delta = price()
    size = count(asked.size, "private candidate")
    naive = number(naive_epsilon(asked.size, epsilon))
    run = f"each run costs ε1 = {number(epsilon)}" + (f", δ1 = {number(delta)}" if delta else "")
    if view == "leaks":
        _title(
            "What leaks when runs are compared",
            "Each run is private on its own, and still the way to choose among them can give a person away.",
            f"Exact laws of two worst cases · {run}",
        )
        return
    if view == "percentile":
        _title(
            f"The first of {size} that is good often enough",
            "Instead of a run, the search names a candidate; its price does not grow with how many it asks.",
            f"{asked.name} · Percentile sparse vector · {run}",
        )
        return
    paid = total(rule)
    price_told = "" if isinstance(paid, str) else f" for ε = {number(paid[0])} in total"
    _title(
        f"One of {size}, chosen{price_told}",
        f"{words(rule.name).does} Publishing the best of one run each would cost ε = {naive}.",
        f"{asked.name} · {settings(rule)} · {run}",
    )


def _title(heading: str, lead: str, below: str) -> None:
    st.html(
        f'<div class="dp-over">Candidates</div><h1 class="dp-title">{heading}</h1>'
        f'<p class="dp-lead">{lead}</p><p class="dp-sub">{below}</p>'
    )


def exact(error: float, empirical: bool) -> str:
    """HTML: the badge of a figure."""
    return badges.exact(error, " It is exact for the law of the runs that were made." if empirical else "")


def cards(of: Chosen) -> None:
    """The headline figures."""
    worth, empirical = of.worth, of.made.empirical
    badge = exact(worth.error, empirical)
    paid = total(of.rule)
    spread = float(of.made.pool.level[-1] - of.made.pool.level[0])
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
        card(f"In the top {as_typed(of.share)}", percent(worth.within), "among the best of all runs", badge),
    ]
    if worth.bottom > 1e-12:
        shown.append(card("Nothing", percent(worth.bottom), "⊥: no run is published", badge))
    shown.append(card("Runs", number(round(worth.runs, 2)), "made on average, and kept secret", badge))
    show.cards(shown)
    if isinstance(paid, str):
        st.warning(plain(f"No total ε for this rule here: {paid}."), icon=":material/info:")
    beside = f"; {of.made.note}, and why what comes out may pass it" if of.made.note else ""
    st.html(
        f'<details class="dp-menu"><summary>What these figures are the law of{beside}</summary>'
        f'<p class="dp-how">{honest(of.made)}</p></details>'
    )


def honest(made: Made, *, ties: bool = True) -> str:
    """What the laws are laws of, and how equal scores are told apart."""
    shared = "Equal scores share their chance in proportion to their runs, as a coin with each run would settle them."
    if not made.empirical:
        return f"These laws are as typed. {shared if ties else ''}"
    return (
        "ε is about real runs, made anew for a release. The law shown here is that of the runs that were made for this "
        f"page: one of them, drawn with replacement, stands for a new run. {shared if ties else ''}"
        + (f" {made.note[:1].upper()}{made.note[1:]}: {_LUCK}" if made.note and ties else "")
    )


def current() -> str:
    """The view that is open."""
    return PAGE.read()[0].view


def switch(view: str) -> None:
    """The switch between views."""
    PAGE.switch("view", "View", VIEWS.__getitem__, view, label_visibility="collapsed")

"""The sidebar of the page on front groups: δ, the size of the universe, and what counts as a good item."""

from collections.abc import Callable

import streamlit as st

from dpviz.base.scores import Scores
from dpviz.charts.words import number
from dpviz.margin.universe_curve import MOST_UNLISTED
from dpviz.studies.scenario import Scenario
from dpviz.ui.margin.settings import DELTA, negative, page_for, read
from dpviz.ui.shell import state
from dpviz.ui.shell.controls import heading, notice, slider_and_box
from dpviz.ui.shell.text import plain

__all__ = ["controls"]

_DELTAS = [float(f"{m}e{e}") for e in range(-12, -1) for m in (1, 2, 5)]


def controls(scenario: Scenario) -> None:
    """δ and the universe, each by a slider in logarithmic steps and by a box for any value."""
    heading("Large margin")
    if scenario.needs_data:
        return
    scores = state.scores(scenario)
    own = page_for(scenario, scores)
    settings, refused = read(scenario, scores)
    slider_and_box(
        "margin_delta",
        settings.delta,
        lambda value: own.change(delta=value),
        labels=("δ, the slack of (ε, δ)", "δ, exactly"),
        helps=(
            "The chance with which the promise of ε may be broken. " + DELTA.help,
            "Any value between 0 and 1; the slider goes from 10⁻¹² to 0.05.",
        ),
        steps=_DELTAS,
        shown=number,
    )
    _universe(settings.universe, scores, lambda value: own.change(universe=value))
    st.number_input(
        "A good item: at most this far below the best",
        value=settings.good,
        format="%.10g",
        help="In units of the score. It only says what the charts count as good.",
        **own.bound("good", settings.good),
    )
    for sentence in refused:
        st.error(plain(sentence))
    notice("margin")


def _universe(universe: int, scores: Scores, edit: Callable[[int], object]) -> None:
    """K, from the listed items to ten million more."""
    if negative(scores):
        st.html(
            '<p class="dp-note">Some scores are below zero, so items of score zero that nobody listed would not come '
            "last: here the universe is the listed items.</p>"
        )
        return
    d = scores.d
    most = d + MOST_UNLISTED
    round_ones = [m * 10**e for e in range(1, 8) for m in (1, 2, 5)]
    slider_and_box(
        "margin_universe",
        universe,
        edit,
        labels=("K, items in the universe", "K, exactly"),
        helps=(
            "Every item that could come out. Those without a score in the data have score zero and are not listed.",
            f"From the {d:,} listed items to {MOST_UNLISTED:,} more.",
        ),
        steps=[d, *(size for size in round_ones if d < size < most), most],
        shown="{:,}".format,
        ends=None,
    )

"""The sidebar of the page on front groups: δ, the size of the universe, and what counts as a good item."""

import math
from typing import Any

import streamlit as st

from dpviz.base.errors import ParameterError
from dpviz.base.scores import Scores
from dpviz.charts.words import number
from dpviz.margin.universe_curve import MOST_UNLISTED
from dpviz.studies.scenario import Scenario
from dpviz.ui.margin.settings import DELTA, checked, negative, read
from dpviz.ui.shell import state
from dpviz.ui.shell.controls import heading, on, place
from dpviz.ui.shell.text import plain

__all__ = ["controls", "edit"]

_DELTAS = [float(f"{m}e{e}") for e in range(-12, -1) for m in (1, 2, 5)]


def controls(scenario: Scenario) -> None:
    """δ and the universe, each by a slider in logarithmic steps and by a box for any value."""
    heading("Large margin")
    if scenario.needs_data:
        return
    scores = state.scores(scenario)
    told = read(scenario, scores)
    _delta(told.delta)
    _universe(told.universe, scores)
    st.number_input(
        "A good item: at most this far below the best",
        min_value=0.0,
        value=told.good,
        format="%.10g",
        key=place("margin_good", told.good),
        on_change=on("margin_good", lambda value: edit("good", value)),
        help="In units of the score. It only says what the charts count as good.",
    )
    for sentence in (*told.told, *filter(None, [state.notice("margin")])):
        st.error(plain(sentence))


def edit(name: str, value: Any) -> None:
    """Set a parameter of the page; one that these scores do not allow leaves everything as it was."""
    try:
        value = checked(name, value, state.scores())
    except ParameterError as err:
        state.forget()
        state.tell("margin", str(err))
        return
    state.change_page(**{name: value})


def _delta(delta: float) -> None:
    st.select_slider(
        "δ, the slack of (ε, δ)",
        options=sorted({*_DELTAS, delta}),
        format_func=number,
        value=delta,
        key=place("margin_delta_slider", delta),
        on_change=on("margin_delta_slider", lambda value: edit("delta", value)),
        help="The chance with which the promise of ε may be broken. " + DELTA.help,
    )
    st.html('<div class="dp-ends"><span>more privacy</span><span>more accuracy</span></div>')
    st.number_input(
        "δ, exactly",
        min_value=math.nextafter(0.0, 1.0),
        max_value=math.nextafter(1.0, 0.0),
        step=10.0 ** (math.floor(math.log10(delta) + 1e-9) - 1) if delta > 1e-300 else 1e-300,
        format="%.10g",
        value=delta,
        key=place("margin_delta", delta),
        on_change=on("margin_delta", lambda value: edit("delta", value)),
        help="Any value between 0 and 1; the slider goes from 10⁻¹² to 0.05.",
    )


def _universe(universe: int, scores: Scores) -> None:
    """K, from the listed items to ten million more."""
    if negative(scores):
        st.html(
            '<p class="dp-note">Some scores are below zero, so items of score zero that nobody listed would not come '
            "last: here the universe is the listed items.</p>"
        )
        return
    d = scores.d
    st.select_slider(
        "K, items in the universe",
        options=sorted({*_sizes(d), universe}),
        format_func=lambda value: f"{value:,}",
        value=universe,
        key=place("margin_universe_slider", universe),
        on_change=on("margin_universe_slider", lambda value: edit("universe", value)),
        help="Every item that could come out. Those without a score in the data have score zero and are not listed.",
    )
    st.number_input(
        "K, exactly",
        min_value=d,
        max_value=d + MOST_UNLISTED,
        step=1,
        value=universe,
        key=place("margin_universe", universe),
        on_change=on("margin_universe", lambda value: edit("universe", value)),
        help=f"From the {d:,} listed items to {MOST_UNLISTED:,} more.",
    )


def _sizes(d: int) -> list[int]:
    most = d + MOST_UNLISTED
    round_ones = [m * 10**e for e in range(1, 8) for m in (1, 2, 5)]
    return [d, *(size for size in round_ones if d < size < most), most]

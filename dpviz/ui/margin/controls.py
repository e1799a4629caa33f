"""The sidebar of the page on front groups: δ, the size of the universe, and what counts as a good item."""

import math

import streamlit as st

from dpviz.base.glossary import GLOSSARY
from dpviz.base.scores import Scores
from dpviz.charts.words import number, whole
from dpviz.margin.universe_curve import MOST_UNLISTED
from dpviz.studies.pages.margin import DELTA, MOST_DIGITS, MarginSettings, declared_for, negative, read
from dpviz.studies.scenario import Scenario
from dpviz.ui.shell import PageParameters, bound, notice, number_box, plain, side_heading, slider_and_box, state

_POWERS = (8, 9, 12, 15, 20, 30, 50, 70, 100, 150, 200, 250, 300, 400, 500, 700, 1000)
_DELTAS = [float(f"{m}e{e}") for e in range(-12, -1) for m in (1, 2, 5)]


def page_for(scenario: Scenario, scores: Scores) -> PageParameters[MarginSettings]:
    """The page's parameters as these scores allow them."""
    return PageParameters.of(declared_for(scenario, scores), where="margin")


def controls(scenario: Scenario) -> None:
    """δ and the universe, each by a slider in logarithmic steps and by a box for any value."""
    side_heading("Large margin")
    if scenario.needs_data:
        return
    scores = state.scores(scenario)
    own = page_for(scenario, scores)
    settings, refused = read(scenario, scores)
    slider_and_box(
        "margin_delta",
        settings.delta,
        lambda value: own.change(delta=value),
        labels=("δ, the failure chance", "δ, exactly"),
        helps=(
            "" + GLOSSARY["delta"].says + " " + DELTA.help,
            "Any value between 0 and 1; the slider goes from 10⁻¹² to 0.05.",
        ),
        steps=_DELTAS,
        shown=number,
    )
    _universe(settings.universe, scores, own)
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


def _universe(universe: int, scores: Scores, own: PageParameters[MarginSettings]) -> None:
    """K, from the listed items to ten million more, and beyond in powers of ten."""
    if negative(scores):
        st.html(
            '<p class="dp-note">Some scores are below zero, so items of score zero that nobody listed would not come '
            "last: here the universe is the listed items.</p>"
        )
        return
    d = scores.d
    most = d + MOST_UNLISTED
    steps = [d, *(m * 10**e for e in range(1, 8) for m in (1, 2, 5)), most, *(10**e for e in _POWERS)]

    def edit(size: int) -> None:
        listed = size <= most
        own.change(universe=size if listed else None, digits=None if listed else round(math.log10(size)))

    st.select_slider(
        "K, items in the universe",
        options=sorted({*(size for size in steps if size >= d), universe}),
        format_func=whole,
        value=universe,
        help="Every item that could come out. Those without a score in the data have score zero and are not listed.",
        **bound("margin_universe_slider", universe, edit),
    )
    if universe > most:
        power, told = round(math.log10(universe)), "400 stands for 10⁴⁰⁰ items."
        number_box(
            "K, as a power of ten",
            power,
            lambda power: edit(max(d, 10**power)),
            "margin_digits",
            low=1,
            high=MOST_DIGITS,
            step=10,
            help=told,
        )
        return
    told = f"From the {d:,} listed items to {MOST_UNLISTED:,} more; the slider goes on to 10¹⁰⁰⁰."
    number_box("K, exactly", universe, edit, "margin_universe", low=d, high=most, help=told)

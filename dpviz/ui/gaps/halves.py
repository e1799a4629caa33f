"""The two halves of the page, one at a time: noisy top-k and sparse vector."""

import streamlit as st

from dpviz import charts
from dpviz.base.errors import ParameterError
from dpviz.base.scores import Scores
from dpviz.studies.scenario import Scenario
from dpviz.ui.gaps.settings import HALVES, read
from dpviz.ui.gaps.sparse import sparse_vector
from dpviz.ui.gaps.top_k import top_k
from dpviz.ui.gaps.worth_cards import RULES, put
from dpviz.ui.shell import state
from dpviz.ui.shell.controls import on, place
from dpviz.ui.shell.page import banner, title
from dpviz.ui.shell.text import plain

__all__ = ["halves", "no_mechanism"]


def no_mechanism(scenario: Scenario) -> None:
    """Nothing in the sidebar: the mechanisms of this page are not the menu's."""


def halves(scenario: Scenario, scores: Scores, look: charts.Look) -> None:
    """The page, from its title to its last chart."""
    st.html(f"<style>{RULES}</style>")
    try:
        settings = read(scenario, scores)
    except ParameterError as err:
        title(scenario, scores, "Gaps", "", "gaps")
        banner()
        st.error(plain(str(err)))
        st.button("Start this page anew", on_click=_anew, key="gaps_anew")
        return

    def switch() -> None:
        st.segmented_control(
            "What is looked at",
            options=list(HALVES),
            format_func=lambda half: HALVES[half],
            default=settings.half,
            key=place("gaps_half", settings.half),
            on_change=on("gaps_half", lambda half: put("half", half)),
            required=True,
            label_visibility="collapsed",
        )

    if settings.half == "top_k":
        top_k(scenario, scores, look, switch)
    else:
        sparse_vector(scenario, scores, settings, look, switch)
    state.write_link()


def _anew() -> None:
    """Take every parameter of this page out."""
    page = {name: value for name, value in state.scenario().page.items() if not name.startswith("gaps.")}
    state.change(page=page)

"""The page on gaps: noisy top-k (`top_k`) or sparse vector (`sparse`, with one release of it in `run`).

What it computes is `dpviz.studies.pages.gaps`, what it says `dpviz.views.gaps`.
"""

import streamlit as st

from dpviz import charts
from dpviz.base.errors import ParameterError
from dpviz.base.scores import Scores
from dpviz.studies.pages.gaps import HALVES, GapWorth, read
from dpviz.studies.scenario import Scenario
from dpviz.ui.gaps.settings import PAGE
from dpviz.ui.gaps.sparse import sparse_vector
from dpviz.ui.gaps.top_k import top_k
from dpviz.ui.shell import banner, plain, state, title

__all__ = ["draw", "no_mechanism"]


def no_mechanism(scenario: Scenario) -> None:
    """Nothing in the sidebar: the mechanisms of this page are not the menu's."""


def draw(scenario: Scenario, scores: Scores, look: charts.Look) -> None:
    """The page, from its title to its last chart."""
    try:
        settings = read(scenario, scores)
    except ParameterError as err:
        title(scenario, scores, "Gaps", "", "gaps")
        banner()
        st.error(plain(str(err)))
        st.button("Start this page anew", on_click=_anew, key="gaps_anew")
        return

    def switch() -> None:
        label = "What is looked at"
        PAGE.switch("half", label, HALVES.__getitem__, settings.half, label_visibility="collapsed")

    if settings.half == "top_k":
        top_k(GapWorth.of(scenario, scores), look, switch)
    else:
        sparse_vector(scenario, scores, settings, look, switch)
    state.write_link()


def _anew() -> None:
    """Take every parameter of this page out."""
    page = {name: value for name, value in state.scenario().page.items() if not name.startswith("gaps.")}
    state.change(page=page)

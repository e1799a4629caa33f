"""The page on gaps: noisy top-k or sparse vector, one half at a time.

`settings` declares what the page adds to the scenario; read it first. `top_k` and `sparse` are the halves, `run` and
`choices` parts of the second; `gap_answers` is what they compute beside the page, `worth_cards` what they share.
"""

import streamlit as st

from dpviz import charts
from dpviz.base.errors import ParameterError
from dpviz.base.scores import Scores
from dpviz.reports.shown import gaps as shown
from dpviz.studies.scenario import Scenario
from dpviz.ui.gaps.settings import FIRST, HALVES, PAGE, read
from dpviz.ui.gaps.sparse import sparse_vector
from dpviz.ui.gaps.top_k import top_k
from dpviz.ui.shell import state
from dpviz.ui.shell.page import banner, title
from dpviz.ui.shell.text import plain

__all__ = ["FIRST", "halves", "no_mechanism", "shown"]


def no_mechanism(scenario: Scenario) -> None:
    """Nothing in the sidebar: the mechanisms of this page are not the menu's."""


def halves(scenario: Scenario, scores: Scores, look: charts.Look) -> None:
    """The page, from its title to its last chart."""
    try:
        settings = read(scores)
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
        top_k(scenario, scores, look, switch)
    else:
        sparse_vector(scenario, scores, settings, look, switch)
    state.write_link()


def _anew() -> None:
    """Take every parameter of this page out."""
    page = {name: value for name, value in state.scenario().page.items() if not name.startswith("gaps.")}
    state.change(page=page)

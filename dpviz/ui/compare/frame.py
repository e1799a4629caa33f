"""The head of the page and the line that says what is still under way."""

from collections.abc import Sequence

import streamlit as st

from dpviz.base.scores import Scores
from dpviz.charts.words import count
from dpviz.studies.scenario import Scenario
from dpviz.ui.compare.figures import lead
from dpviz.ui.compare.marks import rules
from dpviz.ui.compare.sides import Side
from dpviz.ui.shell import page
from dpviz.ui.work import pending as watch
from dpviz.ui.work.desk import desk

__all__ = ["pending", "title"]


def title(scenario: Scenario, scores: Scores, of: Sequence[Side]) -> None:
    """What is compared, and the one sentence that matters most."""
    st.html(rules())
    page.title(scenario, scores, "Compare", lead(of), count(len(of), "mechanism"))


def pending() -> None:
    """What became of the work on the laws, if it is not simply done."""
    watch.pending(*desk().jobs("laws", "maps"), key="laws")

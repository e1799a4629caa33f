"""How charts look on this page: the theme that the person chose, and the presenter's size."""

import os

import streamlit as st

from dpviz import charts
from dpviz.base import THEME
from dpviz.web.session import state

_LARGE = 1.7  # no text on a chart is then smaller than 20 pixels


def look() -> charts.Look:
    """The look of every chart on the page."""
    chosen = charts.DARK if dark() else charts.LIGHT
    return chosen.enlarged(_LARGE) if state.presenting() else chosen


def dark() -> bool:
    """Whether the page is dark."""
    return (os.environ.get(THEME) or st.context.theme.type) == "dark"

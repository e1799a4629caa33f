"""How charts look on this page: the theme that the person chose, and the presenter's size."""

import os

import streamlit as st

from dpviz import charts
from dpviz.base import THEME
from dpviz.web.session import state

_LARGE = 1.7  # no text on a chart is then smaller than 20 pixels


def current_look() -> charts.Look:
    """The look of every chart on the page."""
    chosen = charts.DARK if is_dark() else charts.LIGHT
    return chosen.with_text_scale(_LARGE) if state.is_presenting() else chosen


def is_dark() -> bool:
    """Whether the page is dark."""
    return (os.environ.get(THEME) or st.context.theme.type) == "dark"

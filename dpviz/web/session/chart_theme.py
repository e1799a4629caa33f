"""The look of charts on this page: the person's theme, and the presenter's text size."""

import os
from dataclasses import replace

import streamlit as st

from dpviz import charts
from dpviz.base import THEME
from dpviz.web.session import state

_LARGE = 1.7  # no text on a chart is then smaller than 20 pixels


def current_look() -> charts.Look:
    chosen = charts.DARK if is_dark() else charts.LIGHT
    return replace(chosen, scale=_LARGE) if state.is_presenting() else chosen


def is_dark() -> bool:
    return (os.environ.get(THEME) or st.context.theme.type) == "dark"

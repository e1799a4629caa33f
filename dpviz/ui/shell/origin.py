"""Where the scores of now came from, as the screen calls it, and the name that a person gives them.

Invariant: a file's own name stays on the screen of whoever loaded it; links, prints and files have the given name.
"""

from dataclasses import replace

import streamlit as st

from dpviz.studies.about import data_name
from dpviz.studies.scenario import Scenario
from dpviz.ui.shell import state
from dpviz.ui.shell.controls import bound
from dpviz.ui.shell.text import bidi

__all__ = ["came_from", "data_shown", "shown_from", "shown_line"]

_FROM = "dpviz.from"


def came_from(name: str) -> None:
    """Say what the scores of now were taken from."""
    st.session_state[_FROM] = name


def shown_from(scenario: Scenario) -> str:
    """What uploaded scores were taken from, for the screen alone: links, prints and exports do not have it."""
    return str(st.session_state.get(_FROM, "")) if scenario.data.source == "uploaded" else ""


def data_shown(scenario: Scenario) -> str:
    """HTML: what the data are called, and on the screen what they were taken from."""
    origin = shown_from(scenario)
    taken = f' <span class="dp-screen">({bidi(origin)})</span>' if origin else ""
    return bidi(data_name(scenario.data)) + taken


def shown_line(scenario: Scenario) -> None:
    """What is shown, and the name that a person gives uploaded data."""
    spec, scores = scenario.data, state.scores(scenario)
    origin = shown_from(scenario)
    told = f"{data_name(spec)} ({origin})" if spec.called and origin else origin or data_name(spec)
    size = f"d = {scores.d:,}, Δ = {scores.sensitivity:.10g}"
    st.html(f'<p class="dp-note" role="status"><strong>Shown: {bidi(told)}</strong><br>{size}</p>')
    if spec.source == "uploaded":
        st.text_input(
            "Name of these data",
            value=spec.called or "",
            placeholder="not named",
            max_chars=200,
            help="It stands on prints, charts, tables and files, and in the link. Without it they say “Your own "
            "scores”; a file's own name is shown on this screen alone.",
            **bound("called", spec.called or "", _call),
        )


def _call(name: str) -> None:
    state.change("data", data=replace(state.scenario().data, called=name or None))

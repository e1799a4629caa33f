"""Sharing a scenario: its link and its file."""

from urllib.parse import urlencode

import streamlit as st

from dpviz.base.errors import ParameterError
from dpviz.studies.scenario import Scenario
from dpviz.ui.shell import state
from dpviz.ui.shell.text import plain

__all__ = ["draw"]


def draw(scenario: Scenario) -> None:
    """The link, and the file down and up."""
    st.space("small")
    box = st.popover("Share or save", icon=":material/link:", width="stretch", on_change="rerun", key="share")
    if box.open:
        with box:
            _link(scenario)
            _file(scenario)


def _link(scenario: Scenario) -> None:
    st.markdown("**Link to what you see**")
    st.code(f"{st.context.url or ''}?{urlencode(state.link())}", language=None, wrap_lines=True)
    holds = "It names no item and holds no score" + (
        ": whoever opens it is asked for the file." if scenario.data.source == "uploaded" else "."
    )
    st.caption(holds + " The address of this page is the same link.")


def _file(scenario: Scenario) -> None:
    st.markdown("**As a file**")
    st.download_button(
        "Download scenario",
        data=scenario.to_json,
        file_name="dpviz-scenario.json",
        mime="application/json",
        on_click="ignore",
        icon=":material/download:",
        width="stretch",
    )
    if scenario.scores is not None:
        st.caption("The file holds the scores and labels that you loaded: treat it as you treat them.")
    st.file_uploader("Open a scenario file", type=["json"], key="scenario_file", on_change=_load)
    sentence = state.notice("scenario file")
    if sentence:
        st.error(plain(sentence))


def _load() -> None:
    file = st.session_state["scenario_file"]
    if file is None:
        return
    try:
        state.replace(Scenario.from_json(file.getvalue()))
    except ParameterError as err:
        state.tell("scenario file", f"{file.name} was not opened: {err}")

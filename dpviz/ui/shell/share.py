"""Sharing a scenario: its name, its link, its files.

Invariant: what is given away and what stays is said beside each way; a copy to circulate holds no score and no label.
"""

import streamlit as st

from dpviz.base.errors import ParameterError
from dpviz.data.ingest import read_safely
from dpviz.studies.scenario import Scenario
from dpviz.ui.shell import origin, paper, state, takeaway
from dpviz.ui.shell.controls import bound, notice
from dpviz.ui.shell.text import plain

__all__ = ["draw"]

_OPENED = "dpviz.files.opened"  # how many files: each has a control of its own, so none keeps a refused name
_WHOLE = "dpviz.files.whole"  # the last one is what is shown now


def draw(scenario: Scenario) -> None:
    """The way to the link and the files."""
    if st.button("Share or save", icon=":material/link:", width="stretch", key="share"):
        state.forget()
        st.session_state.pop(_WHOLE, None)
        _share()


@st.dialog("Share or save", width="large", on_dismiss="rerun")
def _share() -> None:
    scenario = state.scenario()
    st.text_input(
        "Name of this scenario",
        value=scenario.name,
        placeholder="none",
        max_chars=200,
        help="It stands on prints, charts and tables, in the link and in the file.",
        **bound("scenario_name", scenario.name, lambda name: state.change("share", name=name)),
    )
    notice("share")
    _link(scenario)
    left, right = st.columns(2, gap="large")
    with left:
        _files(scenario)
    with right:
        _open()
    takeaway.draw(scenario)


def _link(scenario: Scenario) -> None:
    st.markdown("**Link to what you see**")
    st.code(paper.link(), language=None, wrap_lines=True)
    holds = "It names no item and holds no score" + (
        ": whoever opens it is asked for the file." if scenario.data.source == "uploaded" else "."
    )
    st.caption(holds + " The address of this page is the same link. On paper: print the page from the browser.")


def _files(scenario: Scenario) -> None:
    st.markdown("**As a file**")
    own = scenario.scores is not None
    file = paper.shown_now().file_name("scenario")
    _download("Download scenario", scenario, f"{file}.json", "scenario_file_full")
    if own:
        st.caption("It holds the scores and labels that you loaded: treat it as you treat them.")
        _download("Download a copy without scores", scenario.to_circulate(), f"{file}-no-scores.json", "scenario_copy")
        st.caption("To circulate: no score, no label, no seed. Whoever opens it is asked for the file.")


def _download(label: str, scenario: Scenario, file: str, key: str) -> None:
    st.download_button(
        label,
        data=scenario.to_json,
        file_name=file,
        mime="application/json",
        on_click="ignore",
        icon=":material/download:",
        width="stretch",
        key=key,
    )


def _open() -> None:
    st.markdown("**From a file**")
    opened = st.session_state.setdefault(_OPENED, 0)
    st.file_uploader("Open a scenario file", type=["json"], key=f"scenario_file~{opened}", on_change=_load)
    sentence = state.notice("scenario file")
    if sentence:
        st.error(plain(sentence))
    if st.session_state.pop(_WHOLE, False):
        st.rerun()


def _load() -> None:
    file = st.session_state[f"scenario_file~{st.session_state[_OPENED]}"]
    if file is None:
        return
    st.session_state[_OPENED] += 1
    try:
        state.replace(read_safely(file.name, Scenario.from_json, file.getvalue()))
        origin.came_from(file.name)
        st.session_state[_WHOLE] = True
    except ParameterError as err:
        state.tell("scenario file", f"{file.name} was not opened: {err}")

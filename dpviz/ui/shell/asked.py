"""The page of a link that was made with uploaded data: what they were, and a place to drop them."""

import streamlit as st

from dpviz.base.scores import ADDED, REPLACED
from dpviz.studies.scenario import DataSpec, Scenario
from dpviz.ui.shell import state
from dpviz.ui.shell.incoming import scores_file
from dpviz.ui.shell.taken import SAYS
from dpviz.ui.shell.text import bidi, plain

__all__ = ["ask_for_data"]


def ask_for_data(scenario: Scenario) -> None:
    """Say what the link tells of its data, and take them."""
    spec = scenario.data
    size = "not told" if spec.d is None else f"{spec.d:,} items"
    most = "" if spec.contributions is None else f", who counts in at most {spec.contributions:,} items"
    rows = {
        "Data": bidi(spec.called) if spec.called else "the link does not name them",
        "Size": size,
        "Neighbours": f"{ADDED if spec.monotonic else REPLACED}{most}, Δ = {spec.sensitivity:.10g}",
        "Looked at": f"ε = {scenario.epsilon:.10g}, k = {scenario.k:,}",
    }
    st.html(
        '<h1 class="dp-title">This link was made with data that it does not hold</h1>'
        '<p class="dp-lead">Links never hold scores. Whoever sent it has the file; drop it here to see the same.</p>'
        + "".join(f'<div class="dp-row"><span>{what}</span>{value}</div>' for what, value in rows.items())
    )
    scores_file("Drop the file with a score for each item", "asked_file", SAYS)
    sentence = state.notice("data")
    if sentence:
        st.error(plain(sentence))
    st.button("Show an example instead", on_click=_example_instead, icon=":material/table_chart:")
    st.caption("An event log, pasted scores and generated ones are under Data in the sidebar.")


def _example_instead() -> None:
    state.replace(state.scenario().replace(data=DataSpec()))

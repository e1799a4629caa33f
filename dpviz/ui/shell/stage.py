"""The stage: a slim strip at the top of every page, in sight while one scrolls.

It holds what governs the page (ε and k, or what stands for them), what takes the last change back, and the presenter
view. Everything else is in the sidebar.
"""

from collections.abc import Callable

import streamlit as st

from dpviz.studies.scenario import Scenario
from dpviz.ui.shell import state
from dpviz.ui.shell.controls import STAGE, notice


def draw(scenario: Scenario, controls: Callable[[Scenario], None]) -> None:
    """The strip with these controls in it."""
    with st.container(key="stage", gap=None):
        with st.container(key="stage_row", horizontal=True, vertical_alignment="center", gap="small"):
            controls(scenario)
            _undo(scenario)
            present()
        notice(STAGE)


def _undo(scenario: Scenario) -> None:
    before = state.undone()
    help = "Nothing was changed yet."
    if before is not None:
        help = f"Take the last change back: {_changed(before, scenario)}. Ctrl+Z"
    st.button(
        "Undo",
        icon=":material/undo:",
        key="undo",
        on_click=state.undo,
        disabled=before is None,
        help=help,
        type="tertiary",
    )


def _changed(before: Scenario, now: Scenario) -> str:
    if before.data != now.data or before.scores != now.scores:
        return "the data"
    if before.epsilon != now.epsilon:
        return f"ε from {before.epsilon:.10g} to {now.epsilon:.10g}"
    if before.k != now.k:
        return f"k from {before.k:,} to {now.k:,}"
    return "the mechanism" if before.designs != now.designs else "a setting"


def present() -> None:
    """The button for the presenter view."""
    on = state.presenting()
    st.button(
        "Leave the presenter view" if on else "Presenter view",
        icon=":material/close_fullscreen:" if on else ":material/present_to_all:",
        key="presenter",
        on_click=state.present,
        help=f"{'Back to all controls' if on else 'Large type for a projector; the other controls fold away'}. Key P",
        type="tertiary",
    )

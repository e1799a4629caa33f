"""What the page Compare adds to the scenario, and the designs in the sidebar: two to six, each with its parameters."""

import streamlit as st

from dpviz.charts.look import LIGHT, MOST_DESIGNS, identity
from dpviz.studies.design import Design
from dpviz.studies.pages.compare import LEAST, STARTING, CompareSettings
from dpviz.studies.scenario import Scenario
from dpviz.topk.mechanism import TOP_K
from dpviz.ui.shell import state
from dpviz.ui.shell.controls import design_editor, heading, notice
from dpviz.ui.shell.page_parameters import PageParameters
from dpviz.ui.shell.text import plain

PAGE = PageParameters(CompareSettings)


def begin() -> None:
    """Bring the scenario to two to six designs: a single one is joined by those one starts with."""
    given = state.scenario().designs
    others = [design for design in STARTING if design not in given]
    wanted = given if len(given) >= LEAST else (*given, *others)[: len(STARTING)]
    if len(given) > MOST_DESIGNS:
        state.tell("page", f"{len(given)} mechanisms were given; the first {MOST_DESIGNS} are compared.")
    if wanted[:MOST_DESIGNS] != given:
        state.settle(designs=wanted[:MOST_DESIGNS])


def designs(scenario: Scenario) -> None:
    """A folded editor for each design, and a button for one more."""
    heading("Mechanisms")
    for number, design in enumerate(scenario.designs):
        letter = identity(number, LIGHT).letter
        name = design.label_for(scenario.k, scenario.data.contributions)
        with (
            st.container(key=f"design_{letter}"),
            st.popover(f"**{letter}** {plain(name)}", width="stretch", key=f"design_{number}.box"),
        ):
            _editor(number, design, len(scenario.designs))
    if len(scenario.designs) < MOST_DESIGNS:
        st.button("Add a mechanism", icon=":material/add:", width="stretch", on_click=_add, key="design_add")
    notice("designs")


def _editor(number: int, design: Design, several: int) -> None:
    key = f"design_{number}"
    design_editor(number, design, f"{key}.")
    with st.container(horizontal=True):
        st.button(
            "Duplicate",
            icon=":material/content_copy:",
            key=f"{key}.duplicate",
            on_click=_repeat,
            args=(number, 2),
            disabled=several >= MOST_DESIGNS,
        )
        st.button(
            "Remove",
            icon=":material/close:",
            key=f"{key}.remove",
            on_click=_repeat,
            args=(number, 0),
            disabled=several <= LEAST,
        )


def _add() -> None:
    """The first of the usual designs that is not there yet, else the last one once more."""
    now = state.scenario().designs
    usual = (*STARTING, *(Design(mechanism=name) for name in TOP_K))
    new = next((design for design in usual if design not in now), now[-1])
    state.change("designs", designs=(*now, new))


def _repeat(number: int, times: int) -> None:
    """The design with this number stands so many times: twice, or not at all."""
    now = state.scenario().designs
    state.change("designs", designs=now[:number] + now[number : number + 1] * times + now[number + 1 :])

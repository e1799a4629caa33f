"""The designs in the sidebar: each with its mechanism and parameters; add, duplicate, remove."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from dpviz.base.parameters import parameters
from dpviz.charts.identity import MOST, identity
from dpviz.charts.look import LIGHT
from dpviz.studies.scenario import Design, Scenario
from dpviz.topk.mechanism import TOP_K
from dpviz.ui.compare.sides import LEAST, STARTING
from dpviz.ui.shell import state
from dpviz.ui.shell.controls import heading, on, parameter_control, place
from dpviz.ui.shell.text import plain

__all__ = ["designs"]

_SHARED = {"epsilon", "k"}


def designs(scenario: Scenario) -> None:
    """A folded editor for each design, and a button for one more."""
    heading("Mechanisms")
    for number, design in enumerate(scenario.designs):
        letter = identity(number, LIGHT).letter
        with (
            st.container(key=f"design_{letter}"),
            st.popover(f"**{letter}** {plain(design.label)}", width="stretch", key=f"design_{number}.box"),
        ):
            _editor(number, design, len(scenario.designs))
    if len(scenario.designs) < MOST:
        st.button("Add a mechanism", icon=":material/add:", width="stretch", on_click=_add, key="design_add")
    sentence = state.notice("designs")
    if sentence:
        st.error(plain(sentence))


def _editor(number: int, design: Design, several: int) -> None:
    key = f"design_{number}"
    st.selectbox(
        "Mechanism",
        options=list(TOP_K),
        format_func=TOP_K.label,
        index=list(TOP_K).index(design.mechanism),
        key=place(f"{key}.mechanism", design.mechanism),
        on_change=on(f"{key}.mechanism", lambda name: _put(number, Design(mechanism=name))),
    )
    for declared in parameters(TOP_K[design.mechanism]):
        if declared.name not in _SHARED:
            edit = _editing(number, design.mechanism, declared.name)
            parameter_control(
                declared, design.parameters[declared.name], edit, f"{key}.{design.mechanism}.{declared.name}"
            )
    with st.container(horizontal=True):
        st.button(
            "Duplicate",
            icon=":material/content_copy:",
            key=f"{key}.duplicate",
            on_click=_duplicate,
            args=(number,),
            disabled=several >= MOST,
        )
        st.button(
            "Remove",
            icon=":material/close:",
            key=f"{key}.remove",
            on_click=_remove,
            args=(number,),
            disabled=several <= LEAST,
        )


def _editing(number: int, mechanism: str, name: str) -> Callable[[Any], None]:
    def edit(value: Any) -> None:
        now = state.scenario().designs
        if number < len(now) and now[number].mechanism == mechanism:
            _put(number, Design(mechanism=mechanism, parameters={**now[number].parameters, name: value}))

    return edit


def _put(number: int, design: Design) -> None:
    now = state.scenario().designs
    state.change("designs", designs=(*now[:number], design, *now[number + 1 :]))


def _add() -> None:
    """The first of the usual designs that is not there yet, else the last one once more."""
    now = state.scenario().designs
    usual = (*STARTING, *(Design(mechanism=name) for name in TOP_K))
    new = next((design for design in usual if design not in now), now[-1])
    state.change("designs", designs=(*now, new))


def _duplicate(number: int) -> None:
    now = state.scenario().designs
    state.change("designs", designs=(*now[: number + 1], now[number], *now[number + 1 :]))


def _remove(number: int) -> None:
    now = state.scenario().designs
    state.change("designs", designs=(*now[:number], *now[number + 1 :]))

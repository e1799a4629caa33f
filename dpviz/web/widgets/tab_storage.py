"""Uploaded scores kept in the person's own tab, on request, so that they survive a reload.

Invariant: it keeps items, scores and answers about them, never rows of a log.
"""

import json

import streamlit as st

from dpviz.base import ParameterError
from dpviz.data.reading import read_in_limited_process
from dpviz.studies import Scenario
from dpviz.web.jobs import session_cache
from dpviz.web.server.static_files import read_asset
from dpviz.web.session import SessionValue, defer_to_next_run, state
from dpviz.web.widgets.controls import bind_control
from dpviz.web.widgets.elements import FROM, component, show_paragraph, upload_source_name

MOST = 2_000_000
"""Characters that a tab may keep: browsers allow a few million for each site."""
_KEY = "tab"
_WANTED: SessionValue[bool] = SessionValue("tab.wanted", bool)  # True if the tab is to keep them
GIVEN: SessionValue[bool] = SessionValue("tab.given", bool)  # True if it may hold something
_ASKED: SessionValue[bool] = SessionValue("tab.asked", bool)  # True once it said what it holds


def show_keep_upload_switch(scenario: Scenario) -> None:
    """Switch to keep uploaded scores over a reload."""
    if scenario.scores is None:
        return
    wanted = _WANTED.value
    st.toggle(
        "Keep the data after reloading", value=wanted, **bind_control("keep", wanted, _WANTED.put)
    )
    if not wanted:
        return
    if len(_text(scenario)) > MOST:
        show_paragraph(
            "There are too many scores to keep. After reloading, please load the file again.",
            "note",
        )
    else:
        show_paragraph(
            "This browser tab keeps the items and scores, but no rows of a log. They are deleted"
            " when you close the tab.",
            "note",
        )


def sync_tab_storage(scenario: Scenario) -> None:
    """Give the tab its scores, or ask it for those that the address needs."""
    wanted = _WANTED.value and scenario.scores is not None and len(_text(scenario)) <= MOST
    if scenario.needs_data and not _ASKED.value:
        data: dict[str, object] = {"ask": True}
    elif not scenario.needs_data and (wanted or GIVEN.value):
        GIVEN.put(True)
        data = {"text": _text(scenario) if wanted else None}
    else:
        return
    component(
        "dpviz_tab",
        read_asset("tab_storage.js"),
        data=data,
        key=_KEY,
        on_held_change=_held,
        on_full_change=_full,
    )


def _text(scenario: Scenario) -> str:
    """Text for the tab, made once for these scores and answers."""

    def make() -> str:
        kept = {
            "from": upload_source_name(scenario),
            "scenario": _begun(Scenario(data=scenario.data, scores=scenario.scores, k=1)),
        }
        return json.dumps(kept, ensure_ascii=False)

    key = f"{scenario.data} {'' if scenario.scores is None else scenario.scores.digest}"
    return str(session_cache("tab", 1).get_or_make(key, make))


def _begun(scenario: Scenario) -> str:
    """Scenario's JSON, cut off once it is longer than a tab may keep."""
    begun = ""
    for piece in scenario.json_pieces():
        begun += piece
        if len(begun) > MOST:
            break
    return begun


def _full() -> None:
    _WANTED.put(False)
    state.set_notice(
        "data",
        "This browser cannot keep these scores. After reloading, please load the file again.",
    )


def _held() -> None:
    _ASKED.put(True)
    held = (st.session_state.get(_KEY) or {}).get("held")
    if isinstance(held, str) and held:
        defer_to_next_run(_take, held)


def _take(held: str) -> None:
    """Show the kept scores where the address asks for them."""
    scenario = state.scenario()
    try:
        name, kept = read_in_limited_process("what this tab kept", _read, held)
    except ParameterError:
        return
    if scenario.needs_data and kept.data == scenario.data and kept.scores is not None:
        state.change_without_undo(scores=kept.scores)
        FROM.put(name)
        _WANTED.put(True)
        GIVEN.put(True)


def _read(held: str) -> tuple[str, Scenario]:
    """Name of the file, and the scores with their answers; raises `ParameterError`."""
    try:
        content = json.loads(held)
        name, text = str(content["from"])[:200], str(content["scenario"])
    except (ValueError, RecursionError, LookupError, TypeError) as err:
        raise ParameterError(
            "what this tab kept", "something else", "scores that dpviz gave it"
        ) from err
    return name, Scenario.from_json(text)

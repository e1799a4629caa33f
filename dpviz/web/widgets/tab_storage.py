"""Uploaded scores that the person's own tab keeps, if she asks for it, so that a reload does not
lose them.

What is kept are items and their scores with what was said of them, never rows of a log; the browser
holds it for this tab alone and forgets it with the tab. Invariant: what comes back is shown only
where the address asks for just these data: a link from somebody else asks for its own file.
"""

import json
from dataclasses import dataclass
from functools import partial

import streamlit as st

from dpviz.base import ParameterError, Scores
from dpviz.data.reading import read_safely
from dpviz.studies import DataSpec, Scenario
from dpviz.web.server.static_files import read_asset
from dpviz.web.session import state
from dpviz.web.session.deferred_calls import defer_to_next_run
from dpviz.web.session.slot import SessionValue
from dpviz.web.widgets import data_source
from dpviz.web.widgets.controls import bind_control
from dpviz.web.widgets.style import component
from dpviz.web.widgets.text import paragraph

MOST = 2_000_000
"""Characters that a tab is given to keep: browsers hold a few millions for each site."""
_KEY = "tab"
_REFUSED = "This browser keeps nothing for a tab, or less than these scores take."


@dataclass(frozen=True)
class _Text:
    """What the tab is given, and what it is made of: it is made once."""

    of: tuple[DataSpec, Scores]
    text: str


_WANTED: SessionValue[bool] = SessionValue("tab.wanted", bool)  # whether this tab is to keep them
_GIVEN: SessionValue[bool] = SessionValue(
    "tab.given", bool
)  # whether it may hold something of this session
_ASKED: SessionValue[bool] = SessionValue("tab.asked", bool)  # whether it has told what it holds
_TEXT: SessionValue[_Text | None] = SessionValue("tab.text", lambda: None)


def show_keep_switch(scenario: Scenario) -> None:
    """Whether the tab keeps the scores over a reload; asked of uploaded ones."""
    if scenario.scores is None:
        return
    wanted = _WANTED.value
    st.toggle("Keep them over a reload", value=wanted, **bind_control("keep", wanted, _WANTED.put))
    if not wanted:
        return
    if _too_long(scenario):
        paragraph(
            "They are too many to be kept in a tab: after a reload the file is asked for.", "note"
        )
    else:
        paragraph(
            "Items and scores, no rows of a log, stay in this tab of your browser, and go when it"
            " is closed.",
            "note",
        )


def sync_tab_storage(scenario: Scenario) -> None:
    """Give the tab what it is to keep, or ask it for what the address needs."""
    if scenario.needs_data:
        if not _ASKED.value:
            component(
                "dpviz_tab",
                read_asset("tab_storage.js"),
                data={"ask": True},
                key=_KEY,
                on_held_change=_held,
            )
        return
    wanted = _WANTED.value and scenario.scores is not None and not _too_long(scenario)
    if wanted or _GIVEN.value:
        _GIVEN.put(True)
        text = _text(scenario) if wanted else None
        component(
            "dpviz_tab",
            read_asset("tab_storage.js"),
            data={"text": text},
            key=_KEY,
            on_full_change=_full,
        )


def _text(scenario: Scenario) -> str:
    made, scores = _TEXT.value, scenario.scores
    if made is None or made.of != (scenario.data, scores) or scores is None:
        kept = _begun(Scenario(data=scenario.data, scores=scores, k=1))
        text = json.dumps(
            {"from": data_source.upload_source_name(scenario), "scenario": kept}, ensure_ascii=False
        )
        made = _Text((scenario.data, state.scores(scenario)), text)
        _TEXT.put(made)
    return made.text


def _begun(scenario: Scenario) -> str:
    """Its file; of one that no tab is given, so much that this is seen."""
    begun = ""
    for piece in scenario.json_pieces():
        begun += piece
        if len(begun) > MOST:
            break
    return begun


def _too_long(scenario: Scenario) -> bool:
    return len(_text(scenario)) > MOST


def _full() -> None:
    _WANTED.put(False)
    state.set_notice("data", _REFUSED)


def _held() -> None:
    """What the tab told: all that it holds."""
    _ASKED.put(True)
    held = (st.session_state.get(_KEY) or {}).get("held")
    if isinstance(held, str) and held:
        defer_to_next_run(partial(_take, held))


def _take(held: str) -> None:
    """Show what the tab kept, where it is what the address asks for; what another page wrote there
    is left.
    """
    scenario = state.scenario()
    try:
        name, kept = read_safely("what this tab kept", _read, held)
    except ParameterError:
        return
    if scenario.needs_data and kept.data == scenario.data and kept.scores is not None:
        state.change_without_undo(scores=kept.scores)
        data_source.FROM.put(name)
        _WANTED.put(True)
        _GIVEN.put(True)


def _read(held: str) -> tuple[str, Scenario]:
    """The name of the file, and the scores with what was said of them. Raises `ParameterError`."""
    try:
        content = json.loads(held)
        name, text = str(content["from"])[:200], str(content["scenario"])
    except (ValueError, RecursionError, LookupError, TypeError) as err:
        raise ParameterError(
            "what this tab kept", "something else", "scores that dpviz gave it"
        ) from err
    return name, Scenario.from_json(text)

"""A component without a face that asks, ever less often, whether something has come.

It asks again a while after the answer to its last question has come. Streamlit drops what a run has drawn and not yet
sent where the next one begins at that moment; so each drawing has a mark, which the browser tells with its question:
one that asks from an older drawing never got the last.
"""

import secrets
from collections.abc import Callable

import streamlit as st

from dpviz.ui.shell.style import asset

__all__ = ["marks_told", "watch", "watches"]

_ANSWERED = 4.0  # seconds in which an answer is there, or will not come any more


def watches() -> bool:
    """Whether this Streamlit has components whose callback may run single parts of a page."""
    return hasattr(st.components, "v2")


def watch(key: str, tick: Callable[[], None], first: float, most: float) -> str:
    """Draw it: `tick` is called after `first` seconds, then ever less often, until every `most`. Its mark."""
    mark = secrets.token_hex(4)
    component = st.components.v2.component("dpviz_watch", js=asset("watch.js"))
    seconds = {"first": first, "most": most, "answered": _ANSWERED}
    component(data={**seconds, "mark": mark, "key": key}, key=_key(key), on_tick_change=tick)
    return mark


def marks_told(key: str) -> dict[str, str]:
    """The mark of each that the browser shows, by its key, as this one tells while its `tick` is called."""
    told = st.session_state.get(_key(key), {}).get("tick")
    return told.get("marks", {}) if isinstance(told, dict) else {}


def _key(key: str) -> str:
    return f"{key}_watch"

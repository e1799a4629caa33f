"""An invisible component that asks, ever less often, if something has come.

It asks again some time after its last question was answered. Streamlit drops drawings that are not
sent yet when the next run begins. So each drawing has a mark, and the browser sends its mark with
each question: an old mark shows that the last drawing never arrived.
"""

import secrets
from collections.abc import Callable
from dataclasses import asdict, dataclass

import streamlit as st

from dpviz.web.server.static_files import read_asset
from dpviz.web.widgets.style import component

_ANSWERED = 4.0  # seconds in which an answer is there, or will not come any more


@dataclass(frozen=True)
class PollPace:
    """Seconds to the first question and, at most, to the next; `unseen` asks in hidden windows too."""

    first: float
    most: float
    unseen: bool = True


def run_watch_component(key: str, tick: Callable[[], None], pace: PollPace, mark: str = "") -> None:
    """Draw it with this mark; `tick` is called whenever it asks."""
    component(
        "dpviz_watch",
        read_asset("progress_poller.js"),
        data={
            **asdict(pace),
            "answered": _ANSWERED,
            "mark": mark,
            "key": key,
            "answer": new_mark(),
        },
        key=_key(key),
        on_tick_change=tick,
    )


def new_mark() -> str:
    return secrets.token_hex(4)


def browser_marks(key: str) -> dict[str, str]:
    """Marks that the browser shows, by key; readable while a `tick` is called."""
    asked = st.session_state.get(_key(key), {}).get("tick")
    return asked.get("marks", {}) if isinstance(asked, dict) else {}


def _key(key: str) -> str:
    return f"{key}_watch"

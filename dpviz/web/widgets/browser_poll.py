"""A component without a face that asks, ever less often, whether something has come.

It asks again a while after the answer to its last question has come. Streamlit drops what a run has
drawn and not yet sent where the next one begins at that moment; so each drawing has a mark, which
the browser tells with its question: one that asks from an older drawing never got the last.
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
    """Seconds until it asks: `first`, then ever more, up to `most`; `unseen` where it asks behind
    other windows too.
    """

    first: float
    most: float
    unseen: bool = True


def run_watch_component(key: str, tick: Callable[[], None], pace: PollPace, mark: str = "") -> None:
    """Draw it with this mark: `tick` is called whenever it asks."""
    asks = {**asdict(pace), "answered": _ANSWERED, "mark": mark, "key": key, "answer": new_mark()}
    component(
        "dpviz_watch",
        read_asset("progress_poller.js"),
        data=asks,
        key=_key(key),
        on_tick_change=tick,
    )


def new_mark() -> str:
    """A mark that nothing has yet."""
    return secrets.token_hex(4)


def browser_marks(key: str) -> dict[str, str]:
    """The mark of each that the browser shows, by its key, as this one says while its `tick` is
    called.
    """
    asked = st.session_state.get(_key(key), {}).get("tick")
    return asked.get("marks", {}) if isinstance(asked, dict) else {}


def _key(key: str) -> str:
    return f"{key}_watch"

"""What follows the class: parts that are drawn again, alone, when what they show has changed.

A component without a face looks about once a second, at what this process knows of the class; only where something
has changed more than that look is sent. Streamlit drops what a run has drawn and not yet sent where the next one begins
at that moment, as a look does now and then; so each drawing ends with a mark, and the browser says which it has.
Invariants: a look asks the store nothing; what was drawn and did not come is drawn again.
"""

import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import streamlit as st

from dpviz.ui.shell.style import asset

__all__ = ["begin", "cookie", "part", "watch"]

_PARTS, _PAGE = "dpviz.class.parts", "dpviz.class.page"
_REST = 1.5  # seconds in which a part that changes all the time stays as it is
_LOST = 3.0  # seconds after which what was drawn is in the browser, or will not come any more
_LOOK = "class_look_script"


@dataclass
class _Part:
    """A part of the page: what it depends on, at once or in its own time, and what that was when it was drawn."""

    there: Callable[[], object]
    slow: Callable[[], object] = bool
    seen: object = None
    slowly: object = None
    at: float = 0.0
    mark: str = ""

    def look(self) -> None:
        """Remember what is there."""
        self.seen, self.slowly, self.at = self.there(), self.slow(), time.monotonic()
        self.mark = secrets.token_hex(4)

    def end(self, name: str) -> None:
        """End the drawing with its mark."""
        st.html(f'<i class="dp-at" data-part="{name}" data-at="{self.mark}"></i>')

    def lost(self, shown: object) -> bool:
        """Whether the browser, which shows the drawing with this mark, will not get the last one."""
        return shown != self.mark and time.monotonic() > self.at + _LOST

    @property
    def stale(self) -> bool:
        """Whether it is to be drawn again."""
        return self.there() != self.seen or (time.monotonic() > self.at + _REST and self.slow() != self.slowly)


def _parts() -> dict[str, _Part]:
    own: dict[str, _Part] = st.session_state.setdefault(_PARTS, {})
    return own


def begin(there: Callable[[], object] = bool) -> None:
    """A page that has no parts yet; where `there` changes, all of it is drawn again."""
    _parts().clear()
    own = st.session_state[_PAGE] = _Part(there)
    own.look()


def part(key: str, draw: Callable[[], None], there: Callable[[], object], slow: Callable[[], object] = bool) -> None:
    """Draw a part of the page, and draw it alone again whenever `there` has changed, or `slow` a while ago."""
    own = _parts()[key] = _Part(there, slow)

    @st.fragment(key=key)
    def drawn() -> None:
        own.look()  # before: what comes while it is drawn counts as new
        draw()
        own.end(key)

    drawn()


def watch(every: float, *, hand: tuple[str, str] | None = None, age: float = 0.0) -> None:
    """Look every so many seconds; `hand` is a cookie for the browser, its name and value, for `age` seconds."""

    def tick() -> None:
        page, shown = st.session_state[_PAGE], _shown()
        if page.stale or (shown and page.lost(shown.get(_PAGE))):
            st.rerun()
        stale = [name for name, own in _parts().items() if own.stale or (shown and own.lost(shown.get(name)))]
        if stale:  # else the look alone runs again, being where the tick came from
            st.rerun(scope=stale)

    @st.fragment(key="class_look_part")
    def drawn() -> None:
        _component(every, hand, age, tick)

    if hasattr(st.components, "v2"):
        drawn()
        st.session_state[_PAGE].end(_PAGE)
    else:
        st.fragment(_again, run_every=every)()


def _shown() -> Mapping[str, object]:
    """The mark of each drawing that the browser shows, as the look says that has just come."""
    told = st.session_state.get(_LOOK, {}).get("tick")
    return told if isinstance(told, dict) else {}


def _again() -> None:
    if any(own.stale for own in (st.session_state[_PAGE], *_parts().values())):
        st.rerun()


def cookie(name: str, value: str, age: float) -> None:
    """Give the browser a cookie for so many seconds; 0 takes it away."""
    if hasattr(st.components, "v2"):
        _component(0.0, (name, value), age, lambda: None)


def _component(every: float, hand: tuple[str, str] | None, age: float, tick: Callable[[], None]) -> None:
    data = {"every": round(1000 * every), "cookie": "=".join(hand) if hand else "", "age": round(age)}
    with st.container(key="class_look"):
        watch = st.components.v2.component("dpviz_class", js=asset("classroom.js"))
        watch(data=data, key=_LOOK, on_tick_change=tick)

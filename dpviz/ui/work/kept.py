"""Things made once and kept for a while: the last few of a kind, in the session of one person."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

T = TypeVar("T")


class Kept(OrderedDict[str, T]):
    """By key, the `most` things that were asked for last; threads may share it."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most
        self._lock = threading.Lock()

    def once(self, key: str, make: Callable[[], T]) -> T:
        """The thing with this key, made now if it is not there."""
        with self._lock:
            if key in self:
                self.move_to_end(key)
                return self[key]
        made = make()  # which may take long
        with self._lock:
            self[key] = made
            while len(self) > self.most:
                self.popitem(last=False)
        return made


def kept(name: str, most: int) -> Kept[Any]:
    """What this session keeps of a kind."""
    things: Kept[Any] = st.session_state.setdefault(f"dpviz.kept.{name}", Kept(most))
    return things

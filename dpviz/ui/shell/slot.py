"""A value that the session holds, declared once with its name, its type and what it is at first."""

from collections.abc import Callable
from typing import Generic, TypeVar

import streamlit as st

T = TypeVar("T")


class Slot(Generic[T]):
    """The session's value under a name: what `first` makes until another is put there."""

    def __init__(self, name: str, first: Callable[[], T]) -> None:
        self.name, self._first = f"dpviz.{name}", first

    @property
    def value(self) -> T:
        """What is there now; what changes within it changes for the session."""
        if self.name not in st.session_state:
            self.put(self._first())
        value: T = st.session_state[self.name]
        return value

    def put(self, value: T) -> None:
        """Put it in the place of what was there."""
        st.session_state[self.name] = value

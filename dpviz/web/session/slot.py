"""A typed value in the session, declared once with its name and its first value."""

from collections.abc import Callable
from typing import Generic, TypeVar

import streamlit as st

T = TypeVar("T")


class SessionValue(Generic[T]):
    """The session's value under a name, with its first value."""

    def __init__(self, name: str, first: Callable[[], T]) -> None:
        self.name, self._first = f"dpviz.{name}", first

    @property
    def value(self) -> T:
        """Current value; changes inside it change the session's."""
        if self.name not in st.session_state:
            self.put(self._first())
        value: T = st.session_state[self.name]
        return value

    def put(self, value: T) -> None:
        st.session_state[self.name] = value

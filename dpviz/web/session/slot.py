"""A value that the session holds, declared once with its name, its type and what it is at first."""

from collections.abc import Callable
from typing import Final, Generic, TypeVar

import streamlit as st

T = TypeVar("T")
OWN: Final = "dpviz."
"""How names of all that we hold for a session begin."""
PASSING: Final[set[str]] = set()
"""Those of what is made anew from the rest."""


class SessionValue(Generic[T]):
    """The session's value under a name: what `first` makes until another is put there.

    One that is `passing` is not written down while nobody is connected.
    """

    def __init__(self, name: str, first: Callable[[], T], *, passing: bool = False) -> None:
        self.name, self._first = f"{OWN}{name}", first
        if passing:
            PASSING.add(self.name)

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

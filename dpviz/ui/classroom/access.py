"""Whose browser this is: the store of classes, and the token by which a browser comes back to its place.

A token lies in a cookie of the browser, which the page hands over and which comes with each new connection; a
session holds it meanwhile.
Invariants: no link and nothing that a projector shows holds a token; an address is used to count wrong codes and for
nothing else.
"""

from functools import cache
from pathlib import Path

import streamlit as st

from dpviz.teaching.classes import LIMITS, Classes, Tries, default_path
from dpviz.ui.shell import asset, component

STUDENT, TEACHER = "dpviz_student", "dpviz_teacher"  # names of cookies
_SESSION = "dpviz.class.session"


def classes() -> Classes:
    """The classes of this server, as this process sees them: for pages, and for phones, which have no session."""
    return _opened(default_path())


def tries() -> Tries:
    """The wrong codes that this process saw."""
    return _tries(default_path())


@cache  # and not Streamlit's, which any visitor may clear
def _opened(path: Path) -> Classes:
    return Classes(path)


@cache
def _tries(path: Path) -> Tries:
    return Tries()


def token(kind: str) -> str | None:
    """The token of this kind that this browser has."""
    held = st.session_state.get(f"dpviz.class.{kind}")
    return held if held is not None else _text(st.context.cookies.get(kind)) or None


def keep(kind: str, token: str) -> None:
    """Hold this token."""
    st.session_state[f"dpviz.class.{kind}"] = token


def hand(kind: str) -> None:
    """Give the browser the token that is held, for as long as a class can last; where it is none, take it away."""
    held = token(kind)
    with st.container(key="class_cookie"):
        component(
            "dpviz_class",
            asset("classroom.js"),
            data={"cookie": f"{kind}={held or ''}", "age": round(LIMITS.seconds + LIMITS.results) if held else 0},
            key="class_cookie_js",
        )


def forget(kind: str) -> None:
    """Hold none any more, whatever the browser's cookie says."""
    st.session_state[f"dpviz.class.{kind}"] = ""


def teacher() -> str | None:
    """The code of the class that this browser teaches."""
    teacher_token = token(TEACHER)
    return classes().taught(teacher_token) if teacher_token else None


def _text(said: object) -> str:
    """What a browser says; where there is none behind the session, nothing."""
    return said if isinstance(said, str) else ""

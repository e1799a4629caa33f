"""Whose browser this is: the store of classes, and the token by which a browser comes back to its place.

A token lies in a cookie of the browser, which the page hands over and which comes with each new connection; a
session holds it meanwhile.
Invariants: no link and nothing that a projector shows holds a token; an address is used to count wrong codes and for
nothing else.
"""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from dpviz.teaching.classes import LIMITS, Classes, Seat, Tries, default_path
from dpviz.ui.shell import asset, component

STUDENT, TEACHER = "dpviz_student", "dpviz_teacher"  # names of cookies
_SESSION = "dpviz.class.session"


@st.cache_resource(show_spinner=False)
def classes() -> Classes:
    """The classes of this server, as this process sees them."""
    return Classes(default_path())


@st.cache_resource(show_spinner=False)
def _tries() -> Tries:
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


def seat() -> Seat | None:
    """This browser's place in a class that is still on."""
    student_token = token(STUDENT)
    return classes().back(student_token) if student_token else None


def teacher() -> str | None:
    """The code of the class that this browser teaches."""
    teacher_token = token(TEACHER)
    return classes().taught(teacher_token) if teacher_token else None


@contextmanager
def attempt() -> Iterator[list[Seat]]:
    """A try of a code, wrong unless a place is put into the list; raises `ClassRefusal` where one must wait."""
    names = {
        "session": st.session_state.setdefault(_SESSION, secrets.token_hex(8)),
        "address": _address(),
        "process": "",
    }
    _tries().take(**names)
    seats: list[Seat] = []
    yield seats
    if seats:
        _tries().right(**names)


def _address() -> str:
    """Where a try came from: behind our own nginx, which is on this machine, what that says it was."""
    near = _text(st.context.ip_address)
    far = _text(st.context.headers.get("X-Forwarded-For")).split(",")[-1].strip()
    return far if far and near in {"", "127.0.0.1", "::1"} else near


def _text(said: object) -> str:
    """What a browser says; where there is none behind the session, nothing."""
    return said if isinstance(said, str) else ""

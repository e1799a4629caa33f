"""Whose browser this is: the store of classes, and the token by which a browser comes back to its
place.

A token lies in a cookie of the browser, which the page hands over and which comes with each new
connection; a session holds it meanwhile.
Invariants: no link and nothing that a projector shows holds a token; an address is used to count
wrong codes and for nothing else.
"""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from hmac import compare_digest
from pathlib import Path

import streamlit as st

from dpviz.teaching.classes import LIMITS, TEACH_KEY, ClassManager, ClassRefusal, default_path
from dpviz.web.server.static_files import read_asset
from dpviz.web.widgets import component, escape_markdown

STUDENT, TEACHER = "dpviz_student", "dpviz_teacher"  # names of cookies
_SESSION = "dpviz.class.session"
_OPENING = (
    threading.Lock()
)  # a cache alone opens a store twice where two ask at once, as all phones of a class do


def class_store() -> ClassManager:
    """The classes of this server, as this process sees them: for pages, and for phones, which have
    no session.
    """
    with _OPENING:
        return _opened(default_path())


@cache  # and not Streamlit's, which any visitor may clear
def _opened(path: Path) -> ClassManager:
    return ClassManager(path)


@contextmanager
def show_class_refusals() -> Iterator[None]:
    """What the classes of this server do not do now stands where it was asked for."""
    try:
        yield
    except (ClassRefusal, OSError) as refused:
        st.warning(escape_markdown(str(refused)))


def begin_class(lessons: tuple[str, ...], key: str = "") -> None:
    """Begin a class and hold its teacher's token; where classes need a key, for who has it."""
    if (wanted := required_teacher_key()) and not class_store().record_key_attempt(
        compare_digest(key.encode(), wanted.encode()), browser_ip_address()
    ):
        raise ClassRefusal("Classes are begun here with a key, and this is not it.")
    _, held = class_store().begin_class(*lessons, address=browser_ip_address())
    store_token(TEACHER, held)


def required_teacher_key() -> str:
    """The key that one needs to begin a class; "" for none."""
    return os.environ.get(TEACH_KEY, "")


def browser_ip_address() -> str:
    """Where this session's browser is, as `visitor_ip_address` has it."""
    headers = st.context.headers
    return visitor_ip_address(_text(st.context.ip_address), _text(headers.get("x-forwarded-for")))


def visitor_ip_address(near: str, forwarded: str) -> str:
    """Where somebody comes from: behind our own nginx, which is on this machine, what that says it
    was.

    A server that listens in both versions of the protocol has the fourth version's addresses within
    the sixth's.

    >>> visitor_ip_address("::ffff:127.0.0.1", "6.6.6.6, 192.0.2.7"), visitor_ip_address("192.0.2.9", "6.6.6.6")
    ('192.0.2.7', '192.0.2.9')
    """
    far = forwarded.rpartition(",")[2].strip()
    return far if far and near.removeprefix("::ffff:") in {"", "127.0.0.1", "::1"} else near


def browser_token(kind: str) -> str | None:
    """The token of this kind that this browser has."""
    held = st.session_state.get(f"dpviz.class.{kind}")
    return held if held is not None else _text(st.context.cookies.get(kind)) or None


def store_token(kind: str, token: str) -> None:
    """Hold this token."""
    st.session_state[f"dpviz.class.{kind}"] = token


def write_token_cookie(kind: str) -> None:
    """Give the browser the token that is held, for as long as a class can last; where it is none,
    take it away.
    """
    held = browser_token(kind)
    with st.container(key="class_cookie"):
        component(
            "dpviz_class",
            read_asset("class_cookie.js"),
            data={
                "cookie": f"{kind}={held or ''}",
                "age": round(LIMITS.seconds + LIMITS.results) if held else 0,
            },
            key="class_cookie_js",
        )


def forget_token(kind: str) -> None:
    """Hold none any more, whatever the browser's cookie says."""
    st.session_state[f"dpviz.class.{kind}"] = ""


def taught_class_code() -> str | None:
    """The code of the class that this browser teaches."""
    teacher_token = browser_token(TEACHER)
    return class_store().find_class_code(teacher_token) if teacher_token else None


def _text(said: object) -> str:
    """What a browser says; where there is none behind the session, nothing."""
    return said if isinstance(said, str) else ""

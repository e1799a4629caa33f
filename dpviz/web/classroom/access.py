"""Access to classes: their store, and the cookie tokens by which browsers return to their places.

Invariants: no link and no projected view shows a token; addresses only serve to count wrong codes.
"""

import asyncio
import logging
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from hmac import compare_digest
from pathlib import Path
from typing import TypeVar

import streamlit as st
from anyio import CapacityLimiter
from anyio.to_thread import run_sync

from dpviz.teaching.classes import (
    LIMITS,
    TEACH_KEY,
    ClassManager,
    ClassRefusal,
    ClassState,
    default_path,
)
from dpviz.web import widgets as ui
from dpviz.web.server.static_files import read_asset

T = TypeVar("T")
_log = logging.getLogger(__name__)
_AT_ONCE = 16  # threads: work on a locked store waits, and must not take those of other requests
STUDENT, TEACHER = "dpviz_student", "dpviz_teacher"  # names of cookies
_HELD = f"dpviz.class.{TEACHER}"  # the token in a session
_COOKIE = "class_cookie_js"
# a cache alone opens a store twice where two ask at once, as all phones of a class do
_OPENING = threading.Lock()


def class_manager() -> ClassManager:
    """Classes of this server, as this process sees them."""
    with _OPENING:
        return _opened(default_path())


@cache  # and not Streamlit's, which any visitor may clear
def _opened(path: Path) -> ClassManager:
    return ClassManager(path)


EVERY = 0.7  # seconds between looks at a class


def rerun_page_when_changed(drawn_state: object, read_state: Callable[[], object]) -> None:
    """Run the page again when `read_state` is not `drawn_state` any more, which the page shows."""

    def look() -> None:
        if read_state() != drawn_state:
            st.rerun()

    ui.show_in_fragment("class_look", look, EVERY)


async def run_class_work(work: Callable[..., T], *given: object) -> T:
    """Run work on the store of classes in a thread of its own kind."""
    return await run_sync(work, *given, limiter=_threads(asyncio.get_running_loop()))


@cache
def _threads(_loop: asyncio.AbstractEventLoop) -> CapacityLimiter:
    return CapacityLimiter(_AT_ONCE)


def refusal_text(refusal: ClassRefusal | OSError) -> str:
    """Sentence for the person who asked; of an error of the system the log alone has numbers and paths."""
    if isinstance(refusal, ClassRefusal):
        return str(refusal)
    _log.warning("the store of classes: %s", refusal)
    return "Classes do not work on this server now. Please tell its operator."


@contextmanager
def show_class_refusals() -> Iterator[None]:
    """Show a refusal within the block as a warning."""
    try:
        yield
    except (ClassRefusal, OSError) as refused:
        st.warning(ui.escape_markdown(refusal_text(refused)))


def begin_class(lessons: tuple[str, ...], key: str = "") -> None:
    """Begin a class and hold its teacher's token; where classes need a key, check it."""
    if (wanted := required_teacher_key()) and not class_manager().record_key_attempt(
        compare_digest(key.encode(), wanted.encode()), browser_ip_address()
    ):
        raise ClassRefusal("A class needs a key here, and this key is wrong.")
    _, held = class_manager().begin_class(*lessons, address=browser_ip_address())
    hold_teacher_token(held)


def required_teacher_key() -> str:
    """Key needed to begin a class; "" for none."""
    return os.environ.get(TEACH_KEY, "")


def browser_ip_address() -> str:
    headers = st.context.headers
    return visitor_ip_address(_text(st.context.ip_address), _text(headers.get("x-forwarded-for")))


def visitor_ip_address(peer_address: str, forwarded_addresses: str) -> str:
    """Address of a visitor: behind a proxy on this machine, the last one that it forwards.

    >>> visitor_ip_address("::ffff:127.0.0.1", "6.6.6.6, 192.0.2.7"), visitor_ip_address("192.0.2.9", "6.6.6.6")
    ('192.0.2.7', '192.0.2.9')
    """
    # a server that listens on both IP versions sees IPv4 addresses within IPv6
    far = forwarded_addresses.rpartition(",")[2].strip()
    return (
        far
        if far and peer_address.removeprefix("::ffff:") in {"", "127.0.0.1", "::1"}
        else peer_address
    )


def teacher_token() -> str:
    """Token by which this browser teaches; "" for none."""
    return _text(st.session_state.get(_HELD, st.context.cookies.get(TEACHER)))


def hold_teacher_token(token: str) -> None:
    """Teach by this token; by none where it is "", even if the cookie has one."""
    st.session_state[_HELD] = token


def write_token_cookie() -> None:
    """Write the token to the browser's cookie for a class's life, or delete the cookie."""
    held = teacher_token()
    with st.container(key="class_cookie"):
        ui.component(
            "dpviz_class",
            read_asset("class_cookie.js"),
            data={
                "cookie": f"{TEACHER}={held}",
                "age": round(LIMITS.seconds + LIMITS.results) if held else 0,
            },
            key=_COOKIE,
            on_width_change=lambda: None,
        )


def window_width() -> float:
    """Width of this browser's window, as it says with the cookie; until then that of a projector."""
    return float(getattr(st.session_state.get(_COOKIE), "width", None) or 1920)


def taught_class() -> ClassState | None:
    """Class that this browser teaches or taught, while its results are kept."""
    code = (
        class_manager().find_taught_class_marking_presence(token)
        if (token := teacher_token())
        else None
    )
    return None if code is None else class_manager().read_state(code)


def _text(said: object) -> str:
    return said if isinstance(said, str) else ""

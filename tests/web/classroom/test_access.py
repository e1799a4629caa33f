"""Whose browser this is: the token by which it comes back."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Barrier, BrokenBarrierError

import pytest
import streamlit as st

from dpviz.web.classroom import access


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """What a session holds."""
    held: dict[str, object] = {}
    monkeypatch.setattr(st, "session_state", held)
    return held


def browser(monkeypatch: pytest.MonkeyPatch, cookies: Mapping[str, str]) -> None:
    context = type("Context", (), {"cookies": cookies, "headers": {}, "ip_address": "192.0.2.7"})
    monkeypatch.setattr(st, "context", context)


def test_the_store_is_opened_once_however_many_ask_at_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As all phones of a class do once the server is back."""
    opened: list[Path] = []
    both = Barrier(2)

    def slow(path: Path) -> object:
        opened.append(path)
        with suppress(BrokenBarrierError):
            both.wait(0.2)  # until the other one opens it too
        return object()

    monkeypatch.setenv("DPVIZ_CLASSES", str(tmp_path / "classes.sqlite"))
    monkeypatch.setattr(access, "ClassManager", slow)
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda _: access.class_manager(), range(2))
    assert first is second
    assert len(opened) == 1


def test_a_cookie_brings_a_token_until_it_is_forgotten(
    monkeypatch: pytest.MonkeyPatch, session: dict[str, object]
) -> None:
    browser(monkeypatch, {access.TEACHER: "abc"})
    assert access.teacher_token() == "abc"
    access.hold_teacher_token("xyz")
    assert access.teacher_token() == "xyz"
    access.hold_teacher_token("")
    assert not access.teacher_token()  # though the browser still has it

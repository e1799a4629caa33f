"""Whose browser this is: the token by which it comes back."""

from collections.abc import Mapping

import pytest
import streamlit as st

from dpviz.ui.classroom import access


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """What a session holds."""
    held: dict[str, object] = {}
    monkeypatch.setattr(st, "session_state", held)
    return held


def browser(monkeypatch: pytest.MonkeyPatch, cookies: Mapping[str, str]) -> None:
    context = type("Context", (), {"cookies": cookies, "headers": {}, "ip_address": "192.0.2.7"})
    monkeypatch.setattr(st, "context", context)


def test_a_cookie_brings_a_token_until_it_is_forgotten(
    monkeypatch: pytest.MonkeyPatch, session: dict[str, object]
) -> None:
    browser(monkeypatch, {access.TEACHER: "abc"})
    assert access.token(access.TEACHER) == "abc"
    assert access.token(access.STUDENT) is None
    access.keep(access.TEACHER, "xyz")
    assert access.token(access.TEACHER) == "xyz"
    access.forget(access.TEACHER)
    assert not access.token(access.TEACHER)  # though the browser still has it

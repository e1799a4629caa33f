"""As the app starts a browser opens on it, unless it was started without one."""

import asyncio

import pytest
import streamlit as st

from dpviz.web import startup
from dpviz.web.server import streamlit_internals as internals
from tests.web.own_process import run_apart

Options = dict[str, object]


def opened(monkeypatch: pytest.MonkeyPatch, options: Options) -> list[str]:
    """The addresses that a browser is opened on."""
    seen: list[str] = []
    told: Options = {"server.headless": False, "server.port": 8501, **options}
    monkeypatch.setattr(st, "get_option", told.get)
    monkeypatch.setattr(internals.config, "is_manually_set", options.__contains__)
    monkeypatch.setattr(internals.server_util, "get_url", lambda host: f"http://{host}:8501")
    monkeypatch.setattr(startup, "open_browser", seen.append)
    monkeypatch.setattr(startup, "_SOON", 0.0)

    async def starts() -> None:
        async with startup.app_lifespan(None):
            await asyncio.sleep(0.01)

    run_apart(starts())
    return seen


def test_it_says_and_opens_where_the_app_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert opened(monkeypatch, {}) == ["http://localhost:8501"]
    assert tuple(capsys.readouterr()) == (
        "dpviz is at http://localhost:8501\n",
        startup.open_access_warning(),
    )
    assert opened(monkeypatch, {"server.address": "127.0.0.1"}) == ["http://127.0.0.1:8501"]


def test_it_does_not_where_nobody_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert opened(monkeypatch, {"server.headless": True}) == []

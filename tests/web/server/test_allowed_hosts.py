"""A page asked for under a name that is none of the app's is not there, and who starts it is told
what to set.
"""

import tomllib

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from streamlit import config

from dpviz.base import APP_FOLDER, OPEN_METRICS
from dpviz.web.server.allowed_hosts import AllowedHostsMiddleware, open_access_warning
from tests.web.classroom.phone.asgi import Phone
from tests.web.own_process import run_apart


async def here(_: Request) -> PlainTextResponse:
    return PlainTextResponse("here")


APP = AllowedHostsMiddleware(Starlette(routes=[Route("/{path:path}", here)]))
OURS = ["localhost", "127.0.0.1", "::1", "*.school.example"]


def told(monkeypatch: pytest.MonkeyPatch, **options: object) -> None:
    """The settings of a server."""
    given = {f"server.{name}": value for name, value in options.items()}
    asked = config.get_option

    def answer(name: str) -> object:
        return given[name] if name in given else asked(name)

    monkeypatch.setattr(config, "get_option", answer)
    monkeypatch.setattr(st, "get_option", answer)


def status(host: str | None, path: str = "/explore") -> int:
    headers = {} if host is None else {"host": host}
    return run_apart(Phone(APP, headers).get(path)).status


@pytest.mark.parametrize("host", ["localhost:8501", "127.0.0.1", "[::1]:8501", "A.school.example"])
def test_under_its_names_the_app_is_there(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    told(monkeypatch, allowedHosts=OURS)
    assert status(host) == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "school.example", "192.0.2.7", None]
)
def test_under_another_nothing_is(monkeypatch: pytest.MonkeyPatch, host: str | None) -> None:
    told(monkeypatch, allowedHosts=OURS)
    for path in ("/", "/explore", "/static/js/index.js", "/_stcore/upload_file/a/b"):
        assert status(host, path) == 421
    assert status(host, "/_stcore/health") == 200  # for who watches a container; it tells nothing


def test_what_streamlit_tells_operators_is_closed_unless_it_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told(monkeypatch, allowedHosts=OURS)
    monkeypatch.delenv(OPEN_METRICS, raising=False)
    assert status("localhost", "/dp/_stcore/metrics") == 404
    monkeypatch.setenv(OPEN_METRICS, "1")
    assert status("localhost", "/dp/_stcore/metrics") == 200


@pytest.mark.parametrize("hosts", [[], ["*"]])
def test_where_any_name_is_meant_any_does(
    monkeypatch: pytest.MonkeyPatch, hosts: list[str]
) -> None:
    told(monkeypatch, allowedHosts=hosts)
    assert status("name.apps.example") == 200


def test_who_starts_it_without_a_word_is_told_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    told(monkeypatch, allowedHosts=[])
    assert "reach this machine" in open_access_warning()
    assert "--server.allowedHosts NAME" in open_access_warning()
    told(monkeypatch, allowedHosts=[], address="localhost")
    assert "reach this machine" not in open_access_warning()
    assert "any name" in open_access_warning()
    for hosts in (OURS, ["*"]):  # somebody has decided
        told(monkeypatch, allowedHosts=hosts)
        assert open_access_warning() == ""


def test_the_settings_that_hosts_read_name_no_host() -> None:
    settings = tomllib.loads(
        (APP_FOLDER / ".streamlit" / "config.toml").read_text(encoding="utf-8")
    )
    assert not {"address", "allowedHosts", "port", "headless"} & settings["server"].keys()
    assert "serverAddress" not in settings["browser"]
    assert (
        settings["logger"]["hideWelcomeMessage"] is True
    )  # which would ask another host for this one's address

"""`dpviz app --class`: phones are given an address that they can reach, never a local one."""

import resource
import socket
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dpviz.__main__ import main
from dpviz.base.errors import ParameterError
from dpviz.commands import app


def goes_out_by(address: str | None) -> Callable[..., AbstractContextManager[Any]]:
    """Sockets that would go out by this address, or by none."""

    def connect(_: object) -> None:
        if address is None:
            raise OSError("Network is unreachable")

    return lambda *_: nullcontext(
        SimpleNamespace(connect=connect, getsockname=lambda: (address, 1))
    )


def test_it_is_that_by_which_the_machine_goes_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "socket", goes_out_by("10.1.2.3"))
    assert app.network_reachable_address("0.0.0.0") == "10.1.2.3"
    assert app.network_reachable_address("fd00::7") == "[fd00::7]"


@pytest.mark.parametrize(
    ("address", "way"), [("0.0.0.0", None), ("0.0.0.0", "127.0.0.1"), ("127.0.0.1", "10.1.2.3")]
)
def test_a_local_one_is_refused(
    address: str, way: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "socket", goes_out_by(way))
    with pytest.raises(ParameterError, match="phones can reach"):
        app.network_reachable_address(address)


def test_what_is_wrong_with_a_session_is_told_before_anything_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(app, "network_reachable_address", lambda _: "192.0.2.7")
    monkeypatch.setenv("DPVIZ_REACHED_AT", "")
    file = tmp_path / "session.toml"
    file.write_text('title = "Ours"\nminutes = 30\nlessons = ["tie"]', encoding="utf-8")
    assert main(["app", "--class", str(file)]) == 2
    assert "a lesson in lessons must be one of" in capsys.readouterr().err


def test_it_may_have_as_many_files_open_as_it_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    seen: list[tuple[int, int]] = []
    monkeypatch.setattr(app, "network_reachable_address", lambda _: "192.0.2.7")
    monkeypatch.setattr(
        app.runpy,
        "run_module",
        lambda *_, **__: seen.append(resource.getrlimit(resource.RLIMIT_NOFILE)),
    )
    monkeypatch.setattr(app.sys, "argv", ["dpviz"])
    monkeypatch.setenv("DPVIZ_REACHED_AT", "")
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, before[1]))
    try:
        for argv in (["app", "--class"], ["app"]):
            resource.setrlimit(resource.RLIMIT_NOFILE, (256, before[1]))
            with pytest.raises(SystemExit):
                main([*argv, "--port", str(free_port())])
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    assert [soft for soft, _ in seen] == [min(65_536, before[1])] * 2


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])

"""`serve` without serving: what it refuses, and what it tells nginx. The browser tests run it."""

import re
import shutil
import socket
from pathlib import Path

import pytest

from dpviz.__main__ import main
from dpviz.commands.serve import Site, allowed_hosts, inline_script_hashes, nginx_configuration

HOST = "--host must be a name without a port, such as dpviz.example.org, or an IP address"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("--workers 0", "workers must be a whole number from 1 to 1,024, not 0."),
        ("--port 70000", "port must be a whole number from 1 to 65,535, not 70000."),
        ("--address nowhere", "--address must be an IP address, such as 127.0.0.1 or 0.0.0.0, not"),
        ("--host a.org b;c", HOST),
        ("--host a.org:80", HOST),
        ("--base-path /a;b", "--base-path must be a path of letters, digits and any of . _ ~ -,"),
    ],
)
def test_what_it_cannot_serve_is_told(
    line: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", *line.split()]) == 2
    assert capsys.readouterr().err.startswith(f"dpviz: {sentence}")


@pytest.mark.parametrize("command", ["app", "serve"])
def test_where_nobody_can_listen_is_told(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_, **__: "nginx")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main([command, "--port", str(port)]) == 2
    told = f"--port must be one that is free at 127.0.0.1 (Address already in use), not {port}."
    assert capsys.readouterr().err == f"dpviz: {told}\n"
    assert main([command, "--address", "192.0.2.1"]) == 2  # of documentation: no machine has it
    told = "--address must be one that this machine has, or 0.0.0.0 for all, not '192.0.2.1'."
    assert capsys.readouterr().err.splitlines()[-1] == f"dpviz: {told}"


def test_without_nginx_it_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    assert main(["serve"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("dpviz: nginx is not installed")
    assert "one process: dpviz app" in told
    assert told.count("\n") == 1


@pytest.mark.parametrize(("base", "redirected"), [("", False), ("/class/dp", True)])
def test_nginx_is_told_of_every_process_and_of_the_path(
    base: str, redirected: bool, tmp_path: Path
) -> None:
    site = Site(address="::1", port=8501, base=base, hosts=("localhost", "::1", "*.org"))
    told = nginx_configuration(site, tmp_path, [4001, 4002])
    assert "{{" not in told
    ports = re.findall(r"server 127\.0\.0\.1:(\d+) max_fails=0;", told)
    assert ports == ["4001", "4002"]
    assert "listen [::1]:8501;" in told
    assert "server_name localhost [::1] *.org;" in told
    assert f"location {base}/ {{" in told
    assert f"Path={base}/; HttpOnly" in told
    assert f"alias {tmp_path}/static/;" in told
    assert (f"return 302 {base}/;" in told) == redirected


def test_nginx_keeps_the_edge(tmp_path: Path) -> None:
    """As text: where there is nginx, the browser tests run it."""
    site = Site(address="127.0.0.1", port=8501, base="/dp", hosts=("localhost",))
    told = nginx_configuration(site, tmp_path, [4001])
    (said,) = set(re.findall(r'"" "(default-src .*?)";', told))
    policy = dict(part.strip().partition(" ")[::2] for part in said.split(";"))
    scripts = ["'self'", "blob:", "'unsafe-eval'", *inline_script_hashes()]
    assert policy["script-src"].split() == scripts
    assert len(inline_script_hashes()) == 2  # Streamlit's, and that of the first second
    assert policy["object-src"] == "'none'"
    assert re.findall(r"client_max_body_size (\w+);", told) == ["16k", "51m"]
    upload = told[told.index("location ^~ /dp/_stcore/upload_file/") :].partition("}\n        }")[0]
    assert "51m" in upload
    assert "limit_conn all_uploads" in upload
    for inside in ("metrics", "script-health-check"):
        assert f"location ^~ /dp/_stcore/{inside} {{ return 404; }}" in told
    zones = re.findall(r"zone=(\w+):", told)
    assert set(re.findall(r"limit_(?:conn|req) (?:zone=)?(\w+)", told)) == set(zones)
    assert told.count("{") == told.count("}")


LOCAL = ("localhost", "127.0.0.1", "::1")


@pytest.mark.parametrize(
    ("address", "named", "hosts"),
    [
        ("127.0.0.1", [], LOCAL),
        ("127.0.0.2", [], (*LOCAL, "127.0.0.2")),
        ("127.0.0.1", ["Dpviz.example.org"], (*LOCAL, "dpviz.example.org")),
        ("0.0.0.0", [], ("*",)),
        ("0.0.0.0", ["*.example.org", "192.0.2.7"], (*LOCAL, "*.example.org", "192.0.2.7")),
        ("::", ["localhost"], LOCAL),
        ("192.0.2.7", ["a"], (*LOCAL, "192.0.2.7", "a")),
        ("127.0.0.1", ["*"], ("*",)),
    ],
)
def test_the_names_that_it_answers_to(
    address: str, named: list[str], hosts: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert allowed_hosts(address, named) == hosts
    assert ("answers to any name" in capsys.readouterr().err) == (hosts == ("*",) and not named)

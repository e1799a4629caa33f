"""The page on hosting: each of its commands is run here as it stands, but for ports."""

import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tests.browser.conftest import running
from tests.site import ROOT, SOURCES
from tests.until import until

TEXT = (SOURCES / "hosting.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```\n\n([^\n]*)", TEXT, re.DOTALL | re.MULTILINE)
COMMANDS = [line for kind, code, _ in BLOCKS if kind == "sh" for line in code.splitlines()]
INSTALL, BARE, NAMED, APP, FOLDER, LOGIN = COMMANDS
NAME, FOREIGN = "dpviz.example.org", "evil.example"
NGINX = shutil.which(
    "nginx", path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/usr/local/sbin"
)
SLOWEST = 60  # seconds


def status(address: str, host: str, password: str | None = None) -> int:
    headers = {"Host": host}
    if password is not None:
        headers["Authorization"] = f"Basic {b64encode(f'ann:{password}'.encode()).decode()}"
    try:
        with urlopen(Request(address, headers=headers), timeout=SLOWEST) as answer:
            return int(answer.status)
    except HTTPError as error:
        return error.code


def argv_of(command: str) -> list[str]:
    words = shlex.split(re.sub(r"--(server\.)?port \d+", "", command))
    return [sys.executable, "-m", *(word for word in words if "=" not in word)]


@pytest.mark.long
def test_as_hosts_start_it_any_name_is_answered_and_it_says_so(tmp_path: Path) -> None:
    with running(argv_of(BARE), "--server.port", tmp_path) as address:
        assert status(address, "name.apps.example") == 200
        assert "answers to any name" in (tmp_path / "server.log").read_text(encoding="utf-8")


@pytest.mark.long
def test_with_a_name_only_that_is_answered(tmp_path: Path) -> None:
    setting, value = NAMED.split()[0].split("=")
    command = ["env", f"{setting}={value}", *argv_of(NAMED)]
    with running(command, "--server.port", tmp_path) as address:
        assert (status(address, NAME), status(address, FOREIGN)) == (200, 421)
        assert "any name" not in (tmp_path / "server.log").read_text(encoding="utf-8")


def _login(folder: Path, port: int, app: str) -> list[str]:
    """nginx as the page starts it, with these ports; ann's password is word."""
    assert NGINX is not None
    assert FOLDER == "mkdir -p login"
    (folder / "login").mkdir()
    text = (ROOT / "assets" / "deploy" / "login.conf").read_text(encoding="utf-8")
    user = "user root;\n" if os.geteuid() == 0 else ""
    ported = text.replace("listen 8500", f"listen 127.0.0.1:{port}").replace(
        "http://127.0.0.1:8501", app
    )
    (folder / "login.conf").write_text(user + ported, encoding="utf-8")
    (folder / "passwords").write_text("ann:{PLAIN}word\n", encoding="utf-8")
    assert LOGIN == "nginx -p . -c assets/deploy/login.conf"
    return [NGINX, "-e", "stderr", "-p", str(folder), "-c", "login.conf"]


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[str]:
    """The app behind the login, as the page starts both."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with running([*argv_of(APP)], "--port", tmp_path / "app") as app:
        nginx = subprocess.Popen(_login(tmp_path, port, app.replace("localhost", "127.0.0.1")))
        try:
            until(lambda: _listens(port), of=nginx)
            yield f"http://127.0.0.1:{port}/"
        finally:
            nginx.terminate()
            nginx.wait(SLOWEST)


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


@pytest.mark.long
@pytest.mark.skipif(NGINX is None, reason="nginx is not installed")
def test_behind_the_login_only_who_has_a_password_gets_in(guarded: str) -> None:
    assert status(guarded, NAME) == 401
    assert status(guarded, NAME, "guess") == 401
    assert status(guarded, NAME, "word") == 200
    assert status(guarded, FOREIGN, "word") == 421

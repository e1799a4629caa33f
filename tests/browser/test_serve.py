"""`python -m dpviz serve`: two processes behind nginx, below a path, met by browsers as they come.

Left out where nginx is not installed. Which process somebody is on is told by Streamlit's own
counts of sessions.
"""

import gzip
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from select import select
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import psutil
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ROOT
from tests.browser.steps import open_page
from tests.browser.windows import SLOWEST
from tests.until import until

SBIN = f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/usr/local/sbin"
pytestmark = pytest.mark.skipif(
    shutil.which("nginx", path=SBIN) is None, reason="nginx is not installed"
)

COOKIE = "dpviz_process"
SERVE = [sys.executable, "-m", "dpviz", "serve", "-j", "2"]
NAMED = ["--host", "class.example.org", "*.school.example"]
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


def answer(
    address: str, cookie: str | None = None, packed: bool = False
) -> tuple[dict[str, str], bytes]:
    """Headers (in lower case) and content, as they come over the wire."""
    headers = ({"Cookie": f"{COOKIE}={cookie}"} if cookie else {}) | (
        {"Accept-Encoding": "gzip"} if packed else {}
    )
    with urlopen(Request(address, headers=headers), timeout=SLOWEST) as got:
        return {name.lower(): value for name, value in got.headers.items()}, got.read()


def new_cookie(address: str) -> str:
    """What nginx gives somebody who comes without."""
    found = re.match(
        rf"{COOKIE}=(\w+); Path=/class/dp/; HttpOnly; SameSite=Lax$",
        answer(address)[0]["set-cookie"],
    )
    assert found is not None
    return found[1]


def counted(command: tuple[psutil.Process, str]) -> list[int]:
    """How many sessions of each process began; they are asked themselves, as nginx hands that to
    nobody.
    """
    found = []
    for port in sorted(ports(command)):
        told = answer(f"http://127.0.0.1:{port}/class/dp/_stcore/metrics")[1].decode()
        found.append(int(re.findall(r'session_events_total{type="connect"} (\d+)', told)[0]))
    return found


def ports(command: tuple[psutil.Process, str]) -> list[int]:
    """Where the processes of the app listen."""
    workers = [each for each in command[0].children() if "streamlit" in each.cmdline()]
    kept = [each.net_connections() for each in workers]
    return [one.laddr.port for each in kept for one in each if one.status == psutil.CONN_LISTEN]


def leads_to(command: tuple[psutil.Process, str], cookie: str) -> int:
    """Which process this cookie leads to: one more session begins there."""
    before = counted(command)
    assert status(command[1], "localhost", cookie=cookie) == 101
    until(lambda: counted(command) != before)
    return next(
        n for n, (now, then) in enumerate(zip(counted(command), before, strict=True)) if now > then
    )


def cookie_of(page: Page) -> str:
    return next(each["value"] for each in page.context.cookies() if each["name"] == COOKIE)


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[psutil.Process, str]]:
    """The running command, and the address it serves."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    home = tmp_path_factory.mktemp("serve")
    log = home / "log"
    with log.open("w") as out:
        running = subprocess.Popen(
            [*SERVE, "--port", str(port), "--base-path", "/class/dp", *NAMED],
            cwd=ROOT,
            env=os.environ | {"HOME": str(home), "TMPDIR": str(home)},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
        )
        try:
            address = f"http://127.0.0.1:{port}/class/dp/"
            until(lambda: healthy(address), of=running, told=log.read_text)
            yield psutil.Process(running.pid), address
            children = psutil.Process(running.pid).children(recursive=True)
            assert len(children) >= 4
            running.send_signal(signal.SIGTERM)
            assert running.wait(30) == 0, log.read_text()
            assert not [each for each in children if each.is_running()]
            assert not list(home.glob("dpviz-*"))
        finally:
            running.terminate()
            running.wait()


def healthy(address: str) -> bool:
    try:
        return answer(f"{address}_stcore/health")[1] == b"ok"
    except (URLError, ConnectionError, TimeoutError):
        return False


@pytest.fixture
def served(command: tuple[psutil.Process, str]) -> str:
    return command[1]


def test_files_come_compressed_and_are_kept(new_page: Callable[[str], Page], served: str) -> None:
    page = new_page(served)
    with page.expect_response(re.compile(r"/PlotlyChart\.[\w-]+\.js$")) as waiting:
        open_page(page, "explore")
    address = waiting.value.url
    assert waiting.value.headers["content-encoding"] == "gzip"
    headers, packed = answer(address, packed=True)
    assert headers["cache-control"] == "public, immutable, max-age=31536000"
    assert headers["content-type"] == "text/javascript"
    assert headers["vary"] == "Accept-Encoding"
    assert gzip.decompress(packed) == answer(address)[1]
    document, _ = answer(served)
    assert document["cache-control"] == "no-cache"
    for told in (headers, document):
        assert told["x-content-type-options"] == "nosniff"
        assert told["referrer-policy"] == "same-origin"
    assert HEADERS.items() <= document.items()
    assert "frame-ancestors 'self'" in document["content-security-policy"]
    assert "nginx/" not in document["server"]


def status(
    address: str,
    host: str,
    origin: str | None = None,
    *,
    upgrade: bool = True,
    cookie: str | None = None,
) -> int:
    """What is answered to a connection (or a page) asked for under this name, by a page of this
    origin.
    """
    place = urlsplit(address)
    lines = [f"GET {place.path}{'_stcore/stream' if upgrade else ''} HTTP/1.1", f"Host: {host}"]
    if upgrade:
        lines += [
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        ]
    lines += ["Connection: Upgrade" if upgrade else "Connection: close"]
    lines += [] if origin is None else [f"Origin: {origin}"]
    lines += [] if cookie is None else [f"Cookie: {COOKIE}={cookie}"]
    with socket.create_connection((place.hostname, place.port), timeout=SLOWEST) as asked:
        asked.sendall("\r\n".join([*lines, "", ""]).encode())
        return int(asked.recv(100).split()[1])


@pytest.mark.parametrize("host", ["localhost", "[::1]", "class.example.org", "a.school.example"])
def test_it_answers_to_its_names(served: str, host: str) -> None:
    for name in (host, f"{host}:{urlsplit(served).port}"):
        assert status(served, name, upgrade=False) == 200
        assert status(served, name) == 101  # a program: it has no origin
        for scheme in ("http", "https"):
            assert status(served, name, f"{scheme}://{name}") == 101


@pytest.mark.parametrize(
    "host", ["evil.example", "school.example", "class.example.org.evil.example", "192.0.2.7"]
)
def test_other_names_get_nothing(served: str, host: str) -> None:
    """As where somebody's name is made to lead here (DNS rebinding): then name and origin agree."""
    assert status(served, host, upgrade=False) == 421
    assert status(served, host, f"http://{host}") == 421


ORIGINS = ("http://evil.example", "null", "http://localhost.evil.example", "http://localhost:1")


@pytest.mark.parametrize("origin", ORIGINS)
def test_a_page_of_another_site_gets_no_connection(served: str, origin: str) -> None:
    assert status(served, "localhost", origin) == 403
    assert status(served, "localhost", origin, upgrade=False) == 200  # its browser lets it not read


def test_the_processes_answer_to_no_other_name(command: tuple[psutil.Process, str]) -> None:
    started, _ = command
    worker = next(each for each in started.children() if "streamlit" in each.cmdline())
    port = next(
        each.laddr.port for each in worker.net_connections() if each.status == psutil.CONN_LISTEN
    )
    direct = f"http://127.0.0.1:{port}/class/dp/"
    assert status(direct, "evil.example", "http://evil.example") == 403
    assert status(direct, "class.example.org", "http://class.example.org") == 101


def test_a_checkout_answers_to_the_name_that_a_host_gives_it(server: str) -> None:
    for name, page in (
        ("name.apps.example", "https://name.apps.example"),
        (urlsplit(server).netloc, server),
    ):
        assert status(f"{server}/", name, upgrade=False) == 200
        assert status(f"{server}/", name, page) == 101


def test_a_class_is_one_on_all_processes(
    new_page: Callable[[str], Page], command: tuple[psutil.Process, str]
) -> None:
    running, address = command
    workers = [each for each in running.children() if "streamlit" in each.cmdline()]
    (store,) = {each.environ()["DPVIZ_CLASSES"] for each in workers}
    teacher, student = new_page(address), new_page(address)
    open_page(teacher, "learn?lesson=permute_and_flip")
    here = leads_to(command, cookie_of(teacher))
    elsewhere = next(
        c for c in (new_cookie(address) for _ in range(60)) if leads_to(command, c) != here
    )
    student.context.add_cookies([{"name": COOKIE, "value": elsewhere, "url": address}])
    teacher.get_by_role("button", name="Start a class").click()
    code = teacher.locator(".dp-code")
    expect(code).to_be_visible()
    student.goto(f"join?code={code.inner_text()}")
    expect(student.get_by_text(f"Class {code.inner_text()}")).to_be_visible()
    expect(teacher.locator(".dp-in b")).to_have_text("1")
    assert Path(store).stat().st_mode & 0o777 == 0o600


def test_nobody_is_handed_what_is_for_who_runs_it(served: str) -> None:
    for inner in ("metrics", "script-health-check"):
        with pytest.raises(HTTPError, match="404"):
            answer(f"{served}_stcore/{inner}")
    with pytest.raises(HTTPError, match="413"):  # a body is for where files go, and small elsewhere
        urlopen(Request(f"{served}join", data=b"x" * 20_000), timeout=SLOWEST)
    policy = answer(served)[0]["content-security-policy"]
    scripts = next(each for each in policy.split("; ") if each.startswith("script-src"))
    assert "data:" not in scripts
    assert "'unsafe-inline'" not in scripts


@pytest.mark.skipif(
    not Path("/proc/self/fd").exists(), reason="files without a name are seen on Linux alone"
)
@pytest.mark.parametrize("size", [2**20, pytest.param(50 * 2**20, marks=pytest.mark.long)])
def test_endless_bodies_hold_little_disk(command: tuple[psutil.Process, str], size: int) -> None:
    """Thirteen files of nobody's session, all but the last byte: four of an address are taken, and
    leave nothing.
    """
    running, address = command
    place = urlsplit(address)
    proxies = [each for each in running.children(recursive=True) if "nginx" in each.name()]
    with ExitStack() as open_lines:
        lines = [
            open_lines.enter_context(socket.create_connection((place.hostname, place.port)))
            for _ in range(13)
        ]
        for number, line in enumerate(lines):
            head = (
                f"PUT {place.path}_stcore/upload_file/nobody/{number} HTTP/1.1\r\nHost:"
                f" {place.netloc}\r\n"
            )
            line.sendall(f"{head}Content-Length: {size}\r\n\r\n".encode())
            with suppress(ConnectionError):  # it was answered meanwhile
                line.sendall(b"x" * (size - 1))
        until(lambda: len(select(lines, [], [], 0)[0]) == len(lines) - 4)
        for line in select(lines, [], [], 0)[0]:
            with suppress(ConnectionError):  # reset once its answer is there
                assert line.recv(12) == b"HTTP/1.1 429"
        until(lambda: held(proxies) > 3 * size)
        assert held(proxies) <= 4 * size
    until(lambda: held(proxies) == 0)


def held(proxies: list[psutil.Process]) -> int:
    """Bytes in the bodies that nginx has open, which have no name any more."""
    total = 0
    for file in (file for each in proxies for file in Path(f"/proc/{each.pid}/fd").iterdir()):
        with suppress(FileNotFoundError):  # it has just gone
            total += file.stat().st_size if "/body/" in os.readlink(file) else 0
    return total


def test_a_process_that_ends_is_started_again(command: tuple[psutil.Process, str]) -> None:
    running, address = command
    cookies = [new_cookie(address) for _ in range(20)]  # both processes are among them
    before = {each.pid for each in running.children()}
    for worker in [each for each in running.children() if "streamlit" in each.cmdline()]:
        worker.kill()
    until(lambda: len({each.pid for each in running.children()} - before) == 2)
    until(lambda: all(is_up(address, cookie) for cookie in cookies))
    assert counted(command) == [0, 0]


def is_up(address: str, cookie: str) -> bool:
    """Whether the process of this cookie answers; while it starts, nginx says so in a page that
    comes back.
    """
    try:
        return bool(answer(f"{address}_stcore/health", cookie)[1])
    except HTTPError as error:
        if error.code == 503:
            return False
        raise

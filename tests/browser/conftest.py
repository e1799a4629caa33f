"""The app as a person meets it: a fresh server and Chromium, driven by Playwright.

Every `page` fails its test on an error in the browser's console and on a request to another host.
Wait for states (`expect`, `ready`), never for time; find elements by label or role.
"""

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.steps import open_page
from tests.browser.windows import NewPage, Opened, Rack
from tests.until import until

ROOT = Path(__file__).resolve().parents[2]
# pages under the line of addresses, made for every window
NEVER_SEEN = "WebUIOmniboxPopup,WebUIOmniboxAimPopup"
# which Playwright turns off; a second list takes the place of its own
PLAYWRIGHTS = (
    "AvoidCorsURLLoaderRestartOnRedirect,AvoidUnnecessaryBeforeUnloadCheckSync,AimEnabled,"
    "DestroyProfileOnBrowserClose,HttpsFirstBalancedModeAutoEnable,HttpsUpgrades,LensOverlay,"
    "MediaRouter,NetworkTimeServiceQuerying,OptimizationHints,PaintHolding,PreconnectToSearch,"
    "ThirdPartyStoragePartitioning"
)
# to compile a page for long costs more than it gives in a test
SHORT_LIVED = "--js-flags=--no-maglev --no-opt"
FLAGS = [
    "--no-sandbox",  # containers run as root
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={PLAYWRIGHTS},{NEVER_SEEN}",
]


@contextmanager
def serve(home: Path, script: Path = ROOT / "app.py", **environment: str) -> Iterator[str]:
    """The address of a server of its own, which no configuration of the user reaches."""
    command = [sys.executable, "-m", "streamlit", "run", str(script)]
    command += ["--server.headless", "true", "--server.fileWatcherType", "none"]
    with running(command, "--server.port", home, **environment) as address:
        yield address


@contextmanager
def running(
    command: list[str], port_option: str, home: Path, cwd: Path = ROOT, **environment: str
) -> Iterator[str]:
    """The address that a command serves, on a port of its own, until it is told to end."""
    home.mkdir(parents=True, exist_ok=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [*command, port_option, str(port)]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("STREAMLIT_")}
    log = home / "server.log"
    with log.open("w") as out:
        server = subprocess.Popen(
            command,
            cwd=cwd,
            env=kept | environment | {"HOME": str(home)},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
        )
        try:
            address = f"http://localhost:{port}"
            until(lambda: is_healthy(address), of=server, told=log.read_text)
            yield address
        finally:
            server.terminate()
            try:
                server.wait(10)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def is_healthy(address: str) -> bool:
    """Whether a server answers there."""
    try:
        with urlopen(f"{address}/_stcore/health", timeout=5) as answer:
            return bool(answer.status == 200)
    except (URLError, TimeoutError, ConnectionError):
        return False


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One browser for all tests; CHROMIUM names it (./tests/run does)."""
    names = ("chromium", "chromium-browser", "google-chrome")
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=[*FLAGS, SHORT_LIVED])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of the classes of the server that the tests share."""
    return tmp_path_factory.mktemp("classes") / "classes.sqlite"


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, store: Path) -> Iterator[str]:
    """The address of the server that the tests share."""
    with serve(tmp_path_factory.mktemp("server"), DPVIZ_CLASSES=str(store)) as address:
        yield address


@pytest.fixture(scope="session")
def rack(chromium: Browser) -> Rack:
    """The windows that tests use one after the other."""
    return Rack(chromium)


@pytest.fixture
def new_page(rack: Rack) -> Iterator[NewPage]:
    """new_page(address) opens a browser of its own (a new session) for that server."""
    with rack.windows() as new_page:
        yield new_page


@pytest.fixture
def opened(rack: Rack) -> Iterator[Opened]:
    """A window without a network on a file of the disk."""
    with rack.on_disk() as opened:
        yield opened


@pytest.fixture(scope="module")
def visit(rack: Rack, server: str) -> Iterator[Callable[[str], Page]]:
    """visit(path) is that page, opened once for all tests of a module that read it; put back what
    you change.
    """
    with rack.windows() as new_page:

        @cache
        def visit(path: str) -> Page:
            page = new_page(server)
            open_page(page, path)
            return page

        yield visit


@pytest.fixture
def page(new_page: NewPage, server: str) -> Page:
    """A browser of its own on the shared server; page.goto("/explore") is relative to it."""
    return new_page(server)

"""Small files that unpack to gigabytes, given to a live server whose memory is watched."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest
from playwright.sync_api import expect

from dpviz.data.reading.input_rules import MAX_BYTES, MAX_MEMORY, MAX_TEXT_MEMORY
from tests.browser.conftest import serve
from tests.browser.steps import open_page, ready, settings
from tests.browser.windows import NewPage
from tests.data.reading.bombs import bomb

# A workbook and a text file on every change; tests/data/reading/test_limited_reading.py gives them to the
# reader.
KINDS = ("corners.xlsx", "keys.json")
OTHERS = ("texts.xlsx", "long.parquet", "nested.parquet", "rows.csv", "wide.csv")
SCENARIO = (
    b'{"dpviz": "scenario", "version": 1, "scores": {"values": [' + b"[]," * 16_000_000 + b"[]]}}"
)
SLOWEST_BOMB = 90_000  # ms: ten seconds of processor time, on a machine that is busy with others


@contextmanager
def watched(address: str) -> Iterator[list[int]]:
    """The memory of the server at this address and of all it starts: what it was, then the most
    that was seen.
    """
    server = process(address)
    seen = [memory(server)] * 2
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.02):
            seen[1] = max(seen[1], memory(server))

    watcher = threading.Thread(target=watch)
    watcher.start()
    yield seen
    done.set()
    watcher.join()


def process(address: str) -> psutil.Process:
    """The server at this address, which this process has started."""
    port = str(urlsplit(address).port)
    return next(
        each
        for each in psutil.Process(os.getpid()).children(recursive=True)
        if port in each.cmdline()
    )


def memory(server: psutil.Process) -> int:
    """Bytes; what processes share is shared out among them."""
    total = 0
    for process in (server, *server.children(recursive=True)):
        with suppress(psutil.NoSuchProcess, OSError):  # it has just ended
            total += process.memory_full_info().pss
    return total


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server of this module's own."""
    with serve(tmp_path_factory.mktemp("attacked")) as address:
        yield address


@pytest.mark.long
@pytest.mark.parametrize("kinds", [KINDS, OTHERS], ids=["few", "others"])
def test_bombs_end_in_a_sentence_and_the_server_stays_small(
    new_page: NewPage, attacked: str, tmp_path: Path, kinds: tuple[str, ...]
) -> None:
    page = new_page(attacked)
    open_page(page, "/explore")
    settings(page)
    page.get_by_role("combobox", name="Scores from").click()
    page.get_by_role("option", name="Your own file").click()
    ready(page)
    heading = page.get_by_role("heading", level=1).inner_text()
    start = memory(process(attacked))
    for name in kinds:
        (tmp_path / name).write_bytes(bomb(name))
        with watched(attacked) as seen:
            page.get_by_test_id("stSidebar").locator("input[type=file]").first.set_input_files(
                str(tmp_path / name)
            )
            told = page.get_by_test_id("stAlert").filter(has_text=name)
            expect(told).to_contain_text("limit", timeout=SLOWEST_BOMB)
            ready(page)
        assert page.get_by_role("heading", level=1).inner_text() == heading
        stays_small(seen, name)
    assert memory(process(attacked)) - start < MAX_BYTES, "a file that was refused is not kept"


@pytest.mark.long
def test_a_scenario_that_unpacks_ends_in_a_sentence_too(
    new_page: NewPage, attacked: str, tmp_path: Path
) -> None:
    page = new_page(attacked)
    open_page(page, "/explore")
    heading = page.get_by_role("heading", level=1).inner_text()
    (tmp_path / "votes.json").write_bytes(SCENARIO)
    page.get_by_role("button", name="Share or save").click()
    dialog = page.get_by_role("dialog", name="Share or save")
    expect(dialog.get_by_text("Open a scenario file")).to_be_visible()
    with watched(attacked) as seen:
        dialog.locator("input[type=file]").set_input_files(str(tmp_path / "votes.json"))
        told = dialog.get_by_test_id("stAlert").filter(has_text="votes.json was not opened")
        expect(told).to_contain_text("which is the limit", timeout=SLOWEST_BOMB)
    stays_small(seen, "votes.json")
    dialog.get_by_role("button", name="Close").click()
    assert page.get_by_role("heading", level=1).inner_text() == heading


def stays_small(seen: list[int], name: str) -> None:
    before, most = seen
    limit = MAX_TEXT_MEMORY if name.endswith(".csv") else MAX_MEMORY
    assert most - before < limit, f"{(most - before) / 1e6:.0f} MB more than before {name}"

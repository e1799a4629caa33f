"""Small files that unpack to gigabytes, given to a live server whose memory is watched."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psutil
from playwright.sync_api import Page, expect

from dpviz.data.ingest.limits import MAX_MEMORY
from tests.browser.steps import open_page, ready
from tests.data.ingest.bombs import bombs

PYTHON = 150_000_000  # bytes of a Python with pandas, before it reads anything


@contextmanager
def watched(address: str) -> Iterator[list[int]]:
    """The memory of the server at this address and of all it starts: what it was, then the most that was seen."""
    port = str(urlsplit(address).port)
    server = next(each for each in psutil.Process(os.getpid()).children(recursive=True) if port in each.cmdline())
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


def memory(server: psutil.Process) -> int:
    total = 0
    for process in (server, *server.children(recursive=True)):
        try:
            total += process.memory_info().rss
        except psutil.NoSuchProcess:  # it has just ended
            continue
    return total


def test_bombs_end_in_a_sentence_and_the_server_stays_small(page: Page, server: str, tmp_path: Path) -> None:
    open_page(page, "/explore")
    page.get_by_role("combobox", name="Scores from").click()
    page.get_by_role("option", name="A file").click()
    ready(page)
    heading = page.get_by_role("heading", level=1).inner_text()
    with watched(server) as seen:
        for name in ("row.xlsx", "corners.xlsx", "lists.parquet", "rows.csv"):
            (tmp_path / name).write_bytes(bombs()[name])
            page.get_by_test_id("stSidebar").locator("input[type=file]").first.set_input_files(str(tmp_path / name))
            told = page.get_by_test_id("stAlert").filter(has_text=name)
            expect(told).to_contain_text("limit")
            ready(page)
            assert page.get_by_role("heading", level=1).inner_text() == heading
    before, most = seen
    sent = sum(map(len, bombs().values()))  # what was uploaded may be held until the session ends
    assert most - before < MAX_MEMORY + PYTHON + sent, f"{(most - before) / 1e6:.0f} MB more than before"

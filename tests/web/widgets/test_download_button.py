"""A file is given to whoever still is where it was asked for; a large one is written by a process
of its own, and lies on disk for as long as somebody wants it.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import streamlit as st

from dpviz.base.chunked_text import MANY, ChunkedText
from dpviz.base.limited_process import can_start_worker
from dpviz.web.jobs import session_job_queue
from dpviz.web.jobs.job import Job
from dpviz.web.server.downloads import DownloadFile
from dpviz.web.widgets import download_button, print_header
from tests.base.works import endless, whose
from tests.until import until

SMALL = ChunkedText(lambda progress: iter(["a", ",1"]), 2)
LARGE = ChunkedText(whose, MANY + 1)
ENDLESS = ChunkedText(endless, MANY + 1)
LONG = 60.0


@pytest.fixture(autouse=True)
def session() -> Iterator[None]:
    yield
    st.session_state.clear()


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What the browser was given."""
    given: list[dict[str, Any]] = []

    def save(
        name: str, script: str, *, data: dict[str, Any], on_saved_change: Any, key: str
    ) -> None:
        given.append(data)
        on_saved_change()

    monkeypatch.setattr(download_button, "component", save)
    monkeypatch.setattr(st, "fragment", lambda key, run_every: lambda draw: draw)
    return given


def draw(text: ChunkedText) -> None:
    download_button.show_download_button("Table", text, "a.csv", "table")


def test_who_has_left_a_page_is_not_given_its_file_later(given: list[dict[str, Any]]) -> None:
    def turn_to(page: str) -> None:
        print_header.set_page_name(page, page.title())
        if page == "compare":
            draw(SMALL)

    turn_to("compare")
    download_button._want("table")
    turn_to("explore")
    turn_to("compare")
    assert given == []
    download_button._want("table")
    turn_to("compare")
    turn_to("compare")
    assert [(each["name"], each["text"]) for each in given] == [("a.csv", "a,1")]


@pytest.mark.skipif(not can_start_worker(), reason="no process can be given a line here")
def test_a_large_file_is_written_elsewhere() -> None:
    file = DownloadFile("a.csv", "text/csv")
    Path(file.path).write_text("an earlier try, which was longer", encoding="utf-8")
    steps = download_button._write_steps(LARGE, file)
    job = Job(steps)
    assert job.wait(LONG)
    assert job.results["file"] is file
    first, second = Path(file.path).read_text(encoding="utf-8").splitlines()
    assert first == second
    assert int(first) != os.getpid()


def test_a_file_is_there_until_it_was_given_and_another_one_after_it(
    given: list[dict[str, Any]],
) -> None:
    def made() -> Path:
        download_button._want("table")
        before = len(given)

        def drawn() -> bool:
            draw(LARGE)
            return len(given) > before

        until(drawn)
        file = download_button._GIVEN.value
        assert file is not None
        assert given[-1]["at"] == file.download_url
        return Path(file.path)

    first = made()
    assert first.stat().st_size > 0
    second = made()
    until(lambda: not first.exists())
    assert second.exists()


def test_the_file_of_who_has_left_is_written_no_further(
    given: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    files: list[DownloadFile] = []

    def kept(name: str, mime: str) -> DownloadFile:
        files.append(DownloadFile(name, mime))
        return files[-1]

    monkeypatch.setattr(download_button, "DownloadFile", kept)
    download_button._want("table")
    draw(ENDLESS)
    until(lambda: files and Path(files[0].path).stat().st_size > 0)
    (job,) = session_job_queue().jobs("file table")
    download_button.cancel_awaited_files()
    until(lambda: job.finished)
    assert session_job_queue().jobs("file table") == []
    path = Path(files.pop().path)
    until(lambda: not path.exists())
    assert given == []

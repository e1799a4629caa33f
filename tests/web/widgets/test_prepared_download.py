"""A large file is written by a process of its own, and lies on disk for as long as somebody wants
it.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st

from dpviz.base.chunked_text import MANY, ChunkedText
from dpviz.base.limited_process import can_limit
from dpviz.web.jobs.job import Job
from dpviz.web.server.downloads import DownloadFile
from dpviz.web.widgets import prepared_download
from tests.base.works import endless, whose
from tests.until import until

LARGE = ChunkedText(whose, MANY + 1)
ENDLESS = ChunkedText(endless, MANY + 1)
LONG = 60.0


@pytest.fixture(autouse=True)
def session() -> Iterator[None]:
    yield
    st.session_state.clear()


def empty() -> DownloadFile:
    return DownloadFile("a.csv", "text/csv")


@pytest.mark.skipif(not can_limit(), reason="no process can be given a line here")
def test_a_large_file_is_written_elsewhere() -> None:
    file = empty()
    Path(file.path).write_text("an earlier try, which was longer", encoding="utf-8")
    steps = prepared_download.file_write_steps(LARGE, file)
    job = Job(steps, getattr(steps, "apart"))  # noqa: B009
    assert job.wait(LONG)
    assert job.result("file", DownloadFile) is file
    first, second = Path(file.path).read_text(encoding="utf-8").splitlines()
    assert first == second
    assert int(first) != os.getpid()


def test_a_file_is_there_until_it_was_given_and_another_one_after_it() -> None:
    def made(press: str) -> DownloadFile:
        found: list[DownloadFile] = []
        until(
            lambda: (
                found.extend(
                    filter(
                        None, [prepared_download.await_written_file("table", press, LARGE, empty)]
                    )
                )
                or found
            )
        )
        prepared_download.mark_file_delivered("table", found[0])
        return found[0]

    first = made("first")
    path = Path(first.path)
    assert path.stat().st_size > 0
    del first
    assert path.exists()
    made("second")
    until(lambda: not path.exists())


def test_the_file_of_who_has_left_is_written_no_further() -> None:
    files: list[DownloadFile] = []

    def kept() -> DownloadFile:
        files.append(empty())
        return files[-1]

    assert prepared_download.await_written_file("table", "press", ENDLESS, kept) is None
    until(lambda: files and Path(files[0].path).stat().st_size > 0)
    (job,) = prepared_download.session_job_queue().jobs("file table")
    prepared_download.cancel_file("table")
    until(lambda: job.finished)
    assert prepared_download.session_job_queue().jobs("file table") == []
    path = Path(files.pop().path)
    until(lambda: not path.exists())

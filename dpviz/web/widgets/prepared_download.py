"""A large file, written to disk beside the page, with progress and a stop button.

Invariants: no part of it is held in memory; it is deleted with its job, unless it was delivered.
"""

from collections.abc import Callable, Mapping
from types import NoneType

import streamlit as st

from dpviz.base import Progress
from dpviz.base.chunked_text import ChunkedText, ChunkedTextWriter
from dpviz.web.jobs import PATIENCE, Done, WorkStep, session_job_queue, work_steps
from dpviz.web.server.downloads import DownloadFile
from dpviz.web.session import SessionValue
from dpviz.web.widgets.text import escape_markdown

_PLACE = 0  # in the line: before what else may wait
# the last one: those before were fetched
_GIVEN: SessionValue[DownloadFile | None] = SessionValue("given", NoneType)


def file_write_steps(text: ChunkedText, file: DownloadFile) -> Mapping[str, WorkStep]:
    """Step of a job that writes the text and returns the file."""
    steps = work_steps(ChunkedTextWriter(text, file.path), ["file"])
    write = steps["file"]

    def fill(progress: Progress, done: Done) -> DownloadFile:
        write(progress, done)
        return file

    steps["file"] = fill
    return steps


def await_written_file(
    key: str, press: str, text: ChunkedText, empty: Callable[[], DownloadFile]
) -> DownloadFile | None:
    """File for this `press` of the button, made by `empty`, once written; before, its progress."""
    (job,) = session_job_queue().request_jobs(
        _group(key),
        [(press, lambda: file_write_steps(text, empty()))],
        place=_PLACE,
        patience=PATIENCE,
    )
    job.count_results()
    file = job.result("file", DownloadFile)
    if job.problem is not None:
        st.error(escape_markdown(job.problem))
    elif job.cancelled:
        st.markdown("Stopped before the file was made.")
    elif file is None:
        done = f"Making the file: {job.fraction:.0%}".replace("%", " %")
        with st.container(horizontal=True, vertical_alignment="center"):
            st.progress(min(job.fraction, 1.0), text=f"{done} · {job.time_left_text}".rstrip(" ·"))
            st.button("Stop", icon=":material/stop:", key=f"{key}_stop", on_click=job.cancel)
    return file


def mark_file_delivered(key: str, file: DownloadFile) -> None:
    """Keep a file whose address the browser has, and end its job."""
    _GIVEN.put(file)
    cancel_file(key)


def cancel_file(key: str) -> None:
    """Stop writing the file of this button, and forget it."""
    session_job_queue().drop_group(_group(key))


def _group(key: str) -> str:
    return f"file {key}"

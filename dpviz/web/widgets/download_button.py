"""Buttons for files that are made when they are pressed; a large one is fetched from disk.

Invariant: no part of a large file is held in memory, and it is deleted with its job, unless it was
delivered.
"""

from collections.abc import Callable, Mapping
from functools import partial
from types import NoneType
from typing import Any
from uuid import uuid4

import streamlit as st

from dpviz.base import Progress, ignore_progress, time_left
from dpviz.base.chunked_text import ChunkedText, ChunkedTextWriter
from dpviz.web.jobs import PATIENCE, Done, WorkStep, session_job_queue, work_steps
from dpviz.web.server.downloads import DownloadFile
from dpviz.web.server.static_files import read_asset
from dpviz.web.session import SessionValue, state
from dpviz.web.widgets.controls import button
from dpviz.web.widgets.elements import component, escape_markdown
from dpviz.web.widgets.live_parts import EVERY, show_in_fragment

_PLACE = 0  # in the line: before what else may wait
_MIME = {
    "csv": "text/csv",
    "html": "text/html",
    "json": "application/json",
    "py": "text/x-python",
}  # by ending
# the press that asked for a file, by the key of its button
_WANTED: SessionValue[dict[str, str]] = SessionValue("wanted", dict)
# the last large one: those before were fetched
_GIVEN: SessionValue[DownloadFile | None] = SessionValue("given", NoneType)


def show_download_button(
    label: str, data: Callable[[], str] | ChunkedText, file_name: str, key: str, **more: Any
) -> None:
    """A button for a file that is made when it is pressed; the ending gives its type."""
    # Streamlit's own forgets such a file at the end of anybody's next run, while the browser still
    # shows the old button, whose press then does nothing
    st.button(
        label, key=key, on_click=_want, args=(key,), **{"icon": ":material/download:", **more}
    )
    if (press := _WANTED.value.get(key)) is None:
        return
    mime = _MIME[file_name.rpartition(".")[2]]

    def give(saved: Callable[[], object] = bool, **file: str) -> None:
        def forget() -> None:  # once the browser has it: what is drawn may be lost on its way
            _WANTED.value.pop(key, None)
            saved()

        component(
            "dpviz_save",
            read_asset("file_download.js"),
            data={"name": file_name, "mime": mime, "press": press, **file},
            key=f"{key}_file",
            on_saved_change=forget,
        )

    def write(text: ChunkedText) -> None:
        if _WANTED.value.get(key) != press:
            if not state.DIALOG.value:
                st.rerun()  # which ends the looks
            return
        steps = press, lambda: _write_steps(text, DownloadFile(file_name, mime))
        if (file := _written_file(key, *steps)) is not None:
            give(partial(_keep_file, key, file), at=file.download_url)

    if not isinstance(data, ChunkedText):
        give(text=data())
    elif data.is_slow_to_write:
        show_in_fragment(f"{key}_written", partial(write, data), EVERY)
    else:
        give(text="".join(data.pieces(ignore_progress)))


def _keep_file(key: str, file: DownloadFile) -> None:
    """Keep the file whose address the browser has, and end its job."""
    _GIVEN.put(file)
    session_job_queue().drop_group(_group(key))


def _want(key: str) -> None:
    _WANTED.value[key] = uuid4().hex


def cancel_awaited_files() -> None:
    """Make no file any more that somebody waited for on the page before."""
    for key in _WANTED.value:
        session_job_queue().drop_group(_group(key))
    _WANTED.value.clear()


def _group(key: str) -> str:
    return f"file {key}"


def _write_steps(text: ChunkedText, file: DownloadFile) -> Mapping[str, WorkStep]:
    """Step of a job that writes the text and returns the file."""
    steps = work_steps(ChunkedTextWriter(text, file.path), ["file"])
    write = steps["file"]

    def fill(progress: Progress, done: Done) -> DownloadFile:
        write(progress, done)
        return file

    steps["file"] = fill
    return steps


def _written_file(
    key: str, press: str, steps: Callable[[], Mapping[str, WorkStep]]
) -> DownloadFile | None:
    """File for this `press` of the button, once it is written; before, its progress."""
    (job,) = session_job_queue().request_jobs(
        _group(key), [(press, steps)], queue_place=_PLACE, patience_seconds=PATIENCE
    )
    job.count_results_keeping_alive()
    file: DownloadFile | None = job.results.get("file")
    if job.problem is not None:
        st.error(escape_markdown(job.problem))
    elif job.cancelled:
        st.markdown("Stopped before the file was made.")
    elif file is None:
        done = f"Making the file: {job.fraction:.0%}".replace("%", " %")
        left = time_left(job.seconds_since_start, 0.0, job.fraction)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.progress(min(job.fraction, 1.0), text=f"{done} · {left}".rstrip(" ·"))
            button("Stop", f"{key}_stop", job.cancel, icon="stop")
    return file

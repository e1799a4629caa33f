"""A large file that somebody asked for: written to disk beside the page, with how far it is and a
way to stop it.

It is written in a process of its own where one can be started, so that it takes no more than the
budget of a session and is over as soon as nobody wants it. Invariants: the server holds no piece of
it then, and of a table what the page shows of it anyway; a file goes with the job that writes it,
unless it was given.
"""

from collections.abc import Callable, Mapping
from functools import partial

import streamlit as st

from dpviz.base import Progress
from dpviz.base.chunked_text import InPieces, Writing
from dpviz.base.limited_process import POSSIBLE
from dpviz.web.jobs.job import Done, Job, WorkStep
from dpviz.web.jobs.job_queue import PATIENCE, desk
from dpviz.web.jobs.process_steps import Elsewhere
from dpviz.web.server.downloads import OnDisk
from dpviz.web.session.slot import Slot
from dpviz.web.widgets.browser_poll import Pace, watch
from dpviz.web.widgets.text import plain

_PLACE = 0  # in the line: before what else may wait
_LOOKS = Pace(0.5, 2.0)
_GIVEN: Slot[OnDisk | None] = Slot(
    "given", lambda: None, passing=True
)  # the last: those before were fetched


def steps_of(text: InPieces, file: OnDisk) -> Mapping[str, WorkStep]:
    """The one step, for a job; its result is the file."""
    writing = Writing(text, file.path)
    steps: dict[str, WorkStep] = (
        Elsewhere(writing, ["file"]) if POSSIBLE else {"file": partial(writing.computed, "file")}
    )
    steps["file"] = partial(_filled, file, steps["file"])
    return steps


def _filled(file: OnDisk, write: WorkStep, progress: Progress, done: Done) -> OnDisk:
    write(progress, done)
    return file


def written(key: str, press: str, text: InPieces, empty: Callable[[], OnDisk]) -> OnDisk | None:
    """What the button with this key was pressed for, once it is there; before, how far it is.

    `press` tells one press from the next, `empty` makes the file that is filled.
    """
    (job,) = desk().ask(
        _group(key), [(press, lambda: steps_of(text, empty()))], place=_PLACE, patience=PATIENCE
    )
    job.look()
    file = job.result("file", OnDisk)
    if file is not None:
        return file
    if job.problem is not None:
        st.error(plain(job.problem))
    elif job.cancelled:
        st.markdown("Stopped before all of the file was written.")
    else:
        _how_far(job, key)
    return None


def given(key: str, file: OnDisk) -> None:
    """The browser has been told where this file lies."""
    _GIVEN.put(file)
    leave(key)


def leave(key: str) -> None:
    """Nobody wants the file of this button any more."""
    desk().leave(_group(key))


def _group(key: str) -> str:
    return f"file {key}"


def _how_far(job: Job, key: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(
            min(job.fraction, 1.0), text=f"Writing the file: {job.fraction:.0%}".replace("%", " %")
        )
        st.button("Stop", icon=":material/stop:", key=f"{key}_stop", on_click=job.cancel)
    watch(f"{key}_file", lambda: None, _LOOKS)

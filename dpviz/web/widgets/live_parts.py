"""Studies computed beside the page, and parts of the page that fill as their steps come.

While something goes on, a fragment with Streamlit's own timer looks for what came, and runs the
page again.
"""

from collections import ChainMap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import streamlit as st

from dpviz.charts import count_text
from dpviz.studies import StepPending, StepReadings, Study
from dpviz.web.jobs import Job, missing_steps, session_cache, session_job_queue
from dpviz.web.jobs.fair_shares import take_turn
from dpviz.web.session import state
from dpviz.web.widgets.controls import button
from dpviz.web.widgets.elements import escape_markdown, show_markup

S = TypeVar("S", bound=Study)
EVERY = 0.5  # seconds between looks at what goes on
_SOON = 3.0  # seconds in which jobs are awaited that are to be shown together
_MOST_KEPT = 32  # results that studies share
_LAWS_PATIENCE = 1.0  # seconds a page waits for its laws: what is there by then is painted once
_FIRST_PATIENCE = 4.0  # when there is nothing yet to look at


def compute_in_background(
    study: S, group: str = "laws", *, queue_place: int | None = None, patience_seconds: float = 0.0
) -> tuple[S, Job]:
    """Study as far as it has come, and the job that continues it."""
    (now,), (job,) = compute_all_in_background(
        [study], group, queue_place=queue_place, patience_seconds=patience_seconds
    )
    return now, job


def compute_all_in_background(
    studies: Sequence[S],
    group: str = "laws",
    *,
    queue_place: int | None = None,
    patience_seconds: float = 0.0,
) -> tuple[list[S], list[Job]]:
    """Several studies, each with a job; the group "laws" is what a page shows first."""
    keep = session_cache("shared steps", _MOST_KEPT).get_or_make
    wanted = [(study.key, partial(missing_steps, study, keep)) for study in studies]
    queue = session_job_queue()
    if group == "laws":
        patience_seconds = _LAWS_PATIENCE if queue.jobs(group) else _FIRST_PATIENCE
    jobs = queue.request_jobs(
        group, wanted, queue_place=queue_place, patience_seconds=patience_seconds
    )
    now = [
        study.replace(results=ChainMap(study.results, job.results), beside=True)
        for study, job in zip(studies, jobs, strict=True)
    ]
    return now, jobs


@dataclass(frozen=True)
class LivePart:
    """A part of the page: the reader of its state, and the state it was drawn in."""

    there: Callable[[], object]
    seen: object

    @property
    def is_stale(self) -> bool:
        return self.there() != self.seen


def show_placeholder(content_name: str) -> None:
    show_markup('<div class="dp-place" role="status">{}: not computed yet</div>', content_name)


def show_chart_placeholder(content_name: str) -> None:
    """A placeholder as high as the chart, so that nothing moves when the chart comes."""
    show_markup(
        '<div class="dp-place dp-place-high" role="status">{} are being computed…</div>',
        content_name,
    )


@contextmanager
def live_part(
    content_name: str = "",
    *,
    show_wait: Callable[[str], None] = show_placeholder,
    read_state: Callable[[], object] | None = None,
) -> Iterator[None]:
    """A part of the page that ends where a step has not come yet, and says so if it is a
    `content_name`.

    The page runs again when more of the steps it reads have come, or what it `read_state` changes.
    """
    readings = StepReadings()
    followed = (
        None if read_state is None else read_state()
    )  # what comes while it is drawn counts as new
    # in a block of its own, so that the parts after it keep their places
    with st.container(), readings.record_reads():
        try:
            yield
        except StepPending:
            if content_name:
                show_wait(content_name)
    state.PARTS.value.append(LivePart(readings.count_ready_now, readings.count_ready_when_read))
    if read_state is not None:
        state.PARTS.value.append(LivePart(read_state, followed))


@contextmanager
def fold(key: str, label: str, content_name: str = "", *, opened: bool = False) -> Iterator[bool]:
    """A live part in an expander, True where it is open: draw nothing where it is not."""
    with st.container():  # in which it stands close to one before it
        box = st.expander(label, expanded=opened, on_change="rerun", key=f"{key}_fold")
    with box, live_part(content_name):
        yield bool(box.open)


def showable_job_count(jobs: Sequence[Job]) -> int:
    """Number of jobs to show in one picture: all if they come soon, else each as it comes."""
    done = sum(job.finished for job in jobs)
    whole = done == len(jobs) or any(job.cancelled for job in jobs)
    return done if whole or max(job.seconds_since_start for job in jobs) > _SOON else 0


def show_in_fragment(key: str, show_content: Callable[[], object], seconds: float | None) -> None:
    """Show a part that runs alone when a control in it is used, and every so many seconds."""
    # A fragment that runs before the browser has the page's run takes its own part out of that run,
    # and Streamlit moves up what follows it in the same block: so it has a block of its own.
    with st.container(key=f"{key}_place"):

        @st.fragment(key=key, run_every=seconds)
        @take_turn()
        def run() -> None:
            show_content()

        run()


@contextmanager
def show_job_progress(*groups: str, key: str = "page") -> Iterator[None]:
    """Show the parts in the block while jobs of these groups go on, below a line on them."""
    place = st.container(key=f"{key}_line")
    try:
        yield
    finally:  # also where a part has ended the run
        with place:
            _show_line(groups, key)


def _show_line(groups: Sequence[str], key: str) -> None:
    jobs = session_job_queue().jobs(*groups)
    for problem in dict.fromkeys(job.problem for job in jobs if job.problem is not None):
        st.error(escape_markdown(problem))
    running = _running(jobs)
    stopped = any(job.cancelled for job in jobs)
    if running or any(part.is_stale for part in state.PARTS.value):
        _show_work(groups, key, running)
    elif stopped or any(job.failed for job in jobs):
        with st.container(horizontal=True, vertical_alignment="center"):
            if stopped:
                st.markdown("Stopped before everything was computed.")
            button(
                "Compute the rest" if stopped else "Try again",
                f"{key}_again",
                session_job_queue().drop_stopped_jobs,
                jobs,
                icon="play_arrow",
            )


def _show_work(groups: Sequence[str], key: str, running: Sequence[Job]) -> None:
    """Show the line, and run the page again when there is more to draw."""

    def look() -> None:
        jobs = session_job_queue().jobs(*groups)
        now = _running(jobs)
        if not state.DIALOG.value and (
            now != running or any(part.is_stale for part in state.PARTS.value)
        ):
            st.rerun()  # which would close a dialog
        _show_progress(jobs, now, key)

    show_in_fragment(f"{key}_work", look, EVERY)


def _running(jobs: Sequence[Job]) -> list[Job]:
    for job in jobs:
        job.count_results_keeping_alive()
    return [job for job in jobs if not (job.finished or job.cancelled)]


def _show_progress(jobs: Sequence[Job], running: Sequence[Job], key: str) -> None:
    over = len(jobs) - len(running)
    text = (
        f"Computing: {over} of {count_text(len(jobs), 'part')} done. Each appears when it is ready."
        if len(jobs) > 1
        else "Computing. Figures appear when they are ready."
    )
    done = over + sum(min(job.fraction, 1.0) for job in running)
    with st.container(key=f"{key}_progress", horizontal=True, vertical_alignment="center"):
        st.progress(done / max(len(jobs), 1), text=text)
        # before the run that it begins, which may end at once as more has come
        button("Stop", f"{key}_stop", _cancel_jobs, jobs, icon="stop")


def _cancel_jobs(jobs: Sequence[Job]) -> None:
    for job in jobs:
        job.cancel()

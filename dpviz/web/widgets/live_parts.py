"""Parts of a page that fill as results come, and the line that says how far the work is.

While something goes on, a fragment with Streamlit's own timer looks for what came, and runs the
page again.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import streamlit as st

from dpviz.charts import count_text
from dpviz.web.jobs import Job, session_job_queue
from dpviz.web.jobs.fair_shares import take_turn
from dpviz.web.session import state
from dpviz.web.widgets.text import escape_markdown

EVERY = 0.5  # seconds between looks at what goes on
_SOON = 3.0  # seconds in which jobs are awaited that are to be shown together


@dataclass(frozen=True)
class LivePart:
    """A part of the page: the reader of its state, and the state it was drawn in."""

    there: Callable[[], object]
    seen: object

    @property
    def is_stale(self) -> bool:
        return self.there() != self.seen


def progress_reader(job: Job) -> Callable[[], object]:
    """Reader of a job's progress, for `show_live_part`."""
    return lambda: (job.count_results(), job.finished)


def showable_job_count(jobs: Sequence[Job]) -> int:
    """Number of jobs to show in one picture: all if they come soon, else each as it comes."""
    done = sum(job.finished for job in jobs)
    whole = done == len(jobs) or any(job.cancelled for job in jobs)
    return done if whole or max(job.age for job in jobs) > _SOON else 0


def show_live_part(show_content: Callable[[], object], there: Callable[[], object]) -> None:
    """Show a part, which is drawn again when `there` changes while something goes on."""
    before = there()  # what comes while it is drawn counts as new
    with st.container():  # the parts after it keep their places, however much it shows
        read = show_content()  # may return the state that it has read
    state.PARTS.value.append(LivePart(there, before if read is None else read))


def show_in_fragment(key: str, show_content: Callable[[], object], every: float | None) -> None:
    """Show a part that runs alone when a control in it is used, and every so many seconds."""
    # A fragment that runs before the browser has the page's run takes its own part out of that run,
    # and Streamlit moves up what follows it in the same block: so it has a block of its own.
    with st.container(key=f"{key}_place"):

        @st.fragment(key=key, run_every=every)
        @take_turn()
        def run() -> None:
            show_content()

        run()


def show_when_changed(key: str, there: Callable[[], object], every: float) -> None:
    """Run the page again when `there` is not what it was when the page was drawn."""
    drawn = there()

    def look() -> None:
        if there() != drawn:
            st.rerun()

    show_in_fragment(key, look, every)


@contextmanager
def show_job_progress(jobs: Callable[[], Sequence[Job]], key: str = "page") -> Iterator[None]:
    """Show the parts in the block while `jobs` go on, below a line on their progress."""
    place = st.container(key=f"{key}_line")
    try:
        yield
    finally:  # also where a part has ended the run
        with place:
            _show_line(jobs, key)


def _show_line(jobs: Callable[[], Sequence[Job]], key: str) -> None:
    now = jobs()
    for problem in dict.fromkeys(job.problem for job in now if job.problem is not None):
        st.error(escape_markdown(problem))
    running = _running(now)
    if running or any(part.is_stale for part in state.PARTS.value):
        _show_work(jobs, key, running)
    elif (stopped := any(job.cancelled for job in now)) or any(job.failed for job in now):
        with st.container(horizontal=True, vertical_alignment="center"):
            if stopped:
                st.markdown("Stopped before everything was computed.")
            if st.button(
                "Compute the rest" if stopped else "Try again",
                icon=":material/play_arrow:",
                key=f"{key}_again",
            ):
                session_job_queue().drop_stopped_jobs(now)
                st.rerun()


def _show_work(jobs: Callable[[], Sequence[Job]], key: str, running: Sequence[Job]) -> None:
    """Show the line, and run the page again when there is more to draw."""

    def look() -> None:
        parts = state.PARTS.value
        if not state.DIALOG.value and (
            _running(jobs()) != running or any(part.is_stale for part in parts)
        ):
            st.rerun()  # which would close a dialog
        _show_progress(jobs(), key)

    show_in_fragment(f"{key}_work", look, EVERY)


def _running(jobs: Sequence[Job]) -> list[Job]:
    for job in jobs:
        job.count_results()
    return [job for job in jobs if not (job.finished or job.cancelled)]


def _show_progress(jobs: Sequence[Job], key: str) -> None:
    running = _running(jobs)
    over = len(jobs) - len(running)
    text = (
        f"Computing: {over} of {count_text(len(jobs), 'part')} done. Each appears when it is ready."
        if len(jobs) > 1
        else "Computing. Figures appear when they are ready."
    )
    done = over + sum(min(job.fraction, 1.0) for job in running)
    with st.container(key=f"{key}_progress", horizontal=True, vertical_alignment="center"):
        st.progress(done / max(len(jobs), 1), text=text)
        if st.button("Stop", icon=":material/stop:", key=f"{key}_stop"):
            for job in jobs:
                job.cancel()
            st.rerun()

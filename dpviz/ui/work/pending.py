"""The line that says what is under way and stops it."""

from collections.abc import Sequence

import streamlit as st

from dpviz.charts.words import count
from dpviz.ui.shell.text import plain
from dpviz.ui.work.desk import desk
from dpviz.ui.work.job import Job

__all__ = ["pending"]

_WATCH = 0.4  # seconds between looks at work under way


def pending(*jobs: Job, key: str = "page") -> bool:
    """Show what became of the work, if it is not simply done; whether something is still to come.

    `key` tells one such line on the page from another.
    """
    for problem in dict.fromkeys(job.problem for job in jobs if job.problem is not None):
        st.error(plain(problem))
    if any(_runs(job) for job in jobs):
        _watch(jobs, [job.look() for job in jobs], key)
        return True
    if any(job.cancelled for job in jobs):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown("Stopped before everything was computed.")
            if st.button("Compute the rest", icon=":material/play_arrow:", key=f"{key}_again"):
                desk().forget(jobs)
                st.rerun()
    return False


def _runs(job: Job) -> bool:
    return not (job.finished or job.cancelled)


@st.fragment(run_every=_WATCH)
def _watch(jobs: Sequence[Job], seen: Sequence[int], key: str) -> None:
    """Progress of the work under way; when something new has come, the page is run again."""
    left = sum(_runs(job) for job in jobs)
    if [job.look() for job in jobs] != seen or not left:
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center"):
        text = "Computing; figures fill their places as they come."
        if len(jobs) > 1:
            text = f"Computing: {len(jobs) - left} of {count(len(jobs), 'part')} done; each appears when it is there."
        st.progress(sum(min(job.fraction, 1.0) if _runs(job) else 1.0 for job in jobs) / len(jobs), text=text)
        if st.button("Stop", icon=":material/stop:", key=f"{key}_stop"):
            for job in jobs:
                job.cancel()
            st.rerun()

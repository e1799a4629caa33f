"""Places that fill later, and the line that says what is under way and stops it."""

from collections.abc import Sequence

import streamlit as st

from dpviz.charts.words import count
from dpviz.ui.compare.sides import desk
from dpviz.ui.shell.text import plain

__all__ = ["place_for", "working"]

_WATCH = 0.5  # seconds between looks at work under way


def place_for(what: str) -> None:
    """A place as high as the chart that will fill it, so that nothing moves when it does."""
    st.html(f'<div class="dp-place dpc-place" role="status">{what} are being computed…</div>')


def working(groups: Sequence[str], key: str) -> None:
    """What is still under way in these groups, what was stopped, what could not be computed."""
    jobs = desk().jobs(groups)
    for problem in dict.fromkeys(job.problem for job in jobs if job.problem is not None):
        st.error(plain(problem))
    seen = [job.look() for job in jobs]
    if any(not job.finished for job in jobs):
        _watch(list(groups), seen, key)
    elif any(job.cancelled for job in jobs):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown("Stopped before everything was computed.")
            if st.button("Compute the rest", icon=":material/play_arrow:", key=f"{key}_again"):
                desk().forget(groups)
                st.rerun()


@st.fragment(run_every=_WATCH)
def _watch(groups: list[str], seen: list[int], key: str) -> None:
    """Progress of the work under way; when something new has come, the page is run again."""
    jobs = desk().jobs(groups)
    if [job.look() for job in jobs] != seen or all(job.finished for job in jobs):
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center"):
        fraction = sum(1.0 if job.finished else min(job.fraction, 1.0) for job in jobs) / len(jobs)
        left = sum(not job.finished for job in jobs)
        text = f"Computing: {len(jobs) - left} of {count(len(jobs), 'part')} done; each appears when it is there."
        st.progress(fraction, text=text)
        if st.button("Stop", icon=":material/stop:", key=f"{key}_stop"):
            for job in jobs:
                job.cancel()

"""Places that fill later, and the line that says what is under way and stops it."""

from collections.abc import Sequence

import streamlit as st

from dpviz.charts.words import count
from dpviz.ui.compare.sides import Side, desk
from dpviz.ui.text import plain

__all__ = ["place_for", "working"]


def place_for(what: str) -> None:
    """A place as high as the chart that will fill it, so that nothing moves when it does."""
    st.html(f'<div class="dp-place dpc-place" role="status">{what} are being computed…</div>')


def working(groups: Sequence[str], of: Sequence[Side], key: str) -> None:
    """What is still under way in these groups, what was stopped, what could not be computed."""
    jobs = desk().jobs(groups)
    for problem in dict.fromkeys(job.problem for job in jobs if job.problem is not None):
        st.error(plain(problem))
    for job in jobs:
        job.look()
    left = [job for job in jobs if not job.finished]
    if left:
        with st.container(horizontal=True, vertical_alignment="center"):
            fraction = sum(1.0 if job.finished else min(job.fraction, 1.0) for job in jobs) / len(jobs)
            st.progress(
                fraction, text=f"{count(len(left), 'part')} of {len(jobs)} under way; each appears when it is there."
            )
            if st.button("Stop", icon=":material/stop:", key=f"{key}_stop"):
                for job in left:
                    job.cancel()
    elif any(job.cancelled for job in jobs):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown("Stopped before everything was computed.")
            if st.button("Compute the rest", icon=":material/play_arrow:", key=f"{key}_again"):
                desk().forget(groups)
                st.rerun()

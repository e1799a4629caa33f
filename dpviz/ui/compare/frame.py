"""The head of the page and the line that says what is still under way."""

from collections.abc import Sequence

import streamlit as st

from dpviz.charts.words import count
from dpviz.scenario import Scenario
from dpviz.scores import Scores
from dpviz.ui import page
from dpviz.ui.compare.figures import lead
from dpviz.ui.compare.marks import rules
from dpviz.ui.compare.sides import Side, desk
from dpviz.ui.text import plain

__all__ = ["pending", "title"]

_WATCH = 0.35  # seconds between looks at work under way
_HERE = ("laws", "maps")


def title(scenario: Scenario, scores: Scores, of: Sequence[Side]) -> None:
    """What is compared, and the one sentence that matters most."""
    st.html(rules())
    page.title(scenario, scores, "Compare", lead(of), count(len(of), "mechanism"))


def pending(of: Sequence[Side]) -> None:
    """What became of the work on the laws, if it is not simply done."""
    jobs = desk().jobs(_HERE)
    for problem in dict.fromkeys(job.problem for job in jobs if job.problem is not None):
        st.error(plain(problem))
    if any(not job.finished for job in jobs):
        _watch([job.look() for job in jobs])
    elif any(job.cancelled for job in jobs):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown("Stopped before everything was computed.")
            if st.button("Compute the rest", icon=":material/play_arrow:", key="compare_again"):
                desk().forget(_HERE)
                st.rerun()


@st.fragment(run_every=_WATCH)
def _watch(seen: list[int]) -> None:
    """Progress of the work under way; when something new has come, the page is run again."""
    jobs = desk().jobs(_HERE)
    if [job.look() for job in jobs] != seen or all(job.finished for job in jobs):
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center"):
        fraction = sum(job.fraction for job in jobs) / len(jobs)
        st.progress(min(fraction, 1.0), text="Computing; figures fill their places as they come.")
        if st.button("Stop", icon=":material/stop:", key="compare_stop"):
            for job in jobs:
                job.cancel()

"""A figure to take away: made beside the page when it is asked for, with its progress and a way to stop it.

Invariant: what the file will hold of the data is said before it is made.
"""

from collections.abc import Callable, Mapping
from urllib.parse import urlencode

import streamlit as st

from dpviz.base.progress import Progress
from dpviz.base.scores import Scores
from dpviz.reports.takeaway import File, Takeaway, around, compared, explored, holds, written
from dpviz.studies.scenario import Scenario
from dpviz.ui.shell import paper, state
from dpviz.ui.shell.style import asset
from dpviz.ui.shell.text import plain
from dpviz.ui.work.desk import PATIENCE, desk
from dpviz.ui.work.job import Done, Job, Step

__all__ = ["draw"]

_ASKED = "dpviz.takeaway"  # the key of what was asked for
_PLACE = 9  # in the line: after all that the page itself shows
_LOOK = 0.5, 2.0  # seconds between looks at the work


def _explored(scenario: Scenario, scores: Scores, progress: Progress) -> Takeaway:
    return explored(scenario, scores, progress=progress)


def _compared(scenario: Scenario, scores: Scores, progress: Progress) -> Takeaway:
    return compared(scenario, scores, str(scenario.page.get("event", "")), progress=progress)


_MAKERS: Mapping[str, Callable[[Scenario, Scores, Progress], Takeaway]] = {"Explore": _explored, "Compare": _compared}
"""By the title of the page, what makes the figure of it."""


def draw(scenario: Scenario) -> None:
    """The part of the dialog, on pages of which there is such a figure."""
    page = paper.shown_now().page
    if page not in _MAKERS or scenario.needs_data:
        return
    scores = state.scores(scenario)
    st.markdown("**A figure with a slider, as one file**")
    st.caption(
        "ε in steps from a tenth to ten times what it is, each computed; it opens anywhere, without this app and "
        f"without a network. {plain(holds(scenario, scores, items=page == 'Explore'))}"
    )
    key = f"{page} {urlencode(scenario.to_query())} {scores.digest}"
    # Without a component that looks again by itself the part is drawn again and again.
    again = None if hasattr(st.components, "v2") else _LOOK[0]

    @st.fragment(key="takeaway", run_every=again)
    def drawn() -> None:
        if st.session_state.get(_ASKED) == key:
            _made(page, scenario, scores, key)
        else:
            _button(lambda: st.session_state.update({_ASKED: key}))

    drawn()


def _button(act: Callable[[], None]) -> None:
    st.button("Make the file", icon=":material/tune:", key="takeaway_make", on_click=act)


def _made(page: str, scenario: Scenario, scores: Scores, key: str) -> None:
    """The file, or how far it is."""
    told = paper.shown_now()
    (job,) = desk().ask(
        "takeaway",
        [(key, lambda: _steps(page, scenario, scores, told.rows))],
        place=_PLACE,
        patience=PATIENCE,
    )
    job.look()
    file = job.result("file", File)
    if file is not None:
        st.download_button(
            "Download the figure",
            data=lambda: file.html,
            file_name=f"{told.file_name('slider')}.html",
            mime="text/html",
            on_click="ignore",
            icon=":material/download:",
            key="takeaway_file",
        )
    elif job.problem is not None:
        st.error(plain(job.problem))
    elif job.cancelled:
        st.markdown("Stopped before every step was computed.")
        _button(lambda: desk().forget([job]))
    else:
        _progress(job, len(around(scenario.epsilon)))


def _progress(job: Job, steps: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(min(job.fraction, 1.0), text=_told(job, steps))
        st.button("Stop", icon=":material/stop:", key="takeaway_stop", on_click=job.cancel)
    if hasattr(st.components, "v2"):
        watch = st.components.v2.component("dpviz_watch", js=asset("watch.js"))
        first, most = (int(1000 * seconds) for seconds in _LOOK)
        watch(data={"first": first, "most": most}, key="takeaway_watch", on_tick_change=lambda: None)


def _told(job: Job, steps: int) -> str:
    done = f"Steps of the slider: {int(job.fraction * steps + 1e-6):,} of {steps:,} computed"
    return f"{done} · {job.left}" if job.left else f"{done}."


def _steps(page: str, scenario: Scenario, scores: Scores, about: tuple[tuple[str, str], ...]) -> Mapping[str, Step]:
    def file(progress: Progress, done: Done) -> File:
        start = [("ε where the slider starts" if what == "ε" else what, value) for what, value in about]
        return written(_MAKERS[page](scenario, scores, progress), start)

    return {"file": file}

"""A figure to take away: made beside the page when it is asked for, with its progress and a way to stop it.

Invariant: what the file will hold of the data is said before it is made.
"""

from collections.abc import Callable, Mapping
from urllib.parse import urlencode

import streamlit as st

from dpviz.reports.takeaway import PAGES, File, Page, Subject, file_of
from dpviz.studies.about import Pair
from dpviz.studies.pages.candidates import Pools
from dpviz.studies.scenario import Scenario
from dpviz.ui.shell import paper, state
from dpviz.ui.shell.text import plain
from dpviz.ui.work.desk import PATIENCE, desk
from dpviz.ui.work.job import Job, Step
from dpviz.ui.work.watch import watch, watches

__all__ = ["among", "draw"]

_ASKED = "dpviz.takeaway"  # the key of what was asked for
_POOLS = "dpviz.takeaway.pools"  # what a page about candidates chooses among
_PLACE = 9  # in the line: after all that the page itself shows
_LOOK = 0.5, 2.0  # seconds between looks at the work


def among(pools: Pools | None) -> None:
    """What candidates a page is about, if it is about some; None where a table must be loaded first."""
    st.session_state[_POOLS] = pools


def draw(scenario: Scenario) -> None:
    """The part of the dialog, on pages of which there is such a figure."""
    title = paper.shown_now().page
    page = next((page for page in PAGES.values() if page.title == title), None)
    of = None if page is None else _subject(page, scenario)
    if page is None or of is None:
        return
    st.markdown("**A figure with a slider, as one file**")
    st.caption(
        plain(
            f"The slider moves {page.moves(of)} through steps that are each computed. The file opens anywhere, without "
            f"this app and without a network. {page.holds(of)}"
        )
    )
    data = of.known.digest if of.pools is None else of.pools.key
    key = f"{title} {urlencode(scenario.to_query())} {data}"
    # Without a component that looks again by itself the part is drawn again and again.
    again = None if watches() else _LOOK[0]

    @st.fragment(key="takeaway", run_every=again)
    def drawn() -> None:
        if st.session_state.get(_ASKED) == key:
            _made(page, of, key)
        else:
            _button(lambda: st.session_state.update({_ASKED: key}))

    drawn()


def _subject(page: Page, scenario: Scenario) -> Subject | None:
    """What the page is about; None where it waits for data."""
    if page.among(scenario):
        pools: Pools | None = st.session_state.get(_POOLS)
        return None if pools is None else Subject(scenario, pools=pools)
    return None if scenario.needs_data else Subject(scenario, state.scores(scenario))


def _button(act: Callable[[], None]) -> None:
    st.button("Make the file", icon=":material/tune:", key="takeaway_make", on_click=act)


def _made(page: Page, of: Subject, key: str) -> None:
    """The file, or how far it is."""
    told = paper.shown_now()
    (job,) = desk().ask(
        "takeaway",
        [(key, lambda: _steps(page, of, told.rows))],
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
        _progress(job)


def _progress(job: Job) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(min(job.fraction, 1.0), text=_told(job))
        st.button("Stop", icon=":material/stop:", key="takeaway_stop", on_click=job.cancel)
    if watches():
        watch("takeaway", lambda: None, *_LOOK)


def _told(job: Job) -> str:
    done = f"Computing every step of the slider: {job.fraction:.0%}".replace("%", " %")
    return f"{done} · {job.left}" if job.left else done


def _steps(page: Page, of: Subject, rows: tuple[Pair, ...]) -> Mapping[str, Step]:
    return {"file": lambda progress, done: file_of(page, of, rows, progress)}

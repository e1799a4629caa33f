"""Parts of a page that are redrawn alone when they change, and watchers that look for changes.

A watcher is an invisible component, drawn after the parts, that asks ever less often if something
has come. A run that begins soon makes Streamlit keep what the one before took away. So each drawing
has a mark, which the browser sends with each question: an old mark shows that the last was lost.
Invariants: a part's `there` says how much of its content has come; a used control goes before any
redrawing; the progress line stays until all work is over and every part has drawn it.
"""

import secrets
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial

import streamlit as st

from dpviz.charts import count_text
from dpviz.studies import StepReadings
from dpviz.web.jobs import Job, session_job_queue
from dpviz.web.jobs.run_queue import take_turn
from dpviz.web.server.static_files import read_asset
from dpviz.web.server.streamlit_internals import current_run
from dpviz.web.session import state
from dpviz.web.widgets.style import component
from dpviz.web.widgets.text import escape_markdown

_ANSWERED = 4.0  # seconds in which an answer is there, or will not come any more


@dataclass(frozen=True)
class PollPace:
    """Seconds to the first question and, at most, to the next; `unseen`: in hidden windows too."""

    first: float
    most: float
    unseen: bool = True


def run_watch_component(key: str, tick: Callable[[], None], pace: PollPace, mark: str = "") -> None:
    """Draw it with this mark; `tick` is called whenever it asks."""
    component(
        "dpviz_watch",
        read_asset("progress_poller.js"),
        data=asdict(pace) | {"answered": _ANSWERED, "mark": mark, "key": key, "answer": new_mark()},
        key=f"{key}_watch",
        on_tick_change=tick,
    )


def new_mark() -> str:
    return secrets.token_hex(4)


def browser_marks(key: str) -> dict[str, str]:
    """Marks that the browser shows, by key; readable while a `tick` is called."""
    asked = st.session_state.get(f"{key}_watch", {}).get("tick")
    return asked.get("marks", {}) if isinstance(asked, dict) else {}


_SOON = 3.0  # seconds in which jobs are awaited that are to be shown together
_LOST = 3.0  # seconds after which what was drawn is in the browser, or will not come any more
_AT_WORK = PollPace(0.4, 2.0)
_PAGE = "the whole page"  # among the parts


@dataclass
class PagePart:
    """A part of the page: a reader of its state, and the state it was drawn in."""

    there: Callable[[], object]
    seen: object = None
    at: float = 0.0
    drawing: bool = False
    within: frozenset[str] = frozenset()  # the parts and looks drawn in it

    def record_state(self) -> None:
        self.seen, self.at = self.there(), time.monotonic()

    @property
    def is_stale(self) -> bool:
        """True where it must be drawn again; what comes while it is drawn is not new to it."""
        return not self.drawing and self.there() != self.seen


@dataclass
class Watcher(PagePart):
    """A part that looks for stale parts; its `mark` is empty once it has stopped."""

    # drawn alone it keeps the mark that the browser `has`: that says nothing about the parts above

    mark: str = ""
    has: str | None = None

    def is_drawing_lost(self, mark: str) -> bool:
        """True where the browser, which shows this mark, will not get the last drawing."""
        return mark != self.mark and time.monotonic() > self.at + _LOST


def progress_reader(job: Job, *steps: str) -> Callable[[], object]:
    """Reader of a job's progress, over some steps or all, for `show_live_part`."""
    return lambda: (
        sum(step in job.results for step in steps) if steps else (job.count_results(), job.finished)
    )


def showable_job_count(jobs: Sequence[Job]) -> int:
    """Number of jobs to show in one picture: all if they come soon, else each as it comes."""
    done = sum(job.finished for job in jobs)
    whole = done == len(jobs) or any(job.cancelled for job in jobs)
    return done if whole or max(job.age for job in jobs) > _SOON else 0


def rerun_page_on_change(there: Callable[[], object]) -> None:
    """Run the whole page again when `there` changes; call it before anything is drawn."""
    page = state.PARTS.value[_PAGE] = PagePart(there)
    page.record_state()


def show_live_part(
    key: str,
    show_content: Callable[[], object],
    there: Callable[[], object],
    *,
    alone: bool = False,
) -> None:
    """Show a part, and draw it again when `there` changes; `show_content` may return what it read.

    The page runs where a control in it changes the scenario, unless the part is `alone`.
    """
    page_part = state.PARTS.value[key] = PagePart(there)
    of = None if alone else state.scenario()

    @st.fragment(key=key)
    @take_turn()
    def show_part() -> None:
        if of is not None and state.scenario() != of:
            st.rerun()
        # before: what comes while it is drawn counts as new, also where drawing ends the run
        page_part.record_state()
        _forget(page_part)
        others = set(state.PARTS.value)
        page_part.drawing = True
        try:
            with StepReadings().record_reads():  # these reads are not the surrounding part's
                read = show_content()
        finally:
            page_part.drawing = False
        page_part.within = frozenset(state.PARTS.value.keys() - others)
        if read is not None:
            page_part.seen = read

    show_part()


def _forget(page_part: PagePart) -> None:
    """Forget the parts drawn within a part, as it is drawn anew."""
    for name in page_part.within:
        if (gone := state.PARTS.value.pop(name, None)) is not None:
            _forget(gone)


def watch_parts(
    key: str,
    pace: PollPace,
    show_content: Callable[[], bool] = lambda: True,
    there: Callable[[], object] = bool,
) -> None:
    """Watch this page's parts as long as `show_content` returns True; call it after all of them."""
    # its place must not depend on the content: by that Streamlit identifies it
    watcher = state.PARTS.value[key] = Watcher(there)

    @st.fragment(key=key)
    @take_turn()
    def show_watcher() -> None:
        has, watcher.has = watcher.has, None
        if has is None:
            watcher.record_state()
        more = show_content()
        if has is None or has == watcher.mark:
            watcher.mark = has or new_mark() if more else ""
        if more or (has or "") != watcher.mark:
            run_watch_component(
                key, partial(_tick, key), pace, watcher.mark if has is None else has
            )

    show_watcher()


def _tick(key: str) -> None:
    """Redraw stale parts, or just this watcher where nothing is stale."""
    parts = dict(state.PARTS.value)
    page = parts.pop(_PAGE, None)
    looks = {name: each for name, each in parts.items() if isinstance(each, Watcher)}
    if key not in looks:
        return
    here = browser_marks(key)
    behind = {name for name, each in looks.items() if here.get(name, "") != each.mark}
    watcher, has = looks[key], here.get(key, "")
    watcher.has = has if key in behind else None  # a drawing on its way must not hide a lost one
    if not _nothing_else(looks):
        return  # a control was used, which must not wait for the next time: it looks again soon
    if any(looks[name].is_drawing_lost(here.get(name, "")) for name in behind) or (
        page is not None and page.is_stale
    ):
        _all_again()
    stale = [name for name, each in parts.items() if each.is_stale and name not in behind]
    if stale and key not in behind:
        st.rerun(scope=sorted({*stale, key}, key=looks.__contains__))
    watcher.has = has


def _all_again() -> None:
    """Run the page again or, where that would close a dialog, redraw all of its parts."""
    if not state.DIALOG.value:
        st.rerun()
    parts = {name: each for name, each in state.PARTS.value.items() if name != _PAGE}
    names = sorted(parts, key=lambda name: isinstance(parts[name], Watcher))
    st.rerun(scope=names)


def _nothing_else(looks: Collection[str]) -> bool:
    """True where this run answers watchers only: naming parts replaces everything else in it."""
    if (run := current_run()) is None or not run.fragment_ids_this_run:
        return False
    watchers = run.fragment_storage.resolve_target(list(looks))
    return set(run.fragment_ids_this_run) <= set(watchers)


@contextmanager
def show_job_progress(jobs: Callable[[], Sequence[Job]], key: str = "page") -> Iterator[None]:
    """Show the parts in the block while `jobs` go on, below a line on their progress."""
    place = st.container(key=f"{key}_line")
    try:
        yield
    finally:  # also where a part has ended the run
        with place:
            watch_parts(
                f"pending {key}",
                _AT_WORK,
                partial(_line, jobs, key),
                lambda: [_runs(job) for job in jobs()],
            )


def _line(jobs: Callable[[], Sequence[Job]], key: str) -> bool:
    """Draw the line, and say if there is more to come."""
    now = jobs()
    for problem in dict.fromkeys(job.problem for job in now if job.problem is not None):
        st.error(escape_markdown(problem))
    for job in now:
        job.count_results()
    if any(map(_runs, now)) or any(
        each.is_stale for each in state.PARTS.value.values() if not isinstance(each, Watcher)
    ):
        _progress(now, key)
        return True
    if (stopped := any(job.cancelled for job in now)) or any(job.failed for job in now):
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
    return False


def _runs(job: Job) -> bool:
    return not (job.finished or job.cancelled)


def _progress(jobs: Sequence[Job], key: str) -> None:
    over = sum(not _runs(job) for job in jobs)
    text = (
        f"Computing: {over} of {count_text(len(jobs), 'part')} done. Each appears when it is ready."
        if len(jobs) > 1
        else "Computing. Figures appear when they are ready."
    )
    done = over + sum(min(job.fraction, 1.0) for job in jobs if _runs(job))
    with st.container(key=f"{key}_progress", horizontal=True, vertical_alignment="center"):
        st.progress(done / max(len(jobs), 1), text=text)
        if st.button("Stop", icon=":material/stop:", key=f"{key}_stop"):
            for job in jobs:
                job.cancel()
            st.rerun()

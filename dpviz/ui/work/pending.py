"""Parts of a page that fill as results come, and the line that says what is under way and stops it.

A part is drawn again, alone, when more of what it shows is there; the rest of the page stays as it is.
Invariants: a part says how much of it is `there`; the line stays until all work is over and every part has drawn
what came of it. A line is drawn after the parts, so the look that fills the last of them takes it away;
what was drawn and never came to the browser is drawn again.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import streamlit as st

from dpviz.charts.words import count
from dpviz.ui.shell import state
from dpviz.ui.shell.text import plain
from dpviz.ui.work.desk import desk
from dpviz.ui.work.job import Job
from dpviz.ui.work.turns import turn
from dpviz.ui.work.watch import marks_told, watch, watches

__all__ = ["filling", "part", "there", "together"]

_SOON = 3.0  # seconds in which jobs are awaited that are to be shown together
_WATCH = 0.4, 2.0  # seconds between looks at work under way: at first, and where it takes long
_LOST = 3.0  # seconds after which what was drawn is in the browser, or will not come any more


@dataclass
class _Part:
    """A part of the page: how much of it is there, and how much was when it was drawn."""

    there: Callable[[], object]
    seen: object = None
    within: frozenset[str] = frozenset()  # the parts and lines drawn in it

    @property
    def stale(self) -> bool:
        return self.there() != self.seen


@dataclass
class _Line(_Part):
    """The line above some parts: which of its jobs run, whether it is on the page, since when and by which mark."""

    jobs: Callable[[], Sequence[Job]] = list
    shown: bool = False
    at: float = 0.0
    mark: str = ""

    @property
    def old(self) -> bool:
        """Whether its last drawing is in the browser by now, or will not come any more."""
        return time.monotonic() > self.at + _LOST

    @property
    def stale(self) -> bool:
        return self.shown and (super().stale or not any(map(_runs, self.jobs())))


def _parts() -> dict[str, _Part]:
    return state.parts()


def there(job: Job, *steps: str) -> Callable[[], object]:
    """How much has come of these steps of a job, for `part`; of all, where none is named."""
    return lambda: sum(step in job.results for step in steps) if steps else (job.look(), job.finished)


def together(jobs: Sequence[Job], soon: float = _SOON) -> int:
    """How many of these jobs may be shown in one picture: all at once if they come soon, else each as it comes.

    What is there when one of them was stopped is all there will be.
    """
    done = sum(job.finished for job in jobs)
    whole = done == len(jobs) or any(job.cancelled for job in jobs)
    return done if whole or max(job.age for job in jobs) > soon else 0


def part(key: str, draw: Callable[[], object], there: Callable[[], object], *, alone: bool = False) -> None:
    """Draw a part of the page, and draw it alone again whenever `there` has changed.

    Where a control in it changes the scenario, the page is run again; one that is `alone` sees to that itself.
    A part that asks for work while it is drawn gives back how much was there of what it has read.
    """
    own = _parts()[key] = _Part(there)
    of = state.scenario()

    @st.fragment(key=key)
    @turn()
    def drawn() -> None:
        if not alone and state.scenario() != of:
            st.rerun()
        seen = own.there()  # before: what comes while it is drawn counts as new
        own.seen = seen  # also where drawing ends the run
        _forget(own)
        others = set(_parts())
        told = draw()
        own.within = frozenset(_parts().keys() - others)
        own.seen = seen if told is None else told

    drawn()


def _forget(own: _Part) -> None:
    """What was drawn in a part is no more when it is drawn anew: not all of it need come again."""
    for name in own.within:
        gone = _parts().pop(name, None)
        if gone is not None:
            _forget(gone)


@contextmanager
def filling(jobs: Callable[[], Sequence[Job]], key: str = "page") -> Iterator[None]:
    """The parts drawn within fill as `jobs`, those of now, go on; above them stands what is under way.

    `key` tells one such line on the page from another.
    """
    place = st.container()
    try:
        yield
    finally:  # also where a part has ended the run
        with place:
            _pending(jobs, key)


def _pending(jobs: Callable[[], Sequence[Job]], key: str) -> None:
    line = f"pending {key}"
    own = _Line(lambda: [_runs(job) for job in jobs()], jobs=jobs)
    _parts()[line] = own

    def tick() -> None:
        for job in jobs():
            job.look()
        shown = marks_told(line)
        lines = {name: each for name, each in _parts().items() if isinstance(each, _Line)}
        unseen = {name for name, line in lines.items() if shown.get(name, "") != line.mark}
        lost = not own.shown or any(lines[name].old for name in unseen)
        unsure = set() if lost else unseen  # what is on its way must not hide that it never came
        stale = sorted(
            (name in lines, name) for name, each in _parts().items() if lost or (each.stale and name not in unsure)
        )
        if stale:  # else the line alone runs again, being where the tick came from
            st.rerun(scope=[name for _, name in stale])

    @st.fragment(key=line)
    @turn()
    def drawn() -> None:
        own.seen, own.mark = own.there(), ""
        own.shown = _line(own, key, lambda: watch(line, tick, *_WATCH))
        own.at = time.monotonic()

    drawn()


def _line(own: _Line, key: str, look: Callable[[], str]) -> bool:
    """Draw the line; whether there is more to come."""
    jobs = own.jobs()
    for problem in dict.fromkeys(job.problem for job in jobs if job.problem is not None):
        st.error(plain(problem))
    if any(_runs(job) for job in jobs) or any(_waiting(own) for own in _parts().values()):
        _progress(jobs, key)
        if watches():
            own.mark = look()
        else:
            st.fragment(_again, run_every=_WATCH[0])(_parts().values())
        return True
    if any(job.cancelled for job in jobs):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown("Stopped before everything was computed.")
            if st.button("Compute the rest", icon=":material/play_arrow:", key=f"{key}_again"):
                desk().forget(jobs)
                st.rerun()
    return False


def _waiting(own: _Part) -> bool:
    return own.stale and not isinstance(own, _Line)


def _runs(job: Job) -> bool:
    return not (job.finished or job.cancelled)


def _progress(jobs: Sequence[Job], key: str) -> None:
    left = sum(_runs(job) for job in jobs)
    with st.container(horizontal=True, vertical_alignment="center"):
        text = "Computing; figures fill their places as they come."
        if len(jobs) > 1:
            text = f"Computing: {len(jobs) - left} of {count(len(jobs), 'part')} done; each appears when it is there."
        done = sum(min(job.fraction, 1.0) if _runs(job) else 1.0 for job in jobs)
        st.progress(done / max(len(jobs), 1), text=text)
        if st.button("Stop", icon=":material/stop:", key=f"{key}_stop"):
            for job in jobs:
                job.cancel()
            st.rerun()


def _again(parts: Iterable[_Part]) -> None:
    if any(own.stale for own in parts):
        st.rerun()

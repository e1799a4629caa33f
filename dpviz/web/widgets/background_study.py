"""Studies computed beside the page, and parts of the page that wait for their steps."""

from collections import ChainMap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

import streamlit as st

from dpviz.studies import StepPending, StepReadings, Study
from dpviz.web.jobs import Job, missing_steps, session_cache, session_job_queue, start_page_jobs
from dpviz.web.session import state
from dpviz.web.widgets.live_parts import LivePart
from dpviz.web.widgets.show import show_placeholder

S = TypeVar("S", bound=Study)
_MOST_KEPT = 32  # results that studies share


def compute_in_background(
    study: S, group: str = "laws", *, place: int | None = None, patience: float = 0.0
) -> tuple[S, Job]:
    """Study as far as it has come, and the job that continues it."""
    (now,), (job,) = compute_all_in_background([study], group, place=place, patience=patience)
    return now, job


def compute_all_in_background(
    studies: Sequence[S], group: str = "laws", *, place: int | None = None, patience: float = 0.0
) -> tuple[list[S], list[Job]]:
    """Several studies, each with a job; the group "laws" is what a page shows first."""
    keep = session_cache("shared steps", _MOST_KEPT).get_or_make
    wanted = [(study.key, partial(missing_steps, study, keep)) for study in studies]
    if group == "laws":
        jobs = start_page_jobs(*wanted)
    else:
        jobs = session_job_queue().request_jobs(group, wanted, place=place, patience=patience)
    now = [
        study.replace(results=ChainMap(study.results, job.results), beside=True)
        for study, job in zip(studies, jobs, strict=True)
    ]
    return now, jobs


@contextmanager
def _placeholder_for_pending(what: str, wait: Callable[[str], None]) -> Iterator[None]:
    try:
        yield
    except StepPending:
        if what:
            wait(what)


@contextmanager
def live_part(
    what: str = "",
    *,
    wait: Callable[[str], None] = show_placeholder,
    follows: Callable[[], object] | None = None,
) -> Iterator[None]:
    """A part of the page that ends where a step has not come yet, and says so if it is a `what`.

    The page runs again when more of the steps it reads have come, or what it `follows` changes.
    """
    readings = StepReadings()
    followed = None if follows is None else follows()  # what comes while it is drawn counts as new
    # in a block of its own, so that the parts after it keep their places
    with st.container(), readings.record_reads(), _placeholder_for_pending(what, wait):
        yield
    state.PARTS.value.append(LivePart(readings.count_ready_now, readings.count_ready_when_read))
    if follows is not None:
        state.PARTS.value.append(LivePart(follows, followed))


@contextmanager
def fold(key: str, says: str, what: str = "", *, opened: bool = False) -> Iterator[bool]:
    """A live part in an expander, True where it is open: draw nothing where it is not."""
    with live_part():
        box = st.expander(says, expanded=opened, on_change="rerun", key=f"{key}_fold")
        with box, _placeholder_for_pending(what, show_placeholder):
            yield bool(box.open)

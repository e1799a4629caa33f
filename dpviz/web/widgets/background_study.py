"""Studies computed beside the page, and views of them that fill as their steps come."""

from collections import ChainMap
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar, cast

from dpviz.studies import Pending, Readings, Study
from dpviz.web.jobs.job import Job
from dpviz.web.jobs.job_queue import desk, kept, work_on
from dpviz.web.jobs.process_steps import work_of
from dpviz.web.widgets.live_parts import part
from dpviz.web.widgets.show import folded, waiting

S = TypeVar("S", bound=Study)
_MOST_KEPT = 32  # results that studies share


def beside(
    study: S, group: str = "", *, place: int | None = None, patience: float = 0.0
) -> tuple[S, Job]:
    """The study as far as it has come, and the job that goes on with it: at once where that is
    quick.
    """
    (now,), (job,) = all_beside([study], group, place=place, patience=patience)
    return now, job


def all_beside(
    studies: Sequence[S], group: str = "", *, place: int | None = None, patience: float = 0.0
) -> tuple[list[S], list[Job]]:
    """Several studies, each with a job; equal ones share it. Without a `group` they are what the
    page shows first.

    Those of a group of its own are awaited for so many seconds; with a `place` in the line they may
    wait for others.
    """
    wanted = [
        (study.key, partial(work_of, study, kept("shared steps", _MOST_KEPT).once))
        for study in studies
    ]
    jobs = desk().ask(group, wanted, place=place, patience=patience) if group else work_on(*wanted)
    return [watched(study, job) for study, job in zip(studies, jobs, strict=True)], jobs


def watched(study: S, job: Job) -> S:
    """The study with what the job has computed of it so far."""
    return study.replace(
        results=ChainMap(study.results, cast(dict[str, Any], job.results)), beside=True
    )


def view(
    key: str,
    show_content: Callable[[], object],
    what: str = "",
    *,
    wait: Callable[[str], None] = waiting,
    alone: bool = False,
) -> None:
    """A part of the page that is drawn again whenever more of the steps it reads has come.

    Where it reads one that has not, it says in the way of `wait` that `what` is awaited. One that
    is `alone` sees to it itself where a control in it changes the scenario.
    """
    readings = Readings()

    def show_view() -> int:
        with readings.anew():
            awaited(show_content, what, wait=wait)
        return readings.seen

    part(key, show_view, readings.there, alone=alone)


def awaited(
    show_content: Callable[[], object], what: str, *, wait: Callable[[str], None] = waiting
) -> None:
    """Show it; where it reads a step that has not come yet, say that `what` is awaited."""
    try:
        show_content()
    except Pending:
        wait(what)


def folded_view(key: str, says: str, show_content: Callable[[], object], what: str) -> None:
    """A view under a line that opens: it is drawn where somebody opens it, and says that `what` is
    awaited.
    """
    view(key, partial(folded, says, key, partial(awaited, show_content, what)))

"""Studies computed beside the page, and views of them that fill as their steps come."""

from collections import ChainMap
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from dpviz.charts import Chart
from dpviz.studies import StepPending, StepReadings, Study
from dpviz.web.jobs import Job, missing_steps, session_cache, session_job_queue, start_page_jobs
from dpviz.web.widgets.live_parts import show_live_part
from dpviz.web.widgets.show import show_chart_with_table, show_expander, show_placeholder

S = TypeVar("S", bound=Study)
_MOST_KEPT = 32  # results that studies share


def compute_in_background(
    study: S, group: str = "", *, place: int | None = None, patience: float = 0.0
) -> tuple[S, Job]:
    """Study as far as it has come, and the job that continues it."""
    (now,), (job,) = compute_all_in_background([study], group, place=place, patience=patience)
    return now, job


def compute_all_in_background(
    studies: Sequence[S], group: str = "", *, place: int | None = None, patience: float = 0.0
) -> tuple[list[S], list[Job]]:
    """Several studies, each with a job; without a `group` they are the page's first."""
    wanted = [
        (
            study.key,
            partial(missing_steps, study, session_cache("shared steps", _MOST_KEPT).get_or_make),
        )
        for study in studies
    ]
    jobs = (
        session_job_queue().request_jobs(group, wanted, place=place, patience=patience)
        if group
        else start_page_jobs(*wanted)
    )
    now = [
        study.replace(results=ChainMap(study.results, job.results), beside=True)
        for study, job in zip(studies, jobs, strict=True)
    ]
    return now, jobs


def show_live_view(
    show_content: Callable[[], object],
    what: str = "",
    *,
    wait: Callable[[str], None] = show_placeholder,
) -> None:
    """Show a part of the page, and draw it again when more of the steps it reads has come."""
    readings = StepReadings()

    def show_view() -> int:
        with readings.record_reads():
            show_or_wait(show_content, what, wait=wait)
        return readings.count_ready_when_read

    show_live_part(show_view, readings.count_ready_now)


def show_or_wait(
    show_content: Callable[[], object], what: str, *, wait: Callable[[str], None] = show_placeholder
) -> None:
    """Show it; where a step has not come yet, say that `what` is awaited."""
    try:
        show_content()
    except StepPending:
        wait(what)


def folded_view(
    key: str,
    says: str,
    show_content: Callable[[], object],
    what: str = "",
    *,
    opened: bool = False,
) -> None:
    """Show a live view in an expander, drawn only where somebody opens it."""
    shown = partial(show_or_wait, show_content, what)
    show_live_view(partial(show_expander, says, key, shown, opened=opened))


def show_live_chart(key: str, draw: Callable[[], Chart], what: str, **shown: Any) -> None:
    """Show a chart as a live view; `shown` are arguments of `show_chart_with_table`."""
    show_live_view(lambda: show_chart_with_table(draw(), key, **shown), what)


def folded_chart(key: str, says: str, draw: Callable[[], Chart], what: str, **shown: Any) -> None:
    """The same in an expander, drawn only where somebody opens it."""
    folded_view(key, says, lambda: show_chart_with_table(draw(), key, **shown), what)

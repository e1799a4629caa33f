"""Jobs of a session: named steps computed in threads, in order, with results as they come.

Jobs belong to groups, so a new ε stops the laws under way but not the curves.
Invariants: jobs are kept per session, under a key of everything they depend on, so one person's
data never reach another's page. A job that nobody looks at ends at a report, and rests while its
session is disconnected. A process of its own ends with its job and whenever that rests.
"""

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, ParamSpec, TypeVar

from dpviz.base import Cancelled, ParameterError, Progress, WorkLost, portion
from dpviz.base.limited_process import Limits, can_start_worker, preload_in_workers
from dpviz.base.resource_budgets import current_budgets
from dpviz.base.step_process import StepProcess, StepwiseWork
from dpviz.studies import Study
from dpviz.studies.study import Once
from dpviz.web.jobs.fair_shares import PROCESSES, SHARES, TimeClaim
from dpviz.web.server.streamlit_internals import current_run_context, is_session_connected
from dpviz.web.session import SessionValue

Done = Mapping[str, Any]
"""Results so far, by the name of the step."""
WorkStep = Callable[[Progress, Done], object]
"""step(progress, results so far) → its result."""

_UNWATCHED = 120.0  # seconds after which a job that nobody looks at stops: its page has gone
_AWAY = 0.25  # seconds between looks at whether somebody is connected again
_WHAT_TO_DO = "Try again, or use fewer items."
_log = logging.getLogger(__name__)
preload_in_workers("dpviz.studies.mechanism_studies")


class ProcessSteps(dict[str, WorkStep]):
    """Named steps of some work, computed in the worker process `apart`."""

    def __init__(self, work: StepwiseWork, names: Iterable[str]) -> None:
        self.apart = StepProcess(
            work, Limits(current_budgets().worker, current_budgets().computing)
        )
        super().__init__({name: partial(self.apart.compute_step, name) for name in names})


class Job:
    """Named steps, computed in order in a thread; `results` are those so far, by name."""

    def __init__(
        self,
        steps: Mapping[str, WorkStep],
        *,
        session: str = "",
        line: object = None,
        place: int | None = None,
    ) -> None:
        self._steps, self._many = dict(steps), len(steps)
        self._apart = steps.apart if isinstance(steps, ProcessSteps) else None
        self._shares = SHARES if self._apart is None else PROCESSES
        self.results: dict[str, Any] = {}
        self._over = threading.Event()
        self.finished = False  # whether nothing more will come
        self._claim = TimeClaim(session, line, place)
        self._connected = time.monotonic()  # when its session was last seen to be
        self._cancelled = False
        self._looked = time.monotonic()
        self.fraction = 0.0
        self.problem: str | None = None  # why nothing more comes, in a sentence
        self.refused: ParameterError | None = None  # a problem that is itself the answer
        try:
            threading.Thread(target=self._run, name="dpviz job", daemon=True).start()
        except RuntimeError:  # no thread can be started here, as in a browser: the page waits
            self._run()

    @property
    def cancelled(self) -> bool:
        """True where it was told to stop before its end; the thread ends at its next report."""
        return self._cancelled and len(self.results) < self._many

    @property
    def failed(self) -> bool:
        """True where it ended without an answer, not even a refusal."""
        return self.problem is not None and self.refused is None

    @property
    def seconds_since_start(self) -> float:
        return time.monotonic() - self._claim.begun

    def wait(self, seconds: float) -> bool:
        """Wait until it is finished or the time has passed, and say if it is finished."""
        self._looked = time.monotonic()
        return self._over.wait(seconds)

    def count_results_keeping_alive(self) -> int:
        """Number of results; being looked at keeps a job alive."""
        self._looked = time.monotonic()
        return len(self.results)

    def cancel(self) -> None:
        """Ask it to stop at its next report; its results stay."""
        if not self.finished:
            self._cancelled = True

    def _run(self) -> None:
        try:
            for number, (name, step) in enumerate(self._steps.items()):
                report = portion(self._report, number / self._many, (number + 1) / self._many)
                report(0.0)
                self.results[name] = step(report, self.results)
        except Cancelled:
            self._cancelled = True
        except ParameterError as err:
            self.problem, self.refused = str(err), err
        except WorkLost as err:
            self.problem = str(err)
        except MemoryError:
            self.problem = f"The server does not have enough memory for this. {_WHAT_TO_DO}"
        except Exception:  # noqa: BLE001 - any failure must reach the page as a sentence
            _log.exception("a computation failed")
            self.problem = (
                f"The computation failed. The server's log gives the reason. {_WHAT_TO_DO}"
            )
        finally:
            self._rest()
            self._steps.clear()  # with their data: the results may be kept for long
            self._apart = None
            self.finished = True
            self._over.set()

    def _report(self, fraction: float) -> None:
        if self.finished:  # a figure read later reports here too
            return
        self.fraction = fraction
        self._go_on()
        while not self._there():
            self._rest()
            time.sleep(_AWAY)
            self._go_on()
        if not self._shares.report_and_may_continue(self._claim):
            self._rest()
            self._shares.wait_for_slice(self._claim, self._go_on)

    def _rest(self) -> None:
        """Let others compute; a process of its own begins its step anew."""
        if self._apart is not None:
            self._apart.end_process()
        self._shares.give_up_slice(self._claim)

    def _go_on(self) -> None:
        """Raise where nobody wants it any more."""
        if self._cancelled or time.monotonic() - self._looked > _UNWATCHED:
            raise Cancelled

    def _there(self) -> bool:
        """Say if the session is connected; after a lost connection it may come back."""
        now = time.monotonic()
        if self._claim.session and now - self._connected >= _AWAY:
            if not is_session_connected(self._claim.session):
                return False
            self._connected = now
        return True


# ---- the jobs of a session ----------------------------------------------------------------------


def work_steps(
    work: StepwiseWork, names: Iterable[str], *, in_own_process: bool = True
) -> dict[str, WorkStep]:
    """Named steps of some work, `in_own_process` in a process of their own where the system allows
    it.
    """
    if in_own_process and can_start_worker():
        return ProcessSteps(work, names)
    return {name: partial(work.compute_step, name) for name in names}


def missing_steps(study: Study, get_or_make: Once) -> Mapping[str, WorkStep]:
    """Steps that a study does not have yet, in a process where the study is large."""
    steps = study.missing_computations(get_or_make)
    return ProcessSteps(study, steps) if study.is_large_study and can_start_worker() else steps


S = TypeVar("S", bound=Study)
T = TypeVar("T")
P = ParamSpec("P")
PATIENCE = 0.25  # seconds that a part waits for results before it shows what is there

Wanted = tuple[str, Callable[[], Mapping[str, WorkStep]]]
"""A wanted job: its key, and a function that makes its steps where it must be started."""


class RecentCache(OrderedDict[str, T]):
    """The `size_limit` values that were asked for last, by key; threads may share it."""

    def __init__(self, size_limit: int) -> None:
        super().__init__()
        self.most = size_limit
        self._lock = threading.Lock()

    def get_or_make(self, key: str, make: Callable[P, T], *of: P.args, **named: P.kwargs) -> T:
        with self._lock:
            if key in self:
                self.move_to_end(key)
                return self[key]
        made = make(*of, **named)  # which may take long
        with self._lock:
            self[key] = made
            while len(self) > self.most:
                self.popitem(last=False)
        return made


class JobQueue:
    """The jobs of one session; a group keeps those of its last few requests."""

    def __init__(self, times: int = 6) -> None:
        self._times = times
        self._jobs: dict[str, RecentCache[Job]] = {}
        self._wanted: dict[str, list[Job]] = {}
        self._line = object()  # of this session's jobs
        run = current_run_context()
        self._session = "" if run is None else run.session_id

    def request_jobs(
        self,
        group: str,
        requests: Iterable[Wanted],
        *,
        queue_place: int | None = None,
        patience_seconds: float = 0.0,
    ) -> list[Job]:
        """These jobs in order, started if need be; unfinished others of the group are cancelled."""
        steps = dict(requests := list(requests))
        jobs = self._jobs.setdefault(group, RecentCache(0))
        jobs.most = self._times * len(steps)
        for key, job in list(jobs.items()):
            if key not in steps and not job.finished:
                job.cancel()
                del jobs[key]
        asked = {
            key: jobs.get_or_make(key, self._start, made, queue_place)
            for key, made in steps.items()
        }
        self._wanted[group] = list(asked.values())
        end = time.monotonic() + patience_seconds
        for job in asked.values():
            job.wait(max(0.0, end - time.monotonic()))
        return [asked[key] for key, _ in requests]

    def _start(self, make: Callable[[], Mapping[str, WorkStep]], place: int | None) -> Job:
        return Job(make(), session=self._session, line=self._line, place=place)

    def jobs(self, *groups: str) -> list[Job]:
        """Jobs of these groups that are wanted now."""
        return [job for group in groups for job in self._wanted.get(group, [])]

    def finished_study(self, study: S) -> S | None:
        """Study with all of its results, if a wanted job has finished it."""
        for jobs in list(self._jobs.values()):
            job = jobs.get(study.key)
            if job is not None and job.finished and job.problem is None and not job.cancelled:
                return study.replace(results={**study.results, **job.results})
        return None

    def drop_group(self, group: str) -> None:
        for job in self._jobs.pop(group, {}).values():
            job.cancel()
        self._wanted.pop(group, None)

    def drop_stopped_jobs(self, jobs: Iterable[Job]) -> None:
        """Forget the jobs that were stopped or failed, so that they can be started again."""
        stopped = [job for job in jobs if job.cancelled or job.failed]
        for group in self._jobs.values():
            for key in [key for key, job in group.items() if job in stopped]:
                del group[key]


_DESK: SessionValue[JobQueue] = SessionValue("desk", JobQueue)


def session_job_queue() -> JobQueue:
    return _DESK.value


def session_cache(name: str, size_limit: int) -> RecentCache[Any]:
    """This session's cache under a name."""
    return SessionValue(f"kept.{name}", lambda: RecentCache[Any](size_limit)).value

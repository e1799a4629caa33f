"""A job: named steps computed in a thread, in order, with results as they come.

Invariants: results never leave the session; a job that nobody looks at ends at a report, and rests
while its session is disconnected. A process of its own ends with its job and whenever that rests.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from dpviz.base import Cancelled, ParameterError, Progress, WorkLost, portion
from dpviz.base.limited_process import Limits
from dpviz.base.resource_budgets import current_budgets
from dpviz.base.step_process import StepProcess, StepwiseWork
from dpviz.web.jobs.fair_shares import PROCESSES, SHARES, TimeClaim
from dpviz.web.server.streamlit_internals import current_run, is_session_connected

Done = Mapping[str, Any]
"""Results so far, by the name of the step."""
WorkStep = Callable[[Progress, Done], object]
"""step(progress, results so far) → its result."""

_UNWATCHED = 120.0  # seconds after which a job that nobody looks at stops: its page has gone
_AWAY = 0.25  # seconds between looks at whether somebody is connected again
_WHAT_TO_DO = "Try again, or use fewer items."
_log = logging.getLogger(__name__)


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
        self, steps: Mapping[str, WorkStep], *, line: object = None, place: int | None = None
    ) -> None:
        self._steps, self._many = dict(steps), len(steps)
        self._apart = steps.apart if isinstance(steps, ProcessSteps) else None
        self._shares = SHARES if self._apart is None else PROCESSES
        self.results: dict[str, Any] = {}
        self._over = threading.Event()
        self.finished = False  # whether nothing more will come
        run = current_run()
        self._claim = TimeClaim("" if run is None else run.session_id, line, place)
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
    def age(self) -> float:
        return time.monotonic() - self._claim.begun

    def wait(self, seconds: float) -> bool:
        """Wait until it is finished or the time has passed, and say if it is finished."""
        self._looked = time.monotonic()
        return self._over.wait(seconds)

    def count_results(self) -> int:
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
        if not self._shares.may_go_on(self._claim):
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
        return not self._claim.session or is_session_connected(self._claim.session)

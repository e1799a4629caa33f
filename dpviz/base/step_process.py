"""A worker process that computes the steps of some work, one after another."""

import os
import time
import traceback
from collections.abc import Mapping
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from tempfile import TemporaryFile
from typing import IO, Any, Final, Protocol, cast

from dpviz.base.errors import ParameterError, WorkLost
from dpviz.base.file_values import SharedScores, read_scores_and_value, write_value_and_scores
from dpviz.base.limited_process import LimitedProcess, Limits
from dpviz.base.progress import Progress
from dpviz.base.resource_budgets import is_memory_over_budget

_GIVES_WAY: Final = 3  # of 19: to whoever serves people, about half as often its turn
_NO_ROOM: Final = "The server is too busy to compute this now. Try again in a few minutes."
_LOOK: Final = 0.05  # seconds between two reports


class StepwiseWork(Protocol):
    """Work that is computed step by step, and can be pickled."""

    def compute_step(
        self, name: str, progress: Progress, previous_results: Mapping[str, Any]
    ) -> object:
        """Compute a step from the results of those before."""


class StepProcess:
    """A process that computes steps within limits; the step after its end starts another."""

    def __init__(self, work: StepwiseWork, limits: Limits) -> None:
        self._work, self._limits = work, limits
        self._process: LimitedProcess | None = None
        self._line: Connection | None = None
        self._file: IO[bytes] | None = None  # by which the two hand over what they have
        self._both = SharedScores()

    def compute_step(
        self, name: str, progress: Progress, previous_results: Mapping[str, Any]
    ) -> object:
        if self._process is None:
            progress(0.0)  # which waits for its turn
        try:
            while True:
                line = self._begun(previous_results)
                line.send(name)
                told = self._heard(line, progress)
                if told is not None:
                    kind, value = told
                    if kind == "raised":
                        raise value
                    return value
        except (EOFError, OSError) as err:
            raise self._too_much() from err
        except BaseException:
            self.end_process()
            raise

    def _heard(self, line: Connection, progress: Progress) -> tuple[str, Any] | None:
        """Answer to a step; None if the process was ended first."""
        fraction = 0.0
        while self._line is line:
            if line.poll(_LOOK):
                told = line.recv()
                if told is None:
                    return cast(tuple[str, Any], self._both.read(cast(IO[bytes], self._file)))
                fraction = told
            progress(fraction)
        return None

    def _begun(self, done: Mapping[str, Any]) -> Connection:
        if self._line is None:
            if is_memory_over_budget():
                raise WorkLost(_NO_ROOM)
            self._line, theirs = Pipe()
            self._file = cast(IO[bytes], TemporaryFile())  # noqa: SIM115 - until it ends
            with theirs:
                try:
                    self._process = LimitedProcess(
                        serve_steps, theirs.fileno(), self._file.fileno()
                    )
                except OSError as err:
                    raise WorkLost(_NO_ROOM) from err
            self._both, at = write_value_and_scores(
                (self._limits, self._work, dict(done)), self._file
            )
            self._line.send(at)
        return self._line

    def _too_much(self) -> WorkLost:
        """Clean up after a process that ended by itself; return the reason."""
        code = None if self._process is None else self._process.wait()
        self.end_process()
        what = self._limits.exceeded_limit(code)
        if what is None:
            return WorkLost(
                "This failed, as the process that computed it was ended from outside. Earlier"
                " results stay. Try again."
            )
        return WorkLost(
            f"This needs more than {what}, the limit for one visitor here. Earlier results stay."
            " The command dpviz on your own machine has no such limit."
        )

    def end_process(self) -> None:
        process, *handed = self._process, self._line, self._file
        self._process = self._line = self._file = None
        self._both = SharedScores()
        for each in handed:
            if each is not None:
                each.close()
        if process is not None:
            process.end()


def serve_steps(socket_descriptor: int, file_descriptor: int) -> None:
    """Compute, in a worker, each step that is named on the line."""
    os.nice(_GIVES_WAY)
    with (
        suppress(EOFError, BrokenPipeError, ConnectionResetError),
        Connection(socket_descriptor) as told,
        open(file_descriptor, "r+b") as handed,
    ):
        _serve(told, handed)


def _serve(line: Connection, file: IO[bytes]) -> None:
    both, (limits, work, done) = read_scores_and_value(line.recv(), file)
    # the server holds the file meanwhile
    limits.enforce(os.fstat(file.fileno()).st_size, own_memory_counts=True)
    told = 0.0

    def progress(fraction: float) -> None:
        nonlocal told
        if time.monotonic() - told > _LOOK:
            told = time.monotonic()
            line.send(fraction)

    while True:
        name = line.recv()
        try:
            done[name] = work.compute_step(name, progress, done)
            answer = "result", done[name]
        except ParameterError as err:
            answer = "raised", err
        except MemoryError:
            raise
        except Exception:  # noqa: BLE001 - whatever it is, the server's log says it
            answer = "raised", RuntimeError(traceback.format_exc())
        both.write(answer, file)
        line.send(None)

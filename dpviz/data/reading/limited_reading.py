"""Reading strangers' data in another process with limits of memory and time.

A small file can unpack to gigabytes, and a native reader ends its whole process when memory fails;
here that becomes one sentence. A process that has loaded the readers stays for a while, and forks
one for each file, which takes hundredths of a second. Hosts that cannot fork (browsers, Windows)
go on without.
"""

import atexit
import errno
import gc
import logging
import os
import pickle
import select
import signal
import socket
import subprocess
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from struct import Struct
from tempfile import TemporaryFile
from threading import BoundedSemaphore, Lock
from typing import IO, Final, NamedTuple, NoReturn, TypeVar, cast

from dpviz.base import ParameterError
from dpviz.base.limited_process import OUT_OF_MEMORY, Limits, worker_environment
from dpviz.base.memory_map import read_memory_map, write_memory_map
from dpviz.base.resource_budgets import current_budgets
from dpviz.data.reading.input_rules import MAX_MEMORY, MAX_SECONDS, IngestError, quote_value

T = TypeVar("T")


class ProcessPurpose(NamedTuple):
    """Limits of a limited process, its verb in sentences, and the advice if it fails."""

    limits: Limits
    does: str
    instead: str


def reading_purpose(memory: int) -> ProcessPurpose:
    return ProcessPurpose(
        Limits(memory, MAX_SECONDS),
        "read",
        "save what is needed of it alone, a table as CSV or Parquet",
    )


_AT_ONCE = BoundedSemaphore(current_budgets().workers)  # so that many uploads at once do not add up
ENGINE: Final = 250_000_000  # bytes that DuckDB asks for as it counts many rows; it uses about half
_PATIENCE: Final = 6  # times the processor time, on a machine that is busy with others
_IDLE: Final = 300.0  # seconds after which the process that forks ends
_HANDED: Final = 3  # files: what is asked, the answer, and how it ended
_PATIENCE_FORM: Final = Struct("d")
_START: Final = f"from {__name__} import fork_readers; fork_readers()"
_READERS: Final = (
    *("chardet", "duckdb", "pandas", "pyarrow.compute", "pyarrow.csv", "pyarrow.parquet"),
    *("python_calamine", "dpviz.data.reading.guessing"),
)
_log: Final = logging.getLogger(__name__)


def read_safely(name: str, read: Callable[..., T], /, *arguments: object, **options: object) -> T:
    """Read a stranger's file in a process with `MAX_MEMORY` and `MAX_SECONDS`."""
    return run_in_process(name, reading_purpose(MAX_MEMORY), read, *arguments, **options)


def count_safely(name: str, count: Callable[..., T], /, *arguments: object, **options: object) -> T:
    """Count what a stranger's table holds, in a process with the budgets of a worker."""
    own = current_budgets()
    counting = ProcessPurpose(
        Limits(own.worker + ENGINE, own.seconds),
        "count",
        "count it where it is, with the command dpviz count",
    )
    return run_in_process(name, counting, count, *arguments, **options)


# not multiprocessing's fork server, which runs the caller's main module once more
class _Forker:
    """The process that forks a limited one for each file; started with the first one."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._line: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def hand_over(self, patience: float, *files: int) -> None:
        """Have a process forked that gets these files and so many seconds."""
        message = _PATIENCE_FORM.pack(patience)
        with self._lock:
            if self._line is not None:
                with suppress(OSError):  # it has ended, of idleness or by somebody
                    socket.send_fds(self._line, [message], files)
                    return
                self.end()
            self._line, theirs = socket.socketpair()
            with theirs:
                self._process = subprocess.Popen(  # noqa: S603 - our own code
                    [sys.executable, "-P", "-c", _START],
                    stdin=theirs.fileno(),
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    env=worker_environment(),
                )
            socket.send_fds(self._line, [message], files)

    def end(self) -> None:
        if self._line is not None:
            self._line.close()
            self._line = None
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


_forker = _Forker()
atexit.register(_forker.end)
_can_fork = hasattr(os, "fork") and sys.platform != "emscripten"


def run_in_process(
    name: str,
    purpose: ProcessPurpose,
    read: Callable[..., T],
    /,
    *arguments: object,
    **options: object,
) -> T:
    """Call `read` on a stranger's data in a process with the limits of its purpose."""
    if not _can_fork:  # or this is such a process already
        return read(*arguments, **options)
    with _AT_ONCE, TemporaryFile() as asked, TemporaryFile() as answer:
        write_memory_map((purpose.limits, read, arguments, options), asked)
        asked.flush()
        try:
            code = _run(purpose, asked, answer)
        except OSError as err:
            if err.errno in {errno.EAGAIN, errno.ENOMEM}:
                raise IngestError(
                    f"The server has no room to {purpose.does} {quote_value(name)} now."
                ) from err
            return read(*arguments, **options)  # no processes here
        if code != 0:
            raise _failure(name, purpose, code)
        answer.seek(0)
        done, result = pickle.load(answer)  # noqa: S301 - what our own code has written
    if done:
        return cast(T, result)
    if isinstance(result, ParameterError):
        raise result
    _log.error("%s: %s", name, result)
    raise _failure(name, purpose, None)


def _run(purpose: ProcessPurpose, asked: IO[bytes], answer: IO[bytes]) -> int | None:
    """Return code of a process that answers; None if nobody knows."""
    for _ in range(2):  # the process that forks may just have ended
        asked.seek(0)
        ended, theirs = os.pipe()
        with open(ended, "rb") as told:
            try:
                patience = _PATIENCE * purpose.limits.seconds
                _forker.hand_over(patience, asked.fileno(), answer.fileno(), theirs)
            finally:
                os.close(theirs)
            code = told.read()
        if code:
            return int(code)
    return None


def _failure(name: str, purpose: ProcessPurpose, code: int | None) -> IngestError:
    """Reason why a process ended, as far as its return code tells."""
    what, most = quote_value(name), purpose.limits.exceeded_limit(code)
    if most is None:
        return IngestError(f"{what} could not be read: the reader failed.")
    return IngestError(
        f"{what} needs more than {most} to {purpose.does}, which is the limit: {purpose.instead}."
    )


def fork_readers() -> NoReturn:
    """Fork a limited process for each file that is handed over, until there are none for a while."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those that have ended
    for reader in _READERS:
        with suppress(ImportError):
            import_module(reader)
    gc.freeze()
    line = socket.socket(fileno=os.dup(0))
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)  # no worker gets what is handed over for others
    while select.select([line], [], [], _IDLE)[0]:
        message, files, _, _ = socket.recv_fds(line, _PATIENCE_FORM.size, _HANDED)
        if not files:
            break
        if os.fork() == 0:
            line.close()
            _watch(*_PATIENCE_FORM.unpack(message), *files)
        for file in files:
            os.close(file)
    os._exit(0)


def _watch(patience: float, asked: int, answer: int, told: int) -> NoReturn:
    """Run a worker, end it if it takes too long, and tell its return code."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    worker = os.fork()
    if worker == 0:
        os.close(told)
        try:
            _work(asked, answer)
        except MemoryError:
            os._exit(OUT_OF_MEMORY)
        except BaseException:  # noqa: BLE001 - nothing goes back to the loop of its parent
            os._exit(1)
        os._exit(0)
    late = False

    def end(*_: object) -> None:
        nonlocal late
        late = True
        os.kill(worker, signal.SIGKILL)

    signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, max(patience, 0.001))
    code = os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1])
    os.write(told, str(-signal.SIGALRM if late else code).encode())
    os._exit(0)


def _work(asked: int, answer: int) -> None:
    global _can_fork  # noqa: PLW0603 - what is read in here is limited already
    _can_fork = False
    with open(asked, "rb") as question, open(answer, "wb") as file:
        outcome: tuple[bool, object]
        try:
            limits, read, arguments, options = read_memory_map(question)
            limits.enforce(os.fstat(asked).st_size, forked=True)
            outcome = True, read(*arguments, **options)
        except ParameterError as err:
            outcome = False, err
        except MemoryError:
            raise
        except Exception as err:
            if "OutOfMemory" in type(err).__name__:  # as DuckDB calls it
                raise MemoryError from err
            outcome = False, traceback.format_exc()
        pickle.dump(outcome, file, pickle.HIGHEST_PROTOCOL)

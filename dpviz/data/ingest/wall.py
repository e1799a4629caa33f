"""A wall around the reading of what strangers send: another process, with an end to its memory and its time.

All of that process counts, and the file once more, which the server holds meanwhile.

A small file can unpack to gigabytes, and a reader in another language ends its whole process when memory fails. Behind
the wall that ends with one sentence, whatever the bytes, and whoever else uses the server notices nothing. Where a host
starts no processes, as in a browser, or has no such limits (Windows has none of memory), reading goes on without them.
"""

import pickle
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from os import environ, pathsep
from pathlib import Path
from tempfile import TemporaryFile
from threading import BoundedSemaphore
from typing import IO, Any, Final, TypeVar, cast

from dpviz.base import ParameterError
from dpviz.base.budgets import budgets
from dpviz.data.ingest.incoming import MAX_MEMORY, MAX_SECONDS, IngestError, quoted

T = TypeVar("T")


@dataclass(frozen=True)
class Limits:
    """What a process behind the wall may take, and what it does, as sentences say it.

    Parameters
    ----------
    memory
        Bytes.
    seconds
        Processor time.
    does
        The verb, such as "read".
    instead
        What somebody may do where that is too little.
    """

    memory: int
    seconds: float
    does: str
    instead: str


_READING = Limits(MAX_MEMORY, MAX_SECONDS, "read", "save what is needed of it alone, a table as CSV or Parquet")
_AT_ONCE = BoundedSemaphore(budgets().workers)  # so that many uploads at once do not add up
MANY_ROWS: Final = 100_000  # whose counting takes longer than a process takes to begin
SHORT: Final = 1_000_000  # bytes of text, whose reading takes a few times as much
_BESIDES: Final = 30_000_000  # bytes: libraries that the server has not loaded, and what handing over takes
_PATIENCE: Final = 6  # times the processor time, on a machine that is busy with others
_LATE: Final = {-getattr(signal, name, 0) for name in ("SIGXCPU", "SIGKILL")} - {0}  # by which the system ends it
_HERE = str(Path(__file__).resolve().parents[3])


def read_safely(name: str, read: Callable[[Any], T], content: str | bytes) -> T:
    """`read(content)`, behind the wall unless it is a short text."""
    return read(content) if len(content) <= SHORT else behind_wall(name, read, content)


def counted_safely(name: str, rows: int, count: Callable[..., T], /, *arguments: object, **options: object) -> T:
    """`count(*arguments, **options)` of so many rows, behind the wall where they are many.

    Parameters
    ----------
    name
        What errors call the data.
    rows
        How many there are.
    count
        What counts them; pickled where they are many, as is what it takes and gives.
    arguments, options
        What `count` takes.

    Returns
    -------
    T
        What `count` gives.

    Raises
    ------
    ParameterError
        That which `count` raises.
    IngestError
        Where it runs into a limit.
    """
    if rows <= MANY_ROWS:
        return count(*arguments, **options)
    own = budgets()
    limits = Limits(own.worker, own.seconds, "count", "count it where it is, with the command dpviz count")
    return _walled(name, limits, count, *arguments, **options)


def behind_wall(name: str, read: Callable[..., T], /, *arguments: object, **options: object) -> T:
    """Read a file in a process with `MAX_MEMORY` and `MAX_SECONDS`.

    Parameters
    ----------
    name
        What errors call the file.
    read
        What reads it; pickled, as is what it takes and gives.
    arguments, options
        What `read` takes.

    Returns
    -------
    T
        What `read` gives.

    Raises
    ------
    ParameterError
        That which `read` raises.
    IngestError
        Where it runs into a limit.
    """
    return _walled(name, _READING, read, *arguments, **options)


def _walled(name: str, limits: Limits, read: Callable[..., T], /, *arguments: object, **options: object) -> T:
    path = pathsep.join(filter(None, (_HERE, environ.get("PYTHONPATH"))))
    given = {**environ, "PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1", "ARROW_DEFAULT_MEMORY_POOL": "system"}
    given["RUST_BACKTRACE"] = "0"  # a reader in Rust that is out of memory must not wait for more to say where
    with _AT_ONCE, TemporaryFile() as answer:
        try:
            worker = subprocess.Popen(  # noqa: S603 - our own code; the file goes in as data
                [sys.executable, "-m", __name__],
                stdin=subprocess.PIPE,
                stdout=answer,
                stderr=subprocess.DEVNULL,
                env=given,
            )
        except OSError:  # no processes here
            return read(*arguments, **options)
        with worker:
            try:
                with suppress(BrokenPipeError), cast(IO[bytes], worker.stdin) as pipe:  # its code says why it ended
                    pickle.dump(
                        (limits.memory, limits.seconds, read, arguments, options), pipe, pickle.HIGHEST_PROTOCOL
                    )
                worker.wait(_PATIENCE * limits.seconds)
            except subprocess.TimeoutExpired:
                raise _too_much(name, limits, late=True) from None
            finally:
                worker.kill()
        if worker.returncode != 0:
            raise _too_much(name, limits, late=worker.returncode in _LATE)
        answer.seek(0)
        done, result = pickle.load(answer)  # noqa: S301 - what our own code has written
    if not done:
        raise result
    return cast(T, result)


def _too_much(name: str, limits: Limits, *, late: bool) -> IngestError:
    """Which limit it ran into."""
    what = f"{limits.seconds:g} seconds" if late else f"{limits.memory // 1_000_000:,} MB of memory"
    return IngestError(f"{quoted(name)} needs more than {what} to {limits.does}, which is the limit: {limits.instead}.")


def _limit(memory: int, seconds_left: float, held: int) -> None:
    """Hold this process to so much memory and time; `held` are the bytes that the server has as well."""
    try:
        import resource  # noqa: PLC0415 - not on every system
    except ImportError:  # Windows
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = int(used.ru_utime + used.ru_stime + seconds_left) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    with suppress(OSError, ValueError, KeyError):  # systems that tell no such figure, or hold nobody to it
        status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines())
        asked_for, in_use = (1024 * int(status[name].split()[0]) for name in ("VmData", "RssAnon"))
        resource.setrlimit(resource.RLIMIT_DATA, (asked_for + memory - _BESIDES - in_use - held,) * 2)


def _work() -> None:
    """What the process behind the wall does."""
    memory, seconds, read, arguments, options = pickle.load(sys.stdin.buffer)  # noqa: S301 - written by `_walled`
    _limit(memory, seconds, sum(len(each) for each in arguments if isinstance(each, str | bytes)))
    try:
        outcome: tuple[bool, object] = (True, read(*arguments, **options))
    except ParameterError as err:
        outcome = (False, err)
    pickle.dump(outcome, sys.stdout.buffer, pickle.HIGHEST_PROTOCOL)


if __name__ == "__main__":
    _work()

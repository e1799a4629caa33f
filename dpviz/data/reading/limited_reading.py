"""Reading strangers' data in another process with limits of memory and time.

A small file can unpack to gigabytes, and a native reader ends its whole process when memory fails;
here that becomes one sentence. Hosts without processes (browsers) or memory limits (Windows) go on
without them.
"""

import errno
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from tempfile import TemporaryFile
from threading import BoundedSemaphore
from typing import Any, Final, NamedTuple, TypeVar, cast

from dpviz.base import ParameterError
from dpviz.base.limited_process import LATE, Limits, worker_environment
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
MANY_ROWS: Final = 100_000  # whose counting takes longer than a process takes to begin
ENGINE: Final = 250_000_000  # bytes that DuckDB asks for as it counts many rows; it uses about half
SHORT: Final = 1_000_000  # bytes of text, whose reading takes a few times as much
_PATIENCE: Final = 6  # times the processor time, on a machine that is busy with others


def read_safely(name: str, read: Callable[[Any], T], content: str | bytes) -> T:
    """`read(content)`, in a limited process unless it is a short text."""
    return read(content) if len(content) <= SHORT else read_in_process(name, read, content)


def count_safely(
    name: str, rows: int, count: Callable[..., T], /, *arguments: object, **options: object
) -> T:
    """`count(*arguments, **options)`, in a limited process if there are many rows."""
    if rows <= MANY_ROWS:
        return count(*arguments, **options)
    own = current_budgets()
    counting = ProcessPurpose(
        Limits(own.worker + ENGINE, own.seconds),
        "count",
        "count it where it is, with the command dpviz count",
    )
    return run_in_process(name, counting, count, *arguments, **options)


def read_in_process(
    name: str, read: Callable[..., T], /, *arguments: object, **options: object
) -> T:
    """Read a file in a process with `MAX_MEMORY` and `MAX_SECONDS`."""
    return run_in_process(name, reading_purpose(MAX_MEMORY), read, *arguments, **options)


def run_in_process(
    name: str,
    purpose: ProcessPurpose,
    read: Callable[..., T],
    /,
    *arguments: object,
    **options: object,
) -> T:
    """Call `read` on a stranger's data in a process with the limits of its purpose."""
    limits = purpose.limits
    with _AT_ONCE, TemporaryFile() as asked, TemporaryFile() as answer:
        write_memory_map((limits, read, arguments, options), asked)
        try:
            worker = subprocess.Popen(  # noqa: S603 - our own code; the file goes in as data
                [sys.executable, "-P", "-m", __name__],
                stdin=asked,
                stdout=answer,
                stderr=subprocess.DEVNULL,
                env=worker_environment(),
            )
        except OSError as err:
            if err.errno in {errno.EAGAIN, errno.ENOMEM}:
                raise IngestError(
                    f"The server has no room to {purpose.does} {quote_value(name)} now."
                ) from err
            return read(*arguments, **options)  # no processes here
        with worker:
            try:
                worker.wait(_PATIENCE * limits.seconds)
            except subprocess.TimeoutExpired:
                raise _too_much(name, purpose, next(iter(LATE), None)) from None
            finally:
                worker.kill()
        if worker.returncode != 0:
            raise _too_much(name, purpose, worker.returncode)
        answer.seek(0)
        done, result = pickle.load(answer)  # noqa: S301 - what our own code has written
    if not done:
        raise result
    return cast(T, result)


def _too_much(name: str, purpose: ProcessPurpose, returncode: int | None) -> IngestError:
    what = purpose.limits.exceeded_limit(returncode)
    return IngestError(
        f"{quote_value(name)} needs more than {what} to {purpose.does}, which is the limit:"
        f" {purpose.instead}."
    )


def _work() -> None:
    limits, read, arguments, options = read_memory_map(sys.stdin.buffer)
    limits.enforce(os.fstat(sys.stdin.fileno()).st_size)
    try:
        outcome: tuple[bool, object] = (True, read(*arguments, **options))
    except ParameterError as err:
        outcome = (False, err)
    pickle.dump(outcome, sys.stdout.buffer, pickle.HIGHEST_PROTOCOL)


if __name__ == "__main__":
    _work()

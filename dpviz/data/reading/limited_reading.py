"""Reading strangers' data in another process with limits of memory and time.

A small file can unpack to gigabytes, and a native reader ends its whole process when memory fails.
"""

import errno
import logging
import os
import pickle
import traceback
from collections.abc import Callable
from tempfile import TemporaryFile
from threading import BoundedSemaphore
from typing import Final, NamedTuple, TypeVar, cast

from dpviz.base import ParameterError
from dpviz.base.file_values import read_memory_map, write_memory_map
from dpviz.base.limited_process import (
    LimitedProcess,
    Limits,
    can_start_worker,
    is_worker_memory_nearly_full,
    preload_in_workers,
)
from dpviz.base.resource_budgets import current_budgets
from dpviz.data.reading.input_rules import MAX_MEMORY, MAX_SECONDS, IngestError, quote_value

T = TypeVar("T")


class ProcessPurpose(NamedTuple):
    """Limits of a limited process, its verb in sentences, and the advice if it fails."""

    limits: Limits
    does: str
    instead: str


_READING: Final = ProcessPurpose(
    Limits(MAX_MEMORY, MAX_SECONDS),
    "read",
    "save what is needed of it alone, a table as CSV or Parquet",
)
_AT_ONCE = BoundedSemaphore(current_budgets().workers)  # so that many uploads at once do not add up
ENGINE: Final = 250_000_000  # bytes that DuckDB asks for as it counts many rows; it uses about half
_PATIENCE: Final = 6  # times the processor time, on a machine that is busy with others
_log: Final = logging.getLogger(__name__)
preload_in_workers(
    *("chardet", "duckdb", "pandas", "pyarrow.compute", "pyarrow.csv", "pyarrow.parquet"),
    *("python_calamine", "dpviz.data.reading.guessing"),
)


def read_in_limited_process(
    name: str, read: Callable[..., T], /, *arguments: object, **options: object
) -> T:
    """Read a stranger's file in a process with `MAX_MEMORY` and `MAX_SECONDS`."""
    return run_in_limited_process(name, _READING, read, *arguments, **options)


def count_in_limited_process(
    name: str, count: Callable[..., T], /, *arguments: object, **options: object
) -> T:
    """Count what a stranger's table holds, in a process with the budgets of a worker."""
    own = current_budgets()
    counting = ProcessPurpose(
        Limits(own.worker + ENGINE, own.seconds),
        "count",
        "count it where it is, with the command dpviz count",
    )
    return run_in_limited_process(name, counting, count, *arguments, **options)


def run_in_limited_process(
    name: str,
    purpose: ProcessPurpose,
    read: Callable[..., T],
    /,
    *arguments: object,
    **options: object,
) -> T:
    """Call `read` on a stranger's data in a process with the limits of its purpose."""
    # browsers and Windows cannot fork
    if not can_start_worker():
        return read(*arguments, **options)
    with _AT_ONCE, TemporaryFile() as asked, TemporaryFile() as answer:
        write_memory_map((purpose.limits, read, arguments, options), asked)
        asked.flush()
        asked.seek(0)
        try:
            process = LimitedProcess(serve_call_request, asked.fileno(), answer.fileno())
            code = process.wait(_PATIENCE * purpose.limits.seconds)
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


def _failure(name: str, purpose: ProcessPurpose, code: int | None) -> IngestError:
    """Reason why a process ended, as far as its return code tells."""
    what, most = quote_value(name), purpose.limits.exceeded_limit(code)
    if most is None:
        return IngestError(f"{what} could not be read: the reader failed.")
    return IngestError(
        f"{what} needs more than {most} to {purpose.does}, which is the limit: {purpose.instead}."
    )


def serve_call_request(request_descriptor: int, result_descriptor: int) -> None:
    """Call, in a worker, what one file asks for; the other takes its result."""
    with open(request_descriptor, "rb") as question, open(result_descriptor, "wb") as file:
        outcome: tuple[bool, object]
        try:
            limits, read, arguments, options = read_memory_map(question)
            limits.enforce(os.fstat(request_descriptor).st_size, own_memory_counts=False)
            outcome = True, read(*arguments, **options)
        except ParameterError as err:
            outcome = False, err
        except MemoryError:
            raise
        except BaseException as err:
            # as DuckDB calls it; another library may tell of it in any way
            if "OutOfMemory" in type(err).__name__ or is_worker_memory_nearly_full():
                raise MemoryError from err
            outcome = False, traceback.format_exc()
        pickle.dump(outcome, file, pickle.HIGHEST_PROTOCOL)

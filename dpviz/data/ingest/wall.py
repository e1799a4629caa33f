"""A wall around the reading of what strangers send: another process, with an end to its memory and its time.

A small file can unpack to gigabytes, and a reader in another language ends its whole process when memory fails. Behind
the wall that ends with one sentence, whatever the bytes, and whoever else uses the server notices nothing. Where a host
starts no processes, as in a browser, or has no such limits (Windows has none of memory), reading goes on without them.
"""

import pickle
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from os import environ, pathsep
from pathlib import Path
from tempfile import TemporaryFile
from threading import BoundedSemaphore
from typing import Final, TypeVar

from dpviz.base.errors import ParameterError
from dpviz.data.ingest.limits import MAX_MEMORY, MAX_SECONDS, IngestError, quoted

__all__ = ["behind_wall"]

T = TypeVar("T")

_AT_ONCE = BoundedSemaphore(2)  # so that many uploads at once do not add up
_PATIENCE: Final = 6  # times the processor time, on a machine that is busy with others
_HERE = str(Path(__file__).resolve().parents[3])


def behind_wall(name: str, read: Callable[..., T], /, *arguments: object, **options: object) -> T:
    """`read(*arguments, **options)` of the file called `name`, in a process with `MAX_MEMORY` and `MAX_SECONDS`.

    What it takes and gives is pickled. Raises the `ParameterError` that it raises, or `IngestError` where it runs
    into a limit.
    """
    told = pickle.dumps((read, arguments, options))
    path = pathsep.join(filter(None, (_HERE, environ.get("PYTHONPATH"))))
    given = {**environ, "PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1", "ARROW_DEFAULT_MEMORY_POOL": "system"}
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
                worker.communicate(told, timeout=_PATIENCE * MAX_SECONDS)
            except subprocess.TimeoutExpired:
                raise _too_much(name) from None
            finally:
                worker.kill()
        if worker.returncode != 0:
            raise _too_much(name)
        answer.seek(0)
        done, result = pickle.load(answer)  # noqa: S301 - what our own code has written
    if not done:
        raise result
    value: T = result
    return value


def _too_much(name: str) -> IngestError:
    return IngestError(
        f"{quoted(name)} needs more than {MAX_SECONDS:g} seconds or {MAX_MEMORY // 1_000_000:,} MB of memory to read, "
        "which is the limit: save it with the columns that are needed alone, as CSV or Parquet."
    )


def _limit() -> None:
    """Hold this process to the limits, on top of what it has used so far."""
    try:
        import resource  # noqa: PLC0415 - not on every system
    except ImportError:  # Windows
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = int(used.ru_utime + used.ru_stime + MAX_SECONDS) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    with suppress(OSError, ValueError):  # systems that tell no such figure, or hold nobody to it
        status = Path("/proc/self/status").read_text(encoding="ascii")
        data = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmData"))
        resource.setrlimit(resource.RLIMIT_DATA, (data * 1024 + MAX_MEMORY,) * 2)


def _work() -> None:
    """What the process behind the wall does."""
    read, arguments, options = pickle.load(sys.stdin.buffer)  # noqa: S301 - written by `behind_wall`
    _limit()
    try:
        outcome: tuple[bool, object] = (True, read(*arguments, **options))
    except ParameterError as err:
        outcome = (False, err)
    pickle.dump(outcome, sys.stdout.buffer, pickle.HIGHEST_PROTOCOL)


if __name__ == "__main__":
    _work()

"""Worker processes with limits of memory and time, which can be ended at any moment.

Invariants: a worker is held to its `Limits` and runs at low priority. Nothing of it stays once it
is ended, and it ends by itself when the process that started it is gone.
"""

import os
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, Final, Protocol, cast

from dpviz.base.errors import ParameterError, WorkLost
from dpviz.base.progress import Progress
from dpviz.base.resource_budgets import is_memory_short
from dpviz.base.shared_scores import SharedScores, read_with_scores, write_with_scores

# bytes: libraries that the server has not loaded, and what handing over takes
BESIDES: Final = 30_000_000
OUT_OF_MEMORY: Final = 3
"""Return code of a worker that says so itself; native code aborts."""
# signals by which the system ends it
LATE: Final = {-getattr(signal, name, 0) for name in ("SIGXCPU", "SIGALRM")} - {0}
POSSIBLE: Final = os.name == "posix" and sys.platform != "emscripten"
"""True if this system can start a process that inherits a pipe."""
_GIVES_WAY: Final = 3  # of 19: to whoever serves people, about half as often its turn
_NO_ROOM: Final = "The server is too busy to compute this now. Try again in a few minutes."
_LOOK: Final = 0.05  # seconds between two reports
_HERE = str(Path(__file__).resolve().parents[2])


@dataclass(frozen=True)
class Limits:
    """Memory in bytes and CPU time that a process may take."""

    memory: int
    seconds: float

    def exceeded_limit(self, returncode: int | None) -> str | None:
        """Name the limit that a process with this return code exceeded; None if it was none."""
        if returncode in LATE:
            return f"{self.seconds:g} seconds"
        if returncode in {OUT_OF_MEMORY, -signal.SIGABRT}:
            return f"{self.memory // 1_000_000:,} MB of memory"
        return None

    def enforce(self, held: int = 0, *, forked: bool = False) -> None:
        """Limit this process from now on; `held` bytes are shared, and what a fork begins with."""
        try:
            import resource  # noqa: PLC0415 - not on every system
        except ImportError:  # Windows
            return
        used = resource.getrusage(resource.RUSAGE_SELF)
        seconds = int(used.ru_utime + used.ru_stime + self.seconds) + 1
        # the softer limit has a signal of its own
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        # some systems tell no such figure, or hold nobody to it
        with suppress(OSError, ValueError, KeyError):
            text = Path("/proc/self/status").read_text(encoding="ascii")
            status = dict(line.split(":", 1) for line in text.splitlines())
            asked_for, in_use = (
                1024 * int(status[name].split()[0]) for name in ("VmData", "RssAnon")
            )
            own = 0 if forked else in_use
            resource.setrlimit(
                resource.RLIMIT_DATA, (asked_for + self.memory - BESIDES - own - held,) * 2
            )


def worker_environment() -> dict[str, str]:
    """Environment of a worker: this process's modules, and one thread of linear algebra."""
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, (_HERE, *sys.path))),
        "OPENBLAS_NUM_THREADS": "1",
        "ARROW_DEFAULT_MEMORY_POOL": "system",
        # a reader in Rust that is out of memory must not wait for more to say where
        "RUST_BACKTRACE": "0",
    }


class StepwiseWork(Protocol):
    """Work that is computed step by step, and can be pickled."""

    def compute_step(self, name: str, progress: Progress, done: Mapping[str, Any]) -> object:
        """Compute a step from the results of those before."""


class LimitedProcess:
    """A process that computes the steps of some work; it starts with the first step."""

    def __init__(self, work: StepwiseWork, limits: Limits) -> None:
        self._work, self._limits = work, limits
        self._process: subprocess.Popen[bytes] | None = None
        self._line: Connection | None = None
        self._file: IO[bytes] | None = None  # by which the two hand over what they have
        self._both = SharedScores()

    def compute_step(self, name: str, progress: Progress, done: Mapping[str, Any]) -> object:
        if self._process is None:
            progress(0.0)  # which waits for its turn
        try:
            while True:
                line = self._begun(done)
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
            if is_memory_short():
                raise WorkLost(_NO_ROOM)
            self._line, theirs = Pipe()
            self._file = cast(IO[bytes], TemporaryFile())  # noqa: SIM115 - until it ends
            handed = theirs.fileno(), self._file.fileno()
            with theirs:
                try:
                    self._process = subprocess.Popen(  # noqa: S603 - our own code
                        [sys.executable, "-P", "-m", __name__, *map(str, handed)],
                        pass_fds=handed,
                        stdin=subprocess.DEVNULL,
                        stdout=subprocess.DEVNULL,
                        stderr=subprocess.DEVNULL,
                        env=worker_environment(),
                    )
                except OSError as err:
                    raise WorkLost(_NO_ROOM) from err
            self._both, at = write_with_scores((self._limits, self._work, dict(done)), self._file)
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
            process.kill()
            process.wait()


def _serve(line: Connection, file: IO[bytes]) -> None:
    both, (limits, work, done) = read_with_scores(line.recv(), file)
    limits.enforce(os.fstat(file.fileno()).st_size)  # which the server holds meanwhile
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
            raise SystemExit(OUT_OF_MEMORY) from None
        except Exception:  # noqa: BLE001 - whatever it is, the server's log says it
            answer = "raised", RuntimeError(traceback.format_exc())
        both.write(answer, file)
        line.send(None)


def _begin() -> None:
    os.nice(_GIVES_WAY)
    line, file = map(int, sys.argv[1:])
    with (
        suppress(EOFError, BrokenPipeError, ConnectionResetError),
        Connection(line) as told,
        open(file, "r+b") as handed,
    ):
        _serve(told, handed)


if __name__ == "__main__":
    _begin()

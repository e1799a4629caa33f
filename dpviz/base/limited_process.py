"""Worker processes with limits of memory and time, which can be ended at any moment.

A worker ends when it is ended here, takes too long, or loses the process that asked for it.
"""

import atexit
import errno
import gc
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from threading import Lock, Thread
from typing import Final, NoReturn

# bytes: libraries that the forker has not loaded, and what handing over takes
BESIDES: Final = 30_000_000
_SPARE: Final = 8_000_000  # bytes below the limit with which no reader goes on
_OUT_OF_MEMORY: Final = 3
"""Return code of a worker that says so itself; native code aborts."""
# signals by which the system ends it
_LATE: Final = {-getattr(signal, name, 0) for name in ("SIGXCPU", "SIGALRM")} - {0}
_HERE: Final = str(Path(__file__).resolve().parents[2])
_IDLE: Final = 300.0  # seconds after which the process that forks ends
_MESSAGE: Final = 120  # bytes that tell a worker its function
_PID: Final = 4  # bytes that tell which process a worker is
_MOST_FILES: Final = 4  # that are handed over to a worker
_START: Final = f"from {__name__} import fork_workers_on_request; fork_workers_on_request()"
_WORKER_ENVIRONMENT: Final = {
    "OPENBLAS_NUM_THREADS": "1",
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    # a reader in Rust that is out of memory must not wait for more to say where
    "RUST_BACKTRACE": "0",
}
_preloaded: Final[dict[str, None]] = {}  # modules, in order
_inherited = 0  # bytes in use when this worker was forked
_can_fork = hasattr(os, "fork") and sys.platform != "emscripten"


def can_start_worker() -> bool:
    """True where a worker can be started: not on Windows, in a browser, or in a worker itself."""
    return _can_fork


def preload_in_workers(*modules: str) -> None:
    """Have modules loaded once for all workers; one that is not installed is passed over."""
    _preloaded.update(dict.fromkeys(modules))


@dataclass(frozen=True)
class Limits:
    """Memory in bytes and CPU time that a process may take."""

    memory: int
    seconds: float

    def exceeded_limit(self, returncode: int | None) -> str | None:
        """Name the limit that a process with this return code exceeded; None if it was none."""
        if returncode in _LATE:
            return f"{self.seconds:g} seconds"
        if returncode in {_OUT_OF_MEMORY, -signal.SIGABRT}:
            return f"{self.memory // 1_000_000:,} MB of memory"
        return None

    def enforce(self, file_bytes: int, *, own_memory_counts: bool) -> None:
        """Limit this worker from now on; `file_bytes` count, with `own_memory_counts` its own too."""
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
            asked_for, in_use = _memory_figures()
            taken = in_use - _inherited if own_memory_counts else 0
            resource.setrlimit(
                resource.RLIMIT_DATA, (asked_for + self.memory - BESIDES - taken - file_bytes,) * 2
            )


def _memory_figures() -> tuple[int, int]:
    """Bytes of memory that this process has asked for, and those of them in use."""
    text = Path("/proc/self/status").read_text(encoding="ascii")
    status = dict(line.split(":", 1) for line in text.splitlines())
    asked_for, in_use = (1024 * int(status[name].split()[0]) for name in ("VmData", "RssAnon"))
    return asked_for, in_use


def is_worker_memory_nearly_full() -> bool:
    """True if this worker holds nearly all that its limit allows."""
    try:
        import resource  # noqa: PLC0415 - not on every system

        limit, _ = resource.getrlimit(resource.RLIMIT_DATA)
        return limit != resource.RLIM_INFINITY and _memory_figures()[0] > limit - _SPARE
    except (ImportError, OSError, ValueError, KeyError):
        return False


# not multiprocessing's fork server, which runs the caller's main module once more
# It has the libraries loaded, so that a worker starts in hundredths of a second.
class _Forker:
    """The process that forks workers; started with the first one."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._line: socket.socket | None = None
        self.process: subprocess.Popen[bytes] | None = None

    def hand_over(self, message: bytes, files: list[int]) -> None:
        with self._lock:
            if self._line is not None:
                with suppress(OSError):  # it has ended, of idleness or by somebody
                    socket.send_fds(self._line, [message], files)
                    return
                self.end()
            self._line, theirs = socket.socketpair()
            path = filter(None, (_HERE, *sys.path))
            with theirs:
                self.process = subprocess.Popen(  # noqa: S603 - our own code
                    [sys.executable, "-P", "-c", _START, *_preloaded],
                    stdin=theirs.fileno(),
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    env=os.environ | _WORKER_ENVIRONMENT | {"PYTHONPATH": os.pathsep.join(path)},
                )
            socket.send_fds(self._line, [message], files)

    def end(self) -> None:
        if self._line is not None:
            self._line.close()
            self._line = None
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


FORKER: Final = _Forker()
atexit.register(FORKER.end)


class LimitedProcess:
    """A worker that runs a module's function on open files; OSError where none can be started."""

    def __init__(self, run: Callable[..., None], *files: int) -> None:
        message = f"{run.__module__}:{run.__name__}".encode().ljust(_MESSAGE)
        self.pid = 0
        for _ in range(2):  # the process that forks may just have ended
            self._leash, theirs = socket.socketpair()
            try:
                with theirs:
                    FORKER.hand_over(message, [theirs.fileno(), *files])
                self.pid = int.from_bytes(self._leash.recv(_PID), "big")
            finally:
                if not self.pid:
                    self._leash.close()
            if self.pid:
                return
        raise OSError(errno.EAGAIN, "no worker could be forked")

    def wait(self, seconds: float | None = None) -> int | None:
        """Return its code once it has ended, by itself or after so many seconds; None if unknown."""
        self._leash.settimeout(seconds)
        try:
            code = self._leash.recv(_MESSAGE)
        except TimeoutError:
            self.end()
            return -signal.SIGALRM
        self._leash.close()
        return int(code) if code else None

    def end(self) -> None:
        """Kill it, and wait until it is gone."""
        with suppress(OSError):  # it has ended
            self._leash.shutdown(socket.SHUT_WR)
            self.wait()


def fork_workers_on_request() -> NoReturn:
    """Fork a worker for each message, until there are none for a while."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those that have ended
    for module in sys.argv[1:]:
        with suppress(ImportError):
            import_module(module)
    gc.freeze()
    line = socket.socket(fileno=os.dup(0))
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)  # no worker gets what is handed over for others
    while select.select([line], [], [], _IDLE)[0]:
        message, files, _, _ = socket.recv_fds(line, _MESSAGE, _MOST_FILES)
        if not files:
            break
        if os.fork() == 0:
            line.close()
            _watch(message.decode().rstrip(), *files)
        for file in files:
            os.close(file)
    os._exit(0)


def _watch(function: str, leash: int, *files: int) -> NoReturn:
    """Run a worker, kill it when its leash is let go, and tell its return code."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    worker = os.fork()
    if worker == 0:
        os.close(leash)
        _work(function, *files)
    for file in files:
        os.close(file)

    def end_unwanted_worker() -> None:
        line.recv(1)
        os.kill(worker, signal.SIGKILL)

    line = socket.socket(fileno=leash)
    line.send(worker.to_bytes(_PID, "big"))
    Thread(target=end_unwanted_worker, daemon=True).start()
    code = os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1])
    with suppress(OSError):  # nobody wants to know
        line.send(str(code).encode())
    os._exit(0)


def _work(function: str, *files: int) -> NoReturn:
    global _can_fork, _inherited  # noqa: PLW0603 - what a worker does is limited already
    _can_fork = False
    with suppress(OSError, ValueError, KeyError):
        _, _inherited = _memory_figures()
    module, _, name = function.partition(":")
    try:
        getattr(import_module(module), name)(*files)
    except MemoryError:
        os._exit(_OUT_OF_MEMORY)
    except BaseException:  # noqa: BLE001 - nothing goes back to the loop of its parent
        os._exit(1)
    os._exit(0)

"""Memory, time and workers for background work, by the machine's memory (see `SIZES`)."""

import os
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace

from dpviz.base.errors import ParameterError

# MB to go by where others use the machine too
ENVIRONMENT = "DPVIZ_MEMORY"
_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
_MB = 1_000_000
_USABLE = 0.9  # of the memory: a part is the system's own
_FILES = 65_536
_SERVER = SimpleNamespace(keeps_to_budget=False)
_OTHER_FILES = 100  # of a process that serves nobody, and pages that load
_PERSON = 4_500_000  # bytes of an open page: 50 took 213 MB
_ITSELF = 300 * _MB  # of a process that serves nobody
_FORKED = 80 * _MB  # of the process that makes workers, and of a worker before it works


@dataclass(frozen=True, kw_only=True)
class ResourceBudgets:
    """Budgets of one machine: bytes, seconds, and numbers of workers."""

    worker: int
    seconds: float
    computing: float
    workers: int
    undone: int
    uploaded: int
    process: int = 500 * _MB  # the server's own process, above which it begins nothing large
    sessions: int = 100 * _MB  # the data of all of its sessions


SIZES = {
    2: ResourceBudgets(
        worker=300 * _MB,
        seconds=15.0,
        computing=30.0,
        workers=1,
        undone=20 * _MB,
        uploaded=60 * _MB,
    ),
    8: ResourceBudgets(
        worker=350 * _MB,
        seconds=20.0,
        computing=60.0,
        workers=2,
        undone=50 * _MB,
        uploaded=110 * _MB,
    ),
    24: ResourceBudgets(
        worker=350 * _MB,
        seconds=20.0,
        computing=60.0,
        workers=4,
        undone=100 * _MB,
        uploaded=160 * _MB,
    ),
}
"""Budgets by the GB of a machine; the largest row that fits counts."""


def choose_budgets(memory_bytes: float) -> ResourceBudgets:
    """Budgets of a machine with so many bytes."""
    fitting = [size for size in SIZES if _USABLE * size * 1e9 <= memory_bytes]
    chosen = SIZES[max(fitting, default=min(SIZES))]
    process = int(_USABLE * memory_bytes) - chosen.workers * chosen.worker - _FORKED
    return replace(
        chosen,
        process=max(process, chosen.process),
        sessions=max((process - _ITSELF) // 2, chosen.sessions),
    )


@cache
def current_budgets() -> ResourceBudgets:
    """Budgets of this process."""
    return choose_budgets(server_memory_bytes())


def server_memory_bytes() -> float:
    """Bytes to go by: what `DPVIZ_MEMORY` says, else those of this machine, or of its container."""
    said = os.environ.get(ENVIRONMENT)
    if said is not None:
        if not said.isascii() or not said.isdigit() or int(said) < 1:
            raise ParameterError(ENVIRONMENT, said, "a whole number of MB")
        return int(said) * float(_MB)
    memory = 8e9
    with suppress(AttributeError, ValueError, OSError):  # Windows, and browsers
        memory = float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    for limit in _LIMITS:
        with suppress(OSError, ValueError):  # none is set ("max"), or there is no such file
            memory = min(memory, float(Path(limit).read_text(encoding="ascii")))
    return memory


def process_memory_bytes() -> int:
    """Bytes of this process in memory; 0 where the system does not tell them."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def enforce_memory_budget() -> None:
    """Have this process, which serves people, begin nothing large above its budget."""
    _SERVER.keeps_to_budget = True


def is_memory_over_budget() -> bool:
    """Say if this server has passed its budget; the library alone may take what there is."""
    return _SERVER.keeps_to_budget and process_memory_bytes() > current_budgets().process


def raise_open_file_limit() -> int:
    """Raise the limit of open files as far as the system allows, and return it; 0 for none."""
    try:
        import resource  # noqa: PLC0415 - not on every system
    except ImportError:  # Windows, which has no such limit
        return 0
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = max(soft, _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard))
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
    return limit


def supported_user_count() -> int:
    """Number of people that memory and open files of this process suffice for."""
    files = raise_open_file_limit() or _FILES
    memory = (current_budgets().process - _ITSELF) // _PERSON
    return max(min(files - _OTHER_FILES, memory), 1)

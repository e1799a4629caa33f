"""A reader that takes all that it can; on its own, so that nothing else is loaded with it."""

from contextlib import suppress
from pathlib import Path


def hungry(content: bytes) -> int:
    """Takes all the memory that it can; gives how much this process then has of its own."""
    taken = []
    with suppress(MemoryError):
        while len(taken) < 2_000:
            taken.append(b"x" * 1_000_000)
    del taken[-10:]  # room for what follows
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return 1024 * next(
        int(line.split()[1]) for line in status.splitlines() if line.startswith("RssAnon")
    )

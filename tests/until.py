"""Waiting for what tells nobody that it has come: what another process writes, opens or ends, what
a thread counts.

Invariant: it is looked for, never guessed how long it takes; whoever waits in vain is told so after
a minute.
"""

import subprocess
import time
from collections.abc import Callable
from typing import Any

LONGEST = 60.0  # seconds


def rest() -> None:
    """What lies between two looks: so little that nobody notices, and not nothing, as the others
    need the processor.
    """
    time.sleep(0.02)


def until(
    reached: Callable[[], object],
    *,
    of: "subprocess.Popen[Any] | None" = None,
    told: Callable[[], object] = lambda: "it did not happen",
    pause: Callable[[], object] = rest,
) -> None:
    """Look again and again, as long as the process `of` which it is lives; `told` says what is
    known where it fails.
    """
    end = time.monotonic() + LONGEST
    while not reached():
        assert of is None or of.poll() is None, told()
        assert time.monotonic() < end, told()
        pause()

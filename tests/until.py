"""Waiting for what nobody announces: looked for, with a sentence after a minute in vain."""

import subprocess
import time
from collections.abc import Callable
from typing import Any

LONGEST = 60.0  # seconds


def rest() -> None:
    """Leave the processor to the others between two looks."""
    time.sleep(0.02)


def until(
    reached: Callable[[], object],
    *,
    of: "subprocess.Popen[Any] | None" = None,
    told: Callable[[], object] = lambda: "it did not happen",
    pause: Callable[[], object] = rest,
) -> None:
    """Look until it is reached, while the process `of` lives; `told` is said otherwise."""
    end = time.monotonic() + LONGEST
    while not reached():
        assert of is None or of.poll() is None, told()
        assert time.monotonic() < end, told()
        pause()

"""How much of everything: people, time, how quickly they act, and wrong codes.

Invariants: who tries codes at random waits ever longer, whether by one session, from one address or by many at once;
whoever waits is told for how long. Nothing is known of anybody but a name that ends with the wait.
"""

import math
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass


class ClassRefusal(Exception):
    """What a class does not do now; the sentence is for the person who asked."""


@dataclass(frozen=True, kw_only=True)
class ClassLimits:
    """What a class may take of the server."""

    classes: int = 100  # at once, on all processes together
    people: int = 300  # in a class
    seconds: float = 3 * 3600.0  # then it ends
    results: float = 24 * 3600.0  # after its end, for which its results stay
    away: float = 30.0  # since one was heard of last; then one is not there any more
    writes: int = 20  # predictions and draws of a person ...
    within: float = 10.0  # ... in so many seconds


LIMITS = ClassLimits()


@dataclass(frozen=True)
class Patience:
    """So many wrong tries are free; each further one doubles the wait, up to the longest, in seconds."""

    free: int
    longest: float

    def wait(self, wrong: int) -> float:
        """Seconds from the last of `wrong` wrong tries to the next.

        >>> [Patience(free=3, longest=5.0).wait(wrong) for wrong in range(2, 8)]
        [0.0, 0.0, 1.0, 2.0, 4.0, 5.0]
        """
        over = wrong - self.free
        return min(2.0 ** min(over - 1, 60), self.longest) if over > 0 else 0.0


# A class sits behind one address, so an address has more tries than a session; the process as a whole slows down to one
# try in four seconds: in three hours 2,800 of 113 million codes, however many addresses somebody has.
KINDS: Mapping[str, Patience] = {
    "session": Patience(free=5, longest=300.0),
    "address": Patience(free=60, longest=30.0),
    "process": Patience(free=100, longest=4.0),
}
_FORGOTTEN = 900.0  # seconds after the last wrong try
_MOST = 10_000  # names of a kind that are remembered


class Tries:
    """The wrong tries of this process: whose they were, how many, and when the last one was."""

    def __init__(self, kinds: Mapping[str, Patience] = KINDS, clock: Callable[[], float] = time.monotonic) -> None:
        self._kinds, self._clock = kinds, clock
        self._lock = threading.Lock()
        self._wrong: dict[str, dict[str, tuple[int, float]]] = {kind: {} for kind in kinds}

    def take(self, **names: str) -> None:
        """One more try by these, each named by its kind: it counts as wrong until it is `right`.

        Raises `ClassRefusal` where one of them must wait, for a right code too: else waiting would cost nothing.
        """
        with self._lock:
            left = max(self._left(kind, name) for kind, name in names.items())
            if left > 0:
                raise ClassRefusal(f"Too many wrong codes were tried. Wait {math.ceil(left)} s, then try again.")
            for kind, name in names.items():
                wrong, _ = self._seen(kind, name)
                known = self._wrong[kind]
                known.pop(name, None)
                known[name] = wrong + 1, self._clock()
                if len(known) > _MOST:
                    del known[next(iter(known))]  # whose last try is longest ago

    def right(self, **names: str) -> None:
        """The try was none to count."""
        with self._lock:
            for kind, name in names.items():
                wrong, last = self._seen(kind, name)
                self._wrong[kind][name] = max(wrong - 1, 0), last

    def _left(self, kind: str, name: str) -> float:
        wrong, last = self._seen(kind, name)
        return last + self._kinds[kind].wait(wrong) - self._clock()

    def _seen(self, kind: str, name: str) -> tuple[int, float]:
        wrong, last = self._wrong[kind].get(name, (0, -math.inf))
        return (wrong, last) if self._clock() < last + _FORGOTTEN else (0, -math.inf)

"""Work for a worker process: some ends, some never does, some takes all memory."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from threading import Event
from typing import Any

from dpviz.base.errors import ParameterError
from dpviz.base.progress import Progress


@dataclass(frozen=True)
class Steps:
    """Each step is told by its name."""

    number: int = 1

    def work(self, keep: object) -> dict[str, object]:
        """As a study has it: the second has no end."""
        return dict.fromkeys(("where", "silent"))

    def compute_step(self, name: str, progress: Progress, done: Mapping[str, Any]) -> object:
        match name:
            case "where":
                return os.getpid()
            case "sum":
                return self.number + done["where"]
            case "refused":
                raise ParameterError("k", 9, "at most 3")
            case "broken":
                return self.number / 0
            case "killed":
                os.kill(os.getpid(), 9)
            case "hungry":
                return len(bytearray(10**9))
            case "silent":
                Event().wait()
            case "busy":
                while True:
                    pass
        progress(0.5)
        return name


@dataclass(frozen=True)
class About:
    """Gives back what it is about."""

    worlds: tuple[Any, Any]

    def compute_step(self, name: str, progress: Progress, done: Mapping[str, Any]) -> object:
        """One of the two."""
        return self.worlds[name == "second"]


def whose(progress: Progress) -> Iterator[str]:
    """A text that says who writes it, in two pieces."""
    for fraction in (0.0, 0.5):
        progress(fraction)
        yield f"{os.getpid()}\n"


def endless(progress: Progress) -> Iterator[str]:
    """A text that never ends, of which each piece is a buffer full."""
    while True:
        progress(0.5)
        yield "a" * 10_000
        Event().wait(0.01)

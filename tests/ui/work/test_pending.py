"""What is shown in one picture is drawn once where it comes soon, and as it comes where that takes long."""

import math
import threading
from collections.abc import Iterator

import pytest

from dpviz.base.progress import Progress
from dpviz.ui.work.job import Done, Job
from dpviz.ui.work.pending import together

LONG = 30.0


class Held:
    """A job that is there, and one that is not before it is let go."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.jobs = [Job({"quick": lambda progress, done: 1}), Job({"slow": self._slow})]
        assert self.jobs[0].wait(LONG)

    def _slow(self, progress: Progress, done: Done) -> int:
        self.go.wait(LONG)
        progress(0.5)
        return 2


@pytest.fixture
def held() -> Iterator[Held]:
    made = Held()
    yield made
    made.go.set()


def test_nothing_is_shown_before_all_is_there(held: Held) -> None:
    assert together(held.jobs, soon=math.inf) == 0
    held.go.set()
    assert held.jobs[1].wait(LONG)
    assert together(held.jobs, soon=math.inf) == 2


def test_what_takes_long_is_shown_as_it_comes(held: Held) -> None:
    assert together(held.jobs, soon=0.0) == 1


def test_what_came_before_the_work_was_stopped_is_shown(held: Held) -> None:
    held.jobs[1].cancel()
    assert together(held.jobs, soon=math.inf) == 1


def test_without_jobs_there_is_nothing() -> None:
    assert together([]) == 0

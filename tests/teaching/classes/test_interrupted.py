"""A class outlives what ends a process while it saves, and a clock that is put back or forward by
an hour.
"""

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

import dpviz.teaching.lessons  # noqa: F401 - which fill the menu
from dpviz.teaching.classes import LIMITS, ClassManager
from dpviz.teaching.classes.join_throttle import TooManyTries
from tests.teaching.classes.test_class_manager import KEY, ROOT, Clock

SAVES = """
import sys
from pathlib import Path
import dpviz.teaching.lessons
from dpviz.teaching.classes import ClassManager
classes = ClassManager(Path(sys.argv[1]), age=0.0)
while True:
    classes.move_to_stop(sys.argv[2], 1)
    classes.move_to_stop(sys.argv[2], 0)
    print("saved", flush=True)
"""


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_a_process_that_ends_while_it_saves_leaves_the_class_whole(
    tmp_path: Path, end: signal.Signals
) -> None:
    path = tmp_path / "classes.sqlite"
    here = ClassManager(path, age=0.0)
    code, token = here.begin_class(KEY)
    saving = subprocess.Popen(
        [sys.executable, "-c", SAVES, path, token],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
    )
    with saving:
        assert saving.stdout is not None
        for _ in range(5):
            assert saving.stdout.readline() == b"saved\n"
        saving.send_signal(end)
    seat = here.join(code)  # nothing is locked
    assert seat is not None
    here.close()
    again = ClassManager(path, age=0.0)
    again.move_to_stop(token, 1)
    again.close()
    with sqlite3.connect(path) as store:
        assert store.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    store.close()


@pytest.mark.parametrize("jump", [-3600.0, 3600.0])
def test_a_clock_that_jumps_ends_no_class_and_shuts_nobody_out(tmp_path: Path, jump: float) -> None:
    clock = Clock()
    classes = ClassManager(tmp_path / "classes.sqlite", LIMITS, clock, age=0.0)
    code, token = classes.begin_class(KEY)
    assert classes.join(code, address="a school") is not None
    clock.now += jump
    assert classes.join(code, address="a school") is not None
    classes.move_to_stop(token, 1)
    classes.close()


@pytest.mark.parametrize("jump", [-3600.0, 3600.0])
def test_a_clock_that_jumps_ends_no_class_that_waits_for_its_first_and_frees_no_guesser_for_long(
    tmp_path: Path, jump: float
) -> None:
    clock = Clock()
    classes = ClassManager(tmp_path / "classes.sqlite", LIMITS, clock, age=0.0)
    code, token = classes.begin_class(KEY)
    classes.start_timer(token, 60)
    guessed_until_refused(classes)
    clock.now += jump
    classes.mark_teacher_present(token)  # as its console does every moment
    state = classes.read_state(code)
    assert state is not None
    assert state.timer is not None
    assert state.timer.seconds_left(clock.now) <= 60.0
    assert classes.join(code, address="a school") is not None
    assert guessed_until_refused(classes).seconds <= LIMITS.minute
    classes.close()


def guessed_until_refused(classes: ClassManager) -> TooManyTries:
    """What a guesser is told in the end."""
    try:
        while True:
            classes.join("ABCDEF", address="a guesser")
    except TooManyTries as refused:
        return refused

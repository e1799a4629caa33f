"""A class outlives what ends a process while it saves, and a clock that is put back or forward."""

import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from dpviz.teaching.classes import LIMITS, ClassManager, ClassRefusal
from tests.teaching.classes.looks import KEY, ROOT, Clock, joined, seen

SAVES = """
import sys
from pathlib import Path
from dpviz.teaching.classes import ClassManager
classes = ClassManager(Path(sys.argv[1]), age=0.0)
while True:
    classes.move_to_stop(sys.argv[2], 1)
    classes.move_to_stop(sys.argv[2], 0)
    print("saved", flush=True)
"""


def test_a_process_that_ends_while_it_saves_leaves_the_class_whole(tmp_path: Path) -> None:
    path = tmp_path / "classes.sqlite"
    here = ClassManager(path, age=0.0)
    code, token = here.begin_class(KEY)
    command, env = [sys.executable, "-c", SAVES, path, token], {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, env=os.environ | env, stdout=subprocess.PIPE) as saving:
        assert saving.stdout is not None
        for _ in range(5):
            assert saving.stdout.readline() == b"saved\n"
        saving.kill()
    joined(here, code)  # nothing is locked
    here.close()
    again = ClassManager(path, age=0.0)
    again.move_to_stop(token, 1)
    again.close()
    with sqlite3.connect(path) as store:
        assert store.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    store.close()


@pytest.mark.parametrize("jump", [-3600.0, 3600.0])
@pytest.mark.parametrize("empty", [True, False])
def test_a_clock_that_jumps_ends_no_class_shuts_nobody_out_and_frees_no_guesser_for_long(
    classes: ClassManager, clock: Clock, jump: float, empty: bool
) -> None:
    code, token = classes.begin_class(KEY)
    classes.start_timer(token, 60)
    if not empty:
        assert classes.join(code, address="a school") is not None
    seconds_told_to_wait(classes)
    clock.now += jump
    if empty:
        classes.mark_teacher_present(token)  # as its console does every moment
    timer = seen(classes, code).timer
    assert timer is not None
    assert timer.seconds_left(clock.now) <= 60.0
    assert classes.join(code, address="a school") is not None
    assert seconds_told_to_wait(classes) <= LIMITS.minute
    classes.move_to_stop(token, 1)


def seconds_told_to_wait(classes: ClassManager) -> int:
    """How long a guesser is to wait in the end."""
    try:
        while True:
            classes.join("ABCDEF", address="a guesser")
    except ClassRefusal as refused:
        return int(re.findall(r"Wait (\d+) s", str(refused))[0])

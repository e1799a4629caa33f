"""A class outlives what ends a process while it saves."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

from dpviz.teaching.classes import ClassManager
from tests.teaching.classes.looks import KEY, ROOT, joined

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

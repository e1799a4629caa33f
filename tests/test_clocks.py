"""Time that passes is measured by a clock that nobody sets: no budget, wait or share hangs on the
time of day.

The time of day is told (dates on paper) and, in classes, shared by processes that a restart may
part: these are listed, and `tests/teaching/classes/test_interrupted.py` puts that clock back and
forward.
"""

import ast
from pathlib import Path

import dpviz

ROOT = Path(dpviz.__file__).parent
SHARED = {"teaching/classes/class_store.py"}
"""Where seconds of the time of day are reckoned with: the beginning of what classes count."""


def reckons(source: str) -> bool:
    """Whether it takes seconds of the time of day."""
    return any(
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and (node.value.id, node.attr)
        in {("time", "time"), ("time", "time_ns"), ("datetime", "timestamp")}
        for node in ast.walk(ast.parse(source))
    )


def test_seconds_are_those_of_a_clock_that_nobody_sets() -> None:
    found = {
        path.relative_to(ROOT).as_posix()
        for path in ROOT.rglob("*.py")
        if reckons(path.read_text("utf-8"))
    }
    assert found == SHARED


def test_the_check_above_sees_what_it_is_for() -> None:
    assert reckons("import time\nuntil = time.time() + 5")
    assert not reckons("import time\nuntil = time.monotonic() + 5")

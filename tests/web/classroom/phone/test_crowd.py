"""A class on phones without drawing: nothing anybody did is lost, and with many phones all see each
step soon.
"""

import sys
from pathlib import Path

import pytest

from dpviz.teaching.classes import ClassManager
from tests.benchmarks.classmates import goes_through
from tests.benchmarks.crowd import served
from tests.web.own_process import run_apart

FEW, MANY = 12, 200
ACKNOWLEDGED, SEEN = 0.3, 1.0  # seconds in which 95 % have it, where a core is theirs


@pytest.mark.parametrize("people", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
def test_a_class_goes_through_a_lesson_on_its_phones(people: int, tmp_path: Path) -> None:
    path = tmp_path / "classes.sqlite"
    classes = ClassManager(path, age=0.0)
    with served(1, path) as server:
        took = run_apart(goes_through(server.port, classes, people))
    classes.close()
    sys.stdout.write(f"{people} phones: {took}\n")  # shown by -s
    assert took["bytes"] < 40_000
    if people == MANY:
        assert took["answer"] <= ACKNOWLEDGED
        assert max(value for name, value in took.items() if name.startswith("step")) <= SEEN

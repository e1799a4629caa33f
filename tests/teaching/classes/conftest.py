"""The store of a test, as each process of a server opens it."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from dpviz.teaching.classes import ClassLimits, ClassManager
from tests.teaching.classes.looks import Clock, Opened


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def opened(tmp_path: Path, clock: Clock) -> Iterator[Opened]:
    """opened() is the store of this test as one more process would open it."""
    with ExitStack() as all_:

        def opened(**limits: Any) -> ClassManager:
            path = tmp_path / "classes.sqlite"
            classes = ClassManager(path, ClassLimits(**limits), clock, age=0.0)
            return all_.enter_context(closing(classes))

        yield opened


@pytest.fixture
def classes(opened: Opened) -> ClassManager:
    return opened()

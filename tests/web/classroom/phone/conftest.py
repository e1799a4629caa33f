"""What holds for the tests of phones: classes of a test alone, known at once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from dpviz.teaching.classes import ClassManager
from dpviz.web.classroom import access


@pytest.fixture
def classes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ClassManager]:
    monkeypatch.setenv("DPVIZ_CLASSES", str(tmp_path / "classes.sqlite"))
    store = access.class_manager()
    monkeypatch.setattr(store, "_age", 0.0)
    yield store
    store.close()

"""Where files are read: in this process, by tests of what is read of them."""

import pytest

from dpviz.data.reading import limited_reading


@pytest.fixture
def read_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a browser, which starts no processes; the wall around a reader has its own tests."""
    monkeypatch.setattr(limited_reading, "can_limit", lambda: False)

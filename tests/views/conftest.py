"""What holds for the tests that read page, file and command side by side."""

import pytest


@pytest.fixture(autouse=True)
def few_places(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file's slider has three places: where it starts is read here, the others in tests/reports/takeaway."""
    monkeypatch.setattr("dpviz.views.common.slider._PER_DECADE", 1)
    monkeypatch.setattr("dpviz.views.common.slider._EACH_WAY", 1)

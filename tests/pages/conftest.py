"""What holds for the tests that read file and command side by side."""

from collections.abc import Iterator

import pytest

from tests.places import few_places


@pytest.fixture(autouse=True)
def three_places() -> Iterator[None]:
    """Where a file's slider starts is read here, its other places in tests/export/takeaway."""
    with few_places(1):
        yield

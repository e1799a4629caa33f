"""Sliders of files with few places, for tests that need not read all of them."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from dpviz.pages.common import slider_file

__all__ = ["few_places"]


@contextmanager
def few_places(each_way: int) -> Iterator[None]:
    """They stop this often on each side of where they start, over a decade."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(slider_file, "_PER_DECADE", each_way)
        patch.setattr(slider_file, "_EACH_WAY", each_way)
        yield

"""Every page under damaged links: it comes up, with a sentence where the link could not be read."""

from collections.abc import Callable

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpviz.base.place import APP_FOLDER
from tests.fuzz_scenarios import link

PAGES = sorted(path.stem for path in (APP_FOLDER / "pages").glob("*.py"))
ONCE_BROKEN = (
    {"m03": "canonical"},
    {"data": "example:class_trip", "m01": "canonical"},
    {"data": "uploaded", "k": "9" * 4_000},
    {"m" + "9" * 5_000: "canonical"},
)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_comes_up_whatever_the_link(open_page: Callable[..., AppTest], name: str) -> None:
    damaged = [link(np.random.default_rng([7, case])) for case in range(6)]
    for query in (*ONCE_BROKEN, *damaged):
        written = {key: value for key, value in query.items() if (key + value).isprintable()}
        open_page(name, **written)  # which fails where the page raises

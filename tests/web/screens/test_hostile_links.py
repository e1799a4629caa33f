"""Every page under damaged links; `python -m tests.fuzz_pages` runs a thousand, `./tests/run long`
a hundred.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from tests.fuzz_pages import PAGES, try_page
from tests.fuzz_scenarios import page_link

ONCE_BROKEN = (
    {"m03": "canonical"},
    {"data": "example:class_trip", "m01": "canonical"},
    {"data": "uploaded", "k": "9" * 4_000},
    {"m" + "9" * 5_000: "canonical"},
    {"contributions": "9007199254740993", "epsilon": "1e-320"},
    {"page.pc.view": "percentile", "page.pc.sv.form": "sampled", "page.pc.sv.epsilon0": "1e-320"},
)


def try_links(name: str, damaged: int, broken: Sequence[dict[str, str]] = ONCE_BROKEN) -> None:
    links = [page_link(name, np.random.default_rng([7, case])) for case in range(damaged)]
    seen = Counter(try_page(name, query) for query in (*broken, *links))
    assert seen.total() == len(broken) + damaged


@pytest.mark.twins(5)
@pytest.mark.parametrize("name", PAGES)
def test_a_page_comes_up_whatever_the_link(name: str) -> None:
    """All pages read links by the same code: Explore and Candidates are given all that once broke
    one.
    """
    whole = name in {"explore", "candidates"}
    try_links(name, 1, ONCE_BROKEN if whole else ONCE_BROKEN[PAGES.index(name) % 2 :: 3])


@pytest.mark.long
@pytest.mark.parametrize("name", PAGES)
def test_a_page_comes_up_whatever_a_hundred_links(name: str) -> None:
    try_links(name, 100)

"""Links with other values: few cannot be read, and all end in a page or in a sentence."""

import pytest

from tests.fuzz_links import try_many


@pytest.mark.parametrize("cases", [200, pytest.param(20_000, marks=pytest.mark.long)])
def test_links_go_through_the_codec_and_their_page(cases: int) -> None:
    seen = try_many(cases, 2026)
    assert seen["unread"] <= cases / 10
    assert seen["shown"] >= cases / 2
    assert seen.total() == cases

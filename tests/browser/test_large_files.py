"""A file that is large is written beside the page: one press gives it, and it is that of a small
one.
"""

import csv
from pathlib import Path

from playwright.sync_api import Page

from dpviz.base.chunked_text import MANY
from tests.browser.steps import open_page

ROWS = MANY // 4 + 1  # of a table with four columns


def test_one_press_gives_a_large_table(page: Page) -> None:
    open_page(page, f"/explore?data=generated:zipf&data.size={ROWS}&k=2")
    page.locator(".st-key-scores_table").get_by_text("able and downloads").click()
    with page.expect_download() as waiting:
        page.locator(".st-key-scores_csv").get_by_role("button").click()
    assert waiting.value.suggested_filename == "dpviz-explore-scores-epsilon-0.2-k-2-canonical.csv"
    assert "/file/" in waiting.value.url
    with Path(waiting.value.path()).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["rank"] for row in rows] == [str(rank) for rank in range(1, ROWS + 1)]
    assert len({row["about"] for row in rows}) == 1

"""The page on gaps in a real browser: set a threshold, read the answers of both, run once, see gaps
and bounds.
"""

import csv
import io
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from dpviz import AdaptiveSparseVector, SparseVector
from dpviz.charts.text_format import number_text
from dpviz.data import EXAMPLES
from tests.browser.steps import open_page, ready, settings, stop_button, unfold

HELP_LINE = EXAMPLES["help_line"].scores()
SPARSE = "/gaps?data=example:help_line&epsilon=0.7&k=5&page.gaps.half=sparse_vector"


def value(page: Page, row: int, column: int = 0) -> Locator:
    """A figure of the table that sets plain (0) beside adaptive (1)."""
    return page.locator(".dp-tall tbody tr").nth(row).locator(".dp-cell").nth(column)


def type_number(page: Page, label: str, text: str) -> None:
    box = page.get_by_role("spinbutton", name=label, exact=True).first
    box.fill(text)
    box.press("Enter")


def settled(page: Page) -> None:
    """Wait until every figure is there, so that nothing moves under a click."""
    unfold(page, "What the order of the queries does")
    expect(page.locator(".st-key-threshold_orders .js-plotly-plot").last).to_be_visible()
    expect(page.locator(".dp-place")).to_have_count(0)
    expect(stop_button(page)).to_have_count(0)
    ready(page)


@pytest.mark.long
def test_a_threshold_is_set_and_one_run_shows_gaps_and_bounds(page: Page) -> None:
    open_page(page, SPARSE)
    settings(page, "queries")
    page.get_by_role("radio", name="by hand").click()
    expect(page.get_by_role("spinbutton", name="Threshold, in score units")).to_be_visible()
    type_number(page, "Threshold, in score units", "130")
    page.wait_for_url("**page.gaps.threshold=130.0**")
    expect(page.get_by_text("Threshold 130: 16 queries of 60")).to_be_visible()
    both = [
        cls(epsilon=0.7, k=5, threshold=130.0, monotonic=True)
        for cls in (SparseVector, AdaptiveSparseVector)
    ]
    for row, mechanism in enumerate(both):
        expected = mechanism.distribution(HELP_LINE).expected_answers
        expect(value(page, row)).to_have_text(number_text(round(expected, 2)))

    settled(page)
    page.get_by_role("button", name="Release once").click()
    release = both[1].release(HELP_LINE, rng=np.random.default_rng(0))
    expect(
        page.get_by_text(f"Gaps and lower bounds of the {len(release.items)} answers")
    ).to_be_visible()
    page.wait_for_url("**page.gaps.run=true**")
    page.get_by_role("button", name="First").click()
    expect(page.get_by_text("Query 1, closely")).to_be_visible()
    closely = page.locator(".dp-closely")
    expect(closely).to_contain_text(number_text(float(f"{release.gaps[0]:.4g}")))
    expect(closely).to_contain_text(number_text(float(f"{release.lower_bounds[0]:.4g}")))
    expect(closely).to_contain_text("95")
    page.get_by_role("button", name="Next", exact=True).click()
    expect(page.get_by_text("Query 2, closely")).to_be_visible()
    page.wait_for_url("**page.gaps.step=2**")

    unfold(page, "Gaps and lower bounds")
    table = page.get_by_role("button", name="Table as CSV")
    page.locator(".st-key-threshold_bounds_table").get_by_text("Table and downloads").click()
    with page.expect_download() as waiting:
        table.click()
    rows = list(csv.DictReader(io.StringIO(Path(waiting.value.path()).read_text(encoding="utf-8"))))
    np.testing.assert_allclose([float(row["gap"]) for row in rows], release.gaps)
    np.testing.assert_allclose([float(row["lower bound"]) for row in rows], release.lower_bounds)

    page.reload()
    ready(page)
    expect(page.get_by_text("Query 2, closely")).to_be_visible()
    settings(page, "queries")
    expect(page.get_by_role("spinbutton", name="Threshold, in score units")).to_have_value("130")


@pytest.mark.long
def test_from_noisy_top_k_to_sparse_vector_and_another_order(page: Page) -> None:
    open_page(page, "/gaps?data=example:help_line&epsilon=0.7&k=5&page.gaps.quantile=0.75")
    unfold(page, "The error over k")
    expect(page.locator(".st-key-gap_ratio .js-plotly-plot").last).to_be_visible()
    expect(page.locator(".dp-card")).to_have_count(4)
    page.get_by_role("button", name="Release again").click()
    expect(page.get_by_role("spinbutton", name="Seed", exact=True)).to_have_value("1")
    page.get_by_role("radio", name="Sparse vector").click()
    expect(page.get_by_text("Which of 60 queries lie above the threshold")).to_be_visible()
    settled(page)
    before = value(page, 0, 1).inner_text()  # the number of plain answers is the same in any order
    page.get_by_role("radio", name="Lowest first").click()
    page.wait_for_url("**page.gaps.order=ascending**")
    expect(value(page, 0, 1)).not_to_have_text(before)

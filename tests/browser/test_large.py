"""A score vector of 17,770 items at k = 1,000, uploaded as a person would."""

from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from dpviz import Canonical, OneShot, Scores, TopKMechanism
from dpviz.charts.text_format import percent
from tests.browser.steps import agree, drawn, open_page, ready, settings, stop_button, upload

COUNTS = np.round(
    120_000 * np.arange(1, 17_771) ** -0.75
)  # made up: a long tail with ties far down
SCORES = Scores(COUNTS, monotonic=True)


def headline(page: Page, name: str, mechanism: TopKMechanism) -> None:
    """The card with this name shows the library's figure."""
    card = page.locator(".dp-card").filter(has=page.locator(".dp-name", has_text=name))
    figure = getattr(mechanism.distribution(SCORES), name.lower())
    expect(card.locator(".dp-value").first).to_have_text(percent(figure))


@pytest.mark.long
def test_it_stays_live_at_full_size(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "counts.csv"
    np.savetxt(file, COUNTS, fmt="%d", header="count", comments="")
    open_page(
        page, "/explore?data=uploaded&monotonic=true&k=1000&epsilon=5.0&page.measure=probability"
    )
    expect(page.get_by_text("Drop the file with these scores")).to_be_visible()
    upload(page, file)
    agree(page)
    canonical = Canonical(epsilon=5.0, k=1000)
    for name in ("TOP", "GREAT", "GOOD"):
        headline(page, name, canonical)
    drawn(page)
    box = page.get_by_role("spinbutton", name="ε, exactly", exact=True).first
    box.fill("1000")
    box.press("Enter")
    headline(page, "TOP", canonical.replace(epsilon=1000.0))
    expect(stop_button(page)).to_have_count(
        0
    )  # nothing is drawn any more under the list that is opened
    settings(page, "mechanism")
    mechanisms = page.get_by_role("combobox", name="Mechanism").first
    mechanisms.scroll_into_view_if_needed()  # a list closes where the page scrolls
    mechanisms.click()
    page.get_by_role("option", name="One-shot", exact=True).click()
    ready(page)
    for name in ("TOP", "GREAT", "GOOD"):
        headline(page, name, OneShot(epsilon=1000.0, k=1000))
    drawn(page)

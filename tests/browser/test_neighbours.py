"""Neighbours in a real browser: items are ticked by name, the search is watched and stopped, it is
live at size.
"""

from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from dpviz import Canonical, Scores, privacy_loss
from dpviz.data import EXAMPLES
from dpviz.privacy.neighbours import (
    average_items_per_person,
    move_scores,
    person_step,
    typical_items,
)
from tests.browser.steps import agree, open_page, ready, stop_button, upload

TRIP = EXAMPLES["class_trip"].scores()


def figure(page: Page, name: str) -> Locator:
    """The value on the card with this name."""
    card = page.locator(".dp-card").filter(has=page.locator(".dp-name", has_text=name))
    return card.locator(".dp-value").first


def largest(mechanism: Canonical, scores: Scores, items: list[int]) -> str:
    loss = privacy_loss(mechanism, scores, move_scores(scores, person_step(scores, items)))
    return f"{loss.largest:.3g} of {mechanism.epsilon:g}"


def test_items_are_ticked_by_name_and_the_address_keeps_them(page: Page) -> None:
    open_page(page, "/neighbours")
    mechanism = Canonical(epsilon=1.0, k=2)
    expect(figure(page, "Privacy loss")).to_have_text(largest(mechanism, TRIP, [0, 1, 3]))
    expect(page.locator(".js-plotly-plot")).to_have_count(5)
    page.get_by_role("radio", name="Tick items").click()
    box = page.get_by_role("combobox", name="Her items")
    box.click()
    box.fill("Farm")
    box.press("Enter")
    page.wait_for_url("**page.neighbours.items=i0-1-3-4**")
    expect(figure(page, "Privacy loss")).to_have_text(largest(mechanism, TRIP, [0, 1, 3, 4]))
    expect(page.locator(".js-plotly-plot").first).to_contain_text("● \u2068Farm")
    page.reload()
    ready(page)
    expect(figure(page, "Privacy loss")).to_have_text(largest(mechanism, TRIP, [0, 1, 3, 4]))


@pytest.mark.long
def test_the_way_from_another_page_brings_its_mechanism(page: Page) -> None:
    open_page(page, "/margin")
    page.get_by_role("button", name="What does one person change?").click()
    page.wait_for_url("**/neighbours?**page.neighbours.of=large_margin**")
    expect(page.get_by_text("Large margin · one person added or removed")).to_be_visible()
    expect(figure(page, "δ at ε")).to_be_visible()


@pytest.mark.long
def test_it_is_live_at_full_size_and_the_search_can_be_stopped(page: Page, tmp_path: Path) -> None:
    counts = np.round(
        120_000 * np.arange(1, 17_771) ** -0.75
    )  # made up: a long tail with ties far down
    scores = Scores(counts, monotonic=True)
    file = tmp_path / "counts.csv"
    np.savetxt(file, counts, fmt="%d", header="count", comments="")
    open_page(page, "/neighbours?data=uploaded&monotonic=true&k=1000&epsilon=0.4")
    upload(page, file)
    agree(page)
    mechanism = Canonical(epsilon=0.4, k=1000)
    average = typical_items(scores, average_items_per_person(scores)).tolist()
    expect(figure(page, "Privacy loss")).to_have_text(largest(mechanism, scores, average))
    expect(page.locator(".js-plotly-plot")).to_have_count(5)
    page.get_by_role("radio", name="Worst found").click()
    expect(page.get_by_text("the search goes on")).to_be_visible()
    found = figure(page, "Privacy loss").inner_text()
    stop_button(page).click()
    expect(page.locator(".js-plotly-plot")).to_have_count(5)
    expect(page.get_by_text("Stopped before everything was computed")).to_be_visible()
    assert float(figure(page, "Privacy loss").inner_text().split()[0]) >= float(found.split()[0])

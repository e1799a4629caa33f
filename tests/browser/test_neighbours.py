"""Neighbours in a real browser: items are ticked by name, the search is watched and stopped, it is
live at size.
"""

from playwright.sync_api import Locator, Page, expect

from dpviz import Canonical, Scores, privacy_loss
from dpviz.data import EXAMPLES
from dpviz.privacy.neighbours import (
    move_scores,
    person_step,
)
from tests.browser.steps import open_page, ready

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

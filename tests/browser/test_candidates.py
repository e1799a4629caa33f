"""The candidates page in a real browser: γ, rules, the total ε, a run table of one's own, the
views.
"""

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.steps import open_page


def figure(page: Page, name: str) -> Locator:
    """The value on the card with this name."""
    card = page.locator(".dp-card").filter(
        has=page.locator(".dp-name", has_text=re.compile(f"^{name}"))
    )
    return card.locator(".dp-value").first


def test_a_table_is_typed(page: Page) -> None:
    open_page(page, "/candidates?page.pc.pool=typed&page.pc.epsilon1=0.3")
    expect(figure(page, "Total ε")).to_have_text("0.9")
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_test_id("stDataFrame")).to_be_visible()
    page.get_by_role("button", name="Use this table").click()
    expect(page.get_by_test_id("stDataFrame")).to_have_count(0)
    expect(page.get_by_role("heading", name="Which of 4 private candidates")).to_be_visible()

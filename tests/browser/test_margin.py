"""The margin page in a real browser: it opens, δ and K move its figures and its address, a link
brings it back.
"""

import pytest
from playwright.sync_api import Locator, Page, expect

from dpviz.charts.text_format import percent
from dpviz.data import EXAMPLES
from dpviz.margin.large_margin import LargeMargin
from tests.browser.steps import go_to, nudge, open_page, ready, settings, unfold

PAIRS = EXAMPLES["bought_together"].scores()


def headline(page: Page, name: str) -> Locator:
    """The value on the card with this name."""
    card = page.locator(".dp-card").filter(has=page.locator(".dp-name", has_text=name))
    return card.locator(".dp-value").first


def best(delta: float, universe: int, epsilon: float = 0.5) -> str:
    law = LargeMargin(epsilon=epsilon, delta=delta).distribution(PAIRS, zeros=universe - PAIRS.d)
    return percent(law.best_probability)


@pytest.mark.long
def test_delta_and_the_universe_move_the_figures_and_the_address(page: Page) -> None:
    open_page(page, "/margin?data=example:bought_together&epsilon=0.5")
    expect(headline(page, "Best item")).to_have_text(best(1e-6, 7_998_000))
    expect(headline(page, "Front group")).to_have_text("3")
    expect(page.locator(".js-plotly-plot")).to_have_count(1)
    expect(page.get_by_role("table", name="How often each item comes out")).to_contain_text(
        "bread + butter"
    )
    unfold(page, "What a larger universe does")
    unfold(page, "What the theorems say")
    expect(page.locator(".js-plotly-plot")).to_have_count(4)
    badge = page.locator(".dp-tip").first
    badge.focus()
    expect(badge.get_by_role("tooltip")).to_contain_text("Computed, not simulated")
    settings(page, "large margin")
    nudge(page, "δ, the leeway", steps=-1)
    page.wait_for_url("**page.delta=5e-07**")
    expect(page.get_by_role("spinbutton", name="δ, exactly")).to_have_value("5e-7")
    box = page.get_by_role("spinbutton", name="K, exactly")
    box.fill("20000")
    box.press("Enter")
    page.wait_for_url("**page.universe=20000**")
    expect(page.get_by_role("heading", name="Which of 20,000 items")).to_be_visible()
    nudge(page, "ε, the privacy budget", steps=-4)
    expect(headline(page, "Best item")).to_have_text(best(5e-7, 20_000, 0.3))
    page.reload()
    ready(page)
    expect(headline(page, "Best item")).to_have_text(best(5e-7, 20_000, 0.3))
    expect(page.get_by_role("heading", name="Which of 20,000 items")).to_be_visible()


@pytest.mark.long
def test_from_another_page_and_a_table(page: Page) -> None:
    open_page(page)
    go_to(page, "Margin")
    expect(headline(page, "Front group")).to_have_text("3")
    unfold(page, "The same as bars")
    expect(page.locator(".js-plotly-plot")).to_have_count(2)
    table = page.get_by_role("button", name="Table as CSV")
    page.get_by_text("Table and downloads").nth(1).click()
    with page.expect_download() as started:
        table.click()
    content = started.value.path().read_text(encoding="utf-8")
    assert "good morning" in content
    assert (
        len(content.splitlines()) == EXAMPLES["chat_openings"].scores().d + 3
    )  # a header, unlisted items, nothing released

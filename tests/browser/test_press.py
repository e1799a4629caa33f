"""A press that begins on a button is not lost where the page moves the button away before it ends."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import open_page


@pytest.mark.parametrize("moves", [True, False])
def test_a_press_counts_once_whether_its_button_moves_or_not(page: Page, moves: bool) -> None:
    open_page(page, "/explore?k=10")
    button = page.get_by_role("button", name="Presenter view")
    box = button.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    if moves:
        page.evaluate(
            "() => { document.querySelector('.st-key-presenter').style.translate = '-300px'; }"
        )
    page.mouse.up()
    expect(page.get_by_role("button", name="Leave the presenter view")).to_be_visible()
    page.wait_for_url("**present*")


def test_a_press_on_a_fold_counts_though_its_line_moves_before_it_ends(page: Page) -> None:
    open_page(page, "/explore?k=10")
    line = page.locator("summary", has_text="A hundred releases")
    line.scroll_into_view_if_needed()
    box = line.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 40, box["y"] + box["height"] / 2)
    page.mouse.down()
    line.evaluate("(line) => { line.closest('[class*=st-key-]').style.translate = '0 300px'; }")
    page.mouse.up()
    expect(page.get_by_role("button", name="Draw 100")).to_be_visible()

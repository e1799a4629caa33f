"""The shell of every page in a real browser: a stage with boxes, undo and Back, the presenter view,
the navigation.
"""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.every_page import settled
from tests.browser.first_screen import first_screen
from tests.browser.stage import box, stage, type_number
from tests.browser.steps import go_to, ready, unfold
from tests.browser.windows import SIZE


def loaded(page: Page) -> None:
    """Wait for the script that hears keys and keeps the history short, and for the buttons that it
    presses.
    """
    page.wait_for_function("window.dpvizPage && document.querySelector('.st-key-presenter button')")


@pytest.fixture
def explore(visit: Callable[[str], Page]) -> Page:
    """The root with settings, which opens Explore, for tests that change nothing which the next one
    reads.
    """
    return visit("/?epsilon=0.5&k=3&page.draws=100")


def test_the_page_at_the_root_is_lit(explore: Page) -> None:
    expect(box(explore, "ε, exactly")).to_have_value("0.5")
    lit = explore.get_by_test_id("stTopNavLink").and_(explore.locator("[aria-current=page]"))
    expect(lit).to_have_text(re.compile("Explore$"))


BOXES = (
    ("Right items, at least", "4", "must be a whole number from 1 to 3, as the list has 3 items"),
    ("Release shown in full", "101", "must be a whole number from 1 to 100, not 101."),
    ("t", "1e9", "t must be a whole number from 3 to 60, as the list has 3 of 60 items, not 1."),
)


def test_what_is_said_of_a_box_stands_below_it(explore: Page) -> None:
    page = explore
    unfold(page, "One cell by its h and t")
    for label, typed, says in BOXES:
        number = page.get_by_role("spinbutton", name=label, exact=True)
        before = number.input_value()
        number.fill(typed)
        number.press("Enter")
        told = page.get_by_test_id("stAlert").filter(has_text=says)
        expect(told).to_contain_text(f"It stays {int(before):,}.")
        ready(page)
        expect(number).to_have_count(1)  # what was there before goes a moment after the run
        gap = page.evaluate(
            "([a, b]) => b.getBoundingClientRect().top - a.getBoundingClientRect().bottom",
            [number.element_handle(), told.element_handle()],
        )
        assert 0 <= gap < 60
        expect(number).to_have_value(before)


def test_the_presenter_view_is_in_the_link_is_kept_and_has_keys(explore: Page) -> None:
    page = explore
    page.set_viewport_size({"width": 1920, "height": 1080})
    size = "document.documentElement.computedStyleMap().get('font-size').value === "
    page.wait_for_function(size + "16")
    loaded(page)
    words = stage(page).get_by_text("Presenter view").first
    assert words.evaluate("one => one.offsetParent.offsetWidth") > 50  # not only its icon
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("p")
    page.wait_for_url("**view=presenter**")
    expect(page.get_by_text("Change: mechanism")).not_to_be_in_viewport()
    page.wait_for_function(size + "25")
    expect(box(page, "ε, exactly")).to_have_value("0.5")
    page.locator(".st-key-scores .bartext").first.wait_for()
    words = first_screen(page).words
    assert 40 < len(words) <= 120, words
    expect(page.get_by_role("link", name="Compare")).to_have_count(0)
    expect(page.locator(".dp-glossary dd").first).to_be_visible()  # nobody there unfolds it
    tall = page.get_by_test_id("stMain").evaluate("main => main.scrollHeight / main.clientHeight")
    assert tall < 3
    page.reload()
    ready(page)
    expect(page).to_have_url(re.compile("view=presenter"))
    page.wait_for_function(size + "25")
    expect(page.get_by_text("Change: mechanism")).not_to_be_in_viewport()
    stage(page).get_by_role("button", name="Leave the presenter view").click()
    expect(page).not_to_have_url(re.compile("view=presenter"))
    expect(page.get_by_text("Change: mechanism")).to_be_in_viewport()


def test_changes_add_nothing_to_the_history_and_back_goes_to_the_page_before(explore: Page) -> None:
    page = explore
    page.set_viewport_size(SIZE)
    go_to(page, "Explore")
    loaded(page)
    settled(page)
    entries = page.evaluate("history.length")
    for epsilon in ("0.22", "0.25"):
        type_number(page, "ε, exactly", epsilon)
        page.wait_for_url(f"**epsilon={epsilon}**")
    type_number(page, "ε, exactly", "0")
    expect(stage(page).get_by_role("alert")).to_contain_text("ε must be a number above 0")
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("Control+z")
    page.wait_for_url("**epsilon=0.22**")
    assert page.evaluate("history.length") == entries
    page.get_by_role("link", name="Compare").click()
    expect(page.get_by_test_id("stTopNavLink").filter(has_text="Compare")).to_have_attribute(
        "aria-current", "page"
    )
    page.wait_for_url("**/compare?**epsilon=0.22**")
    assert page.evaluate("history.length") == entries + 1
    page.go_back()
    expect(page.get_by_test_id("stTopNavLink").filter(has_text="Explore")).to_have_attribute(
        "aria-current", "page"
    )
    page.wait_for_url("**/explore?**epsilon=0.22**")
    expect(box(page, "ε, exactly")).to_have_value("0.22")
    heading = page.get_by_test_id("stTopNavSection").filter(has_text="More kinds of choice")
    go_to(page, "Gaps")
    expect(heading).to_have_attribute("data-dpviz-lit", "")
    go_to(page, "Explore")
    expect(heading).not_to_have_attribute("data-dpviz-lit", "")

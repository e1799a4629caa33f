"""The shell of every page in a real browser: a stage with boxes, undo and Back, the presenter view,
the navigation.
"""

import re
from contextlib import suppress

import pytest
from playwright.sync_api import Page, TimeoutError, expect

from tests.browser.every_page import settled
from tests.browser.stage import box, stage, undo
from tests.browser.steps import go_to, nudge, open_page, ready, unfold


def type_number(page: Page, label: str, value: str) -> None:
    box(page, label).fill(value)
    box(page, label).press("Enter")


def loaded(page: Page) -> None:
    """Wait for the script that hears keys and keeps the history short, and for the buttons that it
    presses.
    """
    page.wait_for_function("history.dpviz && document.querySelector('.st-key-presenter button')")


IN_SIGHT = """() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [], range = document.createRange();
  while (texts.nextNode()) {
    const text = texts.currentNode.textContent.trim(), of = texts.currentNode.parentElement;
    if (!text || of.closest('script, style, [data-testid=stIconMaterial]')) continue;
    if (!of.checkVisibility({ visibilityProperty: true })) continue;
    const read = of.closest('[data-testid=stMarkdownContainer], .dp-live');
    if (read && getComputedStyle(read).clipPath !== 'none') continue;  // for screen readers alone
    range.selectNodeContents(texts.currentNode);
    const box = range.getBoundingClientRect();
    if (box.width < 2 || box.height < 2 || box.top >= innerHeight || box.bottom <= 0) continue;
    const drawn = of.ownerSVGElement ? of.getScreenCTM() : null;
    found.push([text, (drawn ? Math.hypot(drawn.a, drawn.b) : 1) * parseFloat(getComputedStyle(of).fontSize)]);
  }
  return found;
}"""
WORDS = f"({IN_SIGHT})().flatMap(([text]) => text.match(/\\p{{L}}[\\p{{L}}\\p{{N}}_’'-]*/gu) ?? [])"
"""The texts in sight, and how large each is in pixels."""

OUT_OF_RANGE = [
    (
        "k, items out",
        "100",
        "k must be a whole number from 1 to 59, as there are 60 items, not 100. It stays 10.",
    ),
    (
        "k, items out",
        "0",
        "k must be a whole number from 1 to 59, as there are 60 items, not 0. It stays 10.",
    ),
    ("ε, exactly", "0", "ε must be a number above 0 and at most 10,000, not 0. It stays 0.2."),
    ("ε, exactly", "-1", "ε must be a number above 0 and at most 10,000, not -1. It stays 0.2."),
    (
        "ε, exactly",
        "1e9",
        "ε must be a number above 0 and at most 10,000, not 1,000,000,000. It stays 0.2.",
    ),
]


@pytest.mark.long
def test_what_is_out_of_range_gets_a_sentence_and_changes_are_taken_back_one_by_one(
    page: Page,
) -> None:
    open_page(page)
    for label, typed, said in OUT_OF_RANGE:
        before = box(page, label).input_value()
        type_number(page, label, typed)
        expect(stage(page).get_by_role("alert")).to_have_text(said)
        ready(page)
        expect(box(page, label)).to_have_value(before)
    expect(undo(page)).to_be_disabled()
    nudge(page, "ε, the privacy budget", steps=1)
    expect(box(page, "ε, exactly")).to_have_value("0.22")
    expect(stage(page).get_by_role("alert")).to_have_count(0)
    type_number(page, "k, items out", "3")
    page.wait_for_url("**epsilon=0.22&k=3**")
    undo(page).click()
    page.wait_for_url("**epsilon=0.22&k=10**")
    expect(box(page, "k, items out")).to_have_value("10")
    loaded(page)
    page.locator("h1").click()
    page.keyboard.press("Control+z")
    page.wait_for_url("**epsilon=0.2&k=10**")
    expect(box(page, "ε, exactly")).to_have_value("0.2")
    expect(undo(page)).to_be_disabled()


def test_changes_add_nothing_to_the_history_and_back_goes_to_the_page_before(page: Page) -> None:
    open_page(page, "/explore")
    loaded(page)
    entries = page.evaluate("history.length")
    for step in range(3):
        nudge(page, "ε, the privacy budget", steps=1)
        expect(box(page, "ε, exactly")).to_have_value(("0.22", "0.25", "0.28")[step])
        page.wait_for_url(f"**epsilon={('0.22', '0.25', '0.28')[step]}**")
    assert page.evaluate("history.length") == entries
    page.get_by_role("link", name="Compare").click()
    expect(page.get_by_test_id("stTopNavLink").filter(has_text="Compare")).to_have_attribute(
        "aria-current", "page"
    )
    page.wait_for_url("**/compare?**epsilon=0.28**")
    assert page.evaluate("history.length") == entries + 1
    page.go_back()
    expect(page.get_by_test_id("stTopNavLink").filter(has_text="Explore")).to_have_attribute(
        "aria-current", "page"
    )
    page.wait_for_url("**/explore?**epsilon=0.28**")
    expect(box(page, "ε, exactly")).to_have_value("0.28")


def test_the_presenter_view_is_in_the_link_is_kept_and_has_keys(page: Page) -> None:
    page.set_viewport_size({"width": 1920, "height": 1080})
    open_page(page, "/explore?epsilon=0.5")
    size = "document.documentElement.computedStyleMap().get('font-size').value === "
    page.wait_for_function(size + "16")
    loaded(page)
    page.locator("h1").click()
    page.keyboard.press("p")
    page.wait_for_url("**view=presenter**")
    expect(page.get_by_text("Change: mechanism")).not_to_be_in_viewport()
    page.wait_for_function(size + "25")
    expect(box(page, "ε, exactly")).to_have_value("0.5")
    page.locator(".st-key-scores .bartext").first.wait_for()
    settled(page)
    with suppress(TimeoutError):  # what says that it is computed goes again
        page.wait_for_function(
            f"() => {{ const said = {WORDS}.length; return 40 < said && said <= 120; }}"
        )
    said = page.evaluate(WORDS)
    assert 40 < len(said) <= 120, said
    shown = page.evaluate(IN_SIGHT)
    assert [text for text, size in shown if size < 20] == []
    expect(page.get_by_role("link", name="Compare")).to_have_count(0)
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


@pytest.mark.long
def test_the_page_at_the_root_is_lit(page: Page) -> None:
    open_page(page, "/")
    start, explore = (
        page.get_by_test_id("stTopNavLink").filter(has_text=name) for name in ("Start", "Explore")
    )
    expect(start).to_have_attribute("aria-current", "page")
    expect(explore).not_to_have_attribute("aria-current", "page")
    open_page(page, "/?epsilon=0.3")
    expect(box(page, "ε, exactly")).to_have_value("0.3")
    expect(start).not_to_have_attribute("aria-current", "page")
    expect(explore).to_have_attribute("aria-current", "page")
    background = "link => getComputedStyle(link).backgroundColor"
    others = page.get_by_test_id("stTopNavLink").filter(has_text="Compare")
    assert explore.evaluate(background) != others.evaluate(background)
    others.click()
    expect(others).to_have_attribute("aria-current", "page")
    expect(explore).not_to_have_attribute("aria-current", "page")
    page.locator(".st-key-shell").wait_for(state="attached")
    explore.click()
    expect(explore).to_have_attribute("aria-current", "page")
    expect(others).not_to_have_attribute("aria-current", "page")
    heading = page.get_by_test_id("stTopNavSection").filter(has_text="More kinds of choice")
    plain = heading.evaluate(background)
    go_to(page, "Gaps")
    page.wait_for_function(
        f"before => ({background})(document.querySelector('[data-dpviz-lit]')) !== before",
        arg=plain,
    )
    expect(heading).to_have_attribute("data-dpviz-lit", "yes")
    go_to(page, "Compare")
    expect(heading).not_to_have_attribute("data-dpviz-lit", "yes")


BOXES = {
    "/explore?k=3&page.draws=100": [
        (
            "",
            "At least so many are right",
            "4",
            "must be a whole number from 1 to 3, as 3 items come out",
        ),
        ("", "Release shown in full", "101", "must be a whole number from 1 to 100, not 101."),
        ("", "h", "3", "h must be a whole number from 0 to 2, as k is 3, not 3."),
        ("", "t", "2", "t must be a whole number from 3 to 60, as 3 of 60 items come out, not 2."),
        (
            "",
            "t",
            "1e9",
            "t must be a whole number from 3 to 60, as 3 of 60 items come out, not 1.",
        ),
    ],
    "/gaps?page.gaps.half=sparse_vector&page.gaps.run=true": [
        ("", "Query", "9999", "must be a whole number from 1 to"),
    ],
    "/margin": [
        (
            "What the theorems",
            "People in the data, for the lower bounds",
            "1",
            "people must be a whole number",
        ),
    ],
    "/decide": [
        ("", "How often is it published?", "0", "must be a whole number from 1 to 100,000, not 0.")
    ],
}


@pytest.mark.twins(1)
@pytest.mark.parametrize("path", BOXES)
def test_every_box_says_what_it_allows_and_keeps_what_it_had(page: Page, path: str) -> None:
    open_page(page, path)
    for fold, label, typed, said in BOXES[path]:
        if fold:
            unfold(page, fold)
        number = page.get_by_role("spinbutton", name=label, exact=True)
        before = number.input_value()
        number.fill(typed)
        number.press("Enter")
        told = page.get_by_test_id("stAlert").filter(has_text=said)
        expect(told).to_contain_text(f"It stays {int(before):,}.")
        ready(page)
        expect(number).to_have_count(
            1
        )  # what was there before is taken away a moment after the run
        gap = page.evaluate(
            "([a, b]) => b.getBoundingClientRect().top - a.getBoundingClientRect().bottom",
            [number.element_handle(), told.element_handle()],
        )
        assert 0 <= gap < 60, f"what is said of {label} stands below its box"
        expect(number).to_have_value(before)

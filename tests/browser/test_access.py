"""The app for everyone: axe-core finds nothing that is ours, keys reach everything; see
test_every_page.py.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from dpviz import Canonical
from dpviz.base.text_format import release_frequency_text
from dpviz.data import EXAMPLES
from tests.browser.axe import COLOURS, STREAMLITS, violations
from tests.browser.every_page import settled, turn_to_theme
from tests.browser.steps import nudge, open_page


def test_axe_finds_nothing_of_ours_where_data_are_asked_for(page: Page) -> None:
    open_page(page, "/explore?data=uploaded&called=Votes&d=9")
    asked = page.get_by_label("Drop the file: scores, or a log of who did what")
    expect(asked.first).to_be_visible()
    found = violations(page)
    assert [one[:2] for one in found if not one[2]] == []
    assert {one[0] for one in found} == {*dict(STREAMLITS)}  # else the exemption can go
    page.get_by_role("button", name="Share or save").click()
    expect(page.get_by_text("Open a scenario file")).to_be_visible()
    assert [one[:2] for one in violations(page) if not one[2]] == []
    turn_to_theme(page, "dark")
    assert [one[:2] for one in violations(page, only=COLOURS) if not one[2]] == []


@pytest.fixture
def explore(visit: Callable[[str], Page]) -> Page:
    """A page with its charts, opened once."""
    page = visit("/explore?page.draws=100")
    settled(page)
    return page


def test_keys_reach_every_control_in_the_order_it_is_read(explore: Page) -> None:
    page = explore
    # of Streamlit's own the column that scrolls and the grid of a table, which has its arrow keys,
    # are left out
    reachable = """() => [...document.querySelectorAll(
        '.stApp :is(a[href], button, input, textarea, summary, [tabindex="0"])')].filter((e) =>
        e.checkVisibility({visibilityProperty: true, opacityProperty: true}) && e.tabIndex >= 0 && !e.disabled
        && !['MAIN', 'CANVAS'].includes(e.tagName) && e.getBoundingClientRect().width > 0
        && !(e.type === 'radio' && !e.checked) && !e.closest('[role=radiogroup] button, .modebar'))"""
    forced = (
        "() => [...document.querySelectorAll('[tabindex]')].filter((e) => e.tabIndex > 0).length"
    )
    assert page.evaluate(forced) == 0
    named = (
        "(e) => e.tagName + ' ' + (e.getAttribute('aria-label') || e.title || e.textContent ||"
        " e.type)"
    )
    expected: list[str] = page.evaluate(f"({reachable})().map({named})")
    assert len(expected) > 20
    page.evaluate("() => { document.activeElement.blur(); window.seen = []; }")
    for _ in range(len(expected) + 30):
        page.keyboard.press("Tab")
        page.evaluate("() => window.seen.push(document.activeElement)")
    seen: list[str] = page.evaluate(f"window.seen.map({named})")
    assert set(expected) - set(seen) == set()
    backwards = page.evaluate(
        """() => { const all = window.seen.filter((e, i) =>
            e !== document.body && e.isConnected && window.seen.indexOf(e) === i);
        return all.slice(1).filter((e, i) =>
            !(all[i].compareDocumentPosition(e) & Node.DOCUMENT_POSITION_FOLLOWING)).map((e) => e.outerHTML); }"""
    )
    assert backwards == []


def test_a_changed_sentence_is_announced(explore: Page) -> None:
    page = explore
    nudge(page, "ε, the privacy budget", steps=2)
    top = Canonical(epsilon=0.25, k=10).distribution(EXAMPLES["help_line"].scores()).top
    region = page.locator(".dp-live")
    expect(region).to_contain_text(release_frequency_text(top))
    expect(region).to_have_attribute("role", "status")

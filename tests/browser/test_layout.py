"""Nothing lies on another, is cut off or moves: every page at every width, its charts and labels.

Below a width where page and sidebar have no room beside each other the sidebar is a drawer.
"""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.every_page import EVERY, settled
from tests.browser.windows import NewPage

MOVED = """window.moved ?? new PerformanceObserver((list) => {
    for (const one of list.getEntries()) if (!one.hadRecentInput) {
        window.moved += one.value;
        window.movers.push([one.value, one.sources.map(({ node, previousRect: from, currentRect: to }) =>
            `${node?.className} ${node?.textContent?.slice(0, 40)}: ${from.y} ${from.height}, ${to.y} ${to.height}`)]);
    }
}).observe({ type: "layout-shift", buffered: true }, window.moved = 0, window.movers = []);"""
QUICK = [("/", 390), ("/margin", 390)]
OTHERS = sorted({(path, width) for path in EVERY.values() for width in (390, 1366)} - {*QUICK})


def test_where_there_is_no_room_beside_it_the_sidebar_is_a_drawer(page: Page) -> None:
    page.set_viewport_size({"width": 820, "height": 900})
    page.goto("/explore?epsilon=0.3")
    settled(page)
    sidebar, question = page.get_by_test_id("stSidebar"), page.get_by_role("heading", level=1)
    expect(sidebar).not_to_be_in_viewport()
    left = question.bounding_box()["x"]  # type: ignore[index]
    page.get_by_test_id("stExpandSidebarButton").click()
    expect(sidebar).to_be_in_viewport()
    assert question.bounding_box()["x"] == left, "it does not lie over the page"  # type: ignore[index]
    expect(page.get_by_role("spinbutton", name="ε, exactly")).to_have_value("0.3")
    page.mouse.click(810, 450)
    expect(sidebar).not_to_be_in_viewport()


@pytest.mark.parametrize(
    ("path", "width"), [*QUICK, *(pytest.param(*one, marks=pytest.mark.long) for one in OTHERS)]
)
def test_a_page_stands_still_at_once(new_page: NewPage, server: str, path: str, width: int) -> None:
    page = new_page(server)
    page.set_viewport_size({"width": width, "height": 800})
    page.add_init_script(MOVED)
    page.goto(path)
    page.wait_for_selector("html:not([data-dpviz-first]) h1")  # seen, once its rules are there
    settled(page)
    assert page.evaluate("window.moved") < 0.1, page.evaluate("window.movers")

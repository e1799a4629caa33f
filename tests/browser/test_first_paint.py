"""Nothing of a page moves while it comes."""

import pytest

from tests.browser.every_page import EVERY, settled
from tests.browser.windows import NewPage

MOVED = """window.moved ?? new PerformanceObserver((list) => {
    for (const one of list.getEntries()) if (!one.hadRecentInput) {
        window.moved += one.value;
        window.movers.push([one.value, one.sources.map(({ node, previousRect: from, currentRect: to }) =>
            `${node?.className} ${node?.textContent?.slice(0, 40)}: ${from.y} ${from.height}, ${to.y} ${to.height}`)]);
    }
}).observe({ type: "layout-shift", buffered: true }, window.moved = 0, window.movers = []);"""
PAGES = sorted({*EVERY} - {"sparse vector"})  # whose run is no first screen
QUICK = [("/", 390), ("/", 1366), ("/margin", 390)]
OTHERS = sorted({(EVERY[name], width) for name in PAGES for width in (390, 1366)} - {*QUICK})


@pytest.mark.parametrize(
    ("path", "width"), [*QUICK, *(pytest.param(*one, marks=pytest.mark.long) for one in OTHERS)]
)
def test_a_page_stands_still_from_the_first_moment_on(
    new_page: NewPage, server: str, path: str, width: int
) -> None:
    page = new_page(server)
    page.set_viewport_size({"width": width, "height": 800})
    page.add_init_script(MOVED)
    page.goto(path)
    page.wait_for_selector(
        "html:not([data-dpviz-first]) .stMainBlockContainer h1"
    )  # seen, once its rules are there
    settled(page)
    assert page.evaluate("window.moved") < 0.1, page.evaluate("window.movers")

"""Nothing of Start moves while it comes, on a server that nobody has opened before."""

import pytest

from tests.browser.steps import open_page
from tests.browser.windows import NewPage

MOVED = """new PerformanceObserver((list) => {
    for (const one of list.getEntries()) if (!one.hadRecentInput) window.moved = (window.moved ?? 0) + one.value;
}).observe({ type: "layout-shift", buffered: true });"""


@pytest.mark.parametrize("width", [390, 1366])
def test_start_stands_still_from_the_first_moment_on(new_page: NewPage, server: str, width: int) -> None:
    page = new_page(server)
    page.set_viewport_size({"width": width, "height": 800})
    page.add_init_script(MOVED)
    open_page(page, "/")
    page.get_by_role("link", name="How does this work?").wait_for()
    assert page.evaluate("window.moved ?? 0") < 0.1

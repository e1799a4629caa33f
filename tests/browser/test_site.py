"""The documentation as a reader opens it: from the disk, without a network, wide and on a phone, in
light and dark.
"""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from dpviz.charts.look import LOOKS
from dpviz.pages.start.view import PUBLISH, SLIDER, scene
from tests.browser.windows import Opened
from tests.site import Site, built

# it may wait for the build, on a machine that is busy with others
pytestmark = pytest.mark.timeout(1_800)
WIDE, PHONE = (1366, 900), (390, 844)
SHOWN = {
    "index": PHONE,
    "command-line": PHONE,
    "gallery/top-k": PHONE,
    "reference/dpviz": PHONE,
    "app": WIDE,
    "papers": WIDE,
    "gallery/gaps": WIDE,
    "computed/one-shot": WIDE,
}
DOORS = ["Explore", "Decide", "Teach", "Build"]
Open = Callable[[str, str, tuple[int, int]], Page]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    return built(tmp_path_factory)


@pytest.fixture
def opened(site: Site, opened: Opened) -> Open:
    """opened(page, scheme, size): a page from the disk."""
    return lambda name, scheme, size: opened(
        site.folder / f"{name}.html", *size, scheme, within=site.folder
    )


@pytest.mark.parametrize(("name", "size"), SHOWN.items(), ids=SHOWN)
def test_pages_fit_and_charts_are_drawn(opened: Open, name: str, size: tuple[int, int]) -> None:
    page = opened(name, "light", size)
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    for plot in page.locator(".plot").all():
        plot.scroll_into_view_if_needed()
        expect(plot.locator(".main-svg").first).to_be_visible()
        box = plot.locator(".main-svg").first.bounding_box()
        assert box is not None
        assert 0 <= box["x"] <= box["x"] + box["width"] <= size[0]
        assert box["height"] > 100


def test_charts_turn_dark_with_the_page_and_search_works_from_the_disk(opened: Open) -> None:
    page = opened("index", "dark", WIDE)
    page.locator(".plot").first.scroll_into_view_if_needed()
    ground = page.locator(".plot .main-svg").first
    expect(ground).to_have_css("background-color", _rgb(LOOKS["dark"].paper))
    expect(page.locator("body")).to_have_css("background-color", _rgb(LOOKS["dark"].paper))
    page.locator(".theme-toggle:visible").first.click()  # auto, then light where the system is dark
    expect(page.locator("body")).to_have_attribute("data-theme", "light")
    expect(ground).to_have_css("background-color", _rgb(LOOKS["light"].paper))
    page.get_by_role("textbox", name="Search").first.fill("smallest_epsilon")
    page.keyboard.press("Enter")
    expect(
        page.get_by_text("Search finished")
    ).to_be_visible()  # until then the list moves under the pointer
    page.locator("ul.search li a", has_text=re.compile("smallest_epsilon")).first.click()
    expect(page.locator('dt[id="dpviz.smallest_epsilon"]')).to_be_in_viewport()


def _rgb(colour: str) -> str:
    return f"rgb({', '.join(str(int(colour[i : i + 2], 16)) for i in (1, 3, 5))})"


def test_the_doors_are_in_sight_and_the_picture_follows(opened: Open) -> None:
    page = opened("index", "dark", PHONE)
    doors = page.locator(".doors").get_by_role("link")
    expect(doors).to_have_text(DOORS)
    for number in range(len(DOORS)):
        expect(doors.nth(number)).to_be_in_viewport(ratio=1)
    now, says = scene(), page.locator(".dp-scene-says")
    page.get_by_role("button", name=PUBLISH.format(now.k)).click()
    published = page.get_by_role("list", name="The published list").get_by_role("listitem")
    names = [now.names[rank] for rank in now.start_position.releases[0]]
    expect(published).to_have_text([re.compile(re.escape(name)) for name in names])
    page.get_by_role("slider", name=SLIDER).press("End")
    expect(says).to_have_text(now.places[-1].sentence)
    page.locator(".doors li").nth(2).click(position={"x": 6, "y": 6})  # the whole door opens
    expect(page.get_by_role("heading", level=1)).to_contain_text("Teaching with it")

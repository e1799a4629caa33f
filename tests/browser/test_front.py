"""The first page of the documentation: four doors in sight, and a picture that moves, from the
disk.
"""

import re

import pytest
from playwright.sync_api import expect

from dpviz.pages.start.view import PUBLISH, SLIDER, scene
from tests.browser.windows import Opened
from tests.site import Site, built

pytestmark = pytest.mark.timeout(
    1_800
)  # it may wait for the build, on a machine that is busy with others
DOORS = ["Explore", "Decide", "Teach", "Build"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    return built(tmp_path_factory)


def test_the_doors_are_in_sight_and_the_picture_follows(opened: Opened, site: Site) -> None:
    page = opened(site.folder / "index.html", 390, 844, "dark", within=site.folder)
    doors = page.locator(".doors").get_by_role("link")
    expect(doors).to_have_text(DOORS)
    for number in range(len(DOORS)):
        expect(doors.nth(number)).to_be_in_viewport(ratio=1)

    now = scene()
    says, places = page.locator(".dp-scene-says"), now.places
    expect(says).to_have_text(now.start_position.sentence)
    page.get_by_role("button", name=PUBLISH.format(now.k)).click()
    expect(
        page.get_by_role("list", name="The published list").get_by_role("listitem")
    ).to_have_text(
        [re.compile(re.escape(now.names[rank])) for rank in now.start_position.releases[0]]
    )
    page.get_by_role("slider", name=SLIDER).press("End")
    expect(says).to_have_text(places[-1].sentence)
    page.get_by_role("slider", name=SLIDER).press("Home")
    expect(says).to_have_text(places[0].sentence)
    expect(page.locator(".dp-scene")).to_have_css(
        "color", "rgb(232, 236, 241)"
    )  # as light as the page is dark

    page.locator(".doors li").nth(2).click(position={"x": 6, "y": 6})  # the whole door opens
    expect(page.get_by_role("heading", level=1)).to_contain_text("Teaching with it")

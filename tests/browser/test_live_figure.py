"""Live figures on a page of somebody else's, from the disk and without a network: the window's
watch fails the test on a request to any host or of another file.
"""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from dpviz import OneShot, Peeling, Scores, compare
from dpviz.base.text_format import percent
from dpviz.pages.common.slider_file import epsilon_grid
from tests.browser.windows import Opened
from tests.until import until

VOTES = Scores({"zoo": 9, "lake": 14, "castle": 12, "cave": 2}, monotonic=True)
GROUND = {"light": "#fdfdfd", "dark": "rgb(17 17 17)"}


@pytest.fixture(scope="module")
def notebook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with two figures, of which the second has plotly's script for both."""
    one, two = Peeling(epsilon=1.0, k=2), OneShot(epsilon=1.0, k=2, noise="exponential")
    figures = one.distribution(VOTES).live(own_plotly=False), compare([one, two], VOTES).live()
    shown = "".join(f"<div>{figure._repr_html_()}</div>" for figure in figures)
    path = tmp_path_factory.mktemp("notebook") / "notebook.html"
    path.write_text(f"<!doctype html><body style='background:{GROUND['light']}'>{shown}")
    return path


def drawn(page: Page, place: int, look: str) -> None:
    for frame in page.locator("iframe").all():
        body = frame.content_frame.locator("body")
        expect(body).to_have_attribute("data-drawn", f"{place} {look}")


ROOM_AND_NEED = "(html) => [innerWidth, innerHeight, html.scrollWidth, html.scrollHeight]"


def fill_their_frames(page: Page) -> None:
    for frame in page.locator("iframe").all():
        html = frame.content_frame.locator("html")
        until(lambda html=html: (sizes := html.evaluate(ROOM_AND_NEED))[:2] == sizes[2:])


def test_two_figures_share_one_script_and_follow_their_sliders_and_the_page(
    opened: Opened, notebook: Path
) -> None:
    page, start = opened(notebook, 1366, 900), epsilon_grid(1.0).index(1.0)
    drawn(page, start, "light")
    fill_their_frames(page)
    for frame in page.locator("iframe").all():
        figure = frame.content_frame
        figure.get_by_role("slider").press("End")
        law = Peeling(epsilon=10.0, k=2).distribution(VOTES)
        expect(figure.locator('[data-cell="0 0"]')).to_have_text(percent(law.top))
        expect(figure.locator(".plot .main-svg").first).to_be_visible()
        assert figure.locator("#trouble").is_hidden()
    drawn(page, 32, "light")
    page.set_viewport_size({"width": 390, "height": 900})
    fill_their_frames(page)
    page.evaluate(f"document.body.style.background = '{GROUND['dark']}'")
    drawn(page, 32, "dark")
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    assert page.frames[1].evaluate(paper) == "rgb(15, 20, 26)"


def test_a_figure_without_the_script_says_what_it_waits_for(opened: Opened, tmp_path: Path) -> None:
    figure = Peeling(epsilon=1.0, k=2).distribution(VOTES).live(own_plotly=False)
    (tmp_path / "alone.html").write_text(figure._repr_html_())
    alone = opened(tmp_path / "alone.html").locator("iframe").content_frame
    expect(alone.get_by_role("alert")).to_contain_text("need another live figure on this page")

"""What leaves the page: prints have a layout of their own; prints, pictures, tables and files name
what they show.
"""

import csv
import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import COLOURS, violations
from tests.browser.every_page import settled, turn_to_theme
from tests.browser.paper import MAIN, told, turn_to_paper
from tests.browser.windows import SIZE


@pytest.fixture
def explore(visit: Callable[[str], Page]) -> Page:
    """A page of another noise and γ than at first, on the screen, for tests that change nothing
    which the next one reads.
    """
    page = visit("/explore?epsilon=0.3&k=6&m1=canonical;gamma=0.25;noise=laplace&seed=5")
    page.emulate_media(media="null", color_scheme="light")
    page.set_viewport_size(SIZE)
    settled(page)
    return page


def test_a_print_names_gamma_and_the_noise_and_the_screen_comes_back(explore: Page) -> None:
    page = explore
    plot = page.locator(".js-plotly-plot").first
    plot.locator(".main-svg").first.wait_for()
    before = plot.evaluate("(plot) => plot._fullLayout.width")
    page.pdf(prefer_css_page_size=True)
    rows = told(page)
    assert (rows["ε"], rows["k"], rows["γ"], rows["Mechanism"]) == ("0.3", "6", "0.25", "Canonical")
    assert rows["Noise"].startswith("Laplace")
    width = (
        "(before) => Math.abs(document.querySelector('.js-plotly-plot')._fullLayout.width -"
        " before) < 1"
    )
    page.wait_for_function(width, arg=before)


def saved(page: Page, button: Locator) -> tuple[str, str]:
    """The name and the text of what a button gives."""
    with page.expect_download() as waiting:
        button.click()
    return waiting.value.suggested_filename, Path(waiting.value.path()).read_text(encoding="utf-8")


def test_pictures_tables_and_figures_say_what_they_show(explore: Page) -> None:
    page = explore
    plot = page.locator(".st-key-scores .js-plotly-plot")
    plot.hover()
    height = "(plot) => [plot._fullLayout.height, (plot.layout.annotations ?? []).length]"
    before = plot.evaluate(height)
    name, svg = saved(page, plot.locator(".modebar-btn[data-title^=Download]"))
    assert name == "dpviz-explore-epsilon-0.3-k-6-canonical-scores.svg"
    shown = re.sub(r"<[^>]+>", " ", svg)
    for part in (
        "Explore",
        "City help line",
        "ε = 0.3",
        "k = 6",
        "Canonical",
        "γ = 0.25",
        "noise: Laplace",
        "seed: 5",
    ):
        assert part in shown
    assert plot.evaluate(height) == before
    page.locator(".st-key-scores_table").get_by_text("able and downloads").click()
    page.get_by_test_id("stDataFrame").hover()
    tools = page.get_by_test_id("stElementToolbar")
    expect(tools.get_by_role("button", name="Fullscreen")).to_be_visible()
    expect(
        tools.get_by_role("button", name="Download")
    ).not_to_be_visible()  # it would name nothing
    name, table = saved(page, page.locator(".st-key-scores_csv").get_by_role("button"))
    assert name == "dpviz-explore-scores-epsilon-0.3-k-6-canonical.csv"
    rows = list(csv.DictReader(io.StringIO(table)))
    assert len(rows) == 60
    assert {row["about"] for row in rows} == {rows[0]["about"]}
    assert "ε = 0.3 · k = 6 · Canonical · γ = 0.25" in rows[0]["about"]
    name, figure = saved(page, page.locator(".st-key-scores_html").get_by_role("button"))
    assert name == "dpviz-explore-scores-epsilon-0.3-k-6-canonical.html"
    assert f'<meta name="description" content="{rows[0]["about"]}">' in figure
    assert f"<small>{rows[0]['about']}</small>" in figure


def test_a_dark_page_can_be_read_on_paper_where_backgrounds_are_printed(explore: Page) -> None:
    turn_to_theme(explore, "dark")
    # as plotly tells of a picture that was saved just before
    told = "<div class='plotly-notifier'><p>Image download succeeded</p></div>"
    explore.evaluate("(told) => document.body.insertAdjacentHTML('beforeend', told)", told)
    turn_to_paper(explore)
    expect(explore.get_by_text("Image download succeeded").last).to_be_hidden()
    assert violations(explore, only=COLOURS) == []


def test_what_is_drawn_while_a_page_is_on_paper_waits_for_the_screen(explore: Page) -> None:
    page = explore
    plot = page.locator(".js-plotly-plot").first
    turn_to_paper(page)
    size = "(plot) => [plot._fullLayout.width, plot._fullLayout.height]"
    before = plot.evaluate(size)
    smaller = (  # as Streamlit does, which measures it
        "{ ...plot.layout, height: 0.8 * plot.layout.height }"
    )
    plot.evaluate(
        f"(plot) => {{ Plotly.react(plot, plot.data, {smaller}).then(() => {{ plot.since = true;"
        " }); }"
    )
    page.evaluate("new Promise((done) => setTimeout(done))")  # one that does not wait is made
    assert plot.evaluate(size) == before
    assert not plot.evaluate("(plot) => plot.since")
    page.emulate_media(media="screen")
    page.wait_for_function("document.querySelector('.js-plotly-plot').since")


def test_a_print_of_a_page_that_is_being_computed_says_so(explore: Page) -> None:
    page = explore
    told = "(main) => getComputedStyle(main, '::before').content"
    turn_to_paper(page)
    expect(page.locator(".dp-h2", has_text="Details")).to_be_hidden()  # as its folds are
    assert page.locator(MAIN).evaluate(told) == "none"
    page.locator(f"{MAIN} .stElementContainer").last.evaluate(
        "(one) => one.setAttribute('data-stale', 'true')"
    )
    assert "still being computed" in page.locator(MAIN).evaluate(told)

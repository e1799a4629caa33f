"""The explore page in a real browser: links, controls, files, clicks, draws and downloads.

What AppTest cannot see is tested here: addresses, clicks on cells, downloads, what the browser
draws late.
"""

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from dpviz import Canonical
from dpviz.charts.text_format import percent
from dpviz.data import EXAMPLES
from tests.browser.steps import drawn, nudge, open_page, ready, settings

TRIP = "/explore?data=example:class_trip&k=2&epsilon=1"
HELP_LINE = EXAMPLES["help_line"].scores()


def headline(page: Page, name: str) -> Locator:
    """The value on the card with this name."""
    card = page.locator(".dp-card").filter(has=page.locator(".dp-name", has_text=name))
    return card.locator(".dp-value").first


def type_number(page: Page, label: str, value: str) -> None:
    box = page.get_by_role("spinbutton", name=label, exact=True).first
    box.fill(value)
    box.press("Enter")


def unfold(page: Page, says: str) -> None:
    """Open what is folded away under the line that begins so, unless it is open."""
    fold = (
        page.locator("details")
        .filter(has=page.locator("summary").filter(has_text=re.compile(says)))
        .first
    )
    if fold.get_attribute("open") is None:
        fold.locator("summary").first.click()
        ready(page)


def test_epsilon_and_k_move_the_figures_and_the_address(page: Page) -> None:
    open_page(page)
    expect(headline(page, "TOP")).to_have_text(
        percent(Canonical(epsilon=0.2, k=10).distribution(HELP_LINE).top)
    )
    nudge(page, "ε, the privacy budget", steps=2)
    expect(headline(page, "TOP")).to_have_text(
        percent(Canonical(epsilon=0.25, k=10).distribution(HELP_LINE).top)
    )
    expect(page.get_by_role("spinbutton", name="ε, exactly")).to_have_value("0.25")
    type_number(page, "k, items out", "3")
    expect(headline(page, "TOP")).to_have_text(
        percent(Canonical(epsilon=0.25, k=3).distribution(HELP_LINE).top)
    )
    page.wait_for_url("**epsilon=0.25&k=3**")
    type_number(page, "ε, exactly", "1234.5")
    page.wait_for_url("**epsilon=1234.5**")
    nudge(page, "ε, the privacy budget", steps=-1)
    expect(page.get_by_role("spinbutton", name="ε, exactly")).to_have_value("1200")
    type_number(page, "ε, exactly", "0.123")
    page.wait_for_url("**epsilon=0.123**")
    nudge(page, "ε, the privacy budget", steps=1)
    expect(page.get_by_role("spinbutton", name="ε, exactly")).to_have_value("0.14")
    type_number(page, "ε, exactly", "1234.5")
    page.wait_for_url("**epsilon=1234.5**")
    page.reload()
    ready(page)
    expect(page.get_by_role("spinbutton", name="ε, exactly")).to_have_value("1234.5")
    expect(page.get_by_role("spinbutton", name="k, items out")).to_have_value("3")


def test_what_the_browser_draws_late_shows_the_scenario(page: Page) -> None:
    open_page(page, "/explore?data=example:canteen_ratings&k=5")
    settings(page)
    page.get_by_role("button", name="What one person can change").click()
    expect(page.get_by_label("Sensitivity Δ")).to_have_value("5")
    expect(page.get_by_role("radio", name="one person replaced by another")).to_be_checked()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Share or save").click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download scenario").click()
    held = json.loads(Path(waiting.value.path()).read_text(encoding="utf-8"))
    assert (held["k"], held["data"]["name"]) == (5, "canteen_ratings")


def test_a_narrow_window_shows_the_controls_of_the_scenario(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_page(page, "/explore?epsilon=0.3&k=6")
    expect(headline(page, "TOP")).to_have_text(
        percent(Canonical(epsilon=0.3, k=6).distribution(HELP_LINE).top)
    )
    page.get_by_test_id("stExpandSidebarButton").click()
    expect(page.get_by_role("spinbutton", name="ε, exactly")).to_have_value("0.3")
    expect(page.get_by_role("spinbutton", name="k, items out")).to_have_value("6")


@pytest.fixture
def home(visit: Callable[[str], Page]) -> Page:
    """The page as it first opens, for tests that change nothing which the next one reads."""
    page = visit("/explore")
    page.set_viewport_size({"width": 1400, "height": 1000})
    return page


FIRST_SCREENS = {
    "the first example": ("/explore", "Missed refuse collection"),
    "six places": (TRIP, "Science museum"),
    "thirty dishes": ("/explore?data=example:canteen_ratings&k=5&epsilon=0.5", "Beef stew"),
    "ties": ("/explore?data=example:library_loans&epsilon=1", "Seven Winters North"),
}


@pytest.mark.twins("the first example")
@pytest.mark.parametrize(("path", "item"), FIRST_SCREENS.values(), ids=FIRST_SCREENS)
def test_one_laptop_screen_holds_all_that_is_needed_at_first_sight(
    visit: Callable[[str], Page], path: str, item: str
) -> None:
    page = visit(path)
    page.set_viewport_size({"width": 1366, "height": 768})
    name = page.locator(".st-key-scores .ytick text", has_text=item)
    expect(name).to_be_visible()
    needed = [
        page.get_by_role("heading", level=1),
        page.locator(".dp-lead"),
        page.locator(".dp-large-right"),
        page.locator(".dp-large-guess"),
        page.get_by_role("button", name="Step through ε"),
        page.locator(".st-key-scores .main-svg").first,
        name,
    ]
    for part in needed:
        expect(part).to_be_in_viewport(ratio=1)
    expect(page.locator(".dp-releases li")).to_have_count(10)


@pytest.mark.long
def test_play_moves_epsilon_by_itself_unless_less_motion_is_asked_for(home: Page) -> None:
    expect(home.get_by_role("button", name="Step through ε")).to_be_visible()
    expect(home.get_by_role("button", name="Play ε")).not_to_be_visible()
    home.emulate_media(reduced_motion="no-preference")
    expect(home.get_by_role("button", name="Step through ε")).not_to_be_visible()
    home.get_by_role("button", name="Play ε").click()
    for passing in ("0.036", "0.063"):  # looked for in every picture: each stays for a moment only
        home.wait_for_function(
            "(said) => document.querySelector('.stMain').innerText.includes(said)",
            arg=f"Keep ε = {passing}",
        )
    home.get_by_role("button", name="Pause").click()
    keep = home.get_by_role("button", name=re.compile("Keep ε = "))
    expect(home.get_by_role("button", name="Go on")).to_be_visible()
    epsilon = float(keep.inner_text().rpartition("= ")[2])
    good = Canonical(epsilon=epsilon, k=10).distribution(HELP_LINE).good
    expect(headline(home, "GOOD")).to_have_text(percent(good))
    expect(home.get_by_role("spinbutton", name="ε, exactly")).to_have_value(f"{epsilon:.10g}")
    home.emulate_media(reduced_motion="reduce")
    expect(home.get_by_role("button", name="Go on")).not_to_be_visible()
    home.get_by_role("button", name="Back to 0.2").click()
    expect(headline(home, "TOP")).to_have_text(
        percent(Canonical(epsilon=0.2, k=10).distribution(HELP_LINE).top)
    )


def test_a_cell_is_clicked(home: Page) -> None:
    drawn(home)
    plot = home.locator(".st-key-classes .nsewdrag").first
    plot.scroll_into_view_if_needed()
    expect(home.get_by_role("spinbutton", name="h", exact=True)).to_have_value("9")
    plot.click(position={"x": 90, "y": 120})
    expect(home.get_by_role("spinbutton", name="t", exact=True)).not_to_have_value("10")
    expect(home.get_by_text("and the worst item in it has rank")).to_be_visible()
    home.wait_for_url("**page.t=**")
    type_number(home, "h", "7")
    expect(home.get_by_text("The best 7 are all in, rank 8 is missing")).to_be_visible()


def test_a_hundred_draws_and_their_table(home: Page) -> None:
    unfold(home, "A hundred releases")
    home.get_by_role("button", name="Draw 100").click()
    expect(home.get_by_text("the exact chance of that is")).to_be_visible()
    ready(home)  # all that was drawn has come
    table = home.get_by_role("button", name="Table as CSV")
    home.locator(".st-key-draws_table").get_by_text("Table and downloads").click()
    ready(home)
    with home.expect_download() as waiting:
        table.click()
    rows = list(csv.DictReader(io.StringIO(Path(waiting.value.path()).read_text(encoding="utf-8"))))
    assert len(rows) == 100
    with home.expect_download() as waiting:
        home.get_by_role("button", name="Figure as HTML").click()
    assert "Plotly.newPlot" in Path(waiting.value.path()).read_text(encoding="utf-8")

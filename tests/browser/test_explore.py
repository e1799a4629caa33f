"""The explore page in a real browser: what AppTest cannot see, as addresses, clicks on cells,
downloads, and what the browser draws late.
"""

import csv
import io
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from dpviz import Canonical
from dpviz.base.text_format import percent
from dpviz.data import EXAMPLES
from tests.browser.every_page import settled
from tests.browser.stage import box, type_number
from tests.browser.steps import drawn, figure, nudge, open_page, ready

HELP_LINE = EXAMPLES["help_line"].scores()


def top(epsilon: float, k: int = 10) -> str:
    return percent(Canonical(epsilon=epsilon, k=k).distribution(HELP_LINE).top)


def test_long_work_is_stopped_and_taken_up_again(page: Page) -> None:
    link = (
        "data=generated:log_normal&data.size=3000&k=200&m1=canonical&m2=peeling;noise=exponential"
    )
    open_page(page, f"/compare?{link}")
    page.locator(".st-key-rest_stop").get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Compute the rest").first.click()
    expect(page.get_by_text("Computing: ").first).to_be_visible()


def test_a_table_is_typed(page: Page) -> None:
    open_page(page, "/candidates?page.pc.pool=typed&page.pc.epsilon1=0.3")
    expect(figure(page, "Total ε")).to_have_text("0.9")
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_test_id("stDataFrame")).to_be_visible()
    page.get_by_role("button", name="Use this table").click()
    expect(page.get_by_test_id("stDataFrame")).to_have_count(0)
    expect(page.get_by_role("heading", name="Which of 4 private candidates")).to_be_visible()


@pytest.fixture
def home(visit: Callable[[str], Page]) -> Page:
    """A page for tests that change nothing which the next one reads."""
    page = visit("/explore")
    page.set_viewport_size({"width": 1400, "height": 1000})
    return page


def test_a_cell_is_clicked(home: Page) -> None:
    drawn(home)
    plot = home.locator(".st-key-classes .nsewdrag").first
    plot.scroll_into_view_if_needed()
    expect(home.get_by_text("The exact top 10.", exact=True)).to_be_visible()
    plot.click(position={"x": 90, "y": 120})
    expect(home.get_by_text("and the lowest item in the list has rank")).to_be_visible()
    home.wait_for_url("**page.t=**")


def test_a_hundred_draws_and_their_table(home: Page) -> None:
    home.locator("summary", has_text="A hundred simulated releases").first.click()
    home.get_by_role("button", name="Draw 100").click()
    expect(home.get_by_text("the exact chance of that is")).to_be_visible()
    ready(home)  # all that was drawn has come
    home.locator(".st-key-draws_table").get_by_text("Table and downloads").click()
    with home.expect_download() as waiting:
        home.get_by_role("button", name="Table as CSV").click()
    rows = list(csv.DictReader(io.StringIO(Path(waiting.value.path()).read_text(encoding="utf-8"))))
    assert len(rows) == 100


def test_ten_lists_fall_into_their_cells_each_by_name_before_any_word_on_cells(home: Page) -> None:
    page = home
    drawn(page)
    lists, words = page.locator(".st-key-watch_lists li"), page.locator(".dp-cell-words")
    page.emulate_media(reduced_motion="no-preference")
    page.get_by_role("button", name="Watch ten lists").press("Enter")
    expect(lists.first).to_contain_text("✓\u00a0Missed refuse collection")
    expect(words).to_be_hidden()
    expect(page.locator(".dp-fallen i").first).to_have_text("1")  # it has landed
    page.get_by_role("button", name="Stop").press("Enter")
    expect(lists).to_have_count(0)
    expect(words).to_be_visible()
    page.emulate_media(reduced_motion="reduce")
    page.get_by_role("button", name="Watch ten lists").press("Enter")
    expect(lists).to_have_count(10)  # at once
    expect(words).to_be_visible()
    cells = Counter()
    sets = Canonical(epsilon=0.2, k=10).sample(HELP_LINE, 10, rng=np.random.default_rng(0))
    for items, shown in zip(sets, lists.all(), strict=True):
        ranks = np.sort(HELP_LINE.rank[items])
        h, t = int((ranks == np.arange(10)).cumprod().sum()), int(ranks[-1]) + 1
        exact = "the exact top 10" if h == 10 else f"first {h} all there; lowest rank {t}"
        expect(shown.locator("b")).to_have_text(exact)
        for item in items:
            mark = "✓\u00a0{}" if HELP_LINE.rank[item] < 10 else "✗\u00a0{} (wrong)"
            expect(shown).to_contain_text(mark.format(HELP_LINE.label(int(item))))
        assert t < 17  # where each rank has a column of its own
        cells[f"{t - 10} {h}"] += 1
    tokens = page.locator(".dp-fallen i")
    expect(tokens).to_have_count(len(cells))
    fallen = {str(one.get_attribute("data-cell")): int(one.inner_text()) for one in tokens.all()}
    assert fallen == cells
    top, token = drawn(page).bounding_box(), page.locator('[data-cell="0 10"]').bounding_box()
    assert top is not None
    assert token is not None
    across = token["x"] + token["width"] / 2 - top["x"], token["y"] + token["height"] / 2 - top["y"]
    assert 0 < across[0] < top["width"] / 18
    assert 0 < across[1] < top["height"] / 11
    type_number(page, "ε, exactly", "0.3")
    expect(page.locator(".dp-fallen")).to_have_count(0)
    expect(lists).to_have_count(0)


def test_epsilon_and_k_move_the_figures_and_the_address(home: Page) -> None:
    page = home
    type_number(page, "ε, exactly", "0.2")
    expect(figure(page, "TOP")).to_have_text(top(0.2))
    settled(page)  # until then the strip may be drawn anew, and a key goes where the focus is
    type_number(page, "k, list length", "3")
    expect(figure(page, "TOP")).to_have_text(top(0.2, 3))
    page.wait_for_url("**epsilon=0.2&k=3**")
    type_number(page, "ε, exactly", "0.123")
    page.wait_for_url("**epsilon=0.123**")
    expect(figure(page, "TOP")).to_have_text(top(0.123, 3))
    nudge(page, "ε, the privacy budget", steps=1)
    page.wait_for_url("**epsilon=0.14&k=3**")
    expect(box(page, "ε, exactly")).to_have_value("0.14")

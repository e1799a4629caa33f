"""On a phone: nothing runs off, legends are whole, panels are stacked, a result is in sight while ε moves."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import windows
from tests.browser.every_page import EVERY, show_page, unfold_all
from tests.browser.steps import nudge, open_page

WIDTH, HEIGHT = 390, 844
WITHOUT_EPSILON = {"decide", "learn", "a question", "an experiment", "for who teaches", "classroom", "join"}
RUNS_OFF = """(width) => [...document.querySelectorAll('.stMainBlockContainer :is(.dp-table, .dp-cards, .dp-told) *')]
    .filter((e) => !e.closest('.dp-tip') && getComputedStyle(e).position !== 'absolute')
    .filter((e) => e.getBoundingClientRect().width && e.getBoundingClientRect().right > width + 1)
    .map((e) => `${e.tagName} ${e.textContent.slice(0, 40)}`)"""
SCROLLS = """() => [...document.querySelectorAll('.stButtonGroup, .stButtonGroup *')]
    .filter((e) => e.clientWidth && e.scrollWidth > e.clientWidth + 1)
    .map((e) => e.textContent)"""
FAR = """() => [...document.querySelectorAll('.stMainBlockContainer .stHorizontalBlock')]
    .filter((e) => e.clientWidth && parseFloat(getComputedStyle(e).rowGap) > 16)
    .map((e) => `far apart: ${e.textContent.slice(0, 40)}`)"""
CUT = """() => [...document.querySelectorAll('.js-plotly-plot')].flatMap((plot) => {
    const paper = plot.getBoundingClientRect(), full = plot._fullLayout;
    const inside = (e) => { const b = e.getBoundingClientRect();
        return b.left >= paper.left - 1 && b.right <= paper.right + 1 && b.bottom <= paper.bottom + 1; };
    const words = [...plot.querySelectorAll('.legendtext, .xtitle, .ytitle, .annotation-text, .textpoint text')];
    const cut = words.filter((e) => !inside(e)).map((e) => `cut off: ${e.textContent}`);
    const ticks = [...plot.querySelectorAll('.xtick text')].map((e) => e.getBoundingClientRect());
    const upon = [...plot.querySelectorAll('.xtitle, .annotation-text')].filter((title) => {
        const t = title.getBoundingClientRect();
        return ticks.some((b) => b.bottom > t.top + 2 && b.top < t.bottom && b.right > t.left && b.left < t.right); });
    const panels = Object.keys(full).filter((key) => /^xaxis\\d*$/.test(key)).map((key) => full[key]._length);
    const named = plot.data.filter((one) => one.name && one.showlegend !== false && one.visible !== false).length;
    const told = plot.querySelectorAll('.legendtext').length;
    const small = (plot.layout.meta?.stack ? panels : []).filter((w) => w < 150).map((w) => `a panel of ${w}`);
    return [...cut, ...upon.map((e) => `upon its labels: ${e.textContent}`), ...small,
        ...(full.showlegend && told < named ? [`${told} of ${named} in the legend`] : [])];
})"""


@pytest.fixture(scope="module", params=EVERY)
def name(request: pytest.FixtureRequest) -> str:
    """Every page by its name."""
    return str(request.param)


@pytest.fixture(scope="module")
def phone(chromium: Browser, server: str, name: str) -> Iterator[Page]:
    """That page on a phone, opened once for both tests."""
    with windows(chromium) as new_page:
        page = new_page(server)
        page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
        show_page(page, name)
        yield page


def test_the_result_is_in_sight_while_epsilon_moves(phone: Page, name: str) -> None:
    if name in WITHOUT_EPSILON:
        return
    lead = phone.locator(".dp-lead").first
    seen = phone.locator(".dp-title, .dp-lead")
    before = seen.all_inner_texts()
    nudge(phone, "ε1, the price of one run" if name == "candidates" else "ε, the privacy budget", steps=-4)
    phone.wait_for_function(
        "(before) => [...document.querySelectorAll('.dp-title, .dp-lead')].some((e, i) => e.innerText !== before[i])",
        arg=before,
    )
    expect(lead).to_be_in_viewport(ratio=1)
    expect(phone.locator(".st-key-stage").get_by_test_id("stSlider")).to_be_in_viewport()


def test_no_table_and_no_chart_runs_off_and_every_legend_is_whole(phone: Page, name: str) -> None:
    show_page(phone, name)  # without the ghost of the ε before
    unfold_all(phone)
    assert phone.evaluate(RUNS_OFF, WIDTH) == []
    assert phone.evaluate(SCROLLS) == []
    assert phone.evaluate(CUT) == []
    assert phone.evaluate(FAR) == []


@pytest.mark.parametrize("width", [WIDTH, 1366])
def test_the_curves_of_an_answer_are_told_apart_by_name(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": HEIGHT})
    open_page(page, "/decide?page.decide.screen=answer")
    plot = page.locator(".st-key-cost_lines .js-plotly-plot")
    expect(plot.locator(".legendtext").nth(4)).to_have_text(re.compile("5 .?Joint exponential"))
    expect(page.locator(".st-key-decide_hundred .main-svg").first).to_be_visible()
    narrow = "(narrow) => !!document.querySelector('.st-key-cost_lines .js-plotly-plot').layout.dpvizWide === narrow"
    page.wait_for_function(narrow, arg=width == WIDTH)
    assert page.evaluate(CUT) == []


def test_a_chart_that_was_laid_out_for_a_phone_is_as_before_on_a_wide_screen(page: Page) -> None:
    drawn = """(plot) => [plot._fullLayout.height, plot._fullLayout.legend.x, plot._fullLayout.margin.b,
        plot.querySelectorAll('.textpoint').length]"""
    page.set_viewport_size({"width": 1366, "height": 768})
    show_page(page, "compare")
    plot = page.locator(".st-key-epsilon_curves .js-plotly-plot")
    wide = plot.evaluate(drawn)
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.wait_for_function("() => document.querySelector('.st-key-epsilon_curves .js-plotly-plot').layout.dpvizWide")
    assert wide[-1] > 0
    phone = plot.evaluate(drawn)
    assert phone != wide
    assert phone[-1] == 0  # names beside lines are placed for a wide chart
    page.set_viewport_size({"width": 1366, "height": 768})
    page.wait_for_function("() => !document.querySelector('.st-key-epsilon_curves .js-plotly-plot').layout.dpvizWide")
    same = (
        f"(wide) => `${{({drawn})(document.querySelector('.st-key-epsilon_curves .js-plotly-plot'))}}` === `${{wide}}`"
    )
    page.wait_for_function(same, arg=wide)

"""Nothing lies on another, is cut off or moves: every page at every width, its charts and labels.

Below a width where page and sidebar have no room beside each other the sidebar is a drawer.
"""

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, TimeoutError, expect

from tests.browser.every_page import EVERY, settled, show_page
from tests.browser.phone import CUT, HEIGHT, WIDTH
from tests.browser.steps import bring, open_page
from tests.browser.windows import NewPage

WIDTHS = (360, 683, 769, 960, 1180, 1920)
STEPPER = EVERY["sparse vector"]
BESIDE = 150  # pixels that the navigation and the strip at the top take
SIDES = "(all) => all.map((one) => one.getBoundingClientRect()).map((box) => [box.left, box.right])"
FAULTS = """() => {
  const main = document.querySelector('[data-testid="stMain"]'), range = document.createRange(), seen = [], bad = [];
  const apart = (a, b) => a.left > b.right - 1 || a.right < b.left + 1 || a.top > b.bottom - 1 || a.bottom < b.top + 1;
  const within = (up, test) => up && up !== main && (test(up) || within(up.parentElement, test));
  const unseen = (box) => (up) => {  // behind an edge, for screen readers alone, or over what is scrolled
    const style = getComputedStyle(up);
    return (style.clipPath !== 'none' && !up.closest('.legend')) || /sticky|fixed/.test(style.position)
      || (/hidden|auto|scroll|clip/.test(style.overflowX + style.overflowY) && apart(box, up.getBoundingClientRect()));
  };
  const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode, of = node.parentElement, text = node.textContent.trim();
    if (!text || !of.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (of.closest('script, style, .modebar')) continue;
    range.selectNodeContents(node);
    for (const box of range.getClientRects())
      if (box.width > 2 && box.height > 4 && !within(of, unseen(box))) seen.push({ text, of, box });
  }
  seen.sort((a, b) => a.box.top - b.box.top);
  seen.forEach((a, i) => {
    for (const b of seen.slice(i + 1)) {
      if (b.box.top > a.box.bottom) break;
      const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      const high = Math.min(a.box.bottom, b.box.bottom) - b.box.top;
      if (wide > 3 && high > 5 && !a.of.contains(b.of) && !b.of.contains(a.of)) bad.push(`${a.text} / ${b.text}`);
    }
  });
  if (main.scrollWidth > main.clientWidth + 1) bad.push(`wider by ${main.scrollWidth - main.clientWidth}`);
  for (const box of main.querySelectorAll('[data-testid="stNumberInputField"]'))
    if (box.checkVisibility() && box.clientWidth - parseFloat(getComputedStyle(box).paddingLeft) < 8 * box.value.length)
      bad.push(`${box.ariaLabel} has no room for ${box.value}`);
  return bad;
}"""
# a moment after the window
FOLLOWED = """() => [...document.querySelectorAll('.stPlotlyChart')].every((chart) => !chart.checkVisibility()
    || Math.abs(chart.querySelector('.main-svg').clientWidth - chart.clientWidth) < 2)"""


MOVED = """window.moved ?? new PerformanceObserver((list) => {
    for (const one of list.getEntries()) if (!one.hadRecentInput) {
        window.moved += one.value;
        window.movers.push([one.value, one.sources.map(({ node, previousRect: from, currentRect: to }) =>
            `${node?.className} ${node?.textContent?.slice(0, 40)}: ${from.y} ${from.height}, ${to.y} ${to.height}`)]);
    }
}).observe({ type: "layout-shift", buffered: true }, window.moved = 0, window.movers = []);"""
QUICK = [("/", 390), ("/margin", 390)]
OTHERS = sorted({(path, width) for path in EVERY.values() for width in (390, 1366)} - {*QUICK})


@pytest.mark.twins("explore")
@pytest.mark.parametrize("name", EVERY)
def test_no_text_lies_on_another_or_is_cut(visit: Callable[[str], Page], name: str) -> None:
    page = visit(EVERY[name])
    settled(page)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_function(FOLLOWED)
        try:
            page.wait_for_function(f"() => !({FAULTS})().length")
        except TimeoutError:
            assert page.evaluate(FAULTS) == [], f"{name} at {width} pixels"


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


def test_the_stepper_and_all_about_it_are_on_one_screen(visit: Callable[[str], Page]) -> None:
    page = visit(STEPPER)
    page.set_viewport_size({"width": 1366, "height": 768})
    expect(page.locator(".st-key-threshold_steps .js-plotly-plot .legend").last).to_be_attached()
    page.wait_for_function(
        """(most) => {
            const box = (what) => [...document.querySelectorAll(what)].pop().getBoundingClientRect();
            const first = [...document.querySelectorAll('button')].find((one) => one.innerText.includes('First'));
            const bottom = Math.max(box('.st-key-threshold_steps .js-plotly-plot').bottom, box('.dp-closely').bottom);
            return bottom - first.getBoundingClientRect().top <= most;
        }""",
        arg=768 - BESIDE,
    )


def test_on_a_phone_the_curves_of_an_answer_are_told_apart_by_name(page: Page) -> None:
    five = "canonical", "canonical;noise=exponential", "one_shot", "one_shot;noise=laplace", "joint"
    named = {f"m{number}": design for number, design in enumerate(five, 1)}
    open_page(page, f"/decide?{urlencode({'page.decide.screen': 'answer', **named})}")
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    plot = page.locator(".st-key-cost_lines .js-plotly-plot")
    expect(plot.locator(".legendtext").nth(4)).to_have_text(re.compile("5 .?Joint exponential"))
    told = plot.locator(".textpoint text", has_not_text="chosen")
    for number in range(1, 6):  # each curve has its own beside it
        expect(told.filter(has_text=f"{number}")).to_have_count(1)
    page.wait_for_function(
        "() => document.querySelector('.st-key-cost_lines .js-plotly-plot').layout.dpvizWide"
    )
    settled(page)
    assert page.evaluate(CUT) == []


def test_on_a_phone_epsilon_stands_at_the_foot(visit: Callable[[str], Page]) -> None:
    page = visit("/explore")
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    settled(page)
    strip = page.locator(".st-key-stage").bounding_box()
    picture = page.locator(".stPlotlyChart").first.bounding_box()
    assert strip is not None
    assert picture is not None
    assert strip["y"] + strip["height"] > HEIGHT - 20
    assert picture["y"] < strip["y"] - 150
    page.get_by_test_id("stMain").evaluate("(main) => main.scrollTo(0, main.scrollHeight)")
    expect(page.get_by_role("slider", name="ε, the privacy budget")).to_be_in_viewport()


def test_no_figure_beside_a_candidate_lies_on_its_bar_or_its_diamond(page: Page) -> None:
    show_page(page, "candidates")
    chart = page.locator(".st-key-chosen .js-plotly-plot")
    told, bars, diamonds = (
        chart.locator(what).evaluate_all(SIDES)
        for what in (
            ".scatterlayer .textpoint text",
            ".barlayer .point path",
            ".scatterlayer path.point",
        )
    )
    assert len(told) == len(bars) == len(diamonds) == 10
    assert all(left > bar[1] - 1 for (left, _), bar in zip(told, bars, strict=True))
    assert not any(
        left < diamond[1] and diamond[0] < right
        for (left, right), diamond in zip(told, diamonds, strict=True)
    )


def test_long_names_are_trimmed_on_the_bars(page: Page, tmp_path: Path) -> None:
    long = " where one waits for the bus on the way from the old town to the sea in the summer"
    rows = (f"{name}{long},{50 - ord(name[0])}\n" for name in ("Ash", "Elm", "Fir", "Oak", "Yew"))
    votes = tmp_path / "votes.csv"
    votes.write_text("".join(["item,votes\n", *rows]), encoding="utf-8")
    open_page(page, "/explore?k=2")
    bring(page, votes)
    ticks = page.locator(".st-key-scores .ytick text")
    expect(ticks.filter(has_text="Ash").first).to_be_visible()
    assert max(map(len, ticks.all_text_contents())) <= 40
    plot = page.locator(".st-key-scores .js-plotly-plot").bounding_box()
    assert all(tick.bounding_box()["x"] >= plot["x"] - 1 for tick in ticks.all())
    assert max(map(len, page.locator(".dp-releases li").all_inner_texts())) < 150

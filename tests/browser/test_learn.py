"""Lessons in a real browser: keys, links that bring the same picture, motion only for who wants it,
every width.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from dpviz.base import join_markup, markup
from dpviz.export.lessons import demonstration
from dpviz.teaching.lessons import LESSONS
from dpviz.teaching.lessons import permute_and_flip as lesson
from dpviz.web.classroom.phone import view
from tests.browser.every_page import settled
from tests.browser.steps import nudge, open_page, ready
from tests.browser.windows import Opened

RUN = "/learn?lesson=permute_and_flip&step=3&releases=10&mark=50&law=1"


@pytest.fixture
def run(visit: Callable[[str], Page]) -> Page:
    """A step with its experiment, for tests that change nothing which the next one reads."""
    return visit(RUN)


def step_title(page: Page, text: str) -> None:
    expect(page.get_by_role("heading", level=2).first).to_have_text(text)
    ready(page)


def test_a_lesson_opens_from_the_list_and_keys_go_on_and_back(page: Page) -> None:
    open_page(page, "/learn")
    page.wait_for_load_state("networkidle")  # fonts and late scripts move the cards
    page.get_by_role("radio", name="Choosing a list").click()
    page.locator(".st-key-lesson_permute_and_flip").click()  # the whole card is the button
    step_title(page, "An urn, and a row of coins")
    page.wait_for_function("window.dpvizLesson")
    for key, title in (
        ("ArrowRight", "Which one is right more often?"),
        ("PageDown", "A thousand class trips"),
        ("ArrowLeft", "Which one is right more often?"),
        ("ArrowRight", "A thousand class trips"),
    ):
        page.keyboard.press(key)
        step_title(page, title)


def test_a_control_keeps_its_keys(run: Page) -> None:
    page = run
    settled(page)  # until then the strip may be drawn anew, and a key goes where the focus is
    nudge(page, "ε, the privacy budget")
    said = page.locator(".stMain").get_by_text(lesson.result_sentence(1.0))  # not its preview's
    expect(said).to_be_visible()
    step_title(page, "A thousand class trips")
    page.wait_for_url("**setting=1**")


def test_who_asked_for_less_motion_sees_none(run: Page) -> None:
    page = run
    page.emulate_media(reduced_motion="no-preference")
    page.locator(".barlayer .point path").first.wait_for(state="attached")
    style = "(bar) => getComputedStyle(bar).animationName"
    assert page.locator(".barlayer .point path").first.evaluate(style) == "dp-grow"
    page.emulate_media(reduced_motion="reduce")
    assert page.locator(".barlayer .point path").first.evaluate(style) == "none"


def test_the_way_to_a_page_leaves_the_lesson_where_it_was(run: Page) -> None:
    link = run.get_by_role("link", name="Both in Compare, with every ε")
    expect(link).to_have_attribute("target", "_blank")


def test_on_a_phone_the_legend_covers_no_bar_and_no_label_and_nothing_runs_off_at_any_width(
    page: Page,
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_page(page, "/learn?lesson=opening_story&step=4&releases=10&law=1")
    picture = page.locator(".st-key-learn_picture .js-plotly-plot")
    expect(picture.locator(".legend").last).to_be_attached()
    page.wait_for_function(  # it is drawn more than once, until it has its height
        """(plot) => {
            const boxes = (what) => [...plot.querySelectorAll(what)].map((one) => one.getBoundingClientRect());
            const legend = boxes('.legendtext'), drawn = boxes('.annotation, .bars .point, .xtick');
            const clear = (a, b) => a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
            return plot._fullLayout.margin.t < 2 * plot._fullLayout.font.size  // where the legend was, there is nothing
                && legend.length > 1 && drawn.length > 2 && legend.every((own) => own.right <= 390)
                && legend.every((own) => drawn.every((other) => clear(own, other)));
        }""",
        arg=picture.element_handle(),
    )
    page.get_by_role("button", name="Next").click()
    page.wait_for_url("**step=5**")
    ready(page)
    for width, height in ((390, 844), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(
            """(width, main = document.querySelector('.stMain')) => main.scrollWidth <= main.clientWidth
                && [...document.querySelectorAll('.stMainBlockContainer :is(p, li, td, h1, button, .annotation)')]
                    .filter((one) => one.checkVisibility() && getComputedStyle(one).textIndent === '0px')
                    .every((one) => one.getBoundingClientRect().right <= width)""",
            arg=width,
        )


SCROLLS = """(formula) => [...document.querySelectorAll(formula)]
    .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)"""


def test_formulas_break_into_lines_on_a_phone_of_a_class(opened: Opened, tmp_path: Path) -> None:
    formulas = [
        step.formula for one in LESSONS.values() for step in one.steps if step.formula is not None
    ]
    pieces = (markup("<div>{}</div>", demonstration.mathml(formula)) for formula in formulas)
    (tmp_path / "phone.html").write_text(
        view.phone_page_html(join_markup(pieces), has_seat=False), encoding="utf-8"
    )
    page = opened(tmp_path / "phone.html", 320, 844)
    expect(page.locator(".dp-formula")).to_have_count(len(formulas))
    assert page.evaluate(SCROLLS, ".dp-formula") == []

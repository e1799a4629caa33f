"""On a phone: lines are told apart by name, and a chart goes back to what it was on a wide screen."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.every_page import settled
from tests.browser.phone import CUT, HEIGHT, WIDTH


@pytest.mark.parametrize("width", [WIDTH, 1366])
def test_the_curves_of_an_answer_are_told_apart_by_name(
    visit: Callable[[str], Page], width: int
) -> None:
    page = visit("/decide?page.decide.screen=answer")
    page.set_viewport_size({"width": width, "height": HEIGHT})
    plot = page.locator(".st-key-cost_lines .js-plotly-plot")
    if width == WIDTH:
        expect(plot.locator(".legendtext").nth(4)).to_have_text(re.compile("5 .?Joint exponential"))
        names = [str(number) for number in range(1, 6)]
    else:
        expect(plot.locator(".legendtext")).to_have_count(0)
        names = [
            "1.*Canonical",
            "2.*Canonical.*exponential",
            "3.*One-shot",
            "4.*One-shot",
            "5.*Joint.*exponential",
        ]
    told = plot.locator(".textpoint text", has_not_text="taken")
    for name in names:  # each curve has its own beside it
        expect(told.filter(has_text=re.compile(name))).to_have_count(1)
    expect(page.locator(".st-key-decide_hundred .main-svg").first).to_be_visible()
    narrow = (
        "(narrow) => !!document.querySelector('.st-key-cost_lines"
        " .js-plotly-plot').layout.dpvizWide === narrow"
    )
    page.wait_for_function(narrow, arg=width == WIDTH)
    settled(page)
    assert page.evaluate(CUT) == []


def test_epsilon_stands_at_the_foot_and_the_picture_in_the_first_screen(
    visit: Callable[[str], Page],
) -> None:
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

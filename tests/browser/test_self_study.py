"""Who learns alone goes through a lesson: steps through it at work, sets a mark, draws, and only
then sees the law.
"""

import re

import pytest
from playwright.sync_api import Page, expect

import dpviz.teaching.lessons  # noqa: F401 - which fill the menu
from dpviz.teaching.lesson import LESSONS, Experiment
from tests.browser.steps import open_page, ready

LEGEND = ".st-key-learn_picture .js-plotly-plot .legendtext"


def steps_through(page: Page) -> None:
    """The mechanism at work: each of its moves is shown when it is asked for, and no other."""
    moves = page.locator(".dp-work input[type=radio]")
    number = moves.count()
    assert number >= 2
    shown = page.locator(".dp-work .dp-says:visible")
    told = set()
    for move in range(number):
        moves.nth(move).focus()
        moves.nth(move).press("Space")
        expect(moves.nth(move)).to_be_checked()
        expect(shown).to_have_count(1)
        told.add(page.locator(".dp-work").inner_text())
    assert len(told) == number, "two moves look alike"


def finds_out(page: Page, of: Experiment) -> None:
    """Where a mark is asked for: it, then draws of all that is drawn, then what is exact; else the
    last two at once.
    """
    draw, law = (
        page.locator(f".st-key-{key} button:visible") for key in ("learn_draw_100", "learn_law")
    )
    if of.guess is not None:
        expect(draw).to_be_disabled()
        page.get_by_role("slider", name=of.guess.asks).press("ArrowRight")
        ready(page)
        page.locator(".st-key-learn_mark button:visible").click()
        page.wait_for_url("**mark=51**")
    expect(law).to_have_count(0)
    draw.click()
    page.wait_for_url("**releases=100**")
    for name in of.drawn_names if len(of.drawn_names) > 1 else ("100 drawn",):
        expect(page.locator(LEGEND).filter(has_text=name).first).to_be_attached()
    if of.guess is None:
        expect(page.locator(LEGEND).filter(has_text="exact").first).to_be_attached()
        return
    expect(page.locator(LEGEND).filter(has_text="exact")).to_have_count(0)
    says = page.locator(".dp-verdict, .dp-says").filter(
        has_text=re.compile("exactly it is", re.IGNORECASE)
    )
    expect(says).to_have_count(0)
    law.click()
    expect(page.locator(LEGEND).filter(has_text="exact").first).to_be_attached()
    expect(says).to_be_visible()


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.parametrize("width", [390, 1366])
@pytest.mark.parametrize("key", LESSONS)
def test_a_lesson_is_found_out_alone(page: Page, key: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844 if width < 900 else 768})
    page.emulate_media(reduced_motion="reduce")
    open_page(page, f"/learn?lesson={key}")
    for number, step in enumerate(LESSONS[key].steps):
        expect(page.get_by_role("heading", level=2).first).to_have_text(step.title)
        ready(page)
        if step.at_work is not None:
            steps_through(page)
        if step.question is not None and step.kind == "predict":
            page.get_by_text(step.question.choices[0], exact=True).first.click()
            ready(page)
        if step.experiment is not None:
            finds_out(page, step.experiment)
        ready(page)
        if number + 1 < len(LESSONS[key].steps):
            on = page.locator(".st-key-learn_next button:visible")
            expect(on).to_have_count(1)  # that of the step before is gone
            on.click()

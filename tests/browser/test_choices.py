"""Choices side by side, on a phone: each has its whole outline, whichever is chosen."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.phone import HEIGHT, WIDTH
from tests.browser.steps import open_page

NO_EDGE = """(group) => [...group.querySelectorAll('button')]
    .filter((e) => e.nextElementSibling?.offsetTop !== e.offsetTop)  // the last of its line
    .filter((e) => getComputedStyle(e).borderRightColor.replace(/ /g, '').endsWith(',0)'))
    .map((e) => e.textContent)"""


@pytest.mark.parametrize(
    ("path", "label"),
    [
        ("/learn", "Lessons"),
        ("/candidates", "View"),
        ("/decide?page.decide.screen=cost", "State the limit as"),
    ],
)
def test_each_choice_keeps_its_outline_where_they_take_several_lines(
    page: Page, path: str, label: str
) -> None:
    open_page(page, path)
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    group = page.get_by_role("radiogroup", name=label)
    for choice in group.get_by_role("radio").all():
        choice.click()
        expect(choice).to_be_checked()
        assert group.evaluate(NO_EDGE) == []


@pytest.mark.parametrize(
    ("path", "label", "number"),
    [
        ("/decide?page.decide.screen=cost", "State the limit as", 3),
        ("/neighbours", "Whose data?", 4),
    ],
)
def test_on_a_phone_a_few_choices_stand_on_one_line(
    page: Page, path: str, label: str, number: int
) -> None:
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    open_page(page, path)
    choices = page.get_by_role("radiogroup", name=label).get_by_role("radio")
    expect(choices).to_have_count(number)
    assert len({choice.bounding_box()["y"] for choice in choices.all()}) == 1  # type: ignore[index]

"""Decide in a real browser: from the first question to a sheet and a script in one's hands, and on
one's own file.
"""

import json

from playwright.sync_api import Locator, Page, expect

from dpviz.export.decision.release_code import release_code
from dpviz.pages.decide.sentences import phrases, quality
from dpviz.pages.decide.settings import QUESTIONS, SCREENS
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import Question, decide
from tests.browser.steps import go_to, open_page, ready, unfold


def figure(page: Page, name: str) -> Locator:
    """The value on the card with this name."""
    card = page.locator(".dp-card").filter(has=page.locator(".dp-name", has_text=name))
    return card.locator(".dp-value").first


def press(page: Page, name: str) -> None:
    button = page.get_by_role("button", name=name)
    expect(button).to_have_count(1)  # that of the question before goes a moment after it
    button.click()
    ready(page)


def downloaded(page: Page, name: str) -> str:
    with page.expect_download() as started:
        page.get_by_role("button", name=name).click()
    return started.value.path().read_text(encoding="utf-8")


def test_from_the_first_page_to_a_sheet_and_its_code(page: Page) -> None:
    open_page(page)
    go_to(page, "Decide")
    unfold(page, "Name, period")
    box = page.get_by_role("textbox", name="What is the list called?")
    box.fill("Services asked for")
    box.press("Enter")
    page.wait_for_url("**name=Services*")
    for title in (SCREENS[name] for name in QUESTIONS[1:]):
        press(page, "Next")
        expect(page.get_by_role("heading", name=title)).to_be_visible()
    press(page, "Show the answer")
    decision = decide(Question(name="Services asked for", data=DataSpec(name="help_line")))
    expect(figure(page, "ε of one release")).to_have_text(
        phrases.format_parameter(decision.epsilon)
    )
    expect(page.locator(".js-plotly-plot")).to_have_count(3)
    sheet = downloaded(page, "Decision sheet")
    assert "Decision sheet: Services asked for" in sheet
    assert quality.outcome_phrase(decision.question, decision.utility) in sheet
    assert downloaded(page, "release.py") == release_code(decision).text
    with page.expect_download() as wheel:
        page.get_by_role("link", name="Download dpviz-").click()
    assert wheel.value.suggested_filename in sheet
    record = json.loads(downloaded(page, "The same as JSON"))
    assert record["decision"]["epsilon"] == decision.epsilon
    circulated = downloaded(page, "Scenario without scores")
    assert circulated == decision.scenario.to_json()
    page.reload()
    ready(page)
    expect(page.get_by_text("Services asked for").first).to_be_visible()

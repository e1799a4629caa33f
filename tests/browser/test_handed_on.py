"""Decide in a real browser: a sheet and a script in one's hands; test_keys.py walks to them."""

import json

from playwright.sync_api import Locator, Page, expect

from dpviz.export.decision.release_code import release_code
from dpviz.pages.decide.sentences import phrases, quality
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import Question, decide
from tests.browser.steps import open_page, ready


def figure(page: Page, name: str) -> Locator:
    """The value on the card with this name."""
    card = page.locator(".dp-card").filter(has=page.locator(".dp-name", has_text=name))
    return card.locator(".dp-value").first


def downloaded(page: Page, name: str) -> str:
    with page.expect_download() as started:
        page.get_by_role("button", name=name).click()
    return started.value.path().read_text(encoding="utf-8")


def test_sheet_code_and_scenario_are_those_of_the_answer(page: Page) -> None:
    open_page(page, "/decide?name=Services+asked+for&page.decide.screen=answer")
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

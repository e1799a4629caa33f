"""Decide in a real browser: a sheet and a script in one's hands; test_keys.py walks to them."""

import json
import re
from urllib.parse import parse_qs, urlencode, urlsplit

from playwright.sync_api import Page, expect

from dpviz.export.decision.release_code import release_code
from dpviz.pages.decide.sentences import phrases, quality
from dpviz.studies import Scenario
from dpviz.studies.decision import Question, decide
from tests.browser.every_page import settled
from tests.browser.phone import CUT, HEIGHT, WIDTH
from tests.browser.steps import figure, open_page


def downloaded(page: Page, name: str) -> str:
    with page.expect_download() as started:
        page.get_by_role("button", name=name).click()
    return started.value.path().read_text(encoding="utf-8")


FIVE = "canonical", "canonical;noise=exponential", "one_shot", "one_shot;noise=laplace", "joint"


def test_sheet_code_and_scenario_are_those_of_the_answer(page: Page) -> None:
    named = {f"m{number}": design for number, design in enumerate(FIVE, 1)}
    asked = {"name": "Services asked for", "page.decide.screen": "answer", **named}
    open_page(page, f"/decide?{urlencode(asked)}")
    decision = decide(Question.from_scenario(Scenario.from_query(asked)))
    expect(figure(page, "ε of one release")).to_have_text(
        phrases.format_parameter(decision.epsilon)
    )
    expect(page.locator(".js-plotly-plot")).to_have_count(3)
    sheet = downloaded(page, "Decision sheet")
    assert "Decision sheet: Services asked for" in sheet
    outcome = quality.outcome_phrase(decision.question, decision.utility)
    assert outcome.replace(" releases", " lists") in sheet
    assert downloaded(page, "release.py") == release_code(decision).text
    with page.expect_download() as wheel:
        page.get_by_role("link", name="Download dpviz-").click()
    assert wheel.value.suggested_filename in sheet
    record = json.loads(downloaded(page, "The same as JSON"))
    assert record["decision"]["epsilon"] == decision.epsilon
    circulated = downloaded(page, "Scenario without scores")
    assert circulated == decision.scenario.to_json()
    assert parse_qs(urlsplit(page.url).query)["name"] == ["Services asked for"]
    curves_are_told_apart_by_name_on_a_phone(page)


def curves_are_told_apart_by_name_on_a_phone(page: Page) -> None:
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    plot = page.locator(".st-key-cost_lines .js-plotly-plot")
    expect(plot.locator(".legendtext").nth(4)).to_have_text(re.compile("5 .?Joint exponential"))
    told = plot.locator(".textpoint text", has_not_text="chosen")
    for number in range(1, len(FIVE) + 1):  # each curve has its own beside it
        expect(told.filter(has_text=f"{number}")).to_have_count(1)
    page.wait_for_function(
        "() => document.querySelector('.st-key-cost_lines .js-plotly-plot').layout.dpvizWide"
    )
    settled(page)
    assert page.evaluate(CUT) == []

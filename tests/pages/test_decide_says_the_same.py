"""The page Decide, its file with a slider, the command and the sheet say the same."""

import csv
import html
import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.__main__ import main
from dpviz.charts.text_format import percent, percent_upper_bound, upper_bound_text
from dpviz.pages import load_page_view
from dpviz.pages.common.subject import PageSubject
from dpviz.pages.decide import sentences
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import Question
from dpviz.studies.scenario import Scenario
from tests.web.screens.conftest import empty_caches, open_page  # noqa: F401 - fixtures
from tests.web.screens.waiting import run_when_computed

TRIP = DataSpec(name="class_trip")
QUESTIONS = [
    Question(k=2, goal="2 of 2 in 0.9", data=TRIP, releases=5),
    Question(k=3, goal="share in 0.8", data=TRIP, taken=2),
    Question(k=2, goal="top in 0.5", data=TRIP, epsilon=0.4),
]


def plain(markup: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", "", markup))


def bodies(app: AppTest, mark: str) -> list[str]:
    shown = [element.proto.body for element in app.get("html")]
    return [body for body in shown if mark in body and "<style" not in body]


def on_page(app: AppTest) -> dict[str, str]:
    for _ in range(100):
        if bodies(app, "What a miss looks like"):
            break
        run_when_computed(app)
    (cards,) = bodies(app, "dp-cards")
    shown = re.findall(r'<div class="dp-name">([^<]+).*?<div class="dp-value">(.*?)</div>', cards)
    return {name: plain(value) for name, value in shown}


def in_file(scenario: Scenario) -> dict[str, str]:
    made = load_page_view("decide").build_takeaway(PageSubject(scenario), lambda fraction: None)
    step = made.steps[made.start]
    told = dict(zip([name for name, _ in made.column_headings], step.cells[0], strict=True))
    return {"ε of one release": step.value, **told}


def at_command(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    capsys.readouterr()
    assert main(["decide", *argv, "--quiet"]) == 0
    return capsys.readouterr().out


def on_sheet(told: str) -> dict[str, str]:
    decision = json.loads(told)["decision"]
    utility, total = decision["utility"], decision["total"]
    at = f" at δ = {upper_bound_text(total['delta'])}" if total["delta"] else ""
    return {
        "ε of one release": sentences.format_parameter(decision["epsilon"]),
        "The goal": percent(utility["chance"], utility["low"], utility["high"]),
        "All releases": f"{upper_bound_text(total['epsilon'])}{at}",
        "A guesser is right": f"≤ {percent_upper_bound(decision['guess_at_most'])} of 100",
        "Missing": f"{utility['missed']:.2g}",
    }


@pytest.mark.twins(1)
@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.goal_text)
def test_page_file_command_and_sheet_say_the_same(
    question: Question,
    open_page: Callable[..., AppTest],  # noqa: F811 - the fixture
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = question.to_scenario(1.0 if question.epsilon is None else question.epsilon)
    app = open_page("decide", **asked.to_query(), **{"page.decide.screen": "answer"})
    figures = on_page(app)
    assert len(figures) == 5
    assert in_file(asked) == figures
    saved = tmp_path / "scenario.json"
    saved.write_text(asked.to_json(), encoding="utf-8")
    sheet, table = (
        at_command(capsys, f"--scenario={saved}", f"--format={form}") for form in ("json", "csv")
    )
    assert on_sheet(sheet) == figures
    (needs,) = bodies(app, 'aria-label="What each mechanism costs"')
    rows = [re.findall(r"<td.*?>(.*?)</td>", row) for row in needs.split("<tr>")[2:]]
    for row, told in zip(rows, csv.DictReader(io.StringIO(table)), strict=True):
        name, total, multiple, right, epsilon = map(plain, row)
        assert told["design"] in name
        assert total.startswith(upper_bound_text(float(told["total"])))
        assert ("at δ = " in total) == (float(told["delta"]) > 0)
        assert multiple == f"× {float(told['multiple']):.2f}"
        assert right == f"≤ {percent_upper_bound(float(told['guess']))}"
        assert epsilon == sentences.format_smallest_epsilon(float(told["smallest_epsilon"]))
        assert ("●" in name) == (told["taken"] == "True")

"""Page, file with a slider and command of Candidates and Neighbours say the same figures."""

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.__main__ import main
from dpviz.charts.text_format import number_text, percent, upper_bound_text
from dpviz.pages import load_page_view
from dpviz.pages.common.subject import PageSubject
from dpviz.pages.common.wording import format_three_digits
from dpviz.pages.neighbours.view import page_study
from dpviz.studies.scenario import Scenario
from tests.web.screens.conftest import empty_caches, open_page  # noqa: F401 - fixtures
from tests.web.screens.shown import cards, settled

OpenPage = Callable[..., AppTest]
Command = Callable[..., dict[str, dict[str, str]]]
RULES = {
    "random_stopping": {"page.pc.stop": "0.05"},
    "known_threshold": {"page.pc.threshold": "0.75", "page.pc.stop": "0.02"},
    "negative_binomial": {"page.pc.shape": "0.5"},
    "poisson": {"page.pc.mean": "20"},
}
PEOPLE = {
    "an average person": {},
    "one whose items are ticked": {
        "page.neighbours.who": "ticked",
        "page.neighbours.items": "i0-3",
    },
    "by another mechanism": {"m1": "one_shot;noise=laplace"},
}


@pytest.fixture
def command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    """The rows of a command by the name in their first column."""

    def run(scenario: Scenario, *argv: str) -> dict[str, dict[str, str]]:
        saved = tmp_path / "scenario.json"
        saved.write_text(scenario.to_json(), encoding="utf-8")
        capsys.readouterr()
        assert main([*argv, f"--scenario={saved}", "--format=csv", "--quiet"]) == 0
        rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
        return {next(iter(row.values())): row for row in rows}

    return run


def in_file(page: str, scenario: Scenario) -> dict[str, str]:
    """The headline figures where the slider starts."""
    made = load_page_view(page).build_takeaway(PageSubject(scenario), lambda fraction: None)
    names = [name for name, _ in made.column_headings]
    return dict(zip(names, made.steps[made.start].cells[0], strict=True))


@pytest.mark.parametrize("rule", list(RULES))
def test_what_comes_out_of_candidates(open_page: OpenPage, command: Command, rule: str) -> None:  # noqa: F811
    small = {"page.pc.people": "60", "page.pc.runs": "20", "page.pc.share": "0.1"}
    app = open_page("candidates", **{"page.pc.rule": rule}, **small, **RULES[rule])
    on_page = cards(settled(app))
    scenario: Scenario = app.session_state["dpviz.scenario"]
    file = in_file("candidates", scenario)
    row = command(scenario, "candidates")[rule]
    (good,) = (name for name in on_page if name.startswith("In the top"))
    file["Total ε"] = file["Total ε"].partition(", δ")[0]  # on the page δ stands below
    assert {name: file[name] for name in on_page} == on_page
    assert on_page["Total ε"] == upper_bound_text(float(row["epsilon"]))
    assert on_page["Mean score"] == number_text(float(row["score"]))
    assert on_page[good] == percent(float(row["good"]))
    assert on_page["Runs"] == number_text(round(float(row["runs"]), 2))
    nothing = percent(float(row["nothing"])) if float(row["nothing"]) > 1e-12 else "0"
    assert file["Nothing"] == on_page.get("Nothing", "0") == nothing


@pytest.mark.parametrize("person", list(PEOPLE))
def test_what_one_person_changes(open_page: OpenPage, command: Command, person: str) -> None:  # noqa: F811
    trip = {"data": "example:class_trip", "k": "2", "epsilon": "1.0"}
    app = settled(open_page("neighbours", **trip, **PEOPLE[person]))
    on_page, scenario = cards(app), app.session_state["dpviz.scenario"]
    file, study = in_file("neighbours", scenario), page_study(PageSubject(scenario))
    assert {name: file[name] for name in on_page} == on_page
    hers = [study.data.label(int(item)) for item in study.two_worlds.person_items]
    (row,) = command(scenario, "loss", "--down", *hers).values()
    assert row["method"] == "exact"
    assert on_page["Privacy loss"] == f"{format_three_digits(float(row['largest']))} of 1"
    assert on_page["On average"] == format_three_digits(float(row["mean"]))

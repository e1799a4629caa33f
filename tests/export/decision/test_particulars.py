"""What only the publisher can say: asked for, carried by links and files."""

import html
import json
import re
from dataclasses import asdict, replace
from datetime import date
from functools import cache
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest

from dpviz import ParameterError, Question, Scenario, decide
from dpviz.__main__ import main
from dpviz.export.decision import decision_json, decision_record, decision_sheet
from dpviz.export.release import build_release_plan, read_sheet
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import Decision
from dpviz.studies.decision.publisher_details import (
    PublisherDetails,
    day_in_words,
    read_publisher_details,
    with_publisher_details,
)

DATE = date(2026, 5, 4)
SAID = {
    "purpose": "A poster <b>",
    "kept_by": "School office",
    "deleted": "School office, after a year",
    "review_date": "2027-05-04",
    "curators": "School; Town & co",
    "data_domain": "One vote of a pupil",
    "region": "Lower Saxony",
    "publication_date": "2026-06-01",
    "post_processing": "None",
    "sheet_version": "2",
    "replaces": "3f2a, version 1",
    "decided_by": "A. Head",
    "data_steward": "B. Clerk",
    "published_by": "C. Press",
}


@cache
def decided() -> Decision:
    return decide(Question(k=2, data=DataSpec(name="class_trip"), epsilon=1.0))


def said_on(page: str) -> dict[str, str]:
    found = re.findall(r"<b>(.*?)</b>: (.*?)\.(?: |</p>)", page)
    return {name: html.unescape(said) for name, said in found}


def test_what_nobody_said_is_said_to_be_open() -> None:
    record = json.loads(decision_json(decided(), date=DATE))
    assert set(record["particulars"].values()) == {None}
    assert set(record["signed"].values()) == {None}
    page = decision_sheet(decided(), date=DATE)
    told = said_on(page)["Not answered"].split(", ")
    assert {"Purpose", "Raw counts kept by", "Raw counts deleted", "Region"} <= set(told)
    assert "version 1, 4 May 2026. Replaces no other sheet." in page


def test_what_is_said_stands_on_the_sheet_and_where_the_registry_has_it() -> None:
    decision = with_publisher_details(decided(), **SAID)
    record = json.loads(decision_json(decision, date=DATE))
    page = decision_sheet(decision, date=DATE)
    schema = files("dpviz.export.decision").joinpath("schema.json").read_text(encoding="utf-8")
    jsonschema.validate(record, json.loads(schema))
    assert record["particulars"] | record["signed"] == SAID
    product, deployment = record["deployment"]["product"], record["deployment"]
    assert product["data_curators"] == ["School", "Town & co"]
    assert product["intended_use"] == SAID["purpose"]
    assert product["data_product_region"] == SAID["region"]
    assert product["publication_date"] == SAID["publication_date"]
    assert deployment["dp_flavor"]["data_domain"] == SAID["data_domain"]
    assert deployment["accounting"]["post_processing"] == "None"
    stamped = ("sheet_version", "replaces")
    told = {said for name, said in record["particulars"].items() if name not in stamped}
    assert {*said_on(page).values(), "C. Press"} - {"nothing"} >= told
    number = record["sheet"]["number"]
    assert f"Sheet {number}, version 2, 4 May 2026. Replaces sheet 3f2a, version 1." in page
    assert number == decision_record(decided(), date=DATE)["sheet"]["number"]
    assert re.findall(r"(Decided by|Data steward):<br>(.*?)<", page) == [
        ("Decided by", "A. Head"),
        ("Data steward", "B. Clerk"),
    ]
    assert page.count("Signature, date") == 2
    assert "poster <b>" not in page


def test_links_and_files_carry_it_and_no_figure_depends_on_it() -> None:
    decision = with_publisher_details(decided(), **SAID)
    for scenario in (
        Scenario.from_query(decision.scenario.to_query()),
        Scenario.from_json(decision.scenario.to_json()),
    ):
        assert asdict(read_publisher_details(scenario)) == SAID
        assert Question.from_scenario(scenario) == decided().question
    plan = build_release_plan(decision)
    assert plan == read_sheet("s", decision_json(decision, date=DATE).encode())
    assert plan.digest == build_release_plan(decided()).digest
    assert replace(plan, review_date=None) == build_release_plan(decided())
    assert "sheet.purpose" not in decision_sheet(decision, date=DATE)
    taken_out = with_publisher_details(decision, **dict.fromkeys(SAID, ""))
    assert taken_out.scenario == decided().scenario


@pytest.mark.parametrize(
    ("day", "text"),
    [
        ("2027-12-31", "31.12.2027 31/12/2027 12/31/2027 2027/12/31 20271231 31-12-27"),
        ("2027-04-03", "03.04.2027 3/4/2027 2027-04-03 2027.04.03"),
    ],
)
def test_a_day_is_read_in_any_usual_form_the_day_before_the_month(day: str, text: str) -> None:
    for form in [*text.split(), day_in_words(day), day_in_words(day).upper() + " "]:
        said = with_publisher_details(decided(), review_date=form)
        assert read_publisher_details(said.scenario).review_date == day


@pytest.mark.parametrize("value", ["soon", "2027-13-01", "31.12.", "2027", "Friday", "9" * 30])
def test_a_day_is_a_day(value: str) -> None:
    with pytest.raises(ParameterError, match="To be reviewed on must be a day, such as 31"):
        with_publisher_details(decided(), review_date=value)
    scenario = decided().scenario.replace(
        page={"sheet.review_date": value, "sheet.purpose": "a poster"}
    )
    assert read_publisher_details(scenario) == PublisherDetails(purpose="a poster")


def test_options_of_the_command_go_over_a_scenario(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "s.json"
    first = with_publisher_details(decided(), purpose="a poster", region="Here")
    file.write_text(first.scenario.to_json())
    line = f"decide --scenario {file} --purpose book --kept-by Office --format json"
    assert main(line.split()) == 0
    said = json.loads(capsys.readouterr().out)["particulars"]
    told = {name: value for name, value in said.items() if value}
    assert told == {"purpose": "book", "kept_by": "Office", "region": "Here"}
    assert main([*line.split(), "--review-date", "soon"]) == 2
    assert "To be reviewed on must be a day" in capsys.readouterr().err

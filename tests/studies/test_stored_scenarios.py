"""Scenario files and links of version 1, of each kind, open as they were, for years.

tests/data/scenarios.json is not to be made anew: what stands in it was written when these fields
came. What was stored before there were any is in links.json.
"""

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from dpviz import Scenario
from dpviz.studies.data_spec import DataSpec

DATA = Path(__file__).parents[1] / "data"
STORED = json.loads((DATA / "scenarios.json").read_text(encoding="utf-8"))["scenarios"]
BEFORE = json.loads((DATA / "links.json").read_text(encoding="utf-8"))
by_name = pytest.mark.parametrize("stored", STORED, ids=lambda stored: stored["name"])


@by_name
def test_a_file_opens_as_it_was(stored: dict[str, Any]) -> None:
    scenario = Scenario.from_json(json.dumps(stored["file"]))
    assert json.loads(scenario.to_json()) == stored["file"]
    assert scenario.to_query() == stored["link"]


@by_name
def test_a_link_opens_as_it_was(stored: dict[str, Any]) -> None:
    scenario = Scenario.from_query(stored["link"])
    assert scenario.to_query() == stored["link"]
    assert scenario == Scenario.from_json(json.dumps(stored["file"])).replace(scores=None)


def test_what_was_stored_before_opens_without_the_new_fields() -> None:
    for content in BEFORE["files"]:
        assert json.loads(Scenario.from_json(json.dumps(content)).to_json()) == content
    for stored in BEFORE["links"]:
        scenario = Scenario.from_query(stored["link"])
        assert scenario.to_query() == stored["link"]
        said, data = stored["link"].get, scenario.data
        assert (scenario.name, data.called) == (said("name", ""), said("called"))
        assert (data.unit, data.d) == (said("unit"), int(said("d")) if said("d") else None)


def test_every_source_and_every_field_is_stored() -> None:
    files = [stored["file"] for stored in STORED]
    data = [file["data"] for file in files]
    assert {one["source"] for one in data} == {"example", "generated", "uploaded"}
    said = {name for one in data for name, value in one.items() if value is not None}
    assert said == {field.name for field in fields(DataSpec)}
    assert set().union(*files) >= {field.name for field in fields(Scenario)}

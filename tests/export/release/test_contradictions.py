"""A sheet that contradicts itself is not obeyed: any edit is refused, or changes no release."""

import html
import json
import re
from collections.abc import Iterator
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from dpviz import ParameterError, Question, Scores, decide
from dpviz.export.decision import decision_json, release_code
from dpviz.export.release import Refusal, ReleasePlan, build_release_plan, read_sheet
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import Decision
from dpviz.studies.design import Design

DATE = date(2026, 5, 4)
STORED = Path(__file__).resolve().parents[2] / "data" / "sheets"
COUNTS = [918, 640, 455, 300, 180, 90]
Place = tuple[str | int, ...]
EPSILONS: list[Place] = [
    ("decision", "epsilon"),
    ("decision", "scenario", "epsilon"),
    ("deployment", "privacy_loss", "privacy_parameters", "epsilon"),
    ("deployment", "dp_flavor", "bound_on_output_distance"),
]


@cache
def decided(mechanism: str, **parameters: Any) -> Decision:
    known = mechanism not in ("threshold_counts", "limited_domain")
    spec = DataSpec(
        source="uploaded", monotonic=True, contributions=2, items_known=known, unit="household-day"
    )
    plan = {"k": 2, "releases": 12, "counts_in": 3, "goal": "2 of 2 in 0.9", "most_epsilon": 9.0}
    designs = (Design(mechanism=mechanism, parameters=parameters),)
    said: dict[str, Any] = plan | {"name": "Trips", "decided_on": "past", "picked": True}
    question = Question(data=spec, designs=designs, **said)
    return decide(question, Scores(COUNTS, monotonic=True, contributions=2, names_known=known))


MADE: dict[str, dict[str, Any]] = {
    "canonical": {},
    "one_shot": {"noise": "laplace"},
    "gaussian_counts": {"delta": 1e-8},
    "threshold_counts": {"delta": 1e-8, "noise": "gaussian"},
    "limited_domain": {"delta": 1e-8, "candidates": 4},
}
NAMES = [*MADE, *sorted(path.stem for path in STORED.glob("*.json"))]


@cache
def sheet_of(name: str) -> dict[str, Any]:
    if name in MADE:
        return dict(json.loads(decision_json(decided(name, **MADE[name]), date=DATE)))
    return dict(json.loads((STORED / f"{name}.json").read_text(encoding="utf-8")))


def places(part: Any, at: Place = ()) -> Iterator[tuple[Place, Any]]:
    inner = part.items() if isinstance(part, dict) else enumerate(part)
    for name, value in inner:
        yield (*at, name), value
        if isinstance(value, dict | list):
            yield from places(value, (*at, name))


def numbers(sheet: dict[str, Any]) -> list[tuple[Place, float]]:
    return [
        (place, value)
        for place, value in places(sheet)
        if type(value) in (int, float) and place != ("version",)
    ]


def edited(sheet: dict[str, Any], place: Place, value: Any) -> bytes:
    part: Any = sheet
    for name in place[:-1]:
        part = part[name]
    before, part[place[-1]] = part[place[-1]], value
    changed = json.dumps(sheet).encode()
    part[place[-1]] = before
    return changed


def read(content: bytes) -> ReleasePlan | str:
    try:
        return read_sheet("sheet", content)
    except ParameterError as err:
        return str(err)


@pytest.mark.parametrize("name", NAMES)
def test_a_sheet_agrees_with_itself(name: str) -> None:
    plan = read(json.dumps(sheet_of(name)).encode())
    assert isinstance(plan, ReleasePlan), plan
    assert plan.epsilon == sheet_of(name)["decision"]["epsilon"]


@pytest.mark.parametrize("path", sorted(STORED.iterdir()), ids=lambda path: path.name)
def test_sheets_of_before_are_read_in_any_form(path: Path) -> None:
    assert isinstance(read(path.read_bytes()), ReleasePlan)


@pytest.mark.parametrize("name", NAMES)
def test_an_edit_of_one_number_is_refused_or_changes_no_release(name: str) -> None:
    sheet, refused, kept = sheet_of(name), set(), set()
    plan = read(json.dumps(sheet).encode())
    for place, value in numbers(sheet):
        for other in (value * 10, value / 10 if isinstance(value, float) and value else 7):
            if other == value:
                continue
            found = read(edited(sheet, place, type(value)(other)))
            assert isinstance(found, str) or found == plan, place
            (kept if found == plan else refused).add(place)
    spent = {
        *EPSILONS,
        ("decision", "published", "k"),
        ("decision", "published", "releases"),
        ("decision", "protected", "sensitivity"),
        ("decision", "protected", "contributions"),
        ("decision", "delta"),
        ("decision", "scenario", "k"),
        *(("decision", "mechanism", "parameters", one) for one in ("gamma", "delta", "candidates")),
    }
    assert spent & {place for place, _ in numbers(sheet)} <= refused - kept


@pytest.mark.parametrize(
    "value", ["x", [1], True, float("nan"), 10**400], ids=lambda value: f"{value}"[:5]
)
def test_any_value_in_any_place_is_taken_or_told_in_one_sentence(value: object) -> None:
    for place, _ in places(sheet_of("v2")):
        found = read(edited(sheet_of("v2"), place, value))
        assert isinstance(found, ReleasePlan) or found.endswith("."), place


@pytest.mark.parametrize("name", NAMES)
def test_a_cost_that_is_stated_too_small_is_refused_and_a_larger_one_is_not(name: str) -> None:
    """An older account may have been looser; what is drawn does not go by it."""
    sheet = {part: value for part, value in sheet_of(name).items() if part != "sheet"}
    costs = ("total", "account", "rho", "guess_at_most", "everyone")
    checked = [
        (place, value)
        for place, value in numbers(sheet)
        if place[0] == "decision" and place[1] in costs and place[-1] not in ("delta", "releases")
    ]
    assert len(checked) >= 4
    for place, value in checked:
        if place[-1] == "bounded range":
            continue
        for less in (0.999, 0.5, 0.0) if name in MADE else (0.5, 0.0):
            found = read(edited(sheet, place, value * less))
            assert isinstance(found, str), (place, less)
            assert f"is {value * less!r}" in found
        if place[-1] != "rho" or place[1] != "rho":  # which the deployment repeats
            assert isinstance(read(edited(sheet, place, value * 1.5)), ReleasePlan), place


@pytest.mark.parametrize(("before", "after"), [(2.0, 20.0), (8e-5, 50.0)])
def test_an_epsilon_that_was_edited_is_refused_by_a_sentence_that_names_both(
    before: float, after: float
) -> None:
    question = decided("canonical").question.replace(epsilon=before, most_epsilon=1e3)
    sheet = json.loads(decision_json(decide(question, Scores(COUNTS, monotonic=True)), date=DATE))
    message = read(edited(sheet, ("decision", "epsilon"), after))
    assert isinstance(message, str)
    assert repr(before) in message
    assert repr(after) in message
    for place in EPSILONS:
        sheet = json.loads(edited(sheet, place, after))
    assert "release_code" in str(read(json.dumps(sheet).encode()))
    del sheet["release_code"]  # where all that repeats it is changed too its total gives it away
    message = str(read(json.dumps(sheet).encode()))
    assert f"its plan, with ε = {after!r} for one release, needs" in message


def test_a_digest_catches_what_no_other_figure_contradicts() -> None:
    sheet = sheet_of("canonical")
    plan = read(json.dumps(sheet, indent=3).encode())
    assert isinstance(plan, ReleasePlan)
    assert plan.decision == sheet["sheet"]["digest"]
    integers = re.sub(r"(\d)\.0\b", r"\1", json.dumps(sheet))  # as other languages write them
    assert read(integers.encode()) == plan
    for place, value in (
        (("decision", "total", "epsilon"), 1e3),
        (("decision", "verdict"), "Yes: this stays within your limit."),
        (("decision", "decided_on", "kind"), "public"),
        (("sheet", "digest"), "0"),
    ):
        assert "was changed after the sheet was made" in str(read(edited(sheet, place, value)))
        older = json.loads(edited(sheet, place, value))
        del older["sheet"]
        assert read(json.dumps(older).encode()) == plan


def test_an_edit_of_a_script_or_of_the_script_on_a_page_is_refused() -> None:
    decision = decided("one_shot", noise="laplace")
    plan = build_release_plan(decision)
    text = release_code(decision).text
    assert read_sheet("s", text.encode()) == plan
    refused = r"contradicts itself: its plan, .* has the digest \w{16}, and the sheet"
    for name in ("k", "releases", "epsilon", "sensitivity", "contributions"):
        code = re.sub(rf"(?m)^( +'{name}'): .*,$", r"\1: 5,", text)
        assert code != text
        for whole in (code, f"<pre><code>{html.escape(code)}</code></pre>"):
            with pytest.raises(Refusal, match=refused):
                read_sheet("s", whole.encode())


def test_a_sheet_that_says_not_to_publish_is_not_obeyed_once_a_word_of_it_is_changed() -> None:
    question = decided("canonical").question.replace(most_epsilon=1e-3)
    decision = decide(question, Scores(COUNTS, monotonic=True))
    assert decision.do_not_publish
    sheet = json.loads(decision_json(decision, date=DATE))
    assert "says not to publish" in str(read(json.dumps(sheet).encode()))
    assert "decision.publish is true" in str(read(edited(sheet, ("decision", "publish"), True)))

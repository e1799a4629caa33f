"""File with a slider and command say the same figures of the same settings.

A command tells numbers, read here as the file's text; screens are read in tests/web.
"""

import csv
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from dpviz.__main__ import main
from dpviz.base.text_format import number_text, percent, percent_upper_bound, upper_bound_text
from dpviz.data import EXAMPLES
from dpviz.margin.baselines import COMPARED
from dpviz.pages import load_page_view
from dpviz.pages.candidates import choice_view
from dpviz.pages.candidates.study import ChoiceStudy
from dpviz.pages.common.page_view import PageSubject
from dpviz.pages.common.wording import format_three_digits
from dpviz.pages.decide.sentences import phrases
from dpviz.pages.margin import sentences as margin_sentences
from dpviz.pages.margin.study import MarginStudy
from dpviz.pages.neighbours import sentences as neighbours
from dpviz.pages.neighbours.view import page_study
from dpviz.studies.scenario import Scenario
from dpviz.topk.classes import EVENTS

Figures = dict[str, str]
Row = dict[str, str]
"""A row of a command's table."""


def probability(row: Row, name: str = "value", low: str = "low", high: str = "high") -> str:
    return percent(float(row[name]), float(row[low]), float(row[high]))


def explored(rows: list[Row]) -> Figures:
    return {
        EVENTS[row["figure"]].label: probability(row)
        for row in rows
        if row["figure"] in ("top", "great", "good")
    }


def compared(rows: list[Row]) -> Figures:
    return {
        f"{letter} {row['design']}: {EVENTS[name].label}": probability(
            row, name, f"{name}_low", f"{name}_high"
        )
        for letter, row in zip("ABC", rows, strict=True)
        for name in ("top", "great", "good")
    }


def of_margin(rows: list[Row]) -> Figures:
    (own,) = (row for row in rows if row["mechanism"] == "large_margin")
    name = COMPARED.label("large_margin")
    best, near = (percent(float(own[column])) for column in ("best", "near_best"))
    return {f"{name}: Best item": best, f"{name}: Good item": near}


def of_candidates(rows: list[Row]) -> Figures:
    row = next(row for row in rows if "poisson" in row.values())
    nothing = float(row["nothing"])
    return {
        "Mean score": number_text(float(row["score"])),
        "Runs": number_text(round(float(row["runs"]), 2)),
        "Nothing": percent(nothing) if nothing > 1e-12 else "0",
    }


def of_neighbours(rows: list[Row]) -> Figures:
    (row,) = rows
    return {
        "Privacy loss": f"{number_text(float(row['largest']), 4)} of 1",
        "On average": format_three_digits(float(row["mean"])),
    }


TRIP = {"data": "example:class_trip", "k": "2"}
DESIGNS = {"m1": "canonical;gamma=0.3", "m2": "peeling", "m3": "one_shot;noise=exponential"}


@dataclass(frozen=True)
class Told:
    """A page at some settings, its command, and how the command's rows are read."""

    page: str
    query: dict[str, str]
    command: tuple[str, ...]
    read: Callable[[list[Row]], Figures]


TOLD = [
    Told("explore", TRIP | {"epsilon": "1.5", "m1": "peeling"}, ("distribution",), explored),
    Told("compare", {"epsilon": "0.2", "k": "10", **DESIGNS}, ("compare",), compared),
    Told("margin", {"data": "example:help_line", "epsilon": "0.5"}, ("margin",), of_margin),
    Told(
        "candidates",
        {"page.pc.rule": "poisson", "page.pc.mean": "20", "page.pc.people": "60"},
        ("candidates",),
        of_candidates,
    ),
    Told(
        "neighbours",
        TRIP | {"epsilon": "1.0", "page.neighbours.who": "ticked", "page.neighbours.items": "i0-3"},
        ("loss", "--down", *map(EXAMPLES["class_trip"].scores().label, (0, 3))),
        of_neighbours,
    ),
]


def in_file(page: str, scenario: Scenario) -> Figures:
    """The headline figures where the slider starts, with whose they are where there are several."""
    made = load_page_view(page).build_slider_figure(PageSubject(scenario), lambda fraction: None)
    step = made.steps[made.start]
    return {
        f"{who}: {name}" if len(step.cells) > 1 else name: cell
        for who, cells in zip(made.rows or [""], step.cells, strict=True)
        for (name, _), cell in zip(made.column_headings, cells, strict=True)
    }


def at_command(
    capsys: pytest.CaptureFixture[str], saved: Path, scenario: Scenario, *argv: str
) -> str:
    saved.write_text(scenario.to_json(), encoding="utf-8")
    capsys.readouterr()
    assert main([*argv, f"--scenario={saved}", "--quiet"]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("told", TOLD, ids=lambda told: told.page)
def test_file_and_command_say_the_same(
    told: Told, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scenario = Scenario.from_query(told.query)
    out = at_command(capsys, tmp_path / "s.json", scenario, *told.command, "--format=csv")
    figures = told.read(list(csv.DictReader(io.StringIO(out))))
    file = in_file(told.page, scenario)
    assert figures
    assert {name: file.get(name) for name in figures} == figures


OWN = f"{COMPARED.label('large_margin')}: "
CARDS = {
    "margin": (
        OWN,
        lambda s: margin_sentences.headlines(MarginStudy.from_scenario(s, s.load()).compute()),
    ),
    "candidates": ("", lambda s: choice_view.headlines(ChoiceStudy(scenario=s).compute())),
    "neighbours": ("", lambda s: neighbours.headlines(page_study(PageSubject(s)).loss)),
}


@pytest.mark.parametrize("page", CARDS)
def test_cards_of_the_page_say_what_the_file_says(page: str) -> None:
    (scenario,) = (Scenario.from_query(told.query) for told in TOLD if told.page == page)
    file, (own, headlines) = in_file(page, scenario), CARDS[page]
    shown = {own + card.name: f"{card.value}{card.of}" for card in headlines(scenario)}
    both = shown.keys() & file.keys()
    assert len(both) >= 2
    for name in both:
        assert file[name].partition(", δ")[0] == shown[name], name


def test_decide_says_the_same_in_file_and_sheet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    query = {"page.decide.goal": "2 of 2 in 0.9", "page.decide.releases": "5"}
    scenario = Scenario.from_query({"v": "1", **TRIP, **query})
    out = at_command(capsys, tmp_path / "s.json", scenario, "decide", "--format=json")
    decision = json.loads(out)["decision"]
    utility, total = decision["utility"], decision["total"]
    at = f" at δ = {upper_bound_text(total['delta'])}" if total["delta"] else ""
    assert in_file("decide", scenario) == {
        "The goal": percent(utility["chance"], utility["low"], utility["high"]),
        "All releases": f"{upper_bound_text(total['epsilon'])}{at}",
        "An attacker is right": f"≤ {percent_upper_bound(decision['guess_at_most'])} in 100",
        "Missing": f"{utility['missed']:.2g}",
    }
    made = load_page_view("decide").build_slider_figure(
        PageSubject(scenario), lambda fraction: None
    )
    assert made.steps[made.start].value == phrases.format_parameter(decision["epsilon"])

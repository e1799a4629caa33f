"""Page, file with a slider and command say the same figures of the same settings.

A figure that more than one of the three has must be the same text in all.
"""

import csv
import html
import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.__main__ import main
from dpviz.charts.text_format import number_text, percent
from dpviz.margin.baselines import COMPARED
from dpviz.pages import load_page_view
from dpviz.pages.common.slider_file import Takeaway
from dpviz.pages.common.subject import PageSubject
from dpviz.studies.scenario import Scenario
from dpviz.topk.classes import EVENTS
from tests.web.screens.conftest import empty_caches, open_page  # noqa: F401 - fixtures
from tests.web.screens.waiting import run_when_computed

OpenPage = Callable[..., AppTest]
Figures = dict[str, str]
"""What is said, by the name of the figure."""
Row = dict[str, str]


@dataclass(frozen=True)
class Said:
    """A page at some settings, and how its figures are read off page, file and command."""

    page: str
    query: Row
    command: str
    of_page: Callable[[AppTest], Figures]
    of_file: Callable[[Takeaway], Figures]
    of_command: Callable[[list[Row]], Figures]
    everywhere: set[str]

    def __str__(self) -> str:
        return " ".join([self.page, *self.query.values()])


# ---- how figures are read ------------------------------------------------------------------------


def plain(markup: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", "", markup)).strip()


def body(app: AppTest, mark: str) -> str:
    """The piece of HTML with this mark, once nothing in it waits."""
    for _ in range(60):
        shown = [element.proto.body for element in app.get("html")]
        found = next(body for body in shown if mark in body and "<style" not in body)
        if "dp-wait" not in found:
            return found
        run_when_computed(app)
    raise AssertionError("not everything has come")


def cards(app: AppTest) -> Figures:
    """Each headline figure by its name; cards of several events stand for each of them."""
    name = r'<div class="dp-name">(.*?)(?:<span class="dp-tip".*?)?</div>'
    shown = re.findall(name + r'<div class="dp-value">(.*?)</div>', body(app, "dp-cards"))
    return {name: plain(value) for names, value in shown for name in plain(names).split(", ")}


def only_row(made: Takeaway) -> Figures:
    """The headline figures of a file that is about one thing."""
    names = [name for name, _ in made.column_headings]
    return dict(zip(names, made.steps[made.start].cells[0], strict=True))


def rows(made: Takeaway) -> Figures:
    """The headline figures of a file, with whose they are."""
    return {
        f"{who}: {name}": cell
        for who, cells in zip(made.rows, made.steps[made.start].cells, strict=True)
        for (name, _), cell in zip(made.column_headings, cells, strict=True)
    }


# ---- Explore -------------------------------------------------------------------------------------


def explored(app: AppTest) -> Figures:
    shown = cards(app)
    right, _, _ = shown.pop("Right on average").partition(" of ")
    return {**shown, "Right on average": right}


def distribution(told: list[Row]) -> Figures:
    return {EVENTS[row["figure"]].label: chance(row) for row in told if row["figure"] in EVENTS}


def chance(row: Row, name: str = "value", low: str = "low", high: str = "high") -> str:
    return percent(float(row[name]), float(row[low]), float(row[high]))


# ---- Compare -------------------------------------------------------------------------------------


def compared(app: AppTest) -> Figures:
    table = body(app, 'aria-label="Headline figures"')
    bare = re.sub("<small>.*?</small>", "", table)
    _, *heads = map(plain, re.findall("<th[ >].*?</th>", bare))
    found: Figures = {}
    for row in re.findall("<tr><td.*?</tr>", table):
        who = plain(re.sub('<span class="dp-tip".*?</span></span>', "", row.partition("</td>")[0]))
        values = re.findall(r'<div class="dp-cell">(.*?)(?: <small|</div>)', row)
        found |= {f"{who}: {head}": plain(value) for head, value in zip(heads, values, strict=True)}
    return found


def side_by_side(told: list[Row]) -> Figures:
    found: Figures = {}
    for letter, row in zip("ABCDEF", told, strict=False):
        who = f"{letter} {row['design']}"
        for name in (name for name in EVENTS if name in row):
            p = chance(row, name, f"{name}_low", f"{name}_high")
            found[f"{who}: {EVENTS[name].label}"] = p
        right, digits = float(row["share"]) * int(row["k"]), 2 if row["method"] == "exact" else 1
        found[f"{who}: Right on average"] = number_text(round(right, digits))
    return found


# ---- Margin --------------------------------------------------------------------------------------


def margin_file(made: Takeaway) -> Figures:
    told, own = rows(made), COMPARED.label("large_margin")
    figures = {name: told[f"{own}: {name}"] for name in ("Best item", "Good item")}
    return {**figures, "Exponential": told[f"{COMPARED.label('gumbel')}: Best item"]}


def margin_table(told: list[Row]) -> Figures:
    by_name = {row["mechanism"]: row for row in told}
    own = by_name["large_margin"]
    return {
        "Best item": percent(float(own["best"])),
        "Good item": percent(float(own["near_best"])),
        "Exponential": percent(float(by_name["gumbel"]["best"])),
    }


OF_EXPLORE = ("distribution", explored, only_row, distribution)
DESIGNS = {"m1": "canonical;gamma=0.3", "m2": "peeling", "m3": "one_shot;noise=exponential"}
PAGES = [
    Said(
        "explore",
        {"data": "example:library_loans", "epsilon": "0.3", "k": "10"},
        *OF_EXPLORE,
        everywhere={"TOP", "OPTIMAL", "GREAT", "GOOD"},
    ),
    Said(
        "explore",
        {"data": "example:class_trip", "epsilon": "1.5", "k": "2", "m1": "peeling"},
        *OF_EXPLORE,
        everywhere={"TOP", "GREAT", "GOOD"},
    ),
    Said(
        "compare",
        {"data": "example:help_line", "epsilon": "0.2", "k": "10", **DESIGNS},
        *("compare", compared, rows, side_by_side),
        {"A Canonical · gamma 0.3: TOP", "B Peeling: GREAT", "C One-shot · exponential: GOOD"},
    ),
    Said(
        "margin",
        {"data": "example:bought_together", "epsilon": "0.5", "page.delta": "1e-4"},
        *("margin", cards, margin_file, margin_table),
        everywhere={"Best item", "Good item", "Exponential"},
    ),
]


@pytest.mark.parametrize("said", PAGES, ids=str)
def test_page_file_and_command_say_the_same(
    said: Said,
    open_page: OpenPage,  # noqa: F811 - the fixture
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    app = open_page(said.page, **said.query)
    scenario: Scenario = app.session_state["dpviz.scenario"]
    on_page = said.of_page(app)
    view, saved = load_page_view(said.page), tmp_path / "scenario.json"
    in_file = said.of_file(view.build_takeaway(PageSubject(scenario), lambda fraction: None))
    saved.write_text(scenario.to_json(), encoding="utf-8")
    capsys.readouterr()
    assert main([said.command, "--scenario", str(saved), "--format=csv", "--quiet"]) == 0
    at_command = said.of_command(list(csv.DictReader(io.StringIO(capsys.readouterr().out))))
    views = {"page": on_page, "file": in_file, "command": at_command}
    for way, figures in views.items():
        assert said.everywhere <= figures.keys(), way
    for name in {name for figures in views.values() for name in figures}:
        told = {way: figures[name] for way, figures in views.items() if name in figures}
        assert len(set(told.values())) == 1, f"{name}: {told}"

"""One colour has one meaning, in every chart, style sheet and template, and can be told apart."""

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpviz
from dpviz.charts.grammar import marks
from dpviz.charts.look import DARK, LIGHT, LOOKS, Look, world_or_design_colour
from dpviz.export.lessons.experiment_picture import experiment_svg
from dpviz.teaching.lessons import LESSONS
from tests.charts.test_every_chart import CASES, ChartFunction, charts

HOME = Path(dpviz.__file__).parent
THEMES = tomllib.loads((HOME.parent / ".streamlit/config.toml").read_text(encoding="utf-8"))[
    "theme"
]
MARKED = re.compile(r"#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})\b|\b(?:rgb|hsl)a?\([^)]*\)", re.I)
WRITTEN = {
    path: path.read_text(encoding="utf-8")
    for path in HOME.rglob("*")
    if path.suffix in {".py", ".css", ".html", ".js"} and path != HOME / "charts" / "look.py"
}
APART = 8.0  # Oklab × 100: two fields side by side are told apart at a glance
# how a colour is seen: with all cones, without those for red, without those for green
SEEN = [
    np.eye(3),
    np.array([[0.1523, 1.0526, -0.2049], [0.1145, 0.7863, 0.0992], [-0.0039, -0.0481, 1.052]]),
    np.array([[0.3673, 0.8606, -0.228], [0.2801, 0.6725, 0.0474], [-0.0118, 0.0429, 0.9689]]),
]
LMS = np.array([[0.4122, 0.5363, 0.0514], [0.2119, 0.6807, 0.1074], [0.0883, 0.2817, 0.63]])
LAB = np.array([[0.2105, 0.7936, -0.0041], [1.978, -2.4286, 0.4506], [0.0259, 0.7828, -0.8087]])
# what a legend may call, and what rules of a style sheet may be for, by the meaning of a colour
CALLED = {
    "right": "right|above|reaches|hits",
    "wrong": "wrong|mistake|does not",
    "attacker": "guess|about her|right",
    "with_her": "^with ",
    "without_her": "^without ",
}
STYLED = {
    "right": r"right|out|whole|large|scene-tally|scene-curves",
    "wrong": r"wrong|off|problem|em\b|glow|tally|^\s*50%",
    "attacker": r"guess|lit|span|people",
}


def linear(colour: str) -> Any:
    c = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def lightness(colour: str) -> float:
    return float(linear(colour) @ [0.2126, 0.7152, 0.0722])


def contrast(a: str, b: str) -> float:
    high, low = sorted((lightness(a), lightness(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def too_near(colours: Iterable[str]) -> list[tuple[str, str]]:
    placed = {
        colour: [100 * LAB @ np.cbrt(LMS @ np.clip(seen @ linear(colour), 0, 1)) for seen in SEEN]
        for colour in colours
    }
    return [
        (a, b)
        for a, b in combinations(placed, 2)
        if min(np.linalg.norm(np.subtract(placed[a], placed[b]), axis=1)) < APART
    ]


@pytest.mark.parametrize("look", LOOKS.values(), ids=list(LOOKS))
class TestLook:
    def test_sequential_colours_run_away_from_the_paper_in_lightness(self, look: Look) -> None:
        steps = np.diff([lightness(colour) for colour in look.sequential])
        assert (steps < 0).all() if look is LIGHT else (steps > 0).all()

    def test_text_and_lines_can_be_read_on_the_paper_of_the_app(self, look: Look) -> None:
        assert contrast(look.ink, look.paper) > 12
        assert min(contrast(look.muted, look.paper), contrast(look.press, "#ffffff")) > 4.5
        theme = THEMES[look.name]
        assert (theme["backgroundColor"], theme["textColor"]) == (look.paper, look.ink)

    def test_all_meanings_are_told_apart_also_without_red_or_green(self, look: Look) -> None:
        grounds = "ink|line|paper|raised|press|sequential_.|second_."
        colours = [
            c for name, c in look.colours_by_meaning.items() if not re.fullmatch(grounds, name)
        ]
        assert not too_near(colours)
        assert min(contrast(colour, look.paper) for colour in colours) >= 3
        assert len({*look.colours_by_meaning.values()}) == len(look.colours_by_meaning)
        assert too_near(["#2e8b3d", "#9c6b1e"])  # green and brown, seen without red

    def test_every_chart_takes_its_colours_from_the_dictionary(self, look: Look) -> None:
        every = [one.figure.data for made in CASES for one in charts(made, look)]
        drawn = [json.dumps([one["data"], one["layout"] | {"template": 0}]) for one in every]
        assert not unknown(drawn, look)
        assert unknown(['{"color": "#c8500a"}', "fill: rgb(1 2 3 / .4)"], look)


def unknown(texts: Iterable[str], look: Look) -> set[str]:
    """Colours in the texts that are not in the dictionary, nor a mixture of the map's."""
    known = {
        *look.colours_by_meaning.values(),
        *marks.chance_colours(np.linspace(0, 1, 100_001), look),
        "rgba(0,0,0,0)",
    }
    known |= {look.transparent_colour(colour) for colour in look.colours_by_meaning.values()}
    return {colour for text in texts for colour in MARKED.findall(text.lower())} - known


def test_a_presenters_text_is_larger() -> None:
    assert replace(DARK, scale=1.5).text_size == 1.5 * DARK.text_size


def test_pictures_in_lessons_take_their_colours_from_the_dictionary() -> None:
    steps = [(lesson, step) for lesson in LESSONS.values() for step in lesson.steps]
    shown = [(step.experiment, lesson.seed) for lesson, step in steps if step.experiment]
    assert len(shown) > 10
    assert not unknown(
        [
            experiment_svg(of, of.start, of.draw_outcome_counts_per_law(of.start, seed))
            for of, seed in shown
        ],
        LIGHT,
    )
    for of, _ in shown:
        named = {
            world_or_design_colour(name, i, LIGHT) for i, name in enumerate(of.drawn_law_names)
        }
        assert len(named) == len(of.drawn_law_names)


def test_no_other_file_names_a_colour() -> None:
    variables = {f"--dp-{name.replace('_', '-')}" for name in LIGHT.colours_by_meaning}
    variables |= {*re.findall(r"(--dp-[a-z]+):", "".join(WRITTEN.values()))}
    for path, text in WRITTEN.items():
        assert {*MARKED.findall(text)} <= {"rgba(0,0,0,0)"}, path
        used = {*re.findall(r"(?<!-)(--dp-[a-z0-9-]+)(?=\))", text)}
        assert used <= variables, path


def faults(figure: Mapping[str, Any], look: Look) -> list[str]:
    """Names that a colour does not mean, and those that share both colour and shape with another."""
    by_colour = {look.colours_by_meaning[meaning]: words for meaning, words in CALLED.items()}
    found, signs = [], dict[str, str]()
    for one in (trace for trace in figure["data"] if trace.get("name")):
        marker, line = one.get("marker", {}), one.get("line", {})
        own = [colour for colour in by_colour if colour in json.dumps([marker, line])]
        found += [one["name"] for colour in own if not re.search(by_colour[colour], one["name"])]
        shape = (marker.get("pattern") or {}).get("shape"), marker.get("symbol"), line.get("dash")
        sign = [one["type"], one.get("mode"), *shape, one.get("xaxis"), marker.get("color"), line]
        if one["type"] != "heatmap" and "text" not in one:
            other = signs.setdefault(json.dumps(sign), one["name"])
            found += [f"{other} = {one['name']}"] if other != one["name"] else []
    return found


@pytest.mark.parametrize("function", CASES, ids=lambda function: function.__name__)
def test_a_colour_in_a_chart_means_what_it_means(function: ChartFunction) -> None:
    assert not [
        fault for one in charts(function, LIGHT) for fault in faults(one.figure.data, LIGHT)
    ]


def test_a_colour_of_two_meanings_is_found() -> None:
    spy = {"type": "bar", "name": "wrong", "marker": {"color": LIGHT.wrong}}
    assert not faults({"data": [spy]}, LIGHT)
    assert faults({"data": [spy | {"name": "pure guessing"}]}, LIGHT)
    assert faults({"data": [spy, spy | {"name": "wrong too"}]}, LIGHT) == ["wrong = wrong too"]


def test_a_colour_in_a_style_sheet_means_what_it_means() -> None:
    sheets = "".join(text for path, text in WRITTEN.items() if path.suffix == ".css")
    for selector, body in re.findall(r"([^{}]+)\{([^{}]*)\}", sheets):
        for meaning in re.findall(r"--dp-(right|wrong|attacker)\)", body):
            assert re.search(STYLED[meaning], selector), selector

"""One colour has one meaning, in every chart, style sheet and template, and can be told apart."""

import json
import re
from collections.abc import Iterable, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpviz
import dpviz.teaching.lessons
from dpviz.charts.look import DARK, LIGHT, LOOKS, Look, named_colour
from dpviz.export.lessons.experiment_picture import experiment_svg
from dpviz.teaching.lesson import LESSONS
from tests.charts.test_every_chart import CASES, ChartFunction, charts
from tests.charts.test_look import contrast

HOME = Path(dpviz.__file__).parent
MARKED = re.compile(r"#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})\b|\b(?:rgb|hsl)a?\([^)]*\)", re.I)
SOURCES = [
    path
    for path in HOME.rglob("*")
    if path.suffix in {".py", ".css", ".html", ".js"} and path != HOME / "charts" / "look.py"
]
APART = 8.0  # Oklab × 100: two fields side by side are told apart at a glance
# how a colour is seen: with all cones, without those for red, without those for green
SEEN = [
    np.eye(3),
    [[0.1523, 1.0526, -0.2049], [0.1145, 0.7863, 0.0992], [-0.0039, -0.0481, 1.0520]],
    [[0.3673, 0.8606, -0.2280], [0.2801, 0.6725, 0.0474], [-0.0118, 0.0429, 0.9689]],
]
LMS = [[0.4122, 0.5363, 0.0514], [0.2119, 0.6807, 0.1074], [0.0883, 0.2817, 0.6300]]
LAB = [[0.2105, 0.7936, -0.0041], [1.9780, -2.4286, 0.4506], [0.0259, 0.7828, -0.8087]]
# what may be called so in a chart's legend, by the meaning of its colour
CALLED = {
    "right": "right|above|reaches|hits",
    "wrong": "wrong|mistake|does not",
    "attacker": "guess|about her|right",
    "with_her": "^with ",
    "without_her": "^without ",
}
# what a rule of a style sheet may be for
STYLED = {
    "right": r"right|out|whole|large|scene-tally|scene-curves|dp-verdict",
    "wrong": r"wrong|problem|em\b|glow|tally",
    "attacker": r"guess|lit|span|people",
}


def oklab(colour: str, seen: Any) -> Any:
    channels = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return 100 * np.array(LAB) @ np.cbrt(LMS @ np.clip(seen @ linear, 0, 1))


def too_near(colours: Mapping[str, str]) -> list[str]:
    return [
        f"{a} and {b}"
        for a, b in combinations(colours, 2)
        for seen in SEEN
        if np.linalg.norm(oklab(colours[a], seen) - oklab(colours[b], seen)) < APART
    ]


@pytest.mark.parametrize("look", LOOKS.values(), ids=list(LOOKS))
def test_all_meanings_are_told_apart_also_without_red_or_green(look: Look) -> None:
    grounds = "ink|line|paper|raised|press|sequential_."
    colours = {n: c for n, c in look.colours.items() if not re.fullmatch(grounds, n)}
    assert not too_near(colours)
    assert all(contrast(colour, look.paper) >= 3 for colour in colours.values())
    assert too_near({"right": "#2e8b3d", "wrong": "#9c6b1e"})  # green and brown, seen without red
    assert len(set(look.colours.values())) == len(look.colours)


def unknown(texts: Iterable[str], look: Look) -> set[str]:
    """Colours in the texts that are not in the dictionary, nor a mixture of the map's."""
    known = {*look.colours.values(), *look.shades(np.linspace(0, 1, 100_001)), "rgba(0,0,0,0)"}
    known |= {look.transparent_colour(colour) for colour in look.colours.values()}
    return {colour for text in texts for colour in MARKED.findall(text.lower())} - known


@pytest.mark.parametrize("look", [LIGHT, DARK], ids=["light", "dark"])
def test_every_chart_takes_its_colours_from_the_dictionary(look: Look) -> None:
    every = [one.figure for made in CASES for one in charts(made, look)]
    drawn = [json.dumps([one.data["data"], one.data["layout"] | {"template": 0}]) for one in every]
    assert not unknown(drawn, look)
    assert unknown(['{"color": "#c8500a"}', "fill: rgb(1 2 3 / .4)"], look)


def test_pictures_in_lessons_do_too() -> None:
    for lesson in LESSONS.values():
        for of in (step.experiment for step in lesson.steps if step.experiment):
            drawn = of.draw_all_counts(of.start, lesson.seed)
            assert not unknown([experiment_svg(of, of.start, drawn)], LIGHT)
            named = {named_colour(name, i, LIGHT) for i, name in enumerate(of.drawn_names)}
            assert len(named) == len(of.drawn_names)


def test_no_other_file_names_a_colour() -> None:
    named = {path: MARKED.findall(path.read_text(encoding="utf-8")) for path in SOURCES}
    assert {path for path, found in named.items() if {*found} - {"rgba(0,0,0,0)"}} == set()
    variables = {f"--dp-{name.replace('_', '-')}" for name in LIGHT.colours}
    for path in SOURCES:
        used = re.findall(r"(?<!-)(--dp-[a-z0-9-]+)(?=\))", path.read_text(encoding="utf-8"))
        assert {*used} <= variables | {"--dp-head", "--dp-clip", "--dp-rail"}, path


def faults(figure: Mapping[str, Any], look: Look) -> list[str]:
    """Names that a colour does not mean, and those that share both colour and shape with another."""
    by_colour = {look.colours[meaning]: words for meaning, words in CALLED.items()}
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
    sheets = [path.read_text(encoding="utf-8") for path in SOURCES if path.suffix == ".css"]
    rules = re.findall(r"([^{}]+)\{([^{}]*)\}", "".join(sheets))
    assert len(rules) > 500
    for selector, body in rules:
        for meaning in re.findall(r"--dp-(right|wrong|attacker)\)", body):
            assert re.search(rf"{STYLED[meaning]}|^\s*\d+%", selector), selector

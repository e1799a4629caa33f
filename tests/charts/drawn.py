"""What a chart draws, read as data: its traces by name, its axes, its lines across and its notes.

Only `parts` knows what a figure is made of. Whatever is asked for must be drawn: a trace that is
hidden, faded out, on an axis that is not there, or drawn twice under one name is no answer.
"""

import base64
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.base.arrays import Floats
from dpviz.charts.chart import Chart
from dpviz.charts.line_panels import PHONE


def parts(chart: Chart) -> Mapping[str, Any]:
    """The figure as plain data: "data", a list of traces, and "layout"; plotly has to accept it."""
    go.Figure(chart.figure.data)
    return chart.figure.data


def plotly_figure(chart: Chart) -> go.Figure:
    """The figure as plotly's own object, its arrays as numbers."""

    def read(told: Any) -> Any:
        if isinstance(told, Mapping) and "bdata" in told:
            return numbers(told)
        if isinstance(told, Mapping):
            return {key: read(value) for key, value in told.items()}
        return [read(value) for value in told] if isinstance(told, list) else told

    return go.Figure(read(chart.figure.data))


def numbers(told: Any) -> Floats:
    """An array of a figure, nothing (None) being NaN."""
    if isinstance(told, Mapping):
        flat = np.frombuffer(base64.b64decode(told["bdata"]), told["dtype"]).astype(float)
        return flat.reshape([int(n) for n in told.get("shape", "-1").split(",")])
    return np.array([] if told is None else told, dtype=float)


@dataclass(frozen=True, eq=False)
class Trace:
    told: Mapping[str, Any]

    def __getitem__(self, path: str) -> Any:
        """A setting by its path, None where it is not set: trace["marker.color"]."""
        found: Any = self.told
        for key in path.split("."):
            found = None if found is None else found.get(key)
        return found

    @property
    def shown(self) -> bool:
        return self["visible"] in {None, True} and self["opacity"] != 0

    @property
    def name(self) -> str:
        return self["name"] or ""

    @property
    def x(self) -> Floats:
        return numbers(self["x"])

    @property
    def y(self) -> Floats:
        return numbers(self["y"])

    @property
    def z(self) -> Floats:
        return numbers(self["z"])

    @property
    def text(self) -> list[str]:
        return list(self["text"])

    @property
    def axes(self) -> tuple[str, str]:
        return self["xaxis"] or "x", self["yaxis"] or "y"


@dataclass(frozen=True)
class Axis:
    """An axis, its ends in data units as a reader meets them, its ticks by their text."""

    title: str
    log: bool
    start: float
    end: float
    ticks: Mapping[str, float]

    def holds(self, *values: float) -> bool:
        low, high = sorted((self.start, self.end))
        return low < min(values) and max(values) < high


class Drawn:
    """What is drawn in a chart."""

    def __init__(self, chart: Chart) -> None:
        told = parts(chart)
        self.layout: Mapping[str, Any] = told["layout"]
        every = [Trace(trace) for trace in told["data"]]
        self.phone = [trace for trace in every if trace["meta"] == PHONE]  # of narrow.js
        self.traces = [trace for trace in every if trace not in self.phone]
        assert all(trace.shown for trace in self.traces), "a trace is hidden"
        for trace in self.traces:
            x, y = trace.axes
            assert f"xaxis{x[1:]}" in self.layout, f"no axis {x}"
            assert f"yaxis{y[1:]}" in self.layout, f"no axis {y}"
            if trace["type"] == "bar":
                along = x if trace["orientation"] == "h" else y
                ends = self.layout[f"{along[0]}axis{along[1:]}"].get("range")
                assert ends is None or min(ends) <= 0 <= max(ends), (
                    f"bars along {along} do not begin at zero"
                )

    def named(self, name: str) -> Trace:
        return _one([trace for trace in self.traces if trace.name == name], name)

    def of(self, kind: str) -> list[Trace]:
        """The traces of this kind ("bar", "heatmap", …) in the order in which they are drawn."""
        return [trace for trace in self.traces if trace["type"] == kind]

    def part(self, name: str, mode: str, panel: int = 1) -> Trace:
        """Of a line in a panel: its "lines", "markers", "band" or "text" (the name beside it)."""
        at = "" if panel == 1 else str(panel)
        found = [
            t
            for t in self.traces
            if t["legendgroup"] == name and t.axes == (f"x{at}", f"y{at}") and not t.name
        ]
        if mode == "band":
            return _one([t for t in found if t["fill"] == "toself"], f"band of {name}")
        found = [t for t in found if t["mode"] == mode and t["fill"] is None]
        return _one(found, f"{mode} of {name}")

    def band(self, name: str, panel: int = 1) -> tuple[Floats, Floats, Floats]:
        """x, low and high of the band around a line."""
        trace = self.part(name, "band", panel)
        n = len(trace.x) // 2
        np.testing.assert_array_equal(trace.x[:n], trace.x[n:][::-1])
        return trace.x[:n], trace.y[n:][::-1], trace.y[:n]

    def axis(self, name: str = "x") -> Axis:
        """An axis by its short name: x, y, x2, y2 …"""
        told = self.layout[f"{name[0]}axis{name[1:]}"]
        log = told.get("type") == "log"
        ends = told.get("range") or (np.nan, np.nan)
        start, end = (10.0 ** float(v) if log else float(v) for v in ends)
        texts, values = told.get("ticktext"), told.get("tickvals")
        ticks = {} if texts is None else dict(zip(texts, numbers(values).tolist(), strict=True))
        return Axis((told.get("title") or {}).get("text", ""), log, start, end, ticks)

    @property
    def uprights(self) -> list[float]:
        return [float(s["x0"]) for s in self._across if s["x0"] == s["x1"]]

    @property
    def levels(self) -> list[float]:
        return [float(s["y0"]) for s in self._across if s["y0"] == s["y1"]]

    @property
    def _across(self) -> list[Mapping[str, Any]]:
        return [shape for shape in self.layout.get("shapes", ()) if shape["type"] == "line"]

    def note(self, beginning: str) -> Mapping[str, Any]:
        """The one note whose text, without its tags, begins so."""
        notes = [n for n in self.layout["annotations"] if plain(n["text"]).startswith(beginning)]
        assert len(notes) == 1, f"{len(notes)} notes begin with {beginning!r}"
        return notes[0]


def plain(text: str) -> str:
    """The text without tags and without the marks around labels."""
    return re.sub(r"</?[a-z][^>]*>|[\u2068\u2069]", "", text)


def _one(found: list[Trace], what: str) -> Trace:
    assert len(found) == 1, f"{len(found)} traces are {what!r}"
    return found[0]

"""`Chart`: the result of every chart function, as HTML that fetches nothing or in other pages.

Its figure is plain data for JSON: marks, and the layout around them, where a None is left out.
Its texts are plain; the figure reads markup, so labels in it go through `safe_label`.
"""

import base64
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal, TypeAlias

import numpy as np
import pandas as pd
import plotly.io
from plotly.basedatatypes import BaseFigure
from plotly.offline import get_plotlyjs

from dpviz.base import Markup, cached_property, render_template
from dpviz.charts.look import DARK, LIGHT, Look

_SHORT = {
    "int8": "i1",
    "uint8": "u1",
    "int16": "i2",
    "uint16": "u2",
    "int32": "i4",
    "float32": "f4",
    "float64": "f8",
}
# most of what there is: looked at without a call
_READY = frozenset({str, int, float, bool, type(None)})
_AXES = {"x": "xaxis", "y": "yaxis", "x2": "xaxis2", "y2": "yaxis2"}


@dataclass(frozen=True, eq=False)
class Mark:
    """A trace, a shape or an annotation, in the words of plotly's figure reference."""

    kind: Literal["traces", "shapes", "annotations"]
    settings: dict[str, Any]


Marks: TypeAlias = Mark | Iterable["Marks"]
"""One mark or several, in any grouping; they are drawn in their order."""


# Not plotly's own objects, which check every value: that took a third of a page's run.
class Figure:
    """Marks over a layout, whose axes are named as in a formula: x, y, x2, y2.

    >>> from dpviz.charts.look import LIGHT
    >>> line = Mark("traces", {"type": "scatter", "x": np.array([1, 2]), "y": [0.5, 0.25], "name": None})
    >>> figure = Figure(LIGHT, line, height=200, x={"title": {"text": "k"}})
    >>> figure.data["data"]
    [{'type': 'scatter', 'x': {'dtype': 'i1', 'bdata': 'AQI='}, 'y': [0.5, 0.25]}]
    >>> figure.data["layout"]["height"], figure.data["layout"]["xaxis"]
    (200, {'title': {'text': 'k'}})
    """

    def __init__(self, look: Look, *marks: Marks, height: float, **layout: Any) -> None:
        drawn: dict[str, list[dict[str, Any]]] = {"traces": [], "shapes": [], "annotations": []}
        for mark in _flat(marks):
            drawn[mark.kind].append(mark.settings)
        self.traces = drawn.pop("traces")
        self.layout: dict[str, Any] = {
            "template": look.template,
            "height": round(height * look.scale),
            **{_AXES.get(name, name): value for name, value in layout.items()},
            **{kind: settings for kind, settings in drawn.items() if settings},
        }

    @property
    def data(self) -> dict[str, Any]:
        """Figure for JSON: {"data": traces, "layout": …}."""
        layout: dict[str, Any] = _plain(
            {name: value for name, value in self.layout.items() if name != "template"}
        )
        layout["template"] = self.layout["template"]  # plain already, and the same for every figure
        return {"data": [_plain(trace) for trace in self.traces], "layout": layout}


def _flat(marks: Marks) -> Iterator[Mark]:
    if isinstance(marks, Mark):
        yield marks
    else:
        for mark in marks:
            yield from _flat(mark)


def _plain(value: Any) -> Any:
    """Value with its arrays and numpy numbers made ready for JSON."""
    match value:
        case dict():
            return {
                k: v if type(v) in _READY else _plain(v) for k, v in value.items() if v is not None
            }
        case np.ndarray():
            return _array(value)
        case np.generic():
            return value.item()
        case list() | tuple():
            return [v if type(v) in _READY else _plain(v) for v in value]
        case _:
            return value


def _array(values: np.ndarray[Any, Any]) -> Any:
    """Typed array as plotly.js reads it; it has no integers of 64 bit."""
    if values.dtype.kind in "iu" and values.itemsize == 8 and values.size:
        values = values.astype(
            np.min_scalar_type(max(abs(int(values.min())), abs(int(values.max())) + 1) * -1)
        )
    kind = _SHORT.get(values.dtype.name)
    if kind is None or not values.size:
        return _plain(values.tolist())
    typed = {"dtype": kind, "bdata": base64.b64encode(values.tobytes()).decode("ascii")}
    return typed if values.ndim == 1 else {**typed, "shape": ", ".join(map(str, values.shape))}


Columns: TypeAlias = Mapping[str, Any] | pd.DataFrame
"""Columns of one length or one value, by heading; one that takes long is a function."""


@cache
def chart_script(name: str) -> str:
    """Script for saved pictures (`caption`), phones (`narrow`) or shared JSON (`pooled`)."""
    return files("dpviz.charts").joinpath(f"{name}.js").read_text(encoding="utf-8")


@dataclass(frozen=True, eq=False)
class Chart:
    """A figure with the words and the table that go with it."""

    figure: Figure
    shows: str
    how_to_read: str
    says_now: str
    columns: Columns | list[Columns]
    """Numbers behind the figure; several tables stand below each other."""

    @property
    def alt(self) -> str:
        """Text in place of the figure."""
        return f"{self.shows} {self.says_now}".strip()

    @cached_property
    def table(self) -> pd.DataFrame:
        """Numbers behind the figure; minus zero becomes zero."""
        parts = self.columns if isinstance(self.columns, list) else [self.columns]
        table = pd.concat(map(_part, parts), ignore_index=True)
        real = table.select_dtypes("float")
        return table.assign(**{str(name): real[name] + 0.0 for name in real})

    def html(self, title: str, about: str = "") -> str:
        """Page of its own, about 5 MB, for use without a network, with `about` below."""
        figure = self.figure.data
        if about:
            figure["layout"]["meta"] = {"about": about}
        plot = plotly.io.to_html(
            figure,
            validate=False,
            include_plotlyjs=True,
            include_mathjax=False,
            full_html=False,
            default_width="100%",
            default_height="80vh",
            config={
                "displaylogo": False,
                "toImageButtonOptions": {"format": "svg", "filename": title},
            },
        )
        look = self.figure.layout["template"]["layout"]
        page = render_template(
            "dpviz.charts",
            "chart.html",
            title=title,
            about=about,
            ground=look["paper_bgcolor"],
            ink=look["font"]["color"],
            plot=Markup(plot),
            says=(self.says_now, self.how_to_read),
            caption=Markup(chart_script("caption")),
        )
        return str(page)


def _part(columns: Columns) -> pd.DataFrame:
    return pd.DataFrame(
        {name: held() if callable(held) else held for name, held in columns.items()}
    )


def item_column_builder(
    label: Callable[[int], str], items: Iterable[int]
) -> Callable[[], list[str]]:
    """Column of the items' names, which takes long where they are many."""
    return lambda: [label(int(item)) for item in items]


class PrebuiltFigure(BaseFigure):  # type: ignore[misc]
    """A chart's figure in a form that Streamlit takes, without building plotly's own objects."""

    def __init__(self, chart: Chart) -> None:
        self._drawn = chart.figure.data

    def to_dict(self) -> dict[str, Any]:
        return self._drawn


def plotly_source() -> str:
    """plotly.js, about 5 MB of script."""
    source: str = get_plotlyjs()
    return source


def figure_data(chart: Chart) -> dict[str, Any]:
    data = chart.figure.data
    data["layout"].pop("template", None)
    return data


def light_dark_templates_and_colours() -> dict[str, Any]:
    """Both templates, and the dark colour for each light one."""
    pairs = [*zip(LIGHT.colours_by_meaning.values(), DARK.colours_by_meaning.values(), strict=True)]
    return {
        "templates": {look.name: look.template for look in (LIGHT, DARK)},
        # each light colour is exchanged, so no two dark colours may stand for one light colour
        "dark_for": dict(pairs)
        | {LIGHT.transparent_colour(a): DARK.transparent_colour(b) for a, b in pairs},
    }

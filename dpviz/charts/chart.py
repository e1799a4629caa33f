"""`Chart`: the result of every chart function, as HTML that fetches nothing or in other pages.

Its texts are plain; the figure reads markup, so labels in it go through `safe_label`.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

import pandas as pd
import plotly.io
from plotly.basedatatypes import BaseFigure
from plotly.offline import get_plotlyjs

from dpviz.base import Markup, cached_property, render_template
from dpviz.charts.figure import Figure
from dpviz.charts.look import DARK, LIGHT

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


def item_column(label: Callable[[int], str], items: Iterable[int]) -> Callable[[], list[str]]:
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


def light_dark_data() -> dict[str, Any]:
    """Both templates, and the dark colour for each light one."""
    pairs = [*zip(LIGHT.colours.values(), DARK.colours.values(), strict=True)]
    return {
        "templates": {look.name: look.template for look in (LIGHT, DARK)},
        # each light colour is exchanged, so no two dark colours may stand for one light colour
        "dark_for": dict(pairs)
        | {LIGHT.transparent_colour(a): DARK.transparent_colour(b) for a, b in pairs},
    }

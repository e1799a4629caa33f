"""Charts inside other pages: as plotly takes them, their JSON, plotly's source, and what turns light colours into dark.

Invariants: a figure drawn in the light look becomes the dark one by exchanging each of its colours, so no two
dark colours may stand for one light colour; nothing is fetched from anywhere.
"""

from typing import Any

from plotly.basedatatypes import BaseFigure
from plotly.offline import get_plotlyjs

from dpviz.charts.chart import Chart
from dpviz.charts.look import DARK, LIGHT


class Handed(BaseFigure):  # type: ignore[misc]
    """A chart's figure as something that takes plotly's figures and asks them for their data, like Streamlit.

    plotly would build its own figure of a dict, value by value, only to ask that for its data.
    """

    def __init__(self, chart: Chart) -> None:
        self._handed = chart.figure.data

    def to_dict(self) -> dict[str, Any]:
        """The figure as it was drawn."""
        return self._handed


def plotly_source() -> str:
    """plotly.js, about 5 MB of script."""
    source: str = get_plotlyjs()
    return source


def figure_data(chart: Chart) -> dict[str, Any]:
    """The figure as JSON, its template left out."""
    data = chart.figure.data
    data["layout"].pop("template", None)
    return data


def looks_data() -> dict[str, Any]:
    """Both templates, and the dark colour for each light one.

    >>> looks_data()["dark_for"][LIGHT.ink] == DARK.ink
    True
    """
    dark_for = {}
    for light, dark in (
        *((getattr(LIGHT, name), getattr(DARK, name)) for name in ("ink", "muted", "line", "paper", "accent")),
        *zip(LIGHT.sequential, DARK.sequential, strict=True),
        *zip(LIGHT.categories, DARK.categories, strict=True),
    ):
        dark_for[light.lower()] = dark
    templates = {look.name: look.template for look in (LIGHT, DARK)}
    return {"templates": templates, "dark_for": dark_for}

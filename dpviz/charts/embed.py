"""Charts inside a page of one's own: their JSON, plotly's source once, and what turns light colours into dark.

Invariants: a figure drawn in the light look becomes the dark one by exchanging each of its colours, so no two
dark colours may stand for one light colour; nothing is fetched from anywhere.
"""

import json
from typing import Any

from plotly.offline import get_plotlyjs

from dpviz.charts.chart import Chart
from dpviz.charts.look import DARK, LIGHT

__all__ = ["figure_data", "looks_data", "plotly_source"]


def plotly_source() -> str:
    """plotly.js, about 5 MB of script."""
    source: str = get_plotlyjs()
    return source


def figure_data(chart: Chart) -> dict[str, Any]:
    """The figure as JSON, its template left out."""
    data: dict[str, Any] = json.loads(chart.figure.to_json())
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
    templates = {look.name: look.template.to_plotly_json() for look in (LIGHT, DARK)}
    return {"templates": json.loads(json.dumps(templates)), "dark_for": dark_for}

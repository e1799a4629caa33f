"""The vertical axis of horizontal bars, one row a name."""

from typing import Any

from dpviz.charts.look import Look

__all__ = ["rows_axis"]


def rows_axis(names: list[str], look: Look) -> dict[str, Any]:
    """The vertical axis of horizontal bars, the first name on top, with some air beside the names."""
    return {
        "tickvals": list(range(len(names))),
        "ticktext": names,
        "range": [len(names) - 0.4, -0.6],
        "showgrid": False,
        "ticks": "outside",
        "ticklen": 7,
        "tickcolor": "rgba(0,0,0,0)",
        "tickfont": {"color": look.ink},
        "fixedrange": True,
    }

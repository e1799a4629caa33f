"""What the charts on candidates share: a share in words, names of rows, margins of horizontal bars."""

from typing import Any

from dpviz.charts.look import Look

__all__ = ["rows_axis", "share_of"]


def share_of(share: float) -> str:
    """A share that was chosen, as it was typed.

    >>> share_of(0.05).replace(chr(0x202f), " ")
    '5 %'
    """
    return f"{100 * share:.4g}\u202f%"


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

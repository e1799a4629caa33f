"""Plain line charts: figures over a parameter, with 95 % bands where they are simulated."""

from collections.abc import Sequence

import numpy as np

from dpviz.charts.grammar import LIGHT, Chart, Look
from dpviz.charts.line_panels import Axis, Panel, draw_panels


def line_chart(
    panels: Sequence[Panel],
    x: Axis | Sequence[Axis],
    y: Axis,
    *,
    how_to_read: str,
    says_now: str,
    look: Look = LIGHT,
    height: float = 330.0,
) -> Chart:
    """The lines of the panels as a chart, with the table behind them."""
    first = x if isinstance(x, Axis) else x[0]
    names = list(dict.fromkeys(line.name for panel in panels for line in panel.lines))
    return Chart(
        figure=draw_panels(panels, x, y, look=look, height=height),
        alt=f"Lines of {y.title} over {first.title}: {', '.join(names)}. {says_now}",
        how_to_read=how_to_read,
        says_now=says_now,
        make_table=lambda: [
            {
                "panel": panel.title,
                "line": line.name,
                "x": line.x,
                "y": line.y,
                "low": np.full(len(line.x), np.nan) if line.low is None else line.low,
                "high": np.full(len(line.x), np.nan) if line.high is None else line.high,
            }
            for panel in panels
            for line in panel.lines
        ],
    )

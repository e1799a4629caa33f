"""Clicks on heatmap cells: a small bridge from the browser's plot to the page.

Streamlit's own selection never reports a heatmap cell (its issue 8760), so a component without a face
listens to the plot's click and sends the position. Keyboards, and hosts without such components, have the boxes
for h and t.
"""

import streamlit as st

from dpviz.ui.shell.style import asset

__all__ = ["clicked_cell"]


def clicked_cell(chart: str, key: str) -> tuple[float, float] | None:
    """(x, y) of the heatmap cell that was just clicked in the chart with this key, else None."""
    if not hasattr(st.components, "v2"):
        return None
    bridge = st.components.v2.component("dpviz_click", js=asset("click.js"))
    cell = bridge(data={"chart": chart}, key=key, on_cell_change=lambda: None).cell
    return None if cell is None else (float(cell["x"]), float(cell["y"]))

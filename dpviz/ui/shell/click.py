"""Clicks on heatmap cells: a small bridge from the browser's plot to the page.

Streamlit's own selection never reports a heatmap cell (its issue 8760), so a component without a face
listens to the plot's click and sends the position. Keyboards have the boxes for h and t.
"""

import streamlit as st

__all__ = ["clicked_cell"]

_SCRIPT = """
export default function ({ data, setTriggerValue }) {
  const find = () => {
    const plot = document.querySelector(`.st-key-${data.chart} .js-plotly-plot`);
    if (!plot || !plot.on) return;
    plot.dpvizTell = (value) => setTriggerValue("cell", value);
    if (plot.dpvizHeard) return;
    plot.dpvizHeard = true;
    plot.on("plotly_click", (event) => {
      const point = event.points.find((p) => p.data.type === "heatmap");
      if (point) plot.dpvizTell({ x: point.x, y: point.y });
    });
  };
  find();
  const watch = setInterval(find, 200);  // the plot comes after this, and anew when it is replaced
  return () => clearInterval(watch);
}
"""


def clicked_cell(chart: str, key: str) -> tuple[float, float] | None:
    """(x, y) of the heatmap cell that was just clicked in the chart with this key, else None."""
    bridge = st.components.v2.component("dpviz_click", js=_SCRIPT)
    told = bridge(data={"chart": chart}, key=key, on_cell_change=lambda: None)
    cell = told.cell
    return None if cell is None else (float(cell["x"]), float(cell["y"]))

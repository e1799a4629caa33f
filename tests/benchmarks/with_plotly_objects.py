"""Streamlit, serving each figure as an object of plotly's: `bench_page_run` measures against it."""

import plotly.graph_objects as go
from streamlit.web import cli

from dpviz import charts

if __name__ == "__main__":
    charts.PrebuiltFigure = lambda chart: go.Figure(chart.figure.data)  # type: ignore[assignment,misc]
    cli.main()

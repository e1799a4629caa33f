"""Streamlit serving the app with each figure built as plotly's own object, value by value: what
there was before.

    python -m tests.benchmarks.with_plotly_objects run app.py

`bench_page_run` measures against it.
"""

import plotly.graph_objects as go
from streamlit.web import cli

from dpviz import charts

if __name__ == "__main__":
    charts.PrebuiltFigure = lambda chart: go.Figure(chart.figure.data)  # type: ignore[assignment,misc]
    cli.main()

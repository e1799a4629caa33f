"""The app: `streamlit run app.py`."""

import pandas  # noqa: F401 - loaded before any page: two sessions must not load it at once
import plotly.graph_objects  # noqa: F401

from dpviz import ui

with ui.turn():  # one among the people whom this process serves
    ui.navigation().run()

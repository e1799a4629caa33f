"""The app: `streamlit run app.py`. The server reads it once, for its addresses; each session runs
it, for a page.
"""

import pandas  # noqa: F401 - loaded before any page: two sessions must not load it at once
import plotly.graph_objects  # noqa: F401
from starlette.middleware import Middleware
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.starlette import App

from dpviz import ui
from dpviz.ui import fetched, phone

if (
    get_script_run_ctx(suppress_warning=True) is None
):  # the server begins; a person's run has a context
    layers = (ui.NamedHosts, ui.Packed, ui.FirstPaint, ui.Leaving, ui.OwnPages, ui.Uploads)
    between = [Middleware(each) for each in layers]
    app = App(
        __file__,
        routes=[*phone.routes(), *fetched.routes()],
        middleware=between,
        lifespan=ui.opening,
    )
else:
    with ui.turn():  # one among the people whom this process serves
        ui.navigation().run()

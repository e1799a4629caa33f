"""The app: `streamlit run app.py`. The server reads it once; each session runs it for a page."""

import pandas  # noqa: F401 - loaded before any page: two sessions must not load it at once
import plotly.graph_objects  # noqa: F401
from starlette.middleware import Middleware
from streamlit.starlette import App

from dpviz import web
from dpviz.web.classroom import phone
from dpviz.web.server import downloads, first_paint
from dpviz.web.server.streamlit_internals import current_run_context

if current_run_context() is None:  # the server starts; no session runs yet
    layers = (
        web.AllowedHostsMiddleware,
        web.StaticCompressionMiddleware,
        web.MessageFilterMiddleware,
        web.UploadBudgetMiddleware,
    )
    app = App(
        __file__,
        routes=[
            *phone.phone_routes(),
            *downloads.download_routes(),
            *first_paint.page_routes(),
        ],
        middleware=[Middleware(layer) for layer in layers],
        lifespan=web.app_lifespan,
    )
else:
    with web.take_turn():
        web.requested_page().run()

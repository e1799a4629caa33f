"""The app: `streamlit run app.py`. The server reads it once; each session runs it for a page."""

import pandas  # noqa: F401 - loaded before any page: two sessions must not load it at once
import plotly.graph_objects  # noqa: F401
import streamlit as st
from starlette.middleware import Middleware
from streamlit.starlette import App

from dpviz import web
from dpviz.base import WorkLost
from dpviz.web.classroom import phone
from dpviz.web.server import downloads
from dpviz.web.server.streamlit_internals import current_run

if current_run() is None:  # the server starts; no session runs yet
    layers = (
        web.AllowedHostsMiddleware,
        web.StaticCompressionMiddleware,
        web.FirstPaintMiddleware,
        web.MessageFilterMiddleware,
        web.UploadBudgetMiddleware,
    )
    app = App(
        __file__,
        routes=[*phone.phone_routes(), *downloads.download_routes()],
        middleware=[Middleware(layer) for layer in layers],
        lifespan=web.app_lifespan,
    )
else:
    with web.take_turn():
        try:
            web.requested_page().run()
        except WorkLost as lost:  # the server has no room for what the link asks
            st.error(str(lost))

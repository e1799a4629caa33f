"""Start: what is traded for what, on one screen."""

from dpviz import web
from dpviz.web.screens import start

web.start_alone("start")
start.show_page()

"""Start: the trade of accuracy for privacy, on one screen."""

from dpviz import web
from dpviz.web.screens import start

web.set_up_page_without_scenario("start")
start.show_page()

"""Explore: one mechanism on one score vector."""

from dpviz import web
from dpviz.web.screens import explore

scenario, scores = web.set_up_page("explore", seen=explore.displayed_scenario)
explore.show_page(scenario, scores, web.current_look())

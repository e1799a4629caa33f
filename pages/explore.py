"""Explore: one mechanism on one score vector."""

from dpviz import web
from dpviz.web.screens.explore import sections

scenario, scores = web.set_up_page("explore", adjust_scenario=sections.displayed_scenario)
sections.show_page(scenario, scores, web.current_look())

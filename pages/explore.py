"""Explore: one mechanism on one score vector."""

from dpviz import web
from dpviz.web.screens import explore

scenario, scores = web.start("explore", seen=explore.seen)
explore.show_page(scenario, scores, web.look())

"""Margin: one item, when a clear front group stands apart."""

from dpviz import web
from dpviz.web.screens import margin

scenario, scores = web.start("margin", mechanisms=margin.controls, k=False)
margin.show_page(scenario, scores, web.look())

"""Gaps: what noisy max and sparse vector throw away."""

from dpviz import web
from dpviz.web.screens import gaps

scenario, scores = web.start("gaps", mechanisms=gaps.controls)
gaps.show_page(scenario, scores, web.look())

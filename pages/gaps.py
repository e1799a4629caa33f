"""Gaps: the figures that noisy max and sparse vector throw away."""

from dpviz import web
from dpviz.web.screens import gaps

scenario, scores = web.set_up_page("gaps", show_mechanisms=gaps.show_sidebar_controls)
gaps.show_page(scenario, scores, web.current_look())

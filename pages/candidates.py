"""Candidates: choosing among private candidates, without paying for every try."""

from dpviz import web
from dpviz.web.screens.candidates import controls, sections

web.set_up_page_without_scores(
    "candidates", controls.show_sidebar_controls, controls.show_run_price_control
)
sections.show_page(web.current_look())

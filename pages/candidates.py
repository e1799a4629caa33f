"""Candidates: choosing among private candidates, without paying for every try."""

from dpviz import web
from dpviz.web.screens import candidates

web.set_up_page_without_scores(
    "candidates", candidates.show_sidebar_controls, candidates.show_run_price_control
)
candidates.show_page(web.current_look())

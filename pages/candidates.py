"""Candidates: choosing among private candidates, without paying for every try."""

from dpviz import web
from dpviz.web.screens import candidates

web.start_without_scores("candidates", candidates.controls, candidates.stage)
candidates.show_page(web.look())

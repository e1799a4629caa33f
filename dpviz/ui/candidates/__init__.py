"""The page Candidates: `controls` are its stage and sidebar, with `tables` of runs from outside; `sections` the page.

What it computes is `dpviz.studies.pages.candidates`, what it says `dpviz.views.candidates`. Neighbours has the controls
and the runs, too.
"""

from dpviz.ui.candidates.controls import controls, pool_controls, rule_controls, stage
from dpviz.ui.candidates.sections import draw, loaded, with_runs

__all__ = ["controls", "draw", "loaded", "pool_controls", "rule_controls", "stage", "with_runs"]

"""The page Candidates: `controls` are its stage and sidebar, with `tables` of runs from outside;
`sections` the page.

What it computes is `dpviz.studies.pages.candidates`, what it says `dpviz.views.candidates`.
Neighbours has the controls and the runs, too.
"""

from dpviz.ui.candidates.controls import controls, pool_controls, rule_controls, stage
from dpviz.ui.candidates.sections import loaded, show_page, with_runs

__all__ = [
    "controls",
    "loaded",
    "pool_controls",
    "rule_controls",
    "show_page",
    "stage",
    "with_runs",
]

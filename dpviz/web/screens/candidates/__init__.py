"""The page Candidates: `controls` are its stage and sidebar, with `tables` of runs from outside;
`sections` the page.

What it computes is `dpviz.pages.candidates`, what it says `dpviz.pages.candidates.view`.
Neighbours has the controls and the runs, too.
"""

from dpviz.web.screens.candidates.controls import controls, pool_controls, rule_controls, stage
from dpviz.web.screens.candidates.sections import loaded, show_page, with_runs

__all__ = [
    "controls",
    "loaded",
    "pool_controls",
    "rule_controls",
    "show_page",
    "stage",
    "with_runs",
]

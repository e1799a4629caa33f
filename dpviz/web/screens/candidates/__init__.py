"""The page Candidates: `controls` is its strip and sidebar, `sections` is the page.

Its figures are computed and worded in `dpviz.pages.candidates`. Neighbours uses the controls and
the runs, too.
"""

from dpviz.web.screens.candidates.controls import (
    pool_controls,
    rule_controls,
    show_run_price_control,
    show_sidebar_controls,
)
from dpviz.web.screens.candidates.sections import add_runs_to_study, require_loaded_study, show_page

__all__ = [
    "add_runs_to_study",
    "pool_controls",
    "require_loaded_study",
    "rule_controls",
    "show_page",
    "show_run_price_control",
    "show_sidebar_controls",
]

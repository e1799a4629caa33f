"""The page Compare, two to six designs side by side.

`controls` has its sidebar and the designs' marks, `sections` the page, `by_epsilon` its curves and
goals. Its figures are computed in `dpviz.pages.compare.study` and worded in
`dpviz.pages.compare.view`.
"""

from dpviz.web.screens.compare.controls import ensure_design_count, show_design_editors
from dpviz.web.screens.compare.sections import show_page

__all__ = ["ensure_design_count", "show_design_editors", "show_page"]

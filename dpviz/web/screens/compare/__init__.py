"""The page Compare, two to six designs side by side: `controls` is its sidebar and its marks,
`sections` the page.

What is computed is `dpviz.pages.compare.study`, what it says `dpviz.pages.compare.view`.
"""

from dpviz.web.screens.compare.controls import ensure_design_count, show_design_editors
from dpviz.web.screens.compare.sections import show_page

__all__ = ["ensure_design_count", "show_design_editors", "show_page"]

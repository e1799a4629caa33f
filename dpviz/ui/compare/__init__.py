"""The page Compare, two to six designs side by side: `controls` is its sidebar and its marks,
`sections` the page.

What is computed is `dpviz.studies.pages.compare`, what it says `dpviz.views.compare`.
"""

from dpviz.ui.compare.controls import begin, designs
from dpviz.ui.compare.sections import show_page

__all__ = ["begin", "designs", "show_page"]

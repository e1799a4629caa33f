"""The page Margin, one item when a clear front group stands apart: `controls` is its sidebar, `sections` the page.

What it computes is `dpviz.studies.pages.margin`, what it says `dpviz.views.margin`.
"""

from dpviz.ui.margin.controls import controls
from dpviz.ui.margin.sections import draw

__all__ = ["controls", "draw"]

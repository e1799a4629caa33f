"""The page Neighbours, what one person's data change: `controls` is its sidebar and whose data,
`sections` the page.

What it computes is `dpviz.pages.neighbours`, what it says `dpviz.pages.neighbours.view`.
"""

from dpviz.web.screens.neighbours.sections import show_page

__all__ = ["show_page"]

"""The page Explore, one mechanism on one score vector.

`sections` is its first screen and the order of the rest: `class_map`, `goal`, and `closer_look`
with drawn releases. `controls` has the page's parameters, and play, which moves ε. Its words are in
`dpviz.pages.explore`.
"""

from dpviz.web.screens.explore.controls import displayed_scenario
from dpviz.web.screens.explore.sections import show_page

__all__ = ["displayed_scenario", "show_page"]

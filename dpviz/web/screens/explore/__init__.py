"""The page Explore, one mechanism on one score vector.

`sections` is its first screen and the order of the rest: `class_map`, `ten` releases, the `goal`,
and in `closer` what is folded away. `controls` is what it adds to the scenario, and play, which
runs ε. What it says is `views.explore`.
"""

from dpviz.web.screens.explore.controls import seen
from dpviz.web.screens.explore.sections import show_page

__all__ = ["seen", "show_page"]

"""The page Explore, one mechanism on one score vector.

`sections` is its first screen and the order of the rest: `class_map`, `ten_releases`, the `goal`,
and in `closer_look` what is folded away. `controls` is what it adds to the scenario, and play,
which runs ε. What it says is in `dpviz.pages.explore`.
"""

from dpviz.web.screens.explore.controls import displayed_scenario
from dpviz.web.screens.explore.sections import show_page

__all__ = ["displayed_scenario", "show_page"]

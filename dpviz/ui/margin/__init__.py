"""The page Margin, one item when a clear front group stands apart; read `settings` first.

`settings` declares what the page adds to the scenario, `controls` is its sidebar, `study` everything that is computed
beside the page, `sections` the page from its title to the theorems.
"""

from dpviz.reports.shown import margin as shown
from dpviz.ui.margin.controls import controls
from dpviz.ui.margin.sections import figures, front, items, promise, title, universe
from dpviz.ui.margin.settings import FIRST
from dpviz.ui.margin.study import study

__all__ = ["FIRST", "controls", "figures", "front", "items", "promise", "shown", "study", "title", "universe"]

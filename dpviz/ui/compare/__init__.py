"""The page Compare, two to six designs side by side; read `sides` first.

`designs` are the editors in the sidebar, `sides` the designs with what is known of each, `marks` how one is recognised,
`parameters` what the page adds to the scenario. `figures`, `against` (curves, bounds and, in `budgets`, the ε
that goals take), `maps` and `replay` are its sections, in their order on the page.
"""

from dpviz.ui.compare.against import against
from dpviz.ui.compare.designs import designs
from dpviz.ui.compare.figures import figures, title
from dpviz.ui.compare.maps import maps
from dpviz.ui.compare.replay import replay
from dpviz.ui.compare.sides import begin, ended, known, sides, under_way

__all__ = ["against", "begin", "designs", "ended", "figures", "known", "maps", "replay", "sides", "title", "under_way"]

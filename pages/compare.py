"""Compare: two to six mechanisms side by side, on the same data, ε and k."""

from dpviz import ui
from dpviz.ui import compare

compare.begin()
scenario, scores = ui.start("compare", mechanisms=compare.designs)
sides = compare.sides(scenario, scores)
compare.title(scenario, scores, sides)
ui.banner()
ui.pending(*compare.under_way(), key="laws")
compare.figures(sides)
compare.maps(sides, ui.look())
compare.against(sides, ui.look())
compare.replay(sides, ui.look())

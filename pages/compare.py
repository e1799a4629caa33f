"""Compare: two to six mechanisms side by side, on the same data, ε and k."""

from functools import partial

from dpviz import ui
from dpviz.ui import compare

compare.begin()
scenario, scores = ui.start("compare", mechanisms=compare.designs)
sides = compare.sides(scenario, scores)
look = ui.look()
ui.part("title", partial(compare.title, scenario, scores, sides), lambda: compare.known(sides, "top", "optimal"))
ui.banner()
with ui.filling(compare.under_way, "laws"):
    ui.part("figures", partial(compare.figures, sides), lambda: compare.known(sides))
    ui.part("against", partial(compare.against, sides, look), lambda: None, alone=True)
    ui.part("maps", partial(compare.maps, sides, look), lambda: compare.ended(compare.under_way()))
    ui.part("replay", partial(compare.replay, sides, look), lambda: None, alone=True)

"""Compare: two to six mechanisms side by side, on the same data, ε and k."""

from dpviz import ui
from dpviz.ui import compare

compare.begin()
scenario, scores = ui.start("compare", mechanisms=compare.designs)
compare.show_page(scenario, scores, ui.look())

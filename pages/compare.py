"""Compare: two to six mechanisms side by side, on the same data, ε and k."""

from dpviz import web
from dpviz.web.screens import compare

compare.begin()
scenario, scores = web.start("compare", mechanisms=compare.designs)
compare.show_page(scenario, scores, web.look())

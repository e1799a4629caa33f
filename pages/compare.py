"""Compare: two to six mechanisms side by side, on the same data, ε and k."""

from dpviz import web
from dpviz.web.screens import compare

compare.ensure_design_count()
scenario, scores = web.set_up_page("compare", mechanisms=compare.show_design_editors)
compare.show_page(scenario, scores, web.current_look())

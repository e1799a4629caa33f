"""Compare: two to six mechanisms side by side, on the same data, ε and k."""

from dpviz import web
from dpviz.web.screens.compare import controls, sections

controls.bring_design_count_in_range()
scenario, scores = web.set_up_page("compare", show_mechanisms=controls.show_design_editors)
sections.show_page(scenario, scores, web.current_look())

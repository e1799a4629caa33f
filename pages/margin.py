"""One item: by large margin where a clear front group stands apart, and by its rivals."""

from dpviz import web
from dpviz.web.screens import margin

scenario, scores = web.set_up_page(
    "margin", show_mechanisms=margin.show_sidebar_controls, with_k=False
)
margin.show_page(scenario, scores, web.current_look())

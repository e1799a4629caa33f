"""Controls, cards, charts and text on the screen; read `page_start` first.

`page_start` begins every page. Of `controls` are made `epsilon_and_k` and, from declarations,
`design_controls` and `page_parameter_controls`. `data_panel` says where scores come from,
`upload_review` takes those from outside. `text` and `show` put words, figures, tables and charts on
the screen, `page_head` the stage and the head of a page. `print_header` says what leaves it,
`takeaway` makes links and files. `background_study` computes beside the page; `live_parts` are
those of its parts that fill as results come.
"""

from dpviz.web.widgets.background_study import all_beside, awaited, beside, folded_view, view
from dpviz.web.widgets.browser_poll import Pace
from dpviz.web.widgets.controls import (
    bound,
    next_seed,
    notice,
    number_box,
    seed_box,
    side_heading,
    slider_and_box,
)
from dpviz.web.widgets.data_source import ask_items, data_shown
from dpviz.web.widgets.design_controls import design_editor
from dpviz.web.widgets.epsilon_and_k import items_out, on_stage
from dpviz.web.widgets.live_parts import filling, look, part, there, together, whole
from dpviz.web.widgets.page_head import ILLUSTRATIONS, banner, head, present, title
from dpviz.web.widgets.page_parameter_controls import PageParameters
from dpviz.web.widgets.print_header import csv_with_about, download, shown_now
from dpviz.web.widgets.show import (
    WAIT,
    Cell,
    badge,
    card,
    cards,
    computing,
    estimated,
    exact,
    figures,
    folded,
    heading,
    refused_here,
    show,
    table,
    waiting,
)
from dpviz.web.widgets.style import clicked_cell, component, rules
from dpviz.web.widgets.text import (
    bidi,
    bullets,
    explain,
    html,
    lines,
    paragraph,
    placed,
    plain,
    term,
    times,
)

__all__ = [
    "ILLUSTRATIONS",
    "WAIT",
    "Cell",
    "Pace",
    "PageParameters",
    "all_beside",
    "ask_items",
    "awaited",
    "badge",
    "banner",
    "beside",
    "bidi",
    "bound",
    "bullets",
    "card",
    "cards",
    "clicked_cell",
    "component",
    "computing",
    "csv_with_about",
    "data_shown",
    "design_editor",
    "download",
    "estimated",
    "exact",
    "explain",
    "figures",
    "filling",
    "folded",
    "folded_view",
    "head",
    "heading",
    "html",
    "items_out",
    "lines",
    "look",
    "next_seed",
    "notice",
    "number_box",
    "on_stage",
    "paragraph",
    "part",
    "placed",
    "plain",
    "present",
    "refused_here",
    "rules",
    "seed_box",
    "show",
    "shown_now",
    "side_heading",
    "slider_and_box",
    "table",
    "term",
    "there",
    "times",
    "title",
    "together",
    "view",
    "waiting",
    "whole",
]

"""What every page shares, and what pages take from here; read `start` first, then `state`.

`start` begins a page, `state` holds the session's scenario, which every control shows and edits. Of
`controls` are made `epsilon_and_k` and, from declarations, `designs` and `page_parameters`.
`data_panel` says where scores come from: `incoming` takes those from outside, `origin` makes them
those of now and says what they are called and what one person can change of them. `text` and `show`
put words, figures, tables and charts on the screen, `page` the stage and the head of a page;
`paper` says what leaves it, `takeaway` makes links and files; `style` brings the .css and .js
files. A `slot` is a value that the session holds.
"""

from dpviz.ui.shell.controls import (
    bound,
    next_seed,
    notice,
    number_box,
    seed_box,
    side_heading,
    slider_and_box,
)
from dpviz.ui.shell.designs import design_editor
from dpviz.ui.shell.epsilon_and_k import items_out, on_stage
from dpviz.ui.shell.origin import ask_items, data_shown
from dpviz.ui.shell.page import ILLUSTRATIONS, banner, head, present, title
from dpviz.ui.shell.page_parameters import PageParameters
from dpviz.ui.shell.paper import csv_with_about, download, shown_now
from dpviz.ui.shell.pending import soon
from dpviz.ui.shell.show import (
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
from dpviz.ui.shell.slot import Slot
from dpviz.ui.shell.style import asset, clicked_cell, component, rules
from dpviz.ui.shell.text import (
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
    "PageParameters",
    "Slot",
    "ask_items",
    "asset",
    "badge",
    "banner",
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
    "folded",
    "head",
    "heading",
    "html",
    "items_out",
    "lines",
    "next_seed",
    "notice",
    "number_box",
    "on_stage",
    "paragraph",
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
    "soon",
    "table",
    "term",
    "times",
    "title",
    "waiting",
]

"""The papers view: every numbered item of a paper, and what dpviz does with it.

Its link is `/learn?paper=canonical`, by the key of a paper.
"""

import streamlit as st

from dpviz.base import join_markup, markup
from dpviz.export.reproduction.claims.claim import PAPERS
from dpviz.export.reproduction.claims.table import kept_items_table
from dpviz.web import widgets as ui
from dpviz.web.screens.learn.position import go_to_place
from dpviz.web.session import state
from dpviz.web.widgets import print_header


def requested_paper() -> str | None:
    """Paper of the link: the first for an unknown key, None without one."""
    asked = st.query_params.get("paper")
    return asked if asked is None or asked in PAPERS else next(iter(PAPERS))


def show_paper_items(paper: str) -> None:
    st.button(
        "All lessons",
        icon=":material/arrow_back:",
        type="tertiary",
        key="learn_list",
        on_click=go_to_place,
        args=(None,),
    )
    ui.show_page_head("The papers", "Each numbered item, and where it is")
    st.segmented_control(
        "Paper",
        options=list(PAPERS),
        format_func=PAPERS.__getitem__,
        default=paper,
        required=True,
        key=f"paper_{paper}",
        on_change=lambda: open_paper_items(str(st.session_state[f"paper_{paper}"])),
    )
    ui.paragraph(
        "A printed number stands beside the exact one. The command dpviz reproduce writes a report"
        " with the reasons, and draws the figures again from the data of the papers."
    )
    items = kept_items_table().set_index("paper").loc[PAPERS[paper]]
    rows = join_markup(
        markup('<tr><th scope="row">{}</th><td>{}</td><td>{}</td></tr>', *row)
        for row in items.itertuples(index=False)
    )
    head = join_markup(
        markup('<th scope="col">{}</th>', name.capitalize()) for name in map(str, items)
    )
    ui.html(
        markup(
            '<table class="dp-paper-items"><thead><tr>{}</tr></thead><tbody>{}</tbody></table>',
            head,
            rows,
        )
    )
    print_header.describe_without_scenario((("Paper", PAPERS[paper]),), None, _query(paper))


def _query(paper: str) -> dict[str, str]:
    return {"paper": paper} | state.presenter_query()


def open_paper_items(paper: str = next(iter(PAPERS))) -> None:
    """Go to the items of this paper."""
    st.query_params.from_dict(_query(paper))

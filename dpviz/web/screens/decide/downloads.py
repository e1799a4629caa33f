"""Two decisions side by side, and all that can be taken along: the sheet, its JSON, the scenario,
the code.

Pins live in the session. They hold figures and names of items, never a score, and so does all that
leaves the page, which is made when it is asked for; no seed is in it either.
"""

from datetime import date

import streamlit as st

from dpviz import charts
from dpviz.base import markup
from dpviz.export.decision import decision_json, decision_sheet, release_code
from dpviz.pages.decide import sentences, view
from dpviz.studies.decision import Decision
from dpviz.web.screens.decide.particulars import ask_particulars, particulars_said
from dpviz.web.screens.decide.question import PAGE
from dpviz.web.session import Slot
from dpviz.web.widgets import Cell, download, heading, paragraph, plain, show, table

_PINS: Slot[dict[str, Decision]] = Slot("decide.pins", dict)  # by letter
_LETTERS = ("A", "B")


def show_beside(decision: Decision, look: charts.Look) -> None:
    """Pin the decision, and the table of the two that are pinned; with one pin, of it and the one
    of now.

    What differs is in bold.
    """
    heading("Two scenarios side by side")
    pinned = _PINS.value
    with st.container(horizontal=True, gap="small"):
        for letter in _LETTERS:
            if st.button(f"Pin this as {letter}", key=f"decide_pin_{letter}"):
                pinned[letter] = decision
                st.rerun()  # the sheet has it too
        if pinned and st.button("Take the pins away", type="tertiary", key="decide_unpin"):
            pinned.clear()
            st.rerun()
    if not pinned:
        paragraph(
            "Pin this decision, go back and change what matters, say the goal or the mechanisms:"
            " the two then stand side by side, here and on the sheet."
        )
        return
    both = {letter: pinned[letter] for letter in _LETTERS if letter in pinned}
    if len(both) == 1:
        both["now"] = decision
    rows = []
    for name, figure in sentences.SIDE_BY_SIDE.items():
        cells: list[str] = [figure(each) for each in both.values()]
        if cells[0] != cells[1]:
            cells = [markup("<strong>{}</strong>", cell) for cell in cells]
        rows.append([Cell(name, heads=True), *cells])
    table("Two scenarios", ["", *both], rows, "dp-beside")
    show(view.beside_chart(both, look), "beside_curves")


def take_along(decision: Decision) -> None:
    """Buttons for all that can be taken along, and the code as it stands on the sheet."""
    heading("Take it along")
    pinned, first, other = _PINS.value, decision, None
    if len(pinned) == 2:
        first, other = pinned["A"], pinned["B"]
        paragraph("The sheet has A and B side by side, and the code of A.")
    ask_particulars()
    first = particulars_said(first)
    today = date.today()  # noqa: DTZ011 - the day of whoever decides, where the app runs
    with st.container(horizontal=True, gap="small"):
        download(
            "Decision sheet",
            lambda: decision_sheet(first, date=today, beside=other),
            "decision-sheet.html",
            "decide_sheet",
            icon=":material/description:",
            type="primary",
            help="One file that prints on two pages, with lines to sign.",
        )
        download(
            "The same as JSON",
            lambda: decision_json(first, date=today, beside=other),
            "decision-sheet.json",
            "decide_json",
            icon=":material/data_object:",
            help="For a registry, an inventory or a script.",
        )
        download(
            "Scenario without scores",
            first.scenario.to_json,
            "dpviz-decision.json",
            "decide_scenario",
            icon=":material/share:",
            help=(
                "To circulate: it opens this page with the same answers, and asks for the file"
                " where one was used."
            ),
        )
    digest = PAGE.read().digest
    st.toggle(
        "Put a digest of the data on the sheet",
        digest,
        help="It proves on which data this was decided; that of small counts can be guessed.",
        **PAGE.bound("digest", digest),
    )
    code = release_code(first)
    if not code.text:  # the answer is not to publish
        return
    heading(f"The code of the release, with {code.tool}")
    st.code(code.text, language="python", wrap_lines=False, height=320)
    download(
        "release.py",
        lambda: code.text,
        "release.py",
        "decide_code",
        icon=":material/code:",
    )
    st.caption(plain(code.note))

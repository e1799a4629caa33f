"""Two saved decisions, the publisher's particulars, and the files to download.

Invariant: none of them holds a score or a seed.
"""

from datetime import date
from functools import partial

import streamlit as st

from dpviz import charts
from dpviz.base import ParameterError, declared_parameters, markup
from dpviz.export.decision import decision_json, decision_sheet, release_code
from dpviz.export.decision.disclosure import disclosable_scenario
from dpviz.export.release import WHEEL_NAME
from dpviz.pages.decide import view
from dpviz.pages.decide.sentences import quality
from dpviz.studies.decision import DecideStudy, Decision
from dpviz.studies.decision.publisher_details import (
    DAYS,
    PARTICULARS,
    PublisherDetails,
    day_in_words,
    with_publisher_details,
)
from dpviz.web import widgets as ui
from dpviz.web.screens.decide.question import PAGE
from dpviz.web.server.downloads import wheel_url
from dpviz.web.session import SessionValue

_PINS: SessionValue[dict[str, Decision]] = SessionValue("decide.pins", dict)  # by letter
_LETTERS = ("A", "B")


def show_pinned_comparison(study: DecideStudy, look: charts.Look) -> None:
    decision = study.decision
    ui.heading("Compare two answers")
    pinned = _PINS.value
    with st.container(horizontal=True, gap="small"):
        for letter in _LETTERS:
            ui.button(
                f"Save as {letter}", f"decide_pin_{letter}", pinned.__setitem__, letter, decision
            )
        if pinned:
            ui.button("Remove both", "decide_unpin", pinned.clear, type="tertiary")
    if not pinned:
        ui.show_paragraph(
            "Save this answer as A, change something, and save as B. Both then stand side by side"
            " here and on the sheet."
        )
        return
    both = {letter: pinned[letter] for letter in _LETTERS if letter in pinned}
    if len(both) == 1:
        both["now"] = decision
    rows = []
    for name, figure in quality.SIDE_BY_SIDE.items():
        cells: list[str] = [figure(each) for each in both.values()]
        if cells[0] != cells[1]:
            cells = [markup("<strong>{}</strong>", cell) for cell in cells]
        rows.append([ui.Cell(name, heads=True), *cells])
    ui.show_table("Two answers", ["", *both], rows, "dp-beside")
    ui.show_chart(view.decision_comparison_chart(both, look), "beside_curves")


def show_download_section(study: DecideStudy, look: charts.Look) -> None:
    pinned, first, other = _PINS.value, study.decision, None
    ui.heading("Download")
    if len(pinned) == 2:
        first, other = pinned["A"], pinned["B"]
        ui.show_paragraph("The sheet has A and B side by side, with the code of A.")
    with ui.fold(
        "particulars", "More for the sheet: purpose, who keeps the raw counts, review date"
    ) as opened:
        if opened:
            _ask()
    first = with_publisher_details(
        first, **{name: value for name, value in _ASKED.values().items() if value}
    )
    today = date.today()  # noqa: DTZ011 - the day of whoever decides, where the app runs
    with st.container(horizontal=True, gap="small"):
        ui.show_download_button(
            "Decision sheet",
            lambda: decision_sheet(first, date=today, beside=other),
            "decision-sheet.html",
            "decide_sheet",
            icon=":material/description:",
            type="primary",
            help="One file that prints on two pages, with room for signatures.",
        )
        ui.show_download_button(
            "The same as JSON",
            lambda: decision_json(first, date=today, beside=other),
            "decision-sheet.json",
            "decide_json",
            icon=":material/data_object:",
            help="For a registry, an inventory or a script.",
        )
        ui.show_download_button(
            "Scenario without scores",
            disclosable_scenario(first).to_json,
            "dpviz-decision.json",
            "decide_scenario",
            icon=":material/share:",
            help=(
                "To share. It opens this page with the same answers, and asks for your file if you"
                " used one."
            ),
        )
    digest = PAGE.current_settings().digest
    st.toggle(
        "Put a fingerprint of the data on the sheet",
        digest,
        help="It shows which data were used. With small counts it can be guessed.",
        **PAGE.bind_control("digest", digest),
    )
    code = release_code(first)
    if not code.text:  # the answer is not to publish
        return
    ui.heading(f"Code for a release with {code.tool}")
    st.code(code.text, language="python", wrap_lines=False, height=320)
    ui.show_download_button(
        "release.py", lambda: code.text, "release.py", "decide_code", icon=":material/code:"
    )
    st.markdown(f"[Download {WHEEL_NAME}]({wheel_url()}), which the script needs.")
    st.caption(ui.escape_markdown(code.note))


_ASKED = ui.PageParameters(PARTICULARS, place="decide", tell=True)
# what was typed and cannot be read, and why, by name
_UNREAD: SessionValue[dict[str, tuple[str, str]]] = SessionValue("decide.unread", dict)


def _ask() -> None:
    said = _ASKED.values()
    ui.show_paragraph(
        "You may leave any of these empty. The link to this page contains your answers."
    )
    for column, part in zip(st.columns(2), (slice(0, None, 2), slice(1, None, 2)), strict=True):
        for each in declared_parameters(PublisherDetails)[part]:
            text = day_in_words(said[each.name]) if each.name in DAYS else said[each.name]
            text, wrong = _UNREAD.value.get(each.name, (text, ""))
            column.text_input(
                each.label,
                text,
                max_chars=200,
                help=each.help,
                **ui.bind_control(
                    PARTICULARS.prefix + each.name, text, partial(_change, each.name)
                ),
            )
            if wrong:
                column.error(ui.escape_markdown(wrong))


def _change(name: str, text: str) -> None:
    """Take an answer; what cannot be read stays in its field, with a sentence below."""
    _UNREAD.value.pop(name, None)
    try:
        said = PARTICULARS.check(name, text.strip()) or None
    except ParameterError as err:
        said, _UNREAD.value[name] = None, (text, str(err))
    _ASKED.change(**{name: said})

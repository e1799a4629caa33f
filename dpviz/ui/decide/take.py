"""What leaves the page: the sheet, the same as JSON, the code of the release, the scenario without scores.

Invariant: none of them holds a score or a seed; what is downloaded is made when it is asked for.
"""

from datetime import date

import streamlit as st

from dpviz.reports.decision.record import decision_json
from dpviz.reports.decision.release_code import release_code
from dpviz.reports.decision.sheet import decision_sheet
from dpviz.studies.decision import Decision
from dpviz.ui.decide.beside import pins
from dpviz.ui.decide.settings import PAGE
from dpviz.ui.shell.show import heading
from dpviz.ui.shell.text import plain

__all__ = ["take"]


def take(decision: Decision) -> None:
    """Buttons for all that can be taken along, and the code as it stands on the sheet."""
    heading("Take it along")
    own = pins()
    first, other = (own["A"], own["B"]) if len(own) == 2 else (decision, None)
    if other is not None:
        st.html('<p class="dp-how">The sheet has A and B side by side, and the code of A.</p>')
    today = date.today()  # noqa: DTZ011 - the day of whoever decides, where the app runs
    with st.container(horizontal=True, gap="small"):
        st.download_button(
            "Decision sheet",
            data=lambda: decision_sheet(first, date=today, beside=other),
            file_name="decision-sheet.html",
            mime="text/html",
            icon=":material/description:",
            type="primary",
            on_click="ignore",
            key="decide_sheet",
            help="One file that prints on two pages, with lines to sign.",
        )
        st.download_button(
            "The same as JSON",
            data=lambda: decision_json(first, date=today, beside=other),
            file_name="decision-sheet.json",
            mime="application/json",
            icon=":material/data_object:",
            on_click="ignore",
            key="decide_json",
            help="For a registry, an inventory or a script.",
        )
        st.download_button(
            "Scenario without scores",
            data=first.scenario.to_json,
            file_name="dpviz-decision.json",
            mime="application/json",
            icon=":material/share:",
            on_click="ignore",
            key="decide_scenario",
            help="To circulate: it opens this page with the same answers, and asks for the file where one was used.",
        )
    digest = PAGE.read()[0].digest
    st.toggle(
        "Put a digest of the data on the sheet",
        digest,
        help="It proves on which data this was decided; that of small counts can be guessed.",
        **PAGE.bound("digest", digest),
    )
    code = release_code(first)
    heading(f"The code of the release, with {code.tool}")
    st.code(code.text, language="python", wrap_lines=False, height=320)
    st.download_button(
        "release.py",
        data=code.text,
        file_name="release.py",
        mime="text/x-python",
        icon=":material/code:",
        on_click="ignore",
        key="decide_code",
    )
    st.caption(plain(code.note))

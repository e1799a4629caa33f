"""The dialog to share or save: the scenario's name, link and files, and a figure with a slider.

Invariant: each way says what it gives away; a copy to circulate holds no score and no label.
"""

from collections.abc import Iterator
from functools import partial
from types import NoneType

import streamlit as st

from dpviz.base import Progress
from dpviz.base.chunked_text import MANY, ChunkedText
from dpviz.data.reading import read_in_limited_process
from dpviz.export.takeaway import page_takeaway_file
from dpviz.pages import NAMES, load_page_view
from dpviz.pages.candidates.study import RunsStudy
from dpviz.pages.common import PageSubject, PageView
from dpviz.studies import Pair, Scenario
from dpviz.studies.candidate_runs import CandidateRuns
from dpviz.web.session import SessionValue, run_deferred_work, state
from dpviz.web.widgets import data_source, print_header
from dpviz.web.widgets.controls import bind_control, edit_for_keyword, show_notice
from dpviz.web.widgets.download_button import show_download_button
from dpviz.web.widgets.elements import FROM, escape_markdown

_WHOLE = "dpviz.files.whole"  # True once a scenario file was opened in the dialog
# runs that a page about candidates chooses among
TABLE: SessionValue[CandidateRuns | None] = SessionValue("takeaway.table", NoneType)
_CELLS = 10 * MANY  # of a figure: its steps are computed beside the page


def open_share_dialog() -> None:
    state.clear_notices()
    st.session_state.pop(_WHOLE, None)
    _share()


@st.dialog("Share or save", width="large", on_dismiss="rerun")
def _share() -> None:
    state.DIALOG.put(True)
    run_deferred_work()  # a file that was given here: the dialog is run alone
    scenario = state.scenario()
    st.text_input(
        "Name of this scenario",
        value=scenario.name,
        placeholder="no name",
        max_chars=200,
        help="The name appears on prints, charts and tables, in the link and in the file.",
        **bind_control(
            "scenario_name",
            scenario.name,
            edit_for_keyword(state.change_scenario, "name", notice_place="share"),
        ),
    )
    show_notice("share")
    st.markdown("**Link to what you see**")
    st.code(print_header.page_url(), language=None, wrap_lines=True)
    asked = " Anyone who opens it must load the file." if scenario.data.source == "uploaded" else ""
    st.caption(
        f"The link contains no item and no score.{asked} It is also the address of this page. To"
        " print the page, use the browser's print command."
    )
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**As a file**")
        file = print_header.page_provenance().file_name("scenario")
        show_download_button(
            "Download scenario",
            ChunkedText(
                scenario.json_pieces, 0 if scenario.scores is None else 2 * scenario.scores.d
            ),
            f"{file}.json",
            "scenario_file_full",
            width="stretch",
        )
        if scenario.scores is not None:
            st.caption(
                "The file contains your scores and labels. Protect it as you protect your data."
            )
            show_download_button(
                "Download a copy without scores",
                scenario.shareable_copy().to_json,
                f"{file}-no-scores.json",
                "scenario_copy",
                width="stretch",
            )
            st.caption(
                "For sharing: it contains no scores, labels or seed. Anyone who opens it must load"
                " the data."
            )
    with right:
        st.markdown("**From a file**")
        data_source.uploader("Open a scenario file", "scenario_file", _load, endings=[".json"])
        show_notice("scenario file")
        if st.session_state.pop(_WHOLE, False):
            st.rerun()
    _figure(scenario)


def _load(name: str, content: bytes) -> None:
    with state.report_refusals("scenario file", f"{name} was not opened: "):
        state.replace_scenario(read_in_limited_process(name, Scenario.from_json, content))
        FROM.put(name)
        st.session_state[_WHOLE] = True


def _figure(scenario: Scenario) -> None:
    name = print_header.page_name()
    page = load_page_view(name) if name in NAMES else None
    of = None if page is None else _subject(page, scenario)
    if page is None or of is None:
        return
    st.markdown("**A figure with a slider, as one file**")
    st.caption(
        escape_markdown(
            f"The slider moves {page.slider_quantity(of)} through computed steps. The file opens"
            f" anywhere, also without this app or a network. {page.file_disclosure(of)}"
        )
    )
    about = print_header.page_provenance()
    show_download_button(
        "Download the figure",
        ChunkedText(partial(_figure_pieces, name, of, about.rows), _CELLS),
        f"{about.file_name('slider')}.html",
        "takeaway_file",
        icon=":material/tune:",
    )


def _subject(page: PageView, scenario: Scenario) -> PageSubject | None:
    """Subject of the page; None where it, or the chosen k, waits for data."""
    if page.uses_candidates is not None and page.uses_candidates(scenario):
        study = RunsStudy(scenario=scenario, table=TABLE.value)
        return None if study.needs_table else PageSubject(scenario, table=study.table)
    waits = scenario.needs_data or scenario.k != state.scenario_as_chosen().k
    return None if waits else PageSubject(scenario, state.scores(scenario))


def _figure_pieces(
    name: str, subject: PageSubject, rows: tuple[Pair, ...], progress: Progress
) -> Iterator[str]:
    yield page_takeaway_file(load_page_view(name), subject, rows, progress).html

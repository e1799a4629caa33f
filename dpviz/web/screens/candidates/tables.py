"""Candidates from outside: a run table uploaded, or a small table typed by hand.

What was read stays in the session and never goes into a link; what cannot be used leaves what was
there, and one sentence says why.
"""

import hashlib
from functools import partial

import pandas as pd
import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from dpviz.base import Markup, markup
from dpviz.candidates import CandidatePool
from dpviz.candidates.run_tables import (
    TYPED_COLUMNS,
    find_candidate_columns,
    pool_from_run_table,
    pool_from_typed_table,
)
from dpviz.charts import count_text
from dpviz.data.reading import EXTENSIONS, MAX_EDIT_ROWS, Table, read_frame, read_upload
from dpviz.pages.candidates import CandidateRuns
from dpviz.web.jobs import RecentCache, session_cache
from dpviz.web.session import SessionValue, state
from dpviz.web.session.deferred_calls import defer_to_next_run
from dpviz.web.widgets import bind_control, paragraph, show_refusals
from dpviz.web.widgets.data_source import forget_uploaded_file

WHERE = "candidates"  # of the sidebar: where sentences on candidates stand
FILE = "dpviz.candidates.file"  # the file's control
UPLOADED: SessionValue[CandidateRuns | None] = SessionValue("candidates.uploaded", lambda: None)
"""The pool of the uploaded table, if there is one."""
_LOADED: SessionValue[tuple[Table, tuple[str, str], str] | None] = SessionValue(
    "candidates.table", lambda: None
)
"""The uploaded table, its columns that are meant, and its digest."""

EXAMPLE = pd.DataFrame(
    [
        ["steady", 0.80, 1.0],
        ["daring", 0.95, 0.2],
        ["daring", 0.60, 0.8],
        ["careful", 0.82, 0.5],
        ["careful", 0.78, 0.5],
        ["poor", 0.70, 0.1],
        ["poor", 0.40, 0.9],
    ],
    columns=list(TYPED_COLUMNS),
)
TYPED: SessionValue[pd.DataFrame] = SessionValue("candidates.typed", lambda: EXAMPLE)
"""The typed table: the example until another one is used."""


def typed_table_runs() -> CandidateRuns:
    """The pool of the typed table."""
    frame = TYPED.value
    key = "typed " + _digest(frame.to_csv(index=False).encode())
    latest: RecentCache[CandidateRuns] = session_cache("typed pool", 1)
    return latest.get_or_make(
        key,
        lambda: CandidateRuns(
            pool_from_typed_table(read_frame(frame)), key, "A typed table", empirical=False
        ),
    )


def show_typed_table() -> None:
    """The button that opens the table, and what it holds."""
    example = "An example, made up: " if TYPED.value is EXAMPLE else ""
    paragraph(
        markup("{}{}. A link does not hold it.", example, _size(typed_table_runs().pool)), "note"
    )
    if st.button("Open the table", icon=":material/edit:", width="stretch"):
        _edit()


@st.dialog("Candidates and their scores", width="large")
def _edit() -> None:
    state.DIALOG.put(True)
    st.caption(
        "A row says that a candidate's run gets this score, and how often: as a chance or as a"
        " number of runs (blank is 1). Each candidate's rows are scaled to add up to 1. Up to"
        f" {MAX_EDIT_ROWS:,} rows."
    )
    changed = st.data_editor(
        TYPED.value,
        num_rows="dynamic",
        hide_index=True,
        width="stretch",
        height=380,
        key="candidates_typed",
    )
    problem = st.empty()
    if st.button("Use this table", type="primary"):
        if len(changed) > MAX_EDIT_ROWS:
            problem.error(
                f"There are {len(changed):,} rows; at most {MAX_EDIT_ROWS:,} are allowed."
            )
            return
        with problem, show_refusals():
            pool_from_typed_table(read_frame(changed))
            TYPED.put(changed.reset_index(drop=True))
            st.rerun()


def show_run_table_upload() -> None:
    """The file's control, its columns where there is a choice, and what it holds."""
    st.file_uploader(
        "File with a candidate and a score in each row",
        type=[ending.removeprefix(".") for ending in EXTENSIONS],
        key=FILE,
        on_change=_read,
        help=(
            "A row a run: CSV, TSV, Excel, Parquet or JSON; up to 50 MB and 1,000,000 runs. It"
            " stays in this session's memory."
        ),
    )
    if _LOADED.value is not None:
        _columns(*_LOADED.value)
    if UPLOADED.value is not None:
        paragraph(markup("{}. A link does not hold them.", _size(UPLOADED.value.pool)), "note")


def _size(pool: CandidatePool) -> Markup:
    scores = count_text(len(pool.score_levels), "different score")
    return markup("<strong>{}</strong>, {}", count_text(pool.size, "candidate"), scores)


def _read() -> None:
    file = st.session_state[FILE]
    if isinstance(file, UploadedFile):  # none, or one that was taken already
        defer_to_next_run(partial(_take, file.name, file.getvalue()))
        forget_uploaded_file(file)


def _take(name: str, content: bytes) -> None:
    with state.report_refusals(WHERE):
        table = read_upload(name, content)
        _use(table, find_candidate_columns(table), _digest(content))


def _use(table: Table, columns: tuple[str, str], digest: str) -> None:
    """The table is kept even where these columns do not do, so that others can be chosen."""
    state.clear_notices()
    _LOADED.put((table, columns, digest))
    UPLOADED.put(
        CandidateRuns(pool_from_run_table(table, *columns), f"uploaded {digest} {columns!r}")
    )


def _use_chosen(table: Table, columns: tuple[str, str], digest: str) -> None:
    with state.report_refusals(WHERE):
        _use(table, columns, digest)


def _columns(table: Table, columns: tuple[str, str], digest: str) -> None:
    for position, label in enumerate(("Column of the candidate", "Column of the score")):

        def choose(name: str, position: int = position) -> None:
            chosen = (name, columns[1]) if position == 0 else (columns[0], name)
            defer_to_next_run(partial(_use_chosen, table, chosen, digest))

        st.selectbox(
            label,
            options=table.columns,
            index=table.columns.index(columns[position]),
            **bind_control(f"pc.column.{position}", columns[position], choose, table.columns),
        )


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=12).hexdigest()

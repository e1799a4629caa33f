"""The controls of Candidates: the price of a run, tables from outside, the rule, and what is good.

Tables stay in the session; refused values of a link are left out.
"""

import hashlib
from functools import partial
from types import NoneType
from typing import Any

import pandas as pd
import streamlit as st

from dpviz.base import Markup, markup
from dpviz.candidates import (
    CANDIDATES,
    CandidatePool,
    CandidateRule,
    sufficient_limit_for_delta2,
    sufficient_limit_for_epsilon0,
)
from dpviz.candidates.run_tables import (
    TYPED_COLUMNS,
    find_candidate_and_score_columns,
    pool_from_run_table,
    pool_from_typed_table,
)
from dpviz.charts import count_text
from dpviz.data.reading import Table, read_frame, read_upload
from dpviz.pages.candidates.settings import CANDIDATES_PAGE, FIRST_RULE, LIMITS, POOLS
from dpviz.pages.candidates.study import RunsStudy
from dpviz.pages.common import PageSubject
from dpviz.studies import Scenario
from dpviz.studies.candidate_runs import CandidateRuns
from dpviz.web import widgets as ui
from dpviz.web.jobs import RecentCache, session_cache
from dpviz.web.session import SessionValue, defer_to_next_run, state
from dpviz.web.widgets import takeaway

WHERE = "candidates"  # of the sidebar: where sentences on candidates stand
UPLOADED: SessionValue[CandidateRuns | None] = SessionValue("candidates.uploaded", NoneType)
"""Pool of the uploaded table."""
_LOADED: SessionValue[tuple[Table, tuple[str, str], str] | None] = SessionValue(
    "candidates.table", NoneType
)
"""Uploaded table, its chosen columns, and its digest."""

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
"""Typed table: the example until another one is used."""


def typed_table_runs() -> CandidateRuns:
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
    ui.show_paragraph(
        markup(
            "{}{}. Links do not contain it.",
            "A made-up example: " if TYPED.value is EXAMPLE else "",
            _size(typed_table_runs().pool),
        ),
        "note",
    )
    if st.button("Open the table", icon=":material/edit:", width="stretch"):
        _edit()


@st.dialog("Candidates and their scores", width="large")
def _edit() -> None:
    state.DIALOG.put(True)

    def use(edited: pd.DataFrame) -> bool:
        pool_from_typed_table(read_frame(edited))
        TYPED.put(edited.reset_index(drop=True))
        return True

    ui.show_table_editor(
        TYPED.value,
        "candidates_typed",
        "Each row has a candidate, a score, and how often its runs get that score: a chance or a"
        " number of runs (blank is 1). Each candidate's rows are scaled to add up to 1.",
        "Use this table",
        use,
    )


def show_run_table_upload() -> None:
    ui.uploader(
        "File with a candidate and a score in each row",
        "candidates_file",
        _take,
        help=(
            "CSV, TSV, Excel, Parquet or JSON with one run in each row, up to 50 MB and 1,000,000"
            " runs. The file stays in this session's memory."
        ),
    )
    if _LOADED.value is not None:
        table, columns, digest = _LOADED.value
        labels = "Column of the candidate", "Column of the score"
        for position, (label, chosen) in enumerate(zip(labels, columns, strict=True)):

            def choose(name: str, position: int = position) -> None:
                both = (name, columns[1]) if position == 0 else (columns[0], name)
                defer_to_next_run(_use, table, both, digest)

            ui.menu(label, table.columns, chosen, choose, f"pc.column.{position}")
    if UPLOADED.value is not None:
        ui.show_paragraph(
            markup("{}. Links do not contain them.", _size(UPLOADED.value.pool)), "note"
        )


def _size(pool: CandidatePool) -> Markup:
    return markup(
        "<strong>{}</strong>, {}",
        count_text(pool.size, "candidate"),
        count_text(len(pool.score_levels), "different score"),
    )


def _take(name: str, content: bytes) -> None:
    with state.report_refusals(WHERE):
        table = read_upload(name, content)
        _use(table, find_candidate_and_score_columns(table), _digest(content))


def _use(table: Table, columns: tuple[str, str], digest: str) -> None:
    """Use these columns; the table is kept even where they fail, so that others can be chosen."""
    with state.report_refusals(WHERE):
        state.clear_notices()
        _LOADED.put((table, columns, digest))
        UPLOADED.put(
            CandidateRuns(pool_from_run_table(table, *columns), f"uploaded {digest} {columns!r}")
        )


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=12).hexdigest()


_GAMMAS = (
    *(float(f"{m * 10.0**e:.3g}") for e in (-3, -2, -1) for m in (1, 1.5, 2, 3, 4, 5, 7)),
    1.0,
)
NAME = "candidates"
parameters_of = partial(
    ui.PageParameters, place=WHERE, tell=True
)  # other pages have parameters of the same names
PAGE = parameters_of(CANDIDATES_PAGE)
_LIMITS = parameters_of(LIMITS)


def current_runs_study() -> RunsStudy:
    scenario = state.scenario()
    pool = RunsStudy(scenario=scenario).settings.pool
    return RunsStudy(
        scenario=scenario,
        table=typed_table_runs()
        if pool == "typed"
        else UPLOADED.value
        if pool == "uploaded"
        else None,
    )


def show_sidebar_controls(scenario: Scenario) -> None:
    view = PAGE.current_settings().view
    show_pool_controls(
        with_source=view != "leaks", with_run_delta=view not in {"leaks", "percentile"}
    )
    if view == "leaks":
        ui.show_side_heading("Random stopping")
        _control(FIRST_RULE, "stop")
    elif view != "percentile":
        label = CANDIDATES.label(current_runs_study().settings.rule)
        with ui.sidebar_section("Rule", label, WHERE) as is_open:
            if is_open:
                _rule_section()
    ui.show_notice(WHERE)


def _rule_section() -> None:
    show_rule_controls(
        PAGE.menu("rule", "Rule", CANDIDATES.searchable_label, label_visibility="collapsed")
    )
    ui.show_side_heading("What counts as good")
    PAGE.number_box("share", step=0.01)


def show_run_price_control(scenario: Scenario) -> None:
    declared, study = PAGE.declared["epsilon1"], current_runs_study()
    of = None if study.needs_table else PageSubject(study.scenario, table=study.table)
    ui.show_budget_control(
        "pc.epsilon1",
        study.settings.epsilon1,
        ui.edit_for_keyword(PAGE.change, "epsilon1"),
        labels=(declared.label, "ε1, exactly"),
        help=declared.help,
        high=declared.high or 1e4,
        preview=None if of is None else ui.previewed_page_slider(NAME, of),
    )


def show_pool_controls(*, with_source: bool = True, with_run_delta: bool = True) -> None:
    """Source of the candidates (with `with_source`), and δ1 of a run (with `with_run_delta`)."""
    if with_source:
        study = current_runs_study()
        opened = study.needs_table or study.settings.pool != "built_in"
        label = POOLS[study.settings.pool]
        with ui.sidebar_section("Candidates", label, "candidates_from", is_open=opened) as is_open:
            if is_open:
                _show_candidates_source()
                if with_run_delta:
                    _one_run()
    elif with_run_delta:
        _one_run()
    takeaway.TABLE.put(current_runs_study().table)


def _show_candidates_source() -> None:
    sources = {
        "built_in": _built_in,
        "typed": show_typed_table,
        "uploaded": show_run_table_upload,
    }
    chosen = PAGE.menu("pool", "Candidates from", POOLS.__getitem__, label_visibility="collapsed")
    sources[chosen]()


def _one_run() -> None:
    with st.popover("If runs are not pure: δ1", width="stretch", icon=":material/tune:"):
        PAGE.number_box("delta1", step=1e-6)
        st.caption(PAGE.declared["delta1"].help)


def _built_in() -> None:
    ui.show_paragraph(
        "Private logistic regressions with ten settings, trained on made-up people. A run's score"
        " is its accuracy on other, public people.",
        "note",
    )
    with st.popover("How they are made", width="stretch", icon=":material/model_training:"):
        PAGE.number_box("people", step=100)
        PAGE.number_box("runs", step=100)
        ui.seed_box("pc.seed", None, width="stretch")
        st.caption(
            "Four settings are output perturbation with different regularisation. Six are noisy"
            " gradient descent with 3, 10 or 30 steps of two lengths (Chaudhuri, Monteleoni &"
            " Sarwate 2011). The same seed gives the same runs."
        )


def show_rule_controls(rule: str) -> None:
    """Parameters of a rule, and its limit where it has one."""
    ui.show_menu_help(CANDIDATES, rule)
    for name in rule_page_parameters(rule).declared:
        _control(rule, name)
    if rule in LIMITS.declared:
        limit = _LIMITS.values()[rule] or None
        edit = partial(_set_limit, rule)
        st.toggle(
            "Set the limit T",
            value=limit is not None,
            help=(
                "At most T runs are made. Without a setting, T is the smallest that the theorem"
                " allows, or there is no limit if it needs none."
            ),
            **ui.bind_control(
                f"pc.limited.{rule}",
                limit is not None,
                lambda wanted: edit(_suggested(rule) if wanted else None),
            ),
        )
        if limit is not None:
            st.number_input(
                "Limit T, runs at most",
                value=limit,
                step=1,
                **ui.bind_control(f"pc.limit.{rule}", limit, edit),
            )


def rule_page_parameters(rule: str) -> ui.PageParameters[CandidateRule]:
    return parameters_of(current_runs_study().rule_parameters(rule))


def _control(rule: str, name: str) -> None:
    def check(value: object) -> None:
        current_runs_study().build_rule(rule, **{name: value})

    parameters = rule_page_parameters(rule)
    if name != "stop":
        parameters.number_box(name, check=check)
        return
    declared = parameters.declared[name]
    ui.slider_and_box(
        parameters.prefix + name,
        parameters.values()[name],
        lambda given: parameters.change(check, **{name: given}),
        labels=(declared.label, "γ, exactly"),
        helps=(declared.help or None, None),
        stops=_GAMMAS,
        end_labels=("more runs", "fewer runs"),
    )


def _suggested(rule: str) -> int:
    """The rule's own limit at this γ, else one that adds ε0 = 0.1 (or δ2 = 10⁻⁶)."""
    study = current_runs_study()
    least: int | None = getattr(study.build_rule(rule, limit=None), "limit", None)
    if least:
        return least
    return (
        sufficient_limit_for_delta2(study.stop_probability, 1e-6)
        if study.settings.delta1
        else sufficient_limit_for_epsilon0(study.stop_probability, 0.1)
    )


def _set_limit(rule: str, limit: Any) -> None:
    study = current_runs_study()
    with state.report_refusals(WHERE):
        if limit is not None:
            study.build_rule(rule, limit=limit).total_epsilon(*study.run_epsilon_and_delta)
        _LIMITS.change(**{rule: limit})

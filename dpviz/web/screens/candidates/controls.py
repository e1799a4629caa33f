"""The controls of Candidates: the price of a run, the candidates, the rule, and what counts as
good.

Settings are read from the scenario as a `RunsStudy`; refused values of a link are left out.
"""

from functools import partial
from typing import Any

import streamlit as st

from dpviz.candidates import CANDIDATES, CandidateRule, limit_for_delta, limit_for_epsilon
from dpviz.pages.candidates import CANDIDATES_PAGE, FIRST_RULE, LIMITS, POOLS, RunsStudy
from dpviz.pages.common import PageSubject
from dpviz.studies import Scenario
from dpviz.web.screens.candidates import tables
from dpviz.web.session import state
from dpviz.web.widgets import (
    PageParameters,
    bind_control,
    page_preview_key,
    page_slider_stops,
    paragraph,
    seed_box,
    show_budget_control,
    show_menu_help,
    show_notice,
    side_heading,
    sidebar_section,
    takeaway,
)

_GAMMAS = (
    *(float(f"{m * 10.0**e:.3g}") for e in (-3, -2, -1) for m in (1, 1.5, 2, 3, 4, 5, 7)),
    1.0,
)
NAME = "candidates"
parameters_of = partial(
    PageParameters, where=tables.WHERE, tell=True
)  # other pages have parameters of the same names
PAGE = parameters_of(CANDIDATES_PAGE)
_LIMITS = parameters_of(LIMITS)


def current_runs_study() -> RunsStudy:
    """Study with the current settings."""
    scenario = state.scenario()
    pool = RunsStudy(scenario=scenario).settings.pool
    return RunsStudy(
        scenario=scenario,
        table=tables.typed_table_runs()
        if pool == "typed"
        else tables.UPLOADED.value
        if pool == "uploaded"
        else None,
    )


def show_sidebar_controls(scenario: Scenario) -> None:
    """Controls that the open view uses."""
    view = PAGE.current_settings().view
    pool_controls(among=view != "leaks", pure=view not in {"leaks", "percentile"})
    if view == "leaks":
        side_heading("Random stopping")
        _control(FIRST_RULE, "stop")
    elif view != "percentile":
        with sidebar_section(
            "Rule", CANDIDATES.label(current_runs_study().settings.rule), tables.WHERE
        ):
            rule_controls(PAGE.menu("rule", "Rule", CANDIDATES.label, label_visibility="collapsed"))
            side_heading("What counts as good")
            PAGE.number_box("share", step=0.01)
    show_notice(tables.WHERE)


def show_run_price_control(scenario: Scenario) -> None:
    """Price of one run, on the strip."""
    declared, study = PAGE.declared["epsilon1"], current_runs_study()
    of = None if study.needs_table else PageSubject(study.scenario, table=study.table)
    show_budget_control(
        "pc.epsilon1",
        study.settings.epsilon1,
        lambda epsilon: PAGE.change(epsilon1=epsilon),
        labels=(declared.label, "ε1, exactly"),
        help=declared.help,
        high=declared.high or 1e4,
        stops=None if of is None else page_slider_stops(NAME, of),
        mark="" if of is None else page_preview_key(NAME, of),
    )


def pool_controls(*, among: bool = True, pure: bool = True) -> None:
    """Source of the candidates (with `among`), and δ1 of a run (with `pure`)."""
    if among:
        study = current_runs_study()
        opened = study.needs_table or study.settings.pool != "built_in"
        with sidebar_section(
            "Candidates", POOLS[study.settings.pool], "candidates_from", opened=opened
        ):
            sources = {
                "built_in": _built_in,
                "typed": tables.show_typed_table,
                "uploaded": tables.show_run_table_upload,
            }
            sources[
                PAGE.menu(
                    "pool", "Candidates from", POOLS.__getitem__, label_visibility="collapsed"
                )
            ]()
            if pure:
                _one_run()
    elif pure:
        _one_run()
    takeaway.TABLE.put(current_runs_study().table)


def _one_run() -> None:
    with st.popover("If runs are not pure: δ1", width="stretch", icon=":material/tune:"):
        PAGE.number_box("delta1", step=1e-6)
        st.caption(PAGE.declared["delta1"].help)


def _built_in() -> None:
    paragraph(
        "Logistic regressions with differential privacy, ten settings, trained on made-up people"
        " and really run; a run's score is its accuracy on other people, who are public.",
        "note",
    )
    with st.popover("How they are made", width="stretch", icon=":material/model_training:"):
        PAGE.number_box("people", step=100)
        PAGE.number_box("runs", step=100)
        seed_box("pc.seed", None, width="stretch")
        st.caption(
            "Output perturbation with four strengths of regularisation, and noisy gradient descent"
            " with 3, 10 or 30 steps of two lengths (Chaudhuri, Monteleoni & Sarwate 2011). The"
            " same seed gives the same runs."
        )


def rule_controls(rule: str) -> None:
    """Parameters of a rule, and its limit where it has one."""
    show_menu_help(CANDIDATES, rule)
    for name in rule_page_parameters(rule).declared:
        _control(rule, name)
    if rule in LIMITS.declared:
        limit = _LIMITS.values()[rule] or None
        edit = partial(_set_limit, rule)
        st.toggle(
            "Set the limit T",
            value=limit is not None,
            help=(
                "At most T runs, whatever the coin says. If not set: the smallest that the theorem"
                " allows, or none where it needs none."
            ),
            **bind_control(
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
                **bind_control(f"pc.limit.{rule}", limit, edit),
            )


def rule_page_parameters(rule: str) -> PageParameters[CandidateRule]:
    """Page parameters of a rule."""
    return parameters_of(current_runs_study().rule_parameters(rule))


def _control(rule: str, name: str) -> None:
    def check(value: object) -> None:
        current_runs_study().build_rule(rule, **{name: value})

    if name == "stop":
        rule_page_parameters(rule).slider_and_box(
            name, "γ, exactly", _GAMMAS, ("more runs", "fewer runs"), check
        )
    else:
        rule_page_parameters(rule).number_box(name, check=check)


def _suggested(rule: str) -> int:
    """The rule's own limit at this γ, else one that adds ε0 = 0.1 (or δ2 = 10⁻⁶)."""
    study = current_runs_study()
    least: int | None = getattr(study.build_rule(rule, limit=None), "limit", None)
    if least:
        return least
    return (
        limit_for_delta(study.stop_probability, 1e-6)
        if study.settings.delta1
        else limit_for_epsilon(study.stop_probability, 0.1)
    )


def _set_limit(rule: str, limit: Any) -> None:
    study = current_runs_study()
    with state.report_refusals(tables.WHERE):
        if limit is not None:
            study.build_rule(rule, limit=limit).total_epsilon(*study.run_price)
        _LIMITS.change(**{rule: limit})

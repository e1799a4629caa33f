"""The last screen of Decide: verdict, plans by total cost, advice, drift, risk, and errors."""

import math
from collections.abc import Callable

import streamlit as st

from dpviz.base import ParameterError, Scores, markup
from dpviz.charts import Look, chance_by_count_chart, upper_bound_text
from dpviz.pages.decide import view as decide
from dpviz.pages.decide.sentences import basis, phrases, price, quality
from dpviz.pages.deployments.view import plan_chart
from dpviz.studies import read_if_ready
from dpviz.studies.decision import DecideStudy, Question, describe_goal
from dpviz.topk.threshold_counts import ThresholdCounts
from dpviz.web import widgets as ui
from dpviz.web.jobs import Job
from dpviz.web.screens.decide.downloads import show_download_section, show_pinned_comparison
from dpviz.web.screens.decide.question import (
    WHERE,
    current_decide_study,
    edit_answers,
    previewed_decide_slider,
    show_previous_question_button,
)
from dpviz.web.session import state

_LEAST = "least"


def show_answer(question: Question, scores: Scores, look: Look) -> None:
    """The whole screen, which fills as the answer comes."""
    asked = current_decide_study(question, scores)
    study, job = ui.compute_in_background(asked)
    if job.problem is None:
        ui.enable_slider_preview(previewed_decide_slider(asked))
    with st.container(key="decide_first"), ui.show_job_progress("laws"):
        with ui.live_part():
            _show_title(study, job)
        ui.show_notice(WHERE)
        left, right = st.columns([1, 2.3], gap="medium")
        with left, ui.live_part("The figures"):
            if _may_have_plan(study, job):
                ui.show_figures(
                    decide.headlines(study), "Figures of the decision", slider_value=study.epsilon
                )
        with right, ui.live_part("Quality and privacy cost"):
            if _may_have_plan(study, job):
                ui.show_chart(
                    decide.quality_by_cost_chart(study, look),
                    "cost_lines",
                    study.epsilon,
                    help_folded=True,
                )
        ui.show_not_private_banner(None)
    with ui.live_part("The mechanisms"):
        _show_needs(study, job)
    labels = {_LEAST: f"The mechanism with {price.minimised_quantity(question)}"}
    labels |= {str(i): question.label(design) for i, design in enumerate(question.designs)}
    taken = _LEAST if question.taken is None else str(question.taken)
    fixed = question.epsilon is not None
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        ui.menu(
            "Mechanism",
            labels,
            taken,
            lambda name: edit_answers(taken=None if name == _LEAST else int(name)),
            "decide.taken",
            names=labels.__getitem__,
            width=330,
        )
        if not question.states_noise:
            ui.choice_buttons(
                "ε",
                {False: "smallest for the goal", True: "set by hand"},
                fixed,
                lambda hand: edit_answers(epsilon=state.scenario().epsilon if hand else None),
                "decide.fixed",
            )
    with ui.live_part():
        _show_help(study)
    with ui.live_part():
        if sentences := price.contribution_cap_sentences(study):
            ui.heading("A limit of items per person")
            ui.show_bullets(sentences)
    for name, show_section in _SECTIONS.items():
        with st.container(key=f"pale_{name}"), ui.live_part():  # it does not follow the slider
            show_section(study, look)
    show_previous_question_button()


def _refusal(study: DecideStudy, job: Job) -> ParameterError | None:
    """Reason why there is no plan; None where there is one, or nobody knows yet."""
    try:
        read_if_ready(lambda: study.epsilon)
    except ParameterError as err:
        return err
    return job.refused


def _may_have_plan(study: DecideStudy, job: Job) -> bool:
    return job.problem is None and _refusal(study, job) is None


def _show_title(study: DecideStudy, job: Job) -> None:
    question = study.question
    over = "Decide · the answer"
    what = ui.isolate_bidi(question.name) if question.name else f"A list of {question.k:,}"
    refused = _refusal(study, job)
    texts = None
    if job.problem is None and refused is None:
        texts = read_if_ready(_verdict_texts, study)
    if texts is None:
        title = "The answer is being computed"
        lead = f"The goal: {describe_goal(question.parsed_goal, question.k)}."
        if refused is not None:
            title, lead = price.no_answer_title_and_sentence(refused)
        elif job.failed:
            title, lead = price.FAILED
        elif read_if_ready(lambda: study.cost.is_within_limit(question)) is False:
            title = price.verdict_phrase("no")
            lead = "The nearest plan that is: still being computed."
        ui.show_page_head(over, title, lead, what)
        return
    if state.scenario().epsilon != study.epsilon and question.epsilon is None:
        state.change_without_undo(epsilon=study.epsilon)  # for strip, link and other pages
        st.rerun()
    ui.show_page_head(
        over,
        ui.live_text("heading", texts[0], study.epsilon),
        ui.live_text("lead", texts[1], study.epsilon),
        markup(" · ").join(
            (
                what,
                study.chosen_plan.label,
                markup("one {}", ui.isolate_bidi(question.unit)),
                phrases.release_count_phrase(study),
                ui.isolate_bidi(phrases.data_label(study)),
            )
        ),
    )


def _verdict_texts(study: DecideStudy) -> tuple[str, str]:
    """Title and first sentences, before all steps have come where they cannot change any more."""
    of = study.decision if study.mechanism.shorter else study
    return price.answer_title(of), decide.lead_sentence(of)


def _show_needs(study: DecideStudy, job: Job) -> None:
    ui.heading("The mechanisms, each at its smallest ε for the goal")
    came = study.plans.ready_results()
    taken = read_if_ready(lambda: study.taken) if len(came) == len(study.plans) else None
    delta = upper_bound_text(study.question.delta)
    heads = (
        ("Mechanism", "● is chosen"),
        ("ε of all releases", f"at δ = {delta}"),
        ("Attacker right", "times in 100, at most"),
        ("ε of one release", describe_goal(study.question.parsed_goal, study.question.k)),
    )
    rows = []
    for place, plan in sorted(came.items(), key=lambda row: row[1].sort_key(study.question)):
        total, _, *others = price.plan_cells(plan, math.nan)
        total, _, at = total.partition(" at ")
        name = f"{int(place) + 1} {plan.label}{' ●' if int(place) == taken else ''}"
        below = plan.reason or (f"at {at}" if at else "")
        rows.append(
            [
                ui.Cell(name, "dp-who"),
                ui.Cell(
                    markup("{} <small>{}</small>", total, below) if below else total,
                    "dp-why" if plan.reason else "dp-cell",
                ),
                *others,
            ]
        )
    missing = (
        "Still being computed."
        if not job.finished
        else "Not known: its search did not come to an end."
    )
    for number, design in enumerate(study.question.designs):
        if f"{number}" not in came:
            name = f"{number + 1} {study.question.label(design)}"
            rows.append([ui.Cell(name, "dp-who"), ui.Cell(missing, "dp-why"), "", ""])
    ui.show_table("The mechanisms", heads, rows, "dp-needs")
    if study.question.uses_default_menu:
        ui.show_paragraph(basis.allowed_mechanisms_sentence(study.question), "note")


def _show_help(study: DecideStudy) -> None:
    sentences = price.suggestion_sentences(study)  # before the heading: it waits for them
    if not study.has_no_acceptable_plan and not sentences:
        return
    ui.heading("What would help")
    ui.show_bullets(sentences or ["No change that was tried helps."])
    if study.has_no_acceptable_plan:
        ui.show_paragraph("You may also decide not to publish.")


def _show_rule(study: DecideStudy, look: Look) -> None:
    """The stated rule, and how often a count is published under it."""
    if not study.chosen_plan.design.stated_scale or study.chosen_plan.cost is None:
        return
    mechanism = study.mechanism
    ui.heading("The stated rule")
    ui.show_paragraph(price.mechanism_reason(study.decision), "says")
    if isinstance(mechanism, ThresholdCounts):
        rule, scores = mechanism.passing_rule(), study.scores
        ui.show_chart(
            chance_by_count_chart(rule, scores=scores, k=mechanism.k, look=look), "by_size"
        )


def _show_drift(study: DecideStudy, look: Look) -> None:
    chart = decide.drift_chart(study, look)  # before the heading: it waits for it
    ui.heading("If the data differ")
    ui.show_chart(chart, "drift_strip")


def _show_odds(study: DecideStudy, look: Look) -> None:
    decision = study.decision
    ui.heading(f"Risk for one {study.question.unit}")
    ui.show_chart(decide.right_guesses_chart(study, look), "decide_hundred")
    ui.show_paragraph(price.belief_sentence(decision), "says")
    ui.show_glossary("epsilon", "privacy_loss", "unit")


def _show_others(study: DecideStudy, look: Look) -> None:
    guess, unit = study.decision.cost.guess, study.question.unit  # before the fold: it waits
    with ui.fold(
        "decide_others", "Where do others stand? This plan among public deployments"
    ) as opened:
        if opened:
            ui.show_chart(plan_chart(guess, unit, look), "decide_deployments", help_folded=True)
            st.page_link(
                "pages/deployments.py", label="All public deployments", icon=":material/public:"
            )


def _show_misses(study: DecideStudy, look: Look) -> None:
    decision = study.decision
    ui.heading("Likely errors")
    ui.show_bullets(quality.likely_error_sentences(decision))
    ui.show_paragraph(quality.hits_sentence(decision), "says")


def _show_totals(study: DecideStudy, look: Look) -> None:
    decision = study.decision
    ui.heading("All releases together")
    ui.show_table(
        "Total of all releases",
        ("Method", "Total ε", "δ", ""),
        [
            (
                ui.Cell(price.WAYS[way].title, "dp-who"),
                ui.Cell(epsilon, "dp-cell" if epsilon else ""),
                delta,
                ui.Cell(reason, "dp-why" if reason else ""),
            )
            for way, epsilon, delta, reason in price.composition_total_rows(decision)
        ],
        "dp-needs",
    )
    ui.show_paragraph(
        f"{phrases.release_count_phrase(decision)}. All totals are valid, and the smallest is used."
        " Bounded range is only for comparison: it holds for lists that are fixed in advance."
        f" In all, ρ = {upper_bound_text(decision.account.rho)}."
    )
    if both := price.full_participation_sentence(decision):
        ui.show_paragraph(both, "says")
    ui.show_glossary("delta", "rho", "contributions")


_SECTIONS: dict[str, Callable[[DecideStudy, Look], None]] = {
    "rule": _show_rule,
    "drift": _show_drift,
    "odds": _show_odds,
    "others": _show_others,
    "misses": _show_misses,
    "totals": _show_totals,
    "beside": show_pinned_comparison,
    "take": show_download_section,
}

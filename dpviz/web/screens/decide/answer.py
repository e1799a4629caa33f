"""The last screen of Decide: verdict, plans by total cost, advice, drift, risk, and errors."""

import math
from collections.abc import Callable
from functools import partial

import streamlit as st

from dpviz.base import ParameterError, Scores, markup
from dpviz.charts import Look, chance_by_size_chart, upper_bound_text
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
    BUDGET,
    WHERE,
    decide_preview_key,
    decide_slider_stops,
    decide_study,
    edit_answers,
    move_by_screens,
)
from dpviz.web.session import state

_LEAST = "least"


def show_answer(question: Question, scores: Scores, look: Look) -> None:
    """The whole screen, which fills as the answer comes."""
    asked = decide_study(question, scores)
    study, job = ui.compute_in_background(asked)
    if (values := decide_slider_stops(asked)) is not None and job.problem is None:
        ui.enable_slider_preview(
            ui.PreviewedSlider(
                slider=f"{BUDGET}_slider",
                mark=decide_preview_key(asked),
                values=values,
                value=state.scenario().epsilon,
                step=partial(decide.build_preview, asked),
                uses=[asked],
            )
        )
    with st.container(key="decide_first"), ui.show_job_progress(lambda: [job]):
        ui.show_live_part(partial(_title, study, job), ui.progress_reader(job))
        ui.show_notice(WHERE)
        left, right = st.columns([1, 2.3], gap="medium")
        with left:
            ui.show_live_view(
                _where_there_is_one(
                    study,
                    job,
                    lambda: ui.show_figures(
                        decide.headlines(study), "Figures of the decision", at=study.epsilon
                    ),
                ),
                "The figures",
            )
        with right:
            ui.show_live_view(
                _where_there_is_one(
                    study,
                    job,
                    lambda: ui.show_chart_with_table(
                        decide.cost_chart(study, look), "cost_lines", brief=True, at=study.epsilon
                    ),
                ),
                "Quality and privacy cost",
            )
        ui.show_not_private_banner(None)
    ui.show_live_view(partial(_needs, study, job), "The mechanisms")
    labels = {_LEAST: f"The mechanism with {price.minimised_quantity(question)}"}
    labels |= {str(i): question.label(design) for i, design in enumerate(question.designs)}
    taken = _LEAST if question.taken is None else str(question.taken)
    fixed = question.epsilon is not None
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.selectbox(
            "Mechanism",
            list(labels),
            index=list(labels).index(taken),
            format_func=labels.__getitem__,
            width=330,
            **ui.bind_control(
                "decide.taken",
                taken,
                lambda name: edit_answers(taken=None if name == _LEAST else int(name)),
                labels,
            ),
        )
        if not question.states_noise:
            st.segmented_control(
                "ε",
                [False, True],
                format_func=lambda hand: "set by hand" if hand else "smallest for the goal",
                default=fixed,
                required=True,
                **ui.bind_control(
                    "decide.fixed",
                    fixed,
                    lambda hand: edit_answers(epsilon=state.scenario().epsilon if hand else None),
                ),
            )
    ui.show_live_view(partial(read_if_ready, partial(_helps, study)))
    ui.show_live_view(partial(read_if_ready, partial(_caps, study)))
    sections: dict[str, Callable[[], None]] = {
        "rule": partial(_rule, study, look),
        "drift": partial(_drift, study, look),
        "odds": partial(_odds, study, look),
        "others": partial(_others, study, look),
        "misses": partial(_misses, study),
        "totals": partial(_totals, study),
        "beside": lambda: show_pinned_comparison(study.decision, look),
        "take": lambda: show_download_section(study.decision),
    }
    for name, show_section in sections.items():
        with st.container(key=f"pale_{name}"):  # it does not follow the slider
            ui.show_live_view(partial(read_if_ready, show_section))
    st.button(
        "Back",
        icon=":material/arrow_back:",
        on_click=move_by_screens,
        args=(-1,),
        key="decide_back",
    )


def _refusal(study: DecideStudy, job: Job) -> ParameterError | None:
    """Reason why there is no plan; None where there is one, or nobody knows yet."""
    try:
        read_if_ready(lambda: study.epsilon)
    except ParameterError as err:
        return err
    return job.refused


def _where_there_is_one(
    study: DecideStudy, job: Job, draw: Callable[[], None]
) -> Callable[[], None]:
    """Draw function that draws nothing where no plan reaches the goal."""
    return lambda: draw() if job.problem is None and _refusal(study, job) is None else None


def _title(study: DecideStudy, job: Job) -> None:
    question = study.question
    over = "Decide · the answer"
    what = ui.isolate_bidi(question.name) if question.name else f"A list of {question.k:,}"
    refused = _refusal(study, job)
    texts = None
    if job.problem is None and refused is None:
        texts = read_if_ready(partial(_verdict_texts, study))
    if texts is None:
        title = "The answer is being computed"
        lead = f"The goal: {describe_goal(question.parsed_goal, question.k)}."
        if refused is not None:
            title, lead = price.no_answer_texts(refused)
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


def _needs(study: DecideStudy, job: Job) -> None:
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
        total, _, *others = price.need_cells(plan, math.nan)
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
        ui.paragraph(basis.searched_case_sentence(study.question), "note")


def _helps(study: DecideStudy) -> None:
    sentences = price.help_sentences(study)  # before the heading: it waits for them
    if not study.has_no_acceptable_plan and not sentences:
        return
    ui.heading("What would help")
    ui.bullets(sentences or ["No change that was tried helps."])
    if study.has_no_acceptable_plan:
        ui.paragraph("You may also decide not to publish.")


def _caps(study: DecideStudy) -> None:
    if sentences := price.cap_sentences(study):
        ui.heading("A limit of items per person")
        ui.bullets(sentences)


def _rule(study: DecideStudy, look: Look) -> None:
    """The stated rule, and how often a count is published under it."""
    if not study.chosen_plan.design.stated_scale or study.chosen_plan.cost is None:
        return
    mechanism = study.mechanism
    ui.heading("The stated rule")
    ui.paragraph(price.mechanism_reason(study.decision), "says")
    if isinstance(mechanism, ThresholdCounts):
        rule, scores = mechanism.passing_rule(), study.scores
        chart = chance_by_size_chart(rule, scores=scores, k=mechanism.k, look=look)
        ui.show_chart_with_table(chart, "by_size")


def _drift(study: DecideStudy, look: Look) -> None:
    chart = decide.drift_chart(study, look)  # before the heading: it waits for it
    ui.heading("If the data differ")
    ui.show_chart_with_table(chart, "drift_strip")


def _odds(study: DecideStudy, look: Look) -> None:
    decision = study.decision
    ui.heading(f"Risk for one {study.question.unit}")
    ui.show_chart_with_table(decide.guessers_chart(study, look), "decide_hundred")
    ui.paragraph(price.belief_sentence(decision), "says")
    ui.show_glossary("epsilon", "privacy_loss", "unit")


def _others(study: DecideStudy, look: Look) -> None:
    cost = study.decision.cost  # before the fold: it waits for it
    ui.show_expander(
        "Where do others stand? This plan among public deployments",
        "decide_others",
        partial(_show_others, cost.guess, study.question.unit, look),
    )


def _show_others(guess: float, unit: str, look: Look) -> None:
    ui.show_chart_with_table(plan_chart(guess, unit, look), "decide_deployments", brief=True)
    st.page_link("pages/deployments.py", label="All public deployments", icon=":material/public:")


def _misses(study: DecideStudy) -> None:
    decision = study.decision
    ui.heading("Likely errors")
    ui.bullets(quality.miss_sentences(decision))
    ui.paragraph(quality.hits_sentence(decision), "says")


def _totals(study: DecideStudy) -> None:
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
            for way, epsilon, delta, reason in price.composition_totals(decision)
        ],
        "dp-needs",
    )
    ui.paragraph(
        f"{phrases.release_count_phrase(decision)}. All totals are valid, and the smallest is used."
        " Bounded range is only for comparison: it holds for lists that are fixed in advance."
        f" In all, ρ = {upper_bound_text(decision.account.rho)}."
    )
    if both := price.full_participation_sentence(decision):
        ui.paragraph(both, "says")
    ui.show_glossary("delta", "rho", "contributions")

"""The question of Decide, read from the scenario and written back; nothing is kept elsewhere.

Invariants: an unanswered question has its default; a refused answer changes nothing and is a
notice; the protected unit stays when other data are chosen, and a goal follows k.
"""

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dpviz.base import ParameterError, Scores, markup
from dpviz.base.file_values import SpilledValue
from dpviz.charts import count_text
from dpviz.data.counting import count_proposed_log
from dpviz.data.reading.guessing import Proposal
from dpviz.pages.decide.sentences import phrases
from dpviz.pages.decide.settings import (
    ANSWER,
    DECIDE_PAGE,
    QUESTIONS,
    SCREENS,
    designs_unless_chosen,
    read_question,
)
from dpviz.pages.decide.view import build_slider_preview, describe_settings, preview_range
from dpviz.studies import DataSpec, Scenario, StepRefusal, result_or_refusal
from dpviz.studies.decision import (
    PREFIX,
    DecideStudy,
    Question,
    RecountableLog,
    describe_goal_and_probability,
    rescale_goal,
)
from dpviz.topk import TOP_K
from dpviz.web import widgets as ui
from dpviz.web.jobs import RecentCache, session_cache
from dpviz.web.session import SessionValue, state
from dpviz.web.widgets import confirmed_upload, person_questions, print_header

WHERE = "decide"
BUDGET = "decide.epsilon"  # on the stage
_ENDS_KEPT = 64
# rows of a log that is counted again under other limits: longer ones take minutes, and much memory
_MOST_RECOUNTED = 100_000
PAGE = ui.PageParameters(DECIDE_PAGE, place=WHERE, tell=True)
_ABOUT = "dpviz.decide.about"  # the data that were last looked at
_RELATION = ("monotonic", "sensitivity")


def current_screen() -> str:
    return PAGE.current_settings().screen


def go_to_screen(name: str) -> None:
    PAGE.change(screen=name)


def screen_index(name: str) -> int:
    """Place of a screen among the questions; other screens stand at the answer's."""
    return QUESTIONS.index(name) if name in QUESTIONS else len(QUESTIONS)


def move_by_screens(offset: int) -> None:
    """Move from the screen that is open when the press arrives; the drawing may be older."""
    names = (*QUESTIONS, ANSWER)
    go_to_screen(names[min(max(screen_index(current_screen()) + offset, 0), len(QUESTIONS))])


def show_previous_question_button() -> None:
    ui.button("Back", "decide_back", move_by_screens, -1, icon="arrow_back")


PAST: SessionValue[dict[str, SpilledValue[Proposal]]] = SessionValue("decide.past", dict)
"""Past periods as they were read, by the name of their file; they stay in the session."""


def scores_of_past_periods() -> dict[str, Scores]:
    """Scores of past periods; a log is counted as the current one is, and anew when that changes."""
    log = confirmed_upload.current_event_log()
    items, most = (None, None) if log is None else (log.items, log.most)
    kept: RecentCache[Scores] = session_cache("past", _ENDS_KEPT)
    return {
        name: kept.get_or_make(f"{hash(items)} {most} {name}", _count_period, given, items, most)
        for name, given in PAST.value.items()
    }


def set_past_period(name: str, proposal: Proposal | None) -> None:
    """Take a past period, or drop it for None; what was counted under its name goes."""
    session_cache("past", _ENDS_KEPT).clear()
    if proposal is None:
        PAST.value.pop(name, None)
    else:
        PAST.value[name] = SpilledValue(proposal.without_source())
    edit_answers(periods=len(PAST.value))


def _count_period(
    given: SpilledValue[Proposal], items: tuple[str, ...] | None, most: int | None
) -> Scores:
    period = given.load()
    if period.meaning.log:
        return count_proposed_log(period, items=items, contributions=most).scores
    return period.scores()


def set_up_decide_page() -> tuple[Question, Scores | None]:
    """Draw everything around the page; return the question, and the scores if they are here."""
    ui.set_up_page_without_scores("decide", _sidebar, _stage)
    now, scores = current_question(), _scores()
    print_header.set_page_provenance(scores, describe_settings(now))
    return now, scores


def _scores() -> Scores | None:
    """Scores to answer it on; None where a file must be loaded, or an example is too small."""
    scenario = state.scenario_as_chosen()
    scores = None if scenario.needs_data else state.scores(scenario)
    return (
        None
        if scores is None or (scenario.k >= scores.d and not state.is_data_chosen())
        else scores
    )


def _stage(scenario: Scenario) -> None:
    if current_screen() != ANSWER:
        return
    scores, question = _scores(), current_question()
    if not question.states_noise:
        ui.show_budget_control(
            BUDGET,
            scenario.epsilon,
            ui.edit_for_keyword(edit_answers, "epsilon"),
            labels=("ε of one release", "ε, exactly"),
            help="The smallest ε that reaches the goal, until you move it.",
            high=max(1e4, scenario.epsilon),
            preview=None
            if scores is None
            else previewed_decide_slider(current_decide_study(question, scores)),
        )
    ui.show_k_control(scenario, ui.edit_for_keyword(edit_answers, "k"))


def current_question() -> Question:
    """Question in the scenario; invalid answers are left out, with a notice."""
    scenario = state.scenario_as_chosen()
    try:
        return read_question(scenario)
    except ParameterError as err:
        state.set_notice(WHERE, f"{err} The answers in the link are left out.")
        kept = {name: value for name, value in scenario.page.items() if not name.startswith(PREFIX)}
        return Question.from_scenario(
            scenario.replace(page=kept), designs=designs_unless_chosen(scenario)
        )


def current_decide_study(question: Question, scores: Scores) -> DecideStudy:
    log = confirmed_upload.current_event_log()
    if log is not None and log.rows > _MOST_RECOUNTED:
        log = None
    return DecideStudy.from_question(
        question,
        (scores, *scores_of_past_periods().values()),
        log=None if log is None else RecountableLog(log.scores_with_limit, log.key),
        digest=PAGE.current_settings().digest,
    )


def previewed_decide_slider(study: DecideStudy) -> ui.PreviewedSlider | None:
    """Slider of ε; None where the mechanism does not take these data, or ε follows."""
    if study.question.states_noise:
        return None
    anywhere = study.replace(question=study.question.replace(epsilon=None))
    mark = ui.hash_preview_key("decide", anywhere.key)
    reaches: RecentCache[tuple[float, float] | StepRefusal] = session_cache("reaches", _ENDS_KEPT)
    ends = reaches.get_or_make(mark, result_or_refusal, preview_range, study)
    if isinstance(ends, StepRefusal):
        return None
    value = state.scenario().epsilon
    return ui.PreviewedSlider(
        slider=f"{BUDGET}_slider",
        mark=mark,
        values=ui.slider_stops(*ends, value),
        value=value,
        step=partial(build_slider_preview, study),
        uses=[study],
    )


def edit_answers(
    *, without_undo: bool = False, data_facts: dict[str, Any] | None = None, **changes: Any
) -> None:
    """Change answers, or `data_facts`; `without_undo` changes are the page's own."""
    now, scenario, data_facts = current_question(), state.scenario_as_chosen(), data_facts or {}
    with state.report_refusals(WHERE):
        if "k" in changes:
            changes["goal"] = rescale_goal(now.goal_text, int(changes["k"]))
        new = now.replace(**changes, data=replace(now.data, **data_facts))
        asked = new.to_scenario(scenario.epsilon if new.epsilon is None else new.epsilon)
        change = (
            state.change_without_undo if without_undo else partial(state.change_scenario, WHERE)
        )
        others = {
            n: v
            for n, v in scenario.page.items()
            if n in DECIDE_PAGE.prefixed_names or not n.startswith(PREFIX)
        }
        change(
            data=asked.data,
            epsilon=asked.epsilon,
            k=asked.k,
            designs=asked.designs,
            name=asked.name,
            page={**others, **asked.page},
            scores=confirmed_upload.scores_with_person_answers(asked.data, data_facts),
        )
        if not without_undo:
            state.remember_person_answers(**data_facts)


def change_data_facts(**said: Any) -> None:
    """Answer about the data, or about one person's part in them."""
    edit_answers(data_facts=said)


def _carry(data: DataSpec) -> None:
    """Keep the answers about the people when other data are chosen, but not the data's origin."""
    before: DataSpec | None = st.session_state.get(_ABOUT)
    arrived, st.session_state[_ABOUT] = confirmed_upload.ARRIVED.value, data
    confirmed_upload.ARRIVED.put("")
    if before is None or (not arrived and (before.source, before.name) == (data.source, data.name)):
        return
    said = {
        n: getattr(before, n)
        for n in ("unit", "contributions", "items_known")
        if getattr(data, n) is None and getattr(before, n) is not None
    }
    if arrived == "decide":  # its default answers were seen; counting a log sets Δ itself
        seen = _RELATION[:1] if confirmed_upload.current_event_log() is not None else _RELATION
        said |= {n: getattr(before, n) for n in seen if getattr(data, n) != getattr(before, n)}
    other = {"decided_on": None} if "uploaded" in {before.source, data.source} else {}
    if said or other:
        edit_answers(data_facts=said, without_undo=True, **other)
        st.session_state[_ABOUT] = state.scenario().data
    now = state.scenario().data
    changed = bool(now.monotonic) != bool(before.monotonic)
    if now.source == "uploaded" and changed and not person_questions.is_people_count_unanswered():
        relation = ui.RELATIONS[bool(now.monotonic)].format(now.unit or "person")
        state.set_notice(WHERE, f"As given with the file: “{relation}”. Please check question 2.")


def _sidebar(scenario: Scenario) -> None:
    _carry(scenario.data)
    ui.show_side_heading("The questions")
    opened, answers = current_screen(), _answers(current_question())
    for name, title in SCREENS.items():
        ui.button(
            f"{QUESTIONS.index(name) + 1}. {title}" if name in QUESTIONS else title,
            f"decide_{name}",
            go_to_screen,
            name,
            type="primary" if name == opened else "tertiary",
        )
        if name in answers:
            ui.show_paragraph(answers[name], "note")


def _answers(now: Question) -> dict[str, object]:
    names = {None: "Not answered", True: "Yes", False: "No"}
    said = now.most_right is not None or now.most_epsilon is not None
    cost = phrases.accepted_cost_phrase(now) if said else "no limit yet"
    return {
        "published": markup(
            "{}: top {:,}, {}{}",
            ui.isolate_bidi(now.name) if now.name else "A list",
            now.k,
            "once" if now.releases == 1 else f"{now.releases:,} times",
            markup(" over {}", ui.isolate_bidi(now.period)) if now.period else "",
        ),
        "protected": markup(
            "Each {}, {}",
            ui.isolate_bidi(now.unit),
            "no limit of items"
            if now.data.contributions is None
            else f"at most {count_text(now.data.contributions, 'item')}",
        ),
        "cost": f"{cost[0].upper()}{cost[1:]}",
        "good": describe_goal_and_probability(now.parsed_goal, now.k),
        "data": markup(
            "{}; {}; {}",
            ui.isolate_bidi(now.data.called) if now.data.called else "No name",
            "origin open" if now.decided_on is None else now.data_origin,
            phrases.data_drift_phrase(now),
        ),
        "names": "Yes, not uploaded yet"
        if person_questions.is_catalogue_missing()
        else names[now.data.items_known],
        "allowed": markup(", ").join(
            dict.fromkeys(TOP_K.label(design.mechanism) for design in now.designs)
        ),
    }

"""The question of the page, read off the scenario and written back into it; nothing is kept
anywhere else.

Invariants: what nobody answered has its default; an answer that is not allowed changes nothing and
is told; who is protected stays when other data are looked at, and a goal follows k.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dpviz.base import ParameterError, Scores, markup
from dpviz.charts import as_typed
from dpviz.pages.decide import sentences
from dpviz.pages.decide.settings import ANSWER, DECIDE_PAGE, QUESTIONS, SCREENS, allowed
from dpviz.pages.decide.settings import question as read_off
from dpviz.pages.decide.view import described, reached
from dpviz.studies import DataSpec, Refused, Scenario, unless_refused
from dpviz.studies.decision import DecideStudy, Log, Question, goal_words
from dpviz.studies.decision.goals import follow
from dpviz.studies.decision.question import PREFIX
from dpviz.web.jobs.job_queue import Kept, kept
from dpviz.web.session import Slot, state
from dpviz.web.widgets import (
    PageParameters,
    bidi,
    items_out,
    on_stage,
    paragraph,
    print_header,
    side_heading,
    slider_preview,
    upload_review,
)
from dpviz.web.widgets.page_start import start_without_scores
from dpviz.web.widgets.slider import between

WHERE = "decide"
BUDGET = "decide.epsilon"  # on the stage
_ENDS_KEPT = 16
PAGE = PageParameters(DECIDE_PAGE, where=WHERE, tell=True)
_ABOUT = "dpviz.decide.about"  # the data that were last looked at
_CARRIED = ("unit", "contributions", "items_known")
_RELATION = ("monotonic", "sensitivity")


def screen() -> str:
    """The screen that is open."""
    return PAGE.read().screen


def go(name: str) -> None:
    """Open a screen."""
    PAGE.change(screen=name)


def place(name: str) -> int:
    """Where a screen stands on the way from the first question to the answer; what lies beside it
    stands there too.
    """
    return QUESTIONS.index(name) if name in QUESTIONS else len(QUESTIONS)


def step(by: int) -> None:
    """Open a screen before or after the one that is open when it is pressed, which may be drawn
    still.
    """
    names = (*QUESTIONS, ANSWER)
    go(names[min(max(place(screen()) + by, 0), len(QUESTIONS))])


PAST: Slot[dict[str, Scores]] = Slot("decide.past", dict)
"""The scores of past periods by the name of their file, which stay in the session."""


def start() -> tuple[Question, Scores | None]:
    """Everything around the page; the question, and the scores to answer it on, None where a file
    must be loaded.
    """
    start_without_scores("decide", _sidebar, _stage)
    now, scores = question(), _scores()
    print_header.describe(scores, described(now))
    return now, scores


def _scores() -> Scores | None:
    """The scores to answer it on; None where a file must be loaded, as an example has too few
    items.
    """
    scenario = state.unfitted()
    scores = None if scenario.needs_data else state.scores(scenario)
    return None if scores is None or (scenario.k >= scores.d and not state.chosen()) else scores


def _stage(scenario: Scenario) -> None:
    """ε, where it is answered or given by hand, and k."""
    if screen() == ANSWER:
        scores = _scores()
        asked = None if scores is None else study_of(question(), scores)
        on_stage(
            BUDGET,
            scenario.epsilon,
            lambda epsilon: edit(epsilon=epsilon),
            labels=("ε of one release", "ε, exactly"),
            help="The smallest for the goal, until it is moved by hand.",
            high=max(1e4, scenario.epsilon),
            stops=None if asked is None else stops(asked),
            mark="" if asked is None else mark(asked),
        )
    else:
        paragraph(SCREENS[screen()], "note")
    if screen() != QUESTIONS[0]:  # which asks for it
        items_out(scenario, lambda k: edit(k=k))


def question() -> Question:
    """The question that the scenario holds; a part of it that cannot be is left out and told."""
    scenario = state.unfitted()
    try:
        return read_off(scenario)
    except ParameterError as err:
        state.tell(WHERE, f"{err} The answers in the link are left out.")
        kept = {name: value for name, value in scenario.page.items() if not name.startswith(PREFIX)}
        return Question.of(scenario.replace(page=kept), designs=allowed(scenario))


def study_of(question: Question, scores: Scores) -> DecideStudy:
    """What answers it, on these scores, those of past periods, and their log where it is at hand."""
    log = upload_review.log_at_hand()
    counted = None if log is None else Log(log.scores, log.key)
    return DecideStudy.of(
        question, (scores, *PAST.value.values()), log=counted, digest=PAGE.read().digest
    )


def mark(study: DecideStudy) -> str:
    """What tells the steps of this answer from others: all but the ε."""
    return slider_preview.marked(
        "decide", study.replace(question=study.question.replace(epsilon=None)).key
    )


def stops(study: DecideStudy) -> list[float] | None:
    """The slider's stops; None where the mechanism does not take these data."""
    reaches: Kept[tuple[float, float] | Refused] = kept("reaches", _ENDS_KEPT)
    ends = reaches.once(mark(study), lambda: unless_refused(partial(reached, study)))
    return None if isinstance(ends, Refused) else between(*ends, state.scenario().epsilon)


def edit(*, settled: bool = False, said: dict[str, Any] | None = None, **changes: Any) -> None:
    """Change answers, or what is `said` of the data; where one is not allowed nothing changes and
    it is told.

    `settled`: nobody did it.
    """
    now, scenario, said = question(), state.unfitted(), said or {}
    with state.refusals(WHERE):
        if "k" in changes:
            changes["goal"] = follow(now.goal_text, int(changes["k"]))
        new = now.replace(**changes, data=replace(now.data, **said))
        scores = (
            upload_review.count_again(new.data.contributions) if "contributions" in said else None
        )
        if scores is None:  # but for those of a log, which a cap changes
            scores = scenario.scores
        scores = None if scores is None else replace(scores, **new.data.person)
        asked = new.scenario(scenario.epsilon if new.epsilon is None else new.epsilon)
        others = {
            n: v
            for n, v in scenario.page.items()
            if n in DECIDE_PAGE.names or not n.startswith(PREFIX)
        }
        answers = {
            name: getattr(asked, name) for name in ("data", "epsilon", "k", "designs", "name")
        }
        change = state.settle if settled else partial(state.change, WHERE)
        change(**answers, page={**others, **asked.page}, scores=scores)
        if not settled:
            state.note_answers(**said)


def changed(name: str) -> Callable[[Any], None]:
    """What a control does that answers one question."""
    return lambda value: edit(**{name: value})


def _carry(data: DataSpec) -> None:
    """Other data than before are about the same people: what was said of them stays; where they are
    from does not.
    """
    before: DataSpec | None = st.session_state.get(_ABOUT)
    arrived, st.session_state[_ABOUT] = upload_review.ARRIVED.value, data
    upload_review.ARRIVED.put("")
    if before is None or (not arrived and (before.source, before.name) == (data.source, data.name)):
        return
    said = {
        n: getattr(before, n)
        for n in _CARRIED
        if getattr(data, n) is None and getattr(before, n) is not None
    }
    if (
        arrived == "decide"
    ):  # where an answer was seen that nobody had to give; a log is counted, which says what Δ is
        seen = _RELATION[:1] if upload_review.log_at_hand() is not None else _RELATION
        said |= {n: getattr(before, n) for n in seen if getattr(data, n) != getattr(before, n)}
    other = {"decided_on": None} if "uploaded" in {before.source, data.source} else {}
    if said or other:
        edit(said=said, settled=True, **other)
        st.session_state[_ABOUT] = state.scenario().data


def _sidebar(scenario: Scenario) -> None:
    """The questions with the answers given so far; each opens its screen."""
    _carry(scenario.data)
    side_heading("The questions")
    opened, answers = screen(), _answers(question())
    for name, title in SCREENS.items():
        st.button(
            f"{QUESTIONS.index(name) + 1}. {title}" if name in QUESTIONS else title,
            key=f"decide_{name}",
            type="primary" if name == opened else "tertiary",
            on_click=go,
            args=(name,),
        )
        if name in answers:
            paragraph(answers[name], "note")


def _answers(now: Question) -> dict[str, object]:
    """The answer to each question in a few words."""
    often = "once" if now.releases == 1 else f"{now.releases:,} times"
    over = markup(" over {}", bidi(now.period)) if now.period else ""
    most = (
        "any number of items"
        if now.data.contributions is None
        else f"at most {now.data.contributions:,}"
    )
    called = bidi(now.data.called) if now.data.called else "Not named"
    names = {None: "Not said", True: "Yes", False: "No, they come from the data"}
    cost = "Show me" if sentences.accepted(now) == "not said" else sentences.accepted(now)
    return {
        "published": markup(
            "{}: the {:,} best, {}{}", bidi(now.name) if now.name else "A list", now.k, often, over
        ),
        "protected": markup("One {}, in {}", bidi(now.unit), most),
        "cost": f"{cost[0].upper()}{cost[1:]}",
        "good": f"{goal_words(now.target, now.k)}, {as_typed(now.target.probability)}",
        "data": markup("{}; {}; {}", called, now.where_from, sentences.different(now)),
        "names": names[now.data.items_known],
        "allowed": markup(", ").join(
            dict.fromkeys(bidi(now.label(design)) for design in now.designs)
        ),
    }

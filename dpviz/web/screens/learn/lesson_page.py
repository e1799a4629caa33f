"""Lessons as one reader goes through them: the list, in teaching order; then where one is, the
step, and the way on.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from datetime import date
from functools import partial

import numpy as np
import streamlit as st

from dpviz import charts
from dpviz.base import Ints, Markup, joined, markup
from dpviz.export import takeaway
from dpviz.pages.common import PageStep, lesson_figures
from dpviz.pages.common.lesson_figures import taught
from dpviz.teaching.activities import FULL, Guess
from dpviz.teaching.lesson import IN_SHORT, LESSONS, WORDS, Experiment, Step
from dpviz.teaching.lesson_paths import PATHS, Path
from dpviz.web.jobs import kept
from dpviz.web.screens.learn import step
from dpviz.web.screens.learn.instructor import teach
from dpviz.web.screens.learn.position import SIZES, LessonPlace, change, draw_others, go, move
from dpviz.web.session import Slot, state
from dpviz.web.widgets import download, head, html, paragraph, present, print_header

_PREDICTED: Slot[dict[tuple[str, int | None], int]] = Slot("learn.predicted", dict)
_CHOSEN: Slot[str] = Slot("learn.path", lambda: "all")
_KEPT = 40  # experiments
_FIRST = "Set your mark first: where do you expect it?"
_MOST_WORDS = 60  # of a step's text on a projector at first
_WITH_QUESTION = 76  # and of the text with the question below it
_AT_WORK = 10  # of a mechanism at work, below both
_WORD = re.compile(r"\S*[^\W\d_]\S*")  # numbers and lines of tables are none
_SENTENCES = re.compile(r"(?<=[.?!]) ")


def menu() -> None:
    """The lessons of a path, which is all of them unless another was chosen."""
    head(
        "Learn",
        IN_SHORT,
        "Say what you expect, watch it happen, see why.",
    )
    path = _path()
    with st.container(key="learn_menu"):
        for number, key in enumerate(path.lessons, 1):
            lesson = LESSONS[key]
            with st.container(key=f"lesson_{key}", border=True):
                if number == 1:
                    html(
                        markup(
                            '<div class="dp-lesson-door" role="img" aria-label="A list on a'
                            ' door"></div>'
                        )
                    )
                html(
                    markup(
                        '<div class="dp-lesson-no">{}</div><h2 class="dp-lesson-title">{}</h2>'
                        '<p class="dp-lesson-says">{}</p>',
                        "Start here" if number == 1 else number,
                        lesson.title,
                        lesson.says,
                    )
                )
                named = (
                    f"{lesson.minutes} minutes *{lesson.title}*"  # the title is for who hears it
                )
                st.button(
                    named, icon=":material/arrow_forward:", icon_position="right",
                    type="tertiary", key=f"open_{key}", on_click=go, args=(LessonPlace(key, 0, lesson.seed),),
                )  # fmt: skip
    st.button(
        "For teachers: plans, slides, a handout", icon=":material/school:", type="tertiary", key="learn_instructor",
        on_click=teach,
    )  # fmt: skip
    paragraph(
        f"{len(LESSONS)} short lessons on choosing privately, of"
        f" {sum(LESSONS[key].minutes for key in LESSONS)} minutes; every figure in them is computed"
        " while you read."
    )
    print_header.describe_alone((), None, state.view())


def _path() -> Path:
    """Three ways through the lessons; the one that is chosen."""
    chosen = st.segmented_control(
        "A path",
        options=list(PATHS),
        format_func=lambda key: PATHS[key].title,  # all on one line of a phone
        default=_CHOSEN.value,
        required=True,
        key="learn_path",
        on_change=lambda: _CHOSEN.put(str(st.session_state["learn_path"])),
    )
    path = PATHS[str(chosen)]
    paragraph(
        markup("{} minutes. {} <b>What it takes:</b> {}", path.minutes, path.says, path.needs),
        "how",
    )
    if path.session:
        st.button(
            f"The plan of {path.minutes} minutes, and the class", icon=":material/groups:", type="tertiary",
            key="learn_plan", on_click=teach, args=(path.session,),
        )  # fmt: skip
    return path


def lesson(
    place: LessonPlace, look: charts.Look, beside: Callable[[str], None] | None = None
) -> None:
    """The whole lesson at this place; `beside` draws what else may be done with it, in its first
    line.
    """
    _head(place, beside)
    experiment = place.shown.experiment
    with st.container(key=f"learn_step_{place.lesson}_{place.step + 1}"):
        _step(place, look)
        if experiment is not None:
            _take(place, experiment)
        if place.step == len(place.taught.steps) - 1:
            paragraph(markup("<b>Where it is proved.</b> {}", place.taught.proved))
    _foot(place)
    step.keys(f"{place.lesson} {place.step}")
    settings = [("Lesson", place.taught.title), ("Step", place.shown.title)]
    if experiment is not None:
        if experiment.control is not None:
            settings.append((experiment.control.label, experiment.control.shown(place.set_to)))
        settings.append(("Releases", experiment.name))
    print_header.describe_alone(tuple(settings), place.seed, place.query())


def _head(place: LessonPlace, beside: Callable[[str], None] | None) -> None:
    taught, number = place.taught, list(LESSONS).index(place.lesson) + 1
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="learn_head"):
        st.button(
            "All lessons",
            icon=":material/arrow_back:",
            type="tertiary",
            key="learn_list",
            on_click=go,
            args=(None,),
        )
        where = f"Lesson {number} of {len(LESSONS)} · {taught.minutes} minutes"
        html(markup('<span class="dp-over">{}</span>', where))
        if beside is not None:
            beside(place.lesson)
        present()
    html(
        markup(
            '<div class="dp-lesson-head"><h1 class="dp-title">{}</h1>'
            '<ol class="dp-steps" aria-label="Steps of this lesson">{}</ol></div>',
            taught.title,
            joined(_mark(n, place) for n in range(len(taught.steps))),
        )
    )
    if place.step == 0:
        html(step.able("After it you can say", taught))


def _mark(number: int, place: LessonPlace) -> Markup:
    kind = "done" if number < place.step else "now" if number == place.step else "later"
    current = Markup(' aria-current="step"') if number == place.step else ""
    return markup(
        '<li class="dp-{}"{}>{}</li>', kind, current, WORDS[place.taught.steps[number].kind]
    )


def _step(place: LessonPlace, look: charts.Look) -> None:
    """Prose, a question, and beside them the experiment with its picture."""
    of = place.shown
    html(markup('<h2 class="dp-step-title">{}</h2>', of.title))
    prose, pictured = (
        (nullcontext(), None) if of.experiment is None else st.columns([1, 1.45], gap="large")
    )
    with prose, st.container(key="learn_prose"):
        if of.kind in {"tell", "explain"}:
            _remember(place)
        _prose(of)
        if of.question is not None:
            if of.kind == "predict":
                _ask(place)
            else:
                step.folded_answer(of.question)
        if of.formula is not None:
            step.formula(of.formula)
        if of.at_work is not None:
            step.at_work(of.at_work, place.seed, f"work_{place.lesson}")
        if of.experiment is not None:
            _find_out(place, of.experiment)
        if of.way is not None:
            step.way(of.way)
    if of.experiment is not None and pictured is not None:
        key = f"{place.lesson}_{place.step + 1}"
        with pictured, st.container(key="learn_picture"):
            shown = f"learn_{key}_{place.seed}"
            step.picture(
                of.experiment, place.set_to, _drawn(place, of.experiment), look, shown,
                law_shown=place.law_shown, mark=place.mark,
            )  # fmt: skip
            step.control(
                of.experiment,
                place.set_to,
                f"learn_setting_{key}",
                lambda value: change(setting=value),
                replace(place, setting=None),
                partial(_at, place, of.experiment, shown),
            )


def _prose(of: Step) -> None:
    """What a step says; on a projector what it says at first, and the others a press away."""
    if not state.presenting():
        st.markdown(of.text())
        return
    told, folded = at_first(of)
    st.markdown(told)
    if folded:
        with st.expander("The rest of the text", key="learn_rest"):
            st.markdown(folded)


def at_first(of: Step) -> tuple[str, str]:
    """What stands on a projector at first, and the rest: less where a question stands below."""
    if of.question is None or of.kind == "predict":
        return parted(of.text(), _MOST_WORDS)
    below = words([of.question.text, *of.question.choices]) + (_AT_WORK if of.at_work else 0)
    return parted(of.text(), min(_MOST_WORDS, _WITH_QUESTION - below))


def words(texts: Iterable[str]) -> int:
    """How many words there are."""
    return sum(len(_WORD.findall(text)) for text in texts)


def parted(text: str, most: int) -> tuple[str, str]:
    """The first paragraphs, of at most so many words, and all others; where the first has more, its
    first sentences.

    >>> parted("One two.\\n\\nThree.\\n\\nFour.", 3)
    ('One two.\\n\\nThree.', 'Four.')
    >>> parted("One two. Three. Four.", 3)
    ('One two. Three.', 'Four.')
    """
    paragraphs = text.split("\n\n")
    if told := _fitting(paragraphs, most):
        return "\n\n".join(paragraphs[:told]), "\n\n".join(paragraphs[told:])
    sentences = _SENTENCES.split(paragraphs[0])
    told = max(1, _fitting(sentences, most))
    rest = [" ".join(sentences[told:]), *paragraphs[1:]]
    return " ".join(sentences[:told]), "\n\n".join(filter(None, rest))


def _fitting(parts: Sequence[str], most: int) -> int:
    """How many of the first have at most so many words together."""
    return int(np.searchsorted(np.cumsum([words([part]) for part in parts]), most, side="right"))


def _at(
    place: LessonPlace, of: Experiment, key: str, setting: float, look: charts.Look
) -> PageStep:
    """The picture at another setting."""
    counts = of.all_counts(setting, place.seed, place.releases)
    shown = lesson_figures.picture(
        of, setting, counts, look, law_shown=place.law_shown, mark=place.mark
    )
    return lesson_figures.at(shown, key)


def _asked(place: LessonPlace) -> tuple[str, int | None]:
    return place.lesson, place.taught.prediction(place.step)


def _ask(place: LessonPlace) -> None:
    """The question of this step; the answer comes in a later one."""
    question, key = place.shown.question, f"predict_{place.lesson}_{place.step + 1}"

    def answered() -> None:
        if st.session_state[key] is not None:
            _PREDICTED.value[_asked(place)] = st.session_state[key]

    if question is not None:
        step.ask(question, _PREDICTED.value.get(_asked(place)), key, answered)


def _remember(place: LessonPlace) -> None:
    lesson, asked = _asked(place)
    question = None if asked is None else place.taught.steps[asked].question
    step.remember(question, _PREDICTED.value.get((lesson, asked)))


def _drawn(place: LessonPlace, of: Experiment) -> Ints:
    """How often each outcome came, kept for a while."""
    counts = partial(of.all_counts, place.set_to, place.seed, place.releases)
    return np.asarray(kept("lessons", _KEPT).once(repr(place), counts))


def _find_out(place: LessonPlace, of: Experiment) -> None:
    """A mark of one's own, then releases, then what is exact."""
    if of.guess is not None and not place.law_shown:
        _mark_own(place, of.guess)
    _releases(place)
    if not place.law_shown:
        if place.releases:
            st.button(
                "Show what is exact", icon=":material/target:", key="learn_law", on_click=change, kwargs={"law": True},
                type="primary",
            )  # fmt: skip
        return
    if said := lesson_figures.expected(of, place.mark):
        paragraph(said, "verdict")
    if place.releases:
        _remember(place)


def _mark_own(place: LessonPlace, guess: Guess) -> None:
    """Where one expects it, before anything is drawn; it may be moved until the exact chances are
    shown.
    """
    key = f"learn_mark_{place.lesson}_{place.step + 1}"
    at = FULL // 2 if place.mark is None else place.mark
    st.slider(guess.asks, 0, FULL, at, key=key, format=f"%d of {FULL}")
    st.button(
        "Set my mark" if place.mark is None else "Move my mark here", icon=":material/flag:", key="learn_mark",
        on_click=lambda: change(mark=int(st.session_state[key])),
        type="primary" if place.mark is None else "secondary",
    )  # fmt: skip


def _releases(place: LessonPlace) -> None:
    """The buttons that make releases: so many of this seed's, or those of the next; none before a
    mark is set.
    """
    html(markup('<p class="dp-make">Make releases</p>'))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for size in SIZES:
            st.button(
                f"{size:,}", key=f"learn_draw_{size}", on_click=change, kwargs={"releases": size},
                type="primary" if size == place.releases else "secondary", disabled=not place.may_draw,
                help=None if place.may_draw else _FIRST,
            )  # fmt: skip
        st.button(
            "Others", icon=":material/casino:", key="learn_others", on_click=draw_others,
            help="As many others; the link has them too." if place.may_draw else _FIRST, disabled=not place.may_draw,
        )  # fmt: skip


def _take(place: LessonPlace, of: Experiment) -> None:
    """The picture as a file; its rows say what the page itself says of it."""
    today = print_header.today()
    download(
        "This picture as a file",
        lambda: _file(place, of, today),
        f"dpviz-{place.lesson.replace('_', '-')}.html",
        "learn_take",
        icon=":material/tune:",
        type="tertiary",
        help=(
            "With its control as a slider and every setting inside: it opens anywhere, without a"
            " network."
        ),
    )


def _file(place: LessonPlace, of: Experiment, today: date) -> str:
    made = taught(place.taught, of, seed=place.seed, start=place.set_to, releases=place.releases)
    rows = [("Lesson", place.taught.title), ("Step", place.shown.title), ("Seed", str(place.seed))]
    return takeaway.written(made, [*rows, ("Date", today.isoformat())]).html


def _foot(place: LessonPlace) -> None:
    path = PATHS[_CHOSEN.value].lessons
    names = list(path if place.lesson in path else LESSONS)
    after = names[names.index(place.lesson) + 1 :][:1]
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="learn_foot"):
        step.back("Back", move, disabled=place.step == 0)
        if place.step < len(place.taught.steps) - 1:
            step.on("Next", move, 1)
        elif after:
            step.on(
                f"Next lesson: {LESSONS.label(after[0])}",
                go,
                LessonPlace(after[0], 0, LESSONS[after[0]].seed),
            )

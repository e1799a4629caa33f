"""The HTML that a phone shows; everything focusable has an id, to keep its focus over updates."""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from dpviz.base import Markup, join_markup, markup, render_template
from dpviz.charts import count_text
from dpviz.charts.look import DARK, LIGHT, css_colour_variables
from dpviz.export.lessons import demonstration
from dpviz.export.lessons.prose import paragraphs, render_inline
from dpviz.pages.common import lesson_figures
from dpviz.teaching.classes import (
    ClassManager,
    ClassState,
    CourseStop,
    RunningPoll,
    Seat,
    StudentStopRecord,
)
from dpviz.teaching.lesson import FULL, LETTERS, RELEASES, Experiment, MultipleChoice
from dpviz.web.classroom import steering, vote_bars
from dpviz.web.classroom.entry import STAYS
from dpviz.web.screens.learn.step import prediction_verdict
from dpviz.web.server.static_files import read_asset


def phone_page_html(content: Markup, *, has_seat: bool) -> str:
    # without comments, which would cost bytes of a phone
    sheets = map(read_asset, ("html_bars.css", "phone.css"))
    rules = "".join([*sheets, demonstration.demonstration_stylesheet()])
    # not by light-dark(), which phones before 2024 do not know
    light, dark = (f":root{{{css_colour_variables(look, rules=rules)}}}" for look in (LIGHT, DARK))
    rules = f"{light}@media (prefers-color-scheme: dark){{{dark}}}{rules}"
    rules = re.sub(r"/\*.*?\*/\s*", "", rules, flags=re.DOTALL)
    script = re.sub(r"^ *(//.*\n)?", "", read_asset("phone.js"), flags=re.MULTILINE)
    return render_template(
        "dpviz.web.classroom.phone",
        "phone.html",
        piece=content,
        seated=has_seat,
        rules=Markup(rules),
        script=Markup(script),
    )


def code_form_html(
    typed_code: str = "", problem: str = "", *, link_secret: str = "", joins_by_itself: bool = False
) -> Markup:
    """Box for the code and the link's `link_secret`; `joins_by_itself` where the page joins by
    itself.
    """
    return render_template(
        "dpviz.web.classroom.phone",
        "door.html",
        typed=typed_code,
        problem=problem,
        secret=link_secret,
        knocks=joins_by_itself,
    )


def class_over_html() -> Markup:
    return markup(
        "<h1>The class is over</h1><p>Thank you for taking part. Everything you did has been"
        " deleted.</p>"
    )


def seat_lost_html(classes: ClassManager, seat: Seat) -> Markup:
    """Page for a lost seat: the class is gone, or its teacher freed the seat."""
    if classes.read_state(seat.code) is None:
        return class_over_html()
    return markup(
        '<h1>You were removed from the class</h1><p>The teacher made room. <a href="join?code={}">'
        "Join again</a> if you belong here.</p>",
        seat.code,
    )


def student_view_html(classes: ClassManager, seat: Seat) -> Markup:
    if (state := classes.read_state(seat.code)) is None:
        return class_over_html()
    if state.over:
        return _results(classes, state, seat)
    stop, mine = state.current_stop, classes.student_stop_record(seat, state)
    if state.polled is not None:
        return _polled(state, state.polled, mine)
    pieces = [
        markup(
            '<p class="over">Class {} · step {} of {}</p><h1 id="title" tabindex="-1">{}</h1>',
            state.code,
            stop.step + 1,
            len(stop.lesson_content.steps),
            stop.title,
        ),
        steering.timer_bar(state.timer),
    ]
    if state.vote.shown and stop.question is None:
        pieces.append(_remembered(state.question, mine))
    if not stop.twice and stop.experiment is None:  # else it tells of the projected picture
        pieces.append(_prose(stop))
    if not stop.twice:
        pieces.append(_seen_at_work(stop))
    if stop.question is not None:
        pieces.append(_asked(state, stop.question, mine))
    if stop.experiment is not None:
        pieces.append(_drawn(state, stop.experiment, mine))
    return markup(
        '<div data-place="{}" data-own="{}">{}</div>',
        state.place,
        mine.changes,
        join_markup(pieces),
    )


@cache
def _prose(stop: CourseStop) -> Markup:
    return markup('<div class="prose">{}</div>', paragraphs(stop.step_content.text))


@cache
def _seen_at_work(stop: CourseStop) -> Markup:
    """Formula of a step, and the mechanism at work, which everybody steps through alone."""
    step = stop.step_content
    formula = Markup() if step.formula is None else demonstration.mathml(step.formula)
    return formula + (
        Markup()
        if step.at_work is None
        else demonstration.render_stepper(step.at_work, stop.lesson_content.seed, "work")
    )


def _remembered(question: MultipleChoice | None, mine: StudentStopRecord) -> Markup:
    said = prediction_verdict(question, mine.latest_answer)
    return markup('<p class="verdict">{}</p>', render_inline(said)) if said else Markup()


def _asked(state: ClassState, question: MultipleChoice, mine: StudentStopRecord) -> Markup:
    asks, right = render_inline(question.text), state.vote.shown
    if state.class_answers_shown:
        return markup(
            "<h2>{}</h2>{}{}{}",
            asks,
            _remembered(question, mine) if right else markup("<p>The vote is closed.</p>"),
            vote_bars.question_bars_html(
                question, state.first, state.after, mine.latest_answer, shows_right_answer=right
            ),
            paragraphs(question.because) if right else "",
        )
    choices = [render_inline(choice) for choice in question.choices]
    own, talk = mine.first, Markup()
    if state.vote.again:
        own, talk = mine.after, Markup("<p>Talk to your neighbours, then answer again.</p>")
        if mine.first is not None:
            first = (LETTERS[mine.first], choices[mine.first])
            talk += markup("<p>Your first answer: {} ({}).</p>", *first)
    says = (
        "Choose what you expect."
        if own is None
        else "Your answer is saved. You may change it until the vote is closed."
    )
    return talk + _form(state.place, state.vote.again, asks, choices, own, says)


def _form(
    place: int,
    again: bool,
    asks: Markup | str,
    choices: Sequence[Markup | str],
    own: int | None,
    says: str,
) -> Markup:
    boxes = (
        markup(
            '<label><input type="radio" name="choice" id="choice{n}" value="{n}"{checked}>'
            " <b>{letter}</b> <span>{says}</span></label>",
            n=n,
            letter=LETTERS[n],
            checked=Markup(" checked") if n == own else "",
            says=choice,
        )
        for n, choice in enumerate(choices)
    )
    return markup(
        '<form class="asks" data-place="{}"'
        ' data-again="{}"><fieldset><legend>{}</legend>{}</fieldset>'
        '<p class="told" role="status">{}</p></form>',
        place,
        int(again),
        asks,
        join_markup(boxes),
        says,
    )


def _polled(state: ClassState, polled: RunningPoll, mine: StudentStopRecord) -> Markup:
    """A poll of the teacher's; their text is shown as it is."""
    asks, choices = polled.poll.text, polled.poll.choices
    if polled.shown:
        body = markup(
            "<h2>{}</h2>{}",
            asks,
            vote_bars.answer_bars_html(choices, polled.votes, own_answer=mine.first, is_vote=True),
        )
    else:
        body = _form(
            polled.place,
            False,
            asks,
            choices,
            mine.first,
            "Choose one."
            if mine.first is None
            else "Your vote is saved. You may change it until all are shown.",
        )
    return markup(
        '<div data-place="{}" data-own="{}"><p class="over">Class {} · poll</p><h1 id="title"'
        ' tabindex="-1">Your class '
        'as data</h1>{}<p class="sub">Votes have no names. They are deleted when the class goes'
        " on.</p></div>",
        polled.place,
        mine.changes,
        state.code,
        body,
    )


def _drawn(state: ClassState, experiment: Experiment, mine: StudentStopRecord) -> Markup:
    """The student's mark, then the buttons that draw, and the draws beside the exact chances."""
    pieces = []
    if experiment.guess is not None and not state.law_shown:
        says = (
            "Drag the mark to where you expect it, or use the arrow keys. Then you draw."
            if mine.mark is None
            else f"Your mark: {mine.mark} of {FULL}. You may move it until it is shown."
        )
        pieces.append(
            markup(
                '<form class="dp-guess" data-place="{}">{}<button id="set">{}</button>'
                '<p class="told" role="status">{}</p></form>',
                state.place,
                demonstration.render_guess_scale(experiment.guess, mine.mark),
                "Set my mark" if mine.mark is None else "Move it here",
                says,
            )
        )
    elif said := lesson_figures.guess_feedback_sentence(experiment, mine.mark):
        pieces.append(markup('<p class="verdict">{}</p>', said))
    if experiment.guess is None or state.law_shown or mine.mark is not None or mine.draw_count:
        pieces.append(_draws(state, experiment, mine))
    return join_markup(pieces)


def _draws(state: ClassState, experiment: Experiment, mine: StudentStopRecord) -> Markup:
    set_to = Markup()
    if experiment.control is not None:
        set_to = markup(
            " {}: <b>{}</b>.",
            experiment.control.label,
            experiment.control.value_label(state.setting_value),
        )
    buttons = (
        markup('<button type="button" id="draw{n}" value="{n}">Draw {n}</button>', n=size)
        for size in (1, 10, 100)
    )
    return markup(
        '<p class="sub">You draw with your own seed ({}).{}</p><div class="draws"'
        ' data-place="{}" '
        'data-setting="{}" data-drawn="{}">{}</div>{}<p class="sub">{:,} of {} have drawn.</p>',
        ", ".join(experiment.drawn_law_names),
        set_to,
        state.place,
        state.setting,
        mine.draw_count,
        join_markup(buttons) if mine.draw_count < RELEASES else "",
        join_markup(_came(state, experiment, mine)) if mine.draw_count or state.law_shown else "",
        state.drawing,
        count_text(state.students, "person", "people"),
    )


def _came(state: ClassState, experiment: Experiment, mine: StudentStopRecord) -> Iterator[Markup]:
    late = state.counts[0].sum() < mine.draw_count  # one's own come in later
    for number, name in enumerate(experiment.drawn_law_names):
        if len(experiment.drawn_law_names) > 1:
            yield markup("<h2>{}</h2>", name[:1].upper() + name[1:])
        yield vote_bars.outcome_bars_html(
            experiment.outcomes,
            experiment.laws[name](state.setting_value) if state.law_shown else None,
            mine.counts[number],
            None if late else state.counts[number],
        )


def _results(classes: ClassManager, state: ClassState, seat: Seat) -> Markup:
    own = classes.latest_answers(seat)
    asked = [
        markup(
            "<h2>{}</h2>{}{}<details><summary>Why</summary>{}</details>",
            render_inline(question.text),
            markup("<p>{}</p>", render_inline(prediction_verdict(question, own.get(one.place)))),
            vote_bars.question_bars_html(question, one.first, one.after, own.get(one.place)),
            paragraphs(question.because),
        )
        for one in classes.answers_by_stop(state)
        if (question := one.stop.question) is not None
    ]
    return markup(
        '<div data-place="end"><h1 id="title" tabindex="-1">The class has ended</h1>'
        "<p>Thank you for taking part. {}</p>{}</div>",
        STAYS,
        join_markup(asked),
    )

"""Lists of Learn: lessons by path, a teacher's session, and the papers item by item.

Links: `/learn?instructor=90`, by a session's or a lesson's key; `/learn?paper=canonical`.
"""

from collections.abc import Callable, Mapping
from urllib.parse import urlencode

import streamlit as st

from dpviz.base import Markup, join_markup, markup
from dpviz.export.lessons import render_handout, render_slides
from dpviz.export.reproduction.claims.claim import PAPERS
from dpviz.export.reproduction.claims.table import stored_verdict_table
from dpviz.teaching.lesson import IN_SHORT, Lesson
from dpviz.teaching.lessons import LESSONS
from dpviz.teaching.session_file import KEY
from dpviz.teaching.session_plans import PATHS, SESSIONS, SessionPlan, TimeSlot, find_session
from dpviz.web import widgets as ui
from dpviz.web.screens.learn import step as steps
from dpviz.web.server.allowed_hosts import phone_reachable_url
from dpviz.web.session import SessionValue, state
from dpviz.web.widgets import print_header


def requested_session() -> SessionPlan | None:
    """Session of the link: the first for an unknown key, None without one."""
    asked = st.query_params.get("instructor")
    return None if asked is None else find_session(asked) or next(iter(SESSIONS.values()))


def show_instructor_view(session: SessionPlan) -> None:
    steps.show_all_lessons_button()
    ui.show_page_head("For teachers", "A session, minute by minute")
    ui.show_paragraph(
        "The plan, what students can say afterwards, wrong answers to expect, and files to"
        " download.",
        "lead",
    )
    _link_buttons(
        "Length", {key: _named(key) for key in [*SESSIONS, session.key]}, instructor=session.key
    )
    if len(session.lessons) > 1:
        st.link_button(
            "Start the whole session as one class",
            f"classroom?{urlencode({'session': session.key})}",
            icon=":material/groups:",
            help="All lessons have one code, so everyone joins once.",
        )
    ui.show_markup(
        '<table class="dp-plan" aria-label="Plan of {} minutes"><thead><tr>{}</tr></thead>'
        "<tbody>{}</tbody></table>",
        session.minutes,
        join_markup(
            markup('<th scope="col">{}</th>', name) for name in ("Minute", "Lasts", "What")
        ),
        join_markup(map(_row, session.time_slots)),
    )
    ui.show_paragraph(
        "A lesson opens in the presenter view, in a new window. → and Page down go on, ← and Page"
        " up go back, and P leaves the presenter view. A lesson's link keeps its step, seed and"
        " setting."
    )
    ui.heading("Download")
    lead = f"A session of {session.minutes} minutes"
    address = phone_reachable_url()
    with st.container(horizontal=True, gap="small"):
        ui.show_download_button(
            "Slides",
            lambda: render_slides(session.title, session.lesson_contents, lead),
            f"slides-{session.key}.html",
            "instructor_slides",
            icon=":material/slideshow:",
            type="primary",
            help=(
                "One file for any browser, also without a network. Use the arrow keys, Space, Home"
                " and End. It prints one slide per page."
            ),
        )
        ui.show_download_button(
            "Handout",
            lambda: render_handout(session.title, session.lesson_contents, address),
            f"handout-{session.key}.html",
            "instructor_handout",
            icon=":material/print:",
            help=(
                "For printing on A4: one page per lesson, with seeds and room to write. The answers"
                " come last."
            ),
        )
    ui.heading("What students can say afterwards")
    objectives = join_markup(
        steps.abilities_html(lesson.title, lesson) for lesson in session.lesson_contents
    )
    ui.show_markup('<div class="dp-objectives">{}</div>', objectives)
    ui.heading("Wrong answers to expect")
    with st.container():
        for lesson in session.lesson_contents:
            with ui.fold(f"wrong_{lesson.key}", lesson.title) as opened:
                if opened:
                    _show_mistakes(lesson)
    print_header.set_provenance_without_scenario(
        (("Session", f"{session.minutes} minutes"),),
        None,
        steps.learn_query(instructor=session.key),
    )


def _named(key: str) -> str:
    """Label of a session: its minutes, or the title of the teacher's own."""
    if key == KEY and key in SESSIONS:
        return SESSIONS[key].title
    return f"{SESSIONS[key].minutes} minutes" if key in SESSIONS else "One lesson"


def _row(slot: TimeSlot) -> Markup:
    what, begin = slot.title, Markup()
    if slot.lesson is not None:
        what = _link(
            "learn",
            steps.LessonPlace(slot.lesson.key, 0, slot.lesson.seed).to_query()
            | state.presenter_query(presenting=True),
            slot.title,
        )
        begin = markup("<br>{}", _link("classroom", {"lesson": slot.lesson.key}, "Start a class"))
    return markup(
        "<tr><td>{}</td><td>{}</td><td><b>{}</b><br><span>{}</span>{}</td></tr>",
        slot.begins,
        slot.minutes,
        what,
        slot.says,
        begin,
    )


def _link(page: str, query: dict[str, str], says: str) -> Markup:
    return markup(
        '<a href="{}" target="_blank" rel="noopener">{}</a>', f"{page}?{urlencode(query)}", says
    )


def _show_mistakes(lesson: Lesson) -> None:
    for step in lesson.steps:
        if step.question is not None:
            steps.show_lesson_text(f"**{step.question.text}**")
            st.markdown(steps.markdown_list(steps.lettered_reasons(step.question)))


def _link_buttons(label: str, names: Mapping[str, str], **chosen: str) -> None:
    """Choices that lead to another link; `chosen` is the query parameter of this one."""
    ((parameter, value),) = chosen.items()

    def follow(other: str) -> None:
        steps.open_in_learn(**{parameter: other})

    ui.choice_buttons(label, names, value, follow, f"{parameter}_{value}")


def requested_paper() -> str | None:
    """Paper of the link: the first for an unknown key, None without one."""
    asked = st.query_params.get("paper")
    return asked if asked is None or asked in PAPERS else next(iter(PAPERS))


def show_numbered_paper_items(paper: str) -> None:
    steps.show_all_lessons_button()
    ui.show_page_head("The papers", "Each numbered item, and where it is")
    _link_buttons("Paper", PAPERS, paper=paper)
    ui.show_paragraph(
        "A printed number stands beside the exact one. The command dpviz reproduce writes a report"
        " with the reasons, and draws the figures again from the data of the papers."
    )
    items = stored_verdict_table().set_index("paper").loc[PAPERS[paper]]
    rows = ((ui.Cell(item, heads=True), *told) for item, *told in items.itertuples(index=False))
    ui.show_table("Numbered items", map(str.capitalize, items), rows, "dp-words")
    print_header.set_provenance_without_scenario(
        (("Paper", PAPERS[paper]),), None, steps.learn_query(paper=paper)
    )


_CHOSEN_PATH: SessionValue[str] = SessionValue("learn.path", lambda: next(iter(PATHS)))


def show_lesson_menu(show_join_link: Callable[[], None]) -> None:
    """Ways into a class, and the lessons of the chosen path: at first those for anyone."""
    ui.show_page_head("Learn", IN_SHORT, "Say what you expect, watch it happen, see why.")
    with st.container(key="learn_ways", horizontal=True, vertical_alignment="center"):
        show_join_link()
        ui.button(
            "For teachers: plans, slides, a handout",
            "learn_instructor",
            steps.open_in_learn,
            icon="school",
            kwargs={"instructor": next(iter(SESSIONS))},
        )
    ui.choice_buttons(
        "Lessons",
        {key: path.title for key, path in PATHS.items()},
        _CHOSEN_PATH.value,
        _CHOSEN_PATH.put,
        "learn_path",
    )
    path = PATHS[_CHOSEN_PATH.value]
    ui.show_paragraph(f"{path.minutes} minutes. {path.says}")
    with st.container(key="learn_menu"):
        for lesson in path.lesson_contents:
            _show_card(lesson, list(LESSONS).index(lesson.key) + 1)
    ui.show_paragraph(f"All {len(LESSONS)} lessons compute every figure while you read.")
    ui.button(
        "For researchers: the papers, item by item",
        "learn_papers",
        steps.open_in_learn,
        icon="article",
        kwargs={"paper": next(iter(PAPERS))},
    )
    print_header.set_provenance_without_scenario((), None, steps.learn_query())


def _show_card(lesson: Lesson, number: int) -> None:
    with st.container(key=f"lesson_{lesson.key}", border=True):
        if number == 1:
            door = '<div class="dp-lesson-door" role="img" aria-label="A list on a door"></div>'
            ui.show_markup(door)
        ui.show_markup(
            '<div class="dp-lesson-no">{}</div><h2 class="dp-lesson-title">{}</h2>'
            '<p class="dp-lesson-says">{}</p>',
            "Start here" if number == 1 else number,
            lesson.title,
            lesson.says,
        )
        ui.button(
            f"{lesson.minutes} minutes *{lesson.title}*",  # the title is for who hears it
            f"open_{lesson.key}",
            steps.go_to_lesson_place,
            steps.LessonPlace(lesson.key, 0, lesson.seed),
            icon="arrow_forward",
            icon_position="right",
            type="tertiary",
        )

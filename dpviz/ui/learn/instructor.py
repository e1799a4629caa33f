"""The instructor view: the plan of a session, what is learnt in it, wrong answers to expect, slides and handout.

Its link is `/learn?instructor=90`, by the key of a session or of a lesson. What is downloaded is made when it is asked
for.
"""

import html
from functools import partial
from urllib.parse import urlencode

import streamlit as st

from dpviz.reports.lessons import handout, slides
from dpviz.reports.lessons.prose import inline
from dpviz.teaching.lesson import Lesson, Question
from dpviz.teaching.sessions import SESSIONS, Part, Session, session_of
from dpviz.ui.learn.place import Place, go
from dpviz.ui.shell import paper, state
from dpviz.ui.shell.show import folded, heading

__all__ = ["instructor", "session_asked", "teach"]

_ASKED = "instructor"
TITLE = "Choosing privately"
_LETTERS = "ABCDEFGH"


def session_asked() -> Session | None:
    """The session of the link; the first for a word that names none, None where the link asks for none."""
    asked = st.query_params.get(_ASKED)
    return None if asked is None else session_of(asked) or next(iter(SESSIONS.values()))


def instructor(session: Session) -> None:
    """The whole view."""
    st.button("All lessons", icon=":material/arrow_back:", type="tertiary", key="learn_list", on_click=go, args=(None,))
    st.html(
        '<div class="dp-over">For teachers</div><h1 class="dp-title">A session, minute by minute</h1>'
        '<p class="dp-lead">The plan, what one can say after it, the wrong answers to expect, and what to take '
        "along.</p>"
    )
    st.segmented_control(
        "Length",
        options=list(dict.fromkeys([*SESSIONS, session.key])),
        format_func=lambda key: f"{SESSIONS[key].minutes} minutes" if key in SESSIONS else "One lesson",
        default=session.key,
        required=True,
        key=f"instructor_{session.key}",
        on_change=lambda: teach(str(st.session_state[f"instructor_{session.key}"])),
    )
    _plan(session)
    _take(session)
    heading("What one can say after it")
    st.html(f'<div class="dp-objectives">{"".join(map(_able, session.taught))}</div>')
    heading("Wrong answers to expect")
    for lesson in session.taught:
        folded(lesson.title, f"wrong_{lesson.key}", partial(_mistakes, lesson))
    paper.describe_alone((("Session", f"{session.minutes} minutes"),), None, _query(session.key))


def _query(key: str) -> dict[str, str]:
    return {_ASKED: key} | state.view()


def teach(key: str = next(iter(SESSIONS))) -> None:
    """Be in the instructor view, of this session."""
    st.query_params.from_dict(_query(key))


def _plan(session: Session) -> None:
    heads = "".join(f'<th scope="col">{head}</th>' for head in ("Minute", "Lasts", "What"))
    st.html(
        f'<table class="dp-plan" aria-label="Plan of {session.minutes} minutes"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{''.join(map(_row, session.parts))}</tbody></table>"
    )
    st.html(
        '<p class="dp-how">A lesson opens in the presenter view, in a window of its own. → and Page down go on, ← and '
        "Page up go back, P leaves the presenter view. The link of a lesson holds its step, seed and setting.</p>"
    )


def _row(part: Part) -> str:
    what, begin = html.escape(part.title), ""
    if part.lesson is not None:
        query = Place(part.lesson.key, 0, part.lesson.seed).query() | state.view(presented=True)
        what = _link("learn", query, what)
        begin = "<br>" + _link("classroom", {"lesson": part.lesson.key}, "Start a class")
    return (
        f"<tr><td>{part.begins}</td><td>{part.minutes}</td>"
        f"<td><b>{what}</b><br><span>{html.escape(part.says)}</span>{begin}</td></tr>"
    )


def _link(page: str, query: dict[str, str], says: str) -> str:
    """To a page, in a window of its own."""
    there = html.escape(f"{page}?{urlencode(query)}", quote=True)
    return f'<a href="{there}" target="_blank" rel="noopener">{says}</a>'


def _take(session: Session) -> None:
    heading("Take it along")
    lead = f"A session of {session.minutes} minutes"
    address = (st.context.url or "").rpartition("/")[0]
    with st.container(horizontal=True, gap="small"):
        st.download_button(
            "Slides",
            data=lambda: slides(TITLE, session.taught, lead),
            file_name=f"slides-{session.key}.html",
            mime="text/html",
            icon=":material/slideshow:",
            type="primary",
            on_click="ignore",
            key="instructor_slides",
            help="One file for any browser, without a network: arrow keys, Space, Home and End; prints a slide a page.",
        )
        st.download_button(
            "Handout",
            data=lambda: handout(TITLE, session.taught, address),
            file_name=f"handout-{session.key}.html",
            mime="text/html",
            icon=":material/print:",
            on_click="ignore",
            key="instructor_handout",
            help="For printing on A4: a page a lesson, with seeds and room to write; the answers come last.",
        )


def _able(lesson: Lesson) -> str:
    able = "".join(f"<li>{html.escape(one)}</li>" for one in lesson.able)
    return f'<div class="dp-able"><p>{html.escape(lesson.title)}</p><ul>{able}</ul></div>'


def _mistakes(lesson: Lesson) -> None:
    for step in lesson.steps:
        if step.question is not None:
            st.html(_answers(step.question))


def _answers(question: Question) -> str:
    """The choices, the right one marked, and what is wrong with the others."""
    right, rows = question.answer(), []
    for number, (choice, why) in enumerate(zip(question.choices, question.reasons(), strict=True)):
        sign = "right" if number == right else ""
        rows.append(
            f'<tr class="{sign}"><td>{_LETTERS[number]}</td><td><b>{html.escape(choice)}</b>'
            f"{' (right)' if sign else ''}<br><span>{inline(why)}</span></td></tr>"
        )
    return (
        f'<p class="dp-says">{html.escape(question.text)}</p>'
        f'<table class="dp-plan"><tbody>{"".join(rows)}</tbody></table>'
    )

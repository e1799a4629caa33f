"""Every kind of document: text stays text, and the one head says what a file may load."""

from dataclasses import replace
from datetime import date

import numpy as np
import pandas as pd
import pytest

from dpviz import charts
from dpviz.base.notebook import notebook_table
from dpviz.charts.chart import Chart
from dpviz.charts.look import Look
from dpviz.charts.teaching.draws_and_law import draws_and_law_chart
from dpviz.export.decision import decision_sheet
from dpviz.export.lessons import render_handout, render_slides
from dpviz.export.report_page import ReportPage
from dpviz.export.takeaway import build_takeaway_file
from dpviz.pages.common.slider_file import SliderFigure, build_position
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import Decision, Question, decide
from dpviz.teaching.lesson import Lesson
from dpviz.teaching.lessons import LESSONS
from tests.hostile import HOSTILE, read, times_told


def _chart(look: Look = charts.LIGHT) -> Chart:
    outcomes, law, drawn = (HOSTILE, "b"), np.array([0.4, 0.6]), np.array([4, 6])
    chart = draws_and_law_chart(outcomes, law, drawn, name=HOSTILE, beside={}, look=look)
    return replace(chart, shows=HOSTILE, how_to_read=HOSTILE, says_now=HOSTILE)


def _page() -> str:
    page = ReportPage(HOSTILE, lead=HOSTILE)
    page.add_heading(HOSTILE)
    page.add_paragraph(HOSTILE, kind="note")
    page.add_bullet_list([HOSTILE])
    frame = pd.DataFrame({HOSTILE: [HOSTILE, "b"], "n": ["1", "<2"]})
    for folded in (True, False):
        page.add_table(
            frame,
            caption=HOSTILE,
            collapsible=folded,
            emphasised_columns=(HOSTILE,),
            stack_when_narrow=True,
        )
    page.add_chart(_chart(), title=HOSTILE)
    return page.html()


def _takeaway() -> str:
    frame = pd.DataFrame({HOSTILE: [HOSTILE]})
    step = build_position(HOSTILE, HOSTILE, [[HOSTILE]] * 2, lambda look: (_chart(look), frame))
    words = dict.fromkeys(("title", "lead", "slider_quantity", "note"), HOSTILE)
    takeaway = SliderFigure(
        steps=(step, step), start=0, column_headings=((HOSTILE, HOSTILE),),
        rows=(HOSTILE, HOSTILE), charts=(HOSTILE,), **words,
    )  # fmt: skip
    whole = build_takeaway_file(takeaway, [(HOSTILE, HOSTILE)]).html
    return whole + build_takeaway_file(replace(takeaway, rows=("",))).html


def _decision() -> Decision:
    return decide(Question(k=2, name=HOSTILE, data=DataSpec(name="class_trip")))


def _lesson() -> Lesson:
    lesson = LESSONS["order_of_queries"]
    steps = tuple(replace(step, title=HOSTILE) for step in lesson.steps)
    words = dict.fromkeys(("title", "says", "proved"), HOSTILE)
    return replace(lesson, able=(HOSTILE,), build_steps=lambda: steps, **words)


DAY = date(2026, 5, 4)
DOCUMENTS = {
    "page": (_page, 19),
    "takeaway": (_takeaway, 38),
    "sheet": (lambda: decision_sheet(_decision(), date=DAY), 2),
    "two sheets": (lambda: decision_sheet(_decision(), beside=_decision(), date=DAY), 2),
    "slides": (lambda: render_slides(HOSTILE, [_lesson()], HOSTILE), 10),
    "handout": (lambda: render_handout(HOSTILE, [_lesson()], HOSTILE), 8),
}


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_a_hostile_title_stays_text(kind: str) -> None:
    make, least = DOCUMENTS[kind]
    assert times_told(make()) >= least


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_a_document_says_first_what_it_may_load(kind: str) -> None:
    page = DOCUMENTS[kind][0]()
    assert page.startswith('<!doctype html>\n<html lang="en"><head><meta charset="utf-8">')
    tags, _ = read(page)
    heads = [held for tag, held in tags if tag == "meta"]
    named = {held.get("name") or held.get("http-equiv"): held.get("content") for held in heads}
    policy = named["Content-Security-Policy"] or ""
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'")
    assert ("script-src" in policy) == any(tag == "script" for tag, _ in tags)
    assert named["viewport"] == "width=device-width, initial-scale=1"
    assert named["color-scheme"] in {"light", "light dark"}


def test_a_text_that_became_markup_is_noticed() -> None:
    with pytest.raises(AssertionError):
        times_told(f"<p>{HOSTILE}</p>")


def test_a_notebooks_table_holds_text() -> None:
    short = HOSTILE[:40]
    page = notebook_table(short, [(short, short), ("b", 1)], badge=short)
    assert read(page)[1].count(short) == 4

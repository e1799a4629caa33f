"""All files of a homework by their paths, and the key as a table."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from dpviz.export.homework.graded_notebooks import nbgrader_notebook, otter_notebook
from dpviz.export.homework.moodle import moodle_questions
from dpviz.export.report_page import ReportPage
from dpviz.teaching.homework import HomeworkSheet
from dpviz.teaching.lessons.lesson_helpers import markdown_table

_LEAD = (
    "Everybody has other numbers, so the answers differ. You may use any tool. Say how you found"
    " each answer."
)


def answer_key_rows(sheets: Sequence[HomeworkSheet]) -> list[dict[str, Any]]:
    """A row for each sheet and question, with the exact answer and its tolerance."""
    return [
        {
            "sheet": sheet.number,
            "name": sheet.name,
            "question": place,
            "lesson": asked.title,
            "answer": asked.answer,
            "tolerance": asked.tolerance,
        }
        for sheet in sheets
        for place, asked in enumerate(sheet.questions, 1)
    ]


def homework_files(title: str, sheets: Sequence[HomeworkSheet]) -> Mapping[str, str]:
    files = dict[str, str]()
    for sheet in sheets:
        head, place = f"{title}: sheet {sheet.number}, {sheet.name}", f"sheets/{sheet.number:03}"
        page, text = ReportPage(head, lead=_LEAD), [f"# {head}", _LEAD]
        for number, asked in enumerate(sheet.questions, 1):
            page.add_heading(f"{number}. {asked.title}", in_contents=False)
            page.add_paragraph(asked.text)
            text += [f"## {number}. {asked.title}", asked.text]
        files |= {f"{place}.html": page.html(), f"{place}.md": "\n\n".join(text) + "\n"}
    rows = [
        {name: f"{cell:.6g}" if isinstance(cell, float) else cell for name, cell in row.items()}
        for row in answer_key_rows(sheets)
    ]
    head, said = f"{title}: the key", "For the teacher. An answer counts within its tolerance."
    key = ReportPage(head, lead=said)
    key.add_table(pd.DataFrame(rows), caption="The answers of each sheet")
    table = markdown_table(list(rows[0]), [list(row.values()) for row in rows])
    return files | {
        "teacher/key.html": key.html(),
        "teacher/key.md": f"# {head}\n\n{said}\n\n{table}\n",
        "teacher/moodle.xml": moodle_questions(title, sheets),
        "teacher/otter.ipynb": otter_notebook(title, sheets),
        "teacher/nbgrader.ipynb": nbgrader_notebook(title, sheets),
    }

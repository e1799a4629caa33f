"""Homework as a teacher's notebook, of which otter-grader or nbgrader makes the students'.

Invariant: an answer stands only in what the tools take out for students.
"""

import json
from collections.abc import Callable, Sequence
from typing import Any

from dpviz.teaching.homework import HomeworkSheet

Cells = list[dict[str, Any]]

_INTRODUCTION = (
    "Put the number of your sheet in the first cell. Each question is printed with your own"
    " numbers. Give each answer as a number."
)


def otter_notebook(title: str, sheets: Sequence[HomeworkSheet]) -> str:
    """The notebook for `otter assign`."""

    def question(number: int, stub: str, answer: str, check: str) -> Cells:
        opening = f"# BEGIN QUESTION\nname: q{number}\npoints: 1"
        test = f'""" # BEGIN TEST CONFIG\nhidden: true\n""" # END TEST CONFIG\n{check}'
        return [
            _cell("raw", opening),
            _cell("markdown", f"**Question {number}**"),
            _cell("code", f"print(QUESTIONS[sheet][{number - 1}])"),
            _cell("raw", "# BEGIN SOLUTION"),
            _cell("code", f"{stub} = {answer} # SOLUTION"),
            _cell("raw", "# END SOLUTION"),
            _cell("raw", "# BEGIN TESTS"),
            _cell("code", test),
            _cell("raw", "# END TESTS"),
            _cell("raw", "# END QUESTION"),
        ]

    opening = "# ASSIGNMENT CONFIG\ninit_cell: true\nexport_cell: true\ncheck_all_cell: false"
    sheet = _cell("code", f'sheet = "{sheets[0].number}"')
    return _notebook(title, sheets, [_cell("raw", opening)], sheet, question)


def nbgrader_notebook(title: str, sheets: Sequence[HomeworkSheet]) -> str:
    """The notebook for `nbgrader generate_assignment`."""

    def question(number: int, stub: str, answer: str, check: str) -> Cells:
        solution = f"### BEGIN SOLUTION\n{stub} = {answer}\n### END SOLUTION"
        hint = f"# {stub} = 12.3"
        hidden = f"### BEGIN HIDDEN TESTS\n{check}\n### END HIDDEN TESTS"
        return [
            _graded("code", f"print(QUESTIONS[sheet][{number - 1}])", f"text{number}", locked=True),
            _graded("code", f"{hint}\n{solution}", f"answer{number}", solution=True),
            _graded("code", hidden, f"test{number}", locked=True, grade=True, points=1),
        ]

    own = f'### BEGIN SOLUTION\nsheet = "{sheets[0].number}"\n### END SOLUTION'
    sheet = _graded("code", f'# sheet = "7"\n{own}', "sheet", solution=True)
    return _notebook(title, sheets, [], sheet, question)


def _notebook(
    title: str,
    sheets: Sequence[HomeworkSheet],
    opening: Cells,
    sheet: dict[str, Any],
    question: Callable[[int, str, str, str], Cells],
) -> str:
    texts = {str(one.number): [asked.text for asked in one.questions] for one in sheets}
    data = f"QUESTIONS = {json.dumps(texts, ensure_ascii=False, indent=1)}"
    cells = [
        *opening,
        _cell("markdown", f"# {title}\n\n{_INTRODUCTION}"),
        sheet,
        _cell("code", data),
    ]
    for number in range(1, len(sheets[0].questions) + 1):
        asked = {str(one.number): one.questions[number - 1] for one in sheets}
        answers = {place: one.answer for place, one in asked.items()}
        key = {place: (one.answer, one.tolerance) for place, one in asked.items()}
        stub = f"answer_{number}"
        check = f"right, tolerance = {key}[sheet]\nassert abs({stub} - right) <= tolerance"
        cells += question(number, stub, f"{answers}[sheet]", check)
    for place, cell in enumerate(cells):
        cell["id"] = f"cell-{place}"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    whole = {
        "cells": cells,
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def _cell(kind: str, source: str, **metadata: Any) -> dict[str, Any]:
    cell: dict[str, Any] = {"cell_type": kind, "metadata": metadata, "source": source}
    return cell | {"execution_count": None, "outputs": []} if kind == "code" else cell


def _graded(kind: str, source: str, name: str, **settings: Any) -> dict[str, Any]:
    usual = {"grade": False, "locked": False, "solution": False, "task": False}
    named = {"grade_id": name, "schema_version": 3, "cell_type": kind}
    return _cell(kind, source, nbgrader={**usual, **named, **settings})

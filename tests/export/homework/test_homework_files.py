"""Homework as files: no sheet holds an answer, and Moodle, otter and nbgrader can read theirs."""

import json
import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest

from dpviz.export.homework.homework_files import homework_files, key_rows
from dpviz.teaching.homework import KINDS, draw_homework
from dpviz.teaching.session_file import read_session

SESSION = read_session(f'title = "Our/seminar"\nminutes = 600\nlessons = {list(KINDS)}')
NAMES = ["Ann", "Bo/b <b>]]>", "Çelik"]
SHEETS = draw_homework(SESSION, NAMES, 7)
FILES = homework_files(SESSION.title, SHEETS)
STUDENTS = {
    "otter": lambda source: re.sub(r"(answer_\d+ = ).* # SOLUTION", r"\1...", source),
    "nbgrader": lambda source: re.sub(
        r"### BEGIN (SOLUTION|HIDDEN TESTS).*### END \1", "", source, flags=re.DOTALL
    ),
}
"""What each tool makes of a cell for students."""


def cells(tool: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(FILES[f"teacher/{tool}.ipynb"])["cells"]
    return found


def test_only_the_teachers_files_hold_answers() -> None:
    answers = [row["answer"] for row in key_rows(SHEETS)]
    assert len(answers) == len(NAMES) * len(KINDS)
    sheets = {place: text for place, text in FILES.items() if place.startswith("sheets/")}
    assert len(sheets) == 2 * len(NAMES)
    for answer in answers:
        assert f"{answer:.6g}" in FILES["teacher/key.html"]
        assert f"{answer:.6g}" in FILES["teacher/key.md"]
        if len(f"{answer:.5g}") > 5:  # as opposed to a round number, which a question may name
            assert not any(f"{answer:.4g}" in text for text in sheets.values())
    for sheet in SHEETS:
        page, text = (sheets[f"sheets/{sheet.number:03}.{kind}"] for kind in ("html", "md"))
        for asked in sheet.questions:
            assert asked.text in page
            assert asked.text in text
            text = text.replace(asked.text, "")
        told = [f"{one.answer:.3g}" for one in sheet.questions]
        assert not [one for one in told if "." in one and one in text]
    assert "<b>" not in sheets["sheets/002.html"].partition("<main>")[2]


def test_moodle_s_file_keeps_to_its_format() -> None:
    text = FILES["teacher/moodle.xml"]
    quiz = ElementTree.fromstring(text)
    assert quiz.tag == "quiz"
    kinds = [one.get("type") for one in quiz]
    assert kinds == ["category", *["numerical"] * len(KINDS)] * len(NAMES)
    assert [one.findtext("category/text") for one in quiz if one.get("type") == "category"] == [
        f"$course$/top/Our//seminar/{number:03} {name.replace('/', '//')}"
        for number, name in enumerate(NAMES, 1)
    ]
    asked = [one for one in quiz if one.get("type") == "numerical"]
    questions = [question for sheet in SHEETS for question in sheet.questions]
    for one, question in zip(asked, questions, strict=True):
        assert (one.findtext("name/text") or "").endswith(question.title)
        shown = one.find("questiontext")
        assert shown is not None
        assert (shown.get("format"), shown.findtext("text")) == ("html", f"<p>{question.text}</p>")
        (answer,) = one.findall("answer")
        assert answer.get("fraction") == "100"
        assert float(answer.findtext("text") or "") == question.answer
        assert float(answer.findtext("tolerance") or "") == question.tolerance
    assert text.count('<questiontext format="html"><text><![CDATA[<p>') == len(questions)


@pytest.mark.parametrize("tool", STUDENTS)
def test_a_notebook_passes_its_key_and_fails_a_wrong_answer(tool: str) -> None:
    code = [cell["source"] for cell in cells(tool) if cell["cell_type"] == "code"]
    exec("\n".join(code), {})
    for number in range(1, len(KINDS) + 1):
        wrong = re.sub(rf"(answer_{number} = {{.*}}\[sheet\])", r"\1 * 1.2", "\n".join(code))
        with pytest.raises(AssertionError):
            exec(wrong, {})


@pytest.mark.parametrize(("tool", "shown"), STUDENTS.items(), ids=STUDENTS)
def test_answers_stand_only_in_what_a_tool_takes_out(
    tool: str, shown: Callable[[str], str]
) -> None:
    tests = re.findall("# BEGIN TESTS.*?# END TESTS", FILES[f"teacher/{tool}.ipynb"], re.DOTALL)
    assert len(tests) == (len(KINDS) if tool == "otter" else 0)
    assert all(r"hidden: true" in test for test in tests)
    inside, left = False, []
    for cell in cells(tool):
        inside = inside or cell["source"] == "# BEGIN TESTS"
        left += [] if inside else [shown(cell["source"])]
        inside = inside and cell["source"] != "# END TESTS"
    for row in key_rows(SHEETS):
        assert repr(row["answer"]) not in "\n".join(left)

"""Homework as files: no sheet holds an answer, and Moodle, otter and nbgrader can read theirs."""

import json
import re
from xml.etree import ElementTree

import pytest

from dpviz.export.homework.homework_files import answer_key_rows, homework_files
from dpviz.teaching.homework import KINDS, draw_homework
from dpviz.teaching.session_file import read_session

SESSION = read_session(f'title = "Our/seminar"\nminutes = 600\nlessons = {list(KINDS)}')
NAMES = ["Ann", "Bo/b <b>]]>", "Çelik"]
SHEETS = draw_homework(SESSION, NAMES, 7)
FILES = homework_files(SESSION.title, SHEETS)
TAKEN_OUT = (
    r"answer_\d+ = [^\n]* # SOLUTION",
    "# BEGIN TESTS\n.*?# END TESTS",
    r"### BEGIN (SOLUTION|HIDDEN TESTS).*?### END \1",
)
"""What the two tools take out of a notebook for students."""


def sources(tool: str, kind: str = "") -> str:
    cells = json.loads(FILES[f"teacher/{tool}.ipynb"])["cells"]
    return "\n".join(cell["source"] for cell in cells if kind in cell["cell_type"])


def test_only_the_teachers_files_hold_answers() -> None:
    for row in answer_key_rows(SHEETS):
        assert f"{row['answer']:.6g}" in FILES["teacher/key.html"]
        assert f"{row['answer']:.6g}" in FILES["teacher/key.md"]
    for sheet in SHEETS:
        page, text = (FILES[f"sheets/{sheet.number:03}.{kind}"] for kind in ("html", "md"))
        for asked in sheet.questions:
            assert asked.text in page
            assert asked.text in text
            if len(f"{asked.answer:.5g}") > 5:  # and no round number, which a question may name
                assert f"{asked.answer:.4g}" not in page + text
    assert "<b>" not in FILES["sheets/002.html"].partition("<main>")[2]


def test_moodle_s_file_keeps_to_its_format() -> None:
    quiz = ElementTree.fromstring(FILES["teacher/moodle.xml"])
    assert quiz.tag == "quiz"
    kinds = [one.get("type") for one in quiz]
    assert kinds == ["category", *["numerical"] * len(KINDS)] * len(NAMES)
    assert [path.text for path in quiz.findall("question/category/text")] == [
        f"$course$/top/Our//seminar/{number:03} {name.replace('/', '//')}"
        for number, name in enumerate(NAMES, 1)
    ]
    questions = [question for sheet in SHEETS for question in sheet.questions]
    numerical = quiz.findall("question[@type='numerical']")
    for one, question in zip(numerical, questions, strict=True):
        assert (one.findtext("name/text") or "").endswith(question.title)
        shown = one.findtext("questiontext[@format='html']/text")
        assert shown == f"<p>{question.text}</p>"
        (answer,) = one.findall("answer[@fraction='100']")
        assert float(answer.findtext("text") or "") == question.answer
        assert float(answer.findtext("tolerance") or "") == question.tolerance


@pytest.mark.parametrize("tool", ["otter", "nbgrader"])
def test_a_notebook_passes_its_key_fails_a_wrong_answer_and_hides_both(tool: str) -> None:
    code = sources(tool, "code")
    exec(code, {})
    for number in range(1, len(KINDS) + 1):
        with pytest.raises(AssertionError):
            exec(re.sub(rf"(answer_{number} = {{.*}}\[sheet\])", r"\1 * 1.2", code), {})
    left = sources(tool)
    for part in TAKEN_OUT:
        left = re.sub(part, "", left, flags=re.DOTALL)
    assert not [row for row in answer_key_rows(SHEETS) if f"{row['answer']!r}, " in left]
    assert not re.findall(r"assert|answer_\d+ = {", left)

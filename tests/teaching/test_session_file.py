"""A teacher's own session: what a file says is taught; what is wrong is told in one sentence."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dpviz.base.errors import ParameterError
from dpviz.export.lessons import render_handout, render_slides
from dpviz.teaching import session_file
from dpviz.teaching.lessons import LESSONS
from dpviz.teaching.session_file import read_session, read_session_file

TEACHING = Path(__file__).parents[2] / "assets" / "docs" / "teaching.md"
FILE = TEACHING.read_text(encoding="utf-8").split("```toml\n", 1)[1].split("```", 1)[0]
"""The example in the documentation."""


def changed(what: str, into: str) -> str:
    assert what in FILE
    return FILE.replace(what, into, 1)


def with_names(count: int) -> str:
    """The example with so many names that are counted."""
    return changed("Zoo = 12", ", ".join(["Zoo = 12", *(f"n{n} = 1" for n in range(count - 4))]))


def test_the_example_is_a_session() -> None:
    session = read_session(FILE)
    assert (session.title, session.minutes) == ("Our seminar", 45)
    assert session.lessons == ("opening_story", "our_poll", "ten_releases_later")
    (lesson,) = session.own
    question, experiment = lesson.steps[1].question, lesson.steps[2].experiment
    assert question is not None
    assert experiment is not None
    assert question.choice_reasons()[1] == question.because == "The right answer is: Mostly."
    assert [step.kind for step in lesson.steps] == ["tell", "predict", "run", "explain"]
    weights = [2.718281828459045 ** (0.5 * n) for n in (12, 9, 6, 3)]
    assert experiment.law(0.5) == pytest.approx([w / sum(weights) for w in weights])
    assert experiment.draw_outcome_counts(0.5, 1, 100).sum() == 100
    assert "Zoo wins in 77" in experiment.says(0.5)
    assert read_session(with_names(12)).own[0].key == lesson.key
    assert lesson.key not in LESSONS  # reading puts nothing on the menu
    for render in (render_slides, render_handout):
        assert "A poll of ours" in render(session.title, session.own)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("title = ", "TOML"),
        (changed("minutes = 45", "minutes = 20"), "minutes must be"),
        (changed('"opening_story", ', '"opening", '), "a lesson in lessons must be one of"),
        (changed('"our_poll", ', ""), "names our_poll too"),
        (changed('"opening_story", ', '"our_poll", '), "none twice"),
        (changed("[lesson.our_poll]", "[lesson.ties]"), "no other lesson has"),
        (changed('title = "Our seminar"', 'titel = "Our seminar"'), "a name in the session"),
        (changed('data_are = "made up"', 'data_are = "ours"'), "public"),
        (changed('data_are = "made up"\n', ""), "all who join see them"),
        (changed("Zoo = 12", "Zoo = -1"), "the count of Zoo"),
        (with_names(13), "2 to 12 names"),
        (changed("right = 2", "right = 4"), "right of our_poll"),
        (changed('"It leads by three votes."', '""'), "why that choice is wrong"),
        (changed(', "It leads by three votes."', ""), "one text a choice"),
        (changed('"Mostly", ', '"Always", '), "different texts"),
        (changed("our_poll.question]", "our_poll.questions]"), "a name in our_poll"),
        (changed("[0.2, 0.5, 1.0, 2.0]", "[0.0]"), "an ε of our_poll"),
        (changed("minutes = 6", "minutes = 60"), "minutes of our_poll"),
    ],
)
def test_what_is_wrong_is_told_in_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(ParameterError) as told:
        read_session(text)
    assert sentence in str(told.value)
    assert "\n" not in str(told.value)


def test_a_file_that_is_no_text_or_too_long_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "session.toml"
    for content in (b"\xff\xfe\x00", b"#" * 300_000):
        file.write_bytes(content)
        with pytest.raises(ParameterError, match="the session's file"):
            read_session_file(file)


def test_an_app_that_is_begun_with_it_has_it_on_the_menu_and_in_a_class(tmp_path: Path) -> None:
    file = tmp_path / "session.toml"
    file.write_text(FILE, encoding="utf-8")
    asked = (
        "from dpviz.teaching.session_plans import SESSIONS; from dpviz.teaching.classes.course import"
        " check_lessons, build_course; s = SESSIONS['own']; print(s.title, s.minutes,"
        " len(build_course(check_lessons(s.lessons))), s.talk_minutes)"
    )
    told = subprocess.run(
        [sys.executable, "-c", asked], capture_output=True, text=True,
        env={**os.environ, session_file.ENVIRONMENT: str(file)},
        cwd=Path(__file__).parents[2], check=True,
    )  # fmt: skip
    assert told.stdout.split() == ["Our", "seminar", "45", "16", "24"]

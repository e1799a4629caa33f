"""A teacher's own session as a text file (TOML): the order of lessons, own questions with reasons,
own data.

    title = "Our seminar"
    minutes = 45
    lessons = ["opening_story", "our_poll", "ten_releases_later"]

    [poll]
    text = "Where shall the excursion go?"
    choices = ["Zoo", "Museum", "Lake", "Fair"]

    [lesson.our_poll]
    title = "A poll of ours"
    minutes = 6
    text = "Thirty people chose a place for the excursion."
    data = { Zoo = 12, Museum = 9, Lake = 6, Fair = 3 }
    data_are = "made up"
    epsilons = [0.2, 0.5, 1.0, 2.0]
    why = "Noise of the same size hides one vote; it hides a lead of three votes less."

    [lesson.our_poll.question]
    text = "How often does the Zoo win at ε = 0.5?"
    choices = ["Always", "Mostly", "Seldom"]
    right = 2
    reasons = ["No mechanism with an ε is always right.", "", "It leads by three votes."]

What is drawn is the winner by the exponential mechanism, with its exact law; the poll is what the
class votes on where it is the data itself: the console has it ready to be asked. Invariants: all of
a file is checked before any of it counts, and what is wrong is told in one sentence; data are said
to be public or made up, since whoever joins the class sees them; an own lesson has a name that no
other has.
"""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeGuard

import numpy as np
from numpy.random import Generator

from dpviz.base import Ints, ParameterError, Scores, check_integer, check_number
from dpviz.teaching.lesson import (
    LESSONS,
    Control,
    Experiment,
    Lesson,
    MultipleChoice,
    Step,
    add_lesson,
)
from dpviz.teaching.lessons.lesson_helpers import one_place_percent
from dpviz.teaching.poll import Poll
from dpviz.topk import OneShot

ENVIRONMENT = "DPVIZ_SESSION"
"""Variable that names the session file of an app."""
KEY = "own"
"""Key of that session."""
_LONGEST = 200_000  # bytes of a file
_DATA = ("public", "made up")
_CHOICES = 6
_OUTCOMES = 12


@dataclass(frozen=True)
class CustomSession:
    """Content of a session file: `lessons` are keys in order, `own` are its own lessons."""

    title: str
    minutes: int
    lessons: tuple[str, ...]
    own: tuple[Lesson, ...]
    poll: Poll | None = None


def read_session(text: str) -> CustomSession:
    """Session that a text describes; a `ParameterError` says what is wrong with the text.

    >>> read_session('title = "Short"\\nminutes = 20\\nlessons = ["ties"]').lessons
    ('ties',)
    """
    try:
        said = tomllib.loads(text)
    except tomllib.TOMLDecodeError as err:
        raise ParameterError(
            "the session's file", str(err), "TOML: names, an equals sign, and values"
        ) from None
    _only(said, "the session", {"title", "minutes", "lessons", "lesson", "poll"})
    tables = said.get("lesson", {})
    if not isinstance(tables, Mapping):
        raise ParameterError("lesson", tables, "one table a lesson, as [lesson.our_poll]")
    own = tuple(_lesson(str(key), table) for key, table in tables.items())
    keys = said.get("lessons")
    known = [*LESSONS, *(lesson.key for lesson in own)]
    if not isinstance(keys, list) or not keys or len(set(map(str, keys))) < len(keys):
        raise ParameterError("lessons", keys, "a list of lessons, none twice")
    for key in keys:
        if key not in known:
            raise ParameterError("a lesson in lessons", key, f"one of {', '.join(known)}")
    for lesson in own:
        if lesson.key not in keys:
            raise ParameterError("lessons", keys, f"a list that names {lesson.key} too")
    taught = sum(
        {lesson.key: lesson.minutes for lesson in (*LESSONS.values(), *own)}[key] for key in keys
    )
    minutes = check_integer(
        "minutes", said.get("minutes"), low=taught + 8, high=600
    )  # welcome and talk take eight
    return CustomSession(_text(said, "title"), minutes, tuple(keys), own, _poll(said.get("poll")))


def read_session_file(path: Path) -> CustomSession:
    """Session that a file describes."""
    if path.stat().st_size > _LONGEST:
        raise ParameterError("the session's file", path.name, f"one of at most {_LONGEST:,} bytes")
    try:
        return read_session(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise ParameterError("the session's file", path.name, "text in UTF-8") from None


def load_startup_session() -> CustomSession | None:
    """Session that this app was started with, its own lessons on the menu; else None."""
    named = os.environ.get(ENVIRONMENT)
    if not named:
        return None
    session = read_session_file(Path(named))
    for lesson in session.own:
        add_lesson(lesson)
    return session


def _only(table: Mapping[str, Any], where: str, allowed: set[str]) -> None:
    for name in table:
        if name not in allowed:
            raise ParameterError(f"a name in {where}", name, f"one of {', '.join(sorted(allowed))}")


def _poll(table: Any) -> Poll | None:
    if table is None:
        return None
    if not isinstance(table, Mapping):
        raise ParameterError("poll", table, "a table with text and choices, as [poll]")
    _only(table, "the poll", {"text", "choices"})
    return Poll(table.get("text"), table.get("choices"))


def _text(table: Mapping[str, Any], name: str, where: str = "") -> str:
    said = table.get(name)
    if not isinstance(said, str) or not said.strip():
        raise ParameterError(f"{name}{where}", said, "a text")
    return said.strip()


def _lesson(key: str, table: Any) -> Lesson:
    where = f" of {key}"
    if key in LESSONS:
        raise ParameterError("the name of an own lesson", key, "one that no other lesson has")
    if not isinstance(table, Mapping):
        raise ParameterError(f"lesson.{key}", table, f"a table, as [lesson.{key}]")
    _only(
        table,
        key,
        {"title", "minutes", "text", "says", "data", "data_are", "epsilons", "why", "question"},
    )
    title, text, why = (_text(table, name, where) for name in ("title", "text", "why"))
    question = _question(table.get("question"), where)
    steps = [
        Step("tell", title, text),
        Step("predict", "What do you expect?", text, question=question),
    ]
    if "data" in table:
        steps.append(
            Step(
                "run",
                "Try it",
                "Draw releases, then change ε.",
                experiment=_experiment(table, where),
            )
        )
    steps.append(Step("explain", "Why", why))
    return Lesson(
        key=key,
        title=title,
        says=str(table.get("says", "A lesson of your teacher's own.")),
        minutes=check_integer(f"minutes{where}", table.get("minutes", 6), low=3, high=10),
        able=("what you expected, and what is so",),
        proved="In the words of whoever teaches.",
        steps=tuple(steps),
    )


def _question(table: Any, where: str) -> MultipleChoice:
    if not isinstance(table, Mapping):
        raise ParameterError(
            f"question{where}", table, "a table with text, choices, right and reasons"
        )
    _only(table, f"the question{where}", {"text", "choices", "right", "reasons", "because"})
    choices, reasons = table.get("choices"), table.get("reasons")
    if (
        not _are_texts(choices)
        or not 2 <= len(choices) <= _CHOICES
        or len(set(choices)) < len(choices)
    ):
        raise ParameterError(f"choices{where}", choices, f"2 to {_CHOICES} different texts")
    right = check_integer(f"right{where}", table.get("right"), low=1, high=len(choices)) - 1
    if not _are_texts(reasons) or len(reasons) != len(choices):
        raise ParameterError(
            f"reasons{where}", reasons, "one text a choice: why it is wrong, or why it is right"
        )
    for number, reason in enumerate(reasons):
        if not reason.strip() and number != right:
            raise ParameterError(
                f"reason {number + 1}{where}", reason, "a text: why that choice is wrong"
            )
    because = reasons[right].strip() or f"It is: {choices[right]}."
    mistakes = tuple("" if number == right else reason for number, reason in enumerate(reasons))
    return MultipleChoice(
        _text(table, "text", f" of the question{where}"),
        tuple(choices),
        lambda: right,
        lambda: because,
        lambda: mistakes,
    )


def _are_texts(said: Any) -> TypeGuard[list[str]]:
    return isinstance(said, list) and all(isinstance(one, str) for one in said)


def _experiment(table: Mapping[str, Any], where: str) -> Experiment:
    data, are = table["data"], table.get("data_are")
    if are not in _DATA:
        raise ParameterError(
            f"data_are{where}", are, "“public” or “made up”: all who join see them"
        )
    if not isinstance(data, Mapping) or not 2 <= len(data) <= _OUTCOMES:
        raise ParameterError(f"data{where}", data, f"2 to {_OUTCOMES} names, each with a count")
    counts = {
        str(name): check_number(f"the count of {name}", n, low=0.0, high=1e9)
        for name, n in data.items()
    }
    epsilons = table.get("epsilons", [0.2, 0.5, 1.0, 2.0])
    if not isinstance(epsilons, list) or not 1 <= len(epsilons) <= 8:
        raise ParameterError(f"epsilons{where}", epsilons, "1 to 8 numbers")
    values = tuple(
        sorted({check_number(f"an ε{where}", each, low=0.001, high=100.0) for each in epsilons})
    )
    scores = Scores(counts, monotonic=True)

    def draw(epsilon: float, rng: Generator, size: int) -> Ints:
        return np.asarray(
            OneShot(epsilon=epsilon, k=1).sample(scores, size, rng=rng)[:, 0], np.int64
        )

    def law(epsilon: float) -> Any:
        return OneShot(epsilon=epsilon, k=1).distribution(scores).inclusion

    best = max(counts, key=lambda name: counts[name])
    place = list(counts).index(best)
    return Experiment(
        name="exponential mechanism",
        outcomes=tuple(counts),
        law=law,
        draw=draw,
        says=lambda epsilon: (
            f"At ε = {epsilon:g}, {best} wins in {one_place_percent(float(law(epsilon)[place]))} of releases."
        ),
        control=Control("epsilon", "Privacy budget ε", values, values[len(values) // 2]),
    )

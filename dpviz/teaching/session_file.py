"""A teacher's own session as a text file (TOML): order of lessons, own lessons, own data, a poll.

Releases of an own lesson are winners by the exponential mechanism, with their exact law.
Invariants: all of a file is checked before any of it counts; data are said to be public or made up,
since all who join the class see them; an own lesson has a name that no other has.
"""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpviz.base import ParameterError, Scores, check_integer, check_number
from dpviz.teaching.lesson import Control, Experiment, Lesson, MultipleChoice, Step
from dpviz.teaching.lessons import LESSONS, add_lesson
from dpviz.teaching.lessons.lesson_helpers import SingleWinner, percentage
from dpviz.teaching.poll import Poll

ENVIRONMENT = "DPVIZ_SESSION"
"""Variable that names the session file of an app."""
KEY = "own"
_LONGEST = 200_000  # bytes of a file
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
    _require(
        isinstance(tables, Mapping), "lesson", tables, "one table a lesson, as [lesson.our_poll]"
    )
    own = tuple(_lesson(str(key), table) for key, table in tables.items())
    known = {lesson.key: lesson for lesson in (*LESSONS.values(), *own)}
    keys = said.get("lessons")
    if not isinstance(keys, list) or not keys or len(set(map(str, keys))) < len(keys):
        raise ParameterError("lessons", keys, "a list of lessons, none twice")
    for key in keys:
        _require(key in known, "a lesson in lessons", key, f"one of {', '.join(known)}")
    for lesson in own:
        _require(lesson.key in keys, "lessons", keys, f"a list that names {lesson.key} too")
    least = 8 + sum(known[key].minutes for key in keys)  # welcome and talk take eight
    minutes = check_integer("minutes", said.get("minutes"), low=least, high=600)
    return CustomSession(_text(said, "title"), minutes, tuple(keys), own, _poll(said.get("poll")))


def read_session_file(path: Path) -> CustomSession:
    small = path.stat().st_size <= _LONGEST
    _require(small, "the session's file", path.name, f"one of at most {_LONGEST:,} bytes")
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


def _require(fits: bool, name: str, given: object, wanted: str) -> None:
    if not fits:
        raise ParameterError(name, given, wanted)


def _only(table: Mapping[str, Any], where: str, allowed: set[str]) -> None:
    for name in table:
        _require(
            name in allowed, f"a name in {where}", name, f"one of {', '.join(sorted(allowed))}"
        )


def _poll(table: Any) -> Poll | None:
    if table is None:
        return None
    _require(isinstance(table, Mapping), "poll", table, "a table with text and choices, as [poll]")
    _only(table, "the poll", {"text", "choices"})
    return Poll(table.get("text"), table.get("choices"))


def _text(table: Mapping[str, Any], name: str, where: str = "") -> str:
    said = table.get(name)
    if not isinstance(said, str) or not said.strip():
        raise ParameterError(f"{name}{where}", said, "a text")
    return said.strip()


def _lesson(key: str, table: Any) -> Lesson:
    where = f" of {key}"
    _require(key not in LESSONS, "the name of an own lesson", key, "one that no other lesson has")
    _require(isinstance(table, Mapping), f"lesson.{key}", table, f"a table, as [lesson.{key}]")
    _only(
        table,
        key,
        {"title", "minutes", "text", "says", "data", "data_are", "epsilons", "why", "question"},
    )
    title, text, why = (_text(table, name, where) for name in ("title", "text", "why"))
    steps = [
        Step("tell", title, text),
        Step(
            "predict", "What do you expect?", text, question=_question(table.get("question"), where)
        ),
        Step("explain", "Why", why),
    ]
    if "data" in table:
        says = "Draw releases, then change ε."
        steps.insert(2, Step("run", "Try it", says, experiment=_experiment(table, where)))
    return Lesson(
        key=key,
        title=title,
        says=str(table.get("says", "A lesson of your teacher's own.")),
        minutes=check_integer(f"minutes{where}", table.get("minutes", 6), low=3, high=10),
        able=("what you expected, and what is true",),
        proved="In the teacher's own words.",
        build_steps=lambda: tuple(steps),
    )


def _question(table: Any, where: str) -> MultipleChoice:
    wanted = "a table with text, choices, right and reasons"
    _require(isinstance(table, Mapping), f"question{where}", table, wanted)
    _only(table, f"the question{where}", {"text", "choices", "right", "reasons", "because"})
    choices, reasons = table.get("choices"), table.get("reasons")
    several = _are_texts(choices) and 2 <= len(choices) <= _CHOICES
    _require(
        several and len(set(choices)) == len(choices),
        f"choices{where}",
        choices,
        f"2 to {_CHOICES} different texts",
    )
    right = check_integer(f"right{where}", table.get("right"), low=1, high=len(choices)) - 1
    _require(
        _are_texts(reasons) and len(reasons) == len(choices),
        f"reasons{where}",
        reasons,
        "one text a choice: why it is wrong, or why it is right",
    )
    for number, reason in enumerate(reasons):
        given = reason.strip() or number == right
        wanted = "a text: why that choice is wrong"
        _require(given, f"reason {number + 1}{where}", reason, wanted)
    because = reasons[right].strip() or f"The right answer is: {choices[right]}."
    mistakes = tuple("" if number == right else reason for number, reason in enumerate(reasons))
    return MultipleChoice(
        _text(table, "text", f" of the question{where}"), tuple(choices), right, because, mistakes
    )


def _are_texts(said: Any) -> bool:
    return isinstance(said, list) and all(isinstance(one, str) for one in said)


def _experiment(table: Mapping[str, Any], where: str) -> Experiment:
    data, are = table["data"], table.get("data_are")
    wanted = "“public” or “made up”: all who join see them"
    _require(are in ("public", "made up"), f"data_are{where}", are, wanted)
    _require(
        isinstance(data, Mapping) and 2 <= len(data) <= _OUTCOMES,
        f"data{where}",
        data,
        f"2 to {_OUTCOMES} names, each with a count",
    )
    counts = {
        str(name): check_number(f"the count of {name}", n, low=0.0, high=1e9)
        for name, n in data.items()
    }
    epsilons = table.get("epsilons", [0.2, 0.5, 1.0, 2.0])
    few = isinstance(epsilons, list) and 1 <= len(epsilons) <= 8
    _require(few, f"epsilons{where}", epsilons, "1 to 8 numbers")
    values = tuple(
        sorted({check_number(f"an ε{where}", each, low=0.001, high=100.0) for each in epsilons})
    )
    winner = SingleWinner(Scores(counts, monotonic=True))
    best = max(counts, key=lambda name: counts[name])
    place = list(counts).index(best)
    return Experiment(
        name="exponential mechanism",
        outcomes=tuple(counts),
        law=winner.law,
        draw=winner.draw,
        says=lambda epsilon: (
            f"At ε = {epsilon:g}, {best} wins in"
            f" {percentage(winner.law(epsilon)[place])} of releases."
        ),
        control=Control("epsilon", "ε, the privacy budget", values, values[len(values) // 2]),
    )

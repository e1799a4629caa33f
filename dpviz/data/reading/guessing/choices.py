"""A person's choices about a reading, and the words that ask for them."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, Literal

from dpviz.base import ParameterError, check_choice
from dpviz.base.text_format import shorten_text
from dpviz.data.reading.input_rules import FileReadOptions, Remark
from dpviz.data.reading.table import GUESS, ColumnGuess

Spelling = Literal["python", "command"]

ANSWERS: Final[Mapping[str, Mapping[str, str]]] = {
    "shape": {
        "rows": "each row is an item or an event",
        "columns": "each column is an item, its numbers are added up",
        "cells": "a cell holds several items",
        "baskets": "a row is a person, its cells are items",
    },
    "total": {"leave-out": "leave rows of totals out", "keep": "such a row is an item"},
    "duplicates": {
        "sum": "add up the rows of one name",
        "largest": "keep the largest of them",
        "keep": "each row is an item of its own",
    },
    "bad_cells": {"leave-out": "leave rows out whose score is no number"},
    "missing": {"skip": "leave rows out without a person or an item"},
}
"""Questions about rows, and the answers to each."""

COLUMNS: Final = ("score", "label", "person", "item")
_LONGEST: Final = 200  # characters of a heading in a sentence
_OF_TABLE = frozenset({"apart", "plain", "units", *(each.name for each in fields(FileReadOptions))})


@dataclass(frozen=True, kw_only=True)
class ReadingChoices(FileReadOptions):
    """A person's choices about the reading; None, or `GUESS` for columns, to guess."""

    apart: bool | None = None
    plain: bool | None = None
    units: bool | None = None
    decimal: str | None = None
    log: bool | None = None
    score: str | ColumnGuess | None = GUESS
    label: str | ColumnGuess | None = GUESS
    person: str | ColumnGuess | None = GUESS
    item: str | ColumnGuess | None = GUESS
    shape: str | None = None
    total: str | None = None
    duplicates: str | None = None
    multiples: bool | None = None
    bad_cells: str | None = None
    missing: str | None = None

    def __post_init__(self) -> None:
        for question, answers in ANSWERS.items():
            if (answer := getattr(self, question)) is not None:
                check_choice(question, answer, answers)
        for role in COLUMNS:
            if not isinstance(name := getattr(self, role), str | ColumnGuess | None):
                raise ParameterError(role, name, "the name of a column")

    @property
    def priority_columns(self) -> frozenset[str]:
        said = (getattr(self, role) for role in COLUMNS)
        return super().priority_columns | {name for name in said if isinstance(name, str)}

    @property
    def is_log(self) -> bool | None:
        """The kind of table: as said, else as the columns that were said belong to."""
        if self.log is not None:
            return self.log
        scores, log = (
            any(not isinstance(column, ColumnGuess) for column in columns)
            for columns in ((self.score, self.label), (self.person, self.item))
        )
        if log and scores:
            raise ParameterError("item", self.item, "left out beside score or label", "needless")
        return log if log or scores else None


def needs_rereading(choices: Mapping[str, Any]) -> bool:
    """True for choices that change the table itself, so that its source is read again."""
    return bool(_OF_TABLE & set(choices))


def question_and_options_text(remark: Remark, spelling: Spelling) -> str:
    """Sentence of a remark, and the options or arguments that answer it."""
    ways = [*([remark.kept] if remark.kept else []), *remark.mends.values()]
    spelled = dict.fromkeys(spell_choices(way, spelling) for way in ways)
    return f"{remark.says} Say {' or '.join(filter(None, spelled))}."


def spell_choices(choices: Mapping[str, Any], spelling: Spelling) -> str:
    """Choices as they are said on the command line, or in Python.

    >>> spell_choices({"decimal": ",", "total": "omit"}, "command")
    "--decimal ',' --total omit"
    """
    choices = {
        name: shorten_text(value, _LONGEST) if isinstance(value, str) else value
        for name, value in choices.items()
        if name != "log" or len(choices) == 1
    }
    if spelling == "python":
        return ", ".join(f"{name}={value!r}" for name, value in choices.items())
    return " ".join(_option(name, value) for name, value in choices.items() if value is not None)


def option_name(choice: str) -> str:
    """Option of the command line for a choice.

    >>> option_name("bad_cells"), option_name("score")
    ('--bad-cells', '--score-column')
    """
    return f"--{choice.replace('_', '-')}{'-column' if choice in COLUMNS else ''}"


def _option(name: str, value: object) -> str:
    option = option_name(name)
    if isinstance(value, bool):
        return option if value else option.replace("--", "--no-", 1)
    quoted = shlex.quote(str(value))
    if quoted in {",", "."}:  # else it would be taken for the sentence's own
        quoted = f"'{quoted}'"
    return f"{option} {quoted}"

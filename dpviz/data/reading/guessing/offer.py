"""A proposal: a reading of the input, its guesses, and the answers that would correct each.

Nothing is computed before a person agrees, and a person's choices go before every guess.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from math import isnan
from typing import Any, Self, TypeVar

import numpy as np

from dpviz.base import (
    Progress,
    Scores,
    cached_property,
    cell_text,
    ignore_progress,
)
from dpviz.base.former_names import former_names
from dpviz.data.reading.guessing.choices import (
    COLUMNS,
    ReadingChoices,
    Spelling,
    needs_rereading,
    question_and_options_text,
)
from dpviz.data.reading.guessing.columns import profile_columns
from dpviz.data.reading.guessing.guessed_table import read_with_remarks
from dpviz.data.reading.guessing.meaning import TableMeaning, guess_meaning
from dpviz.data.reading.guessing.odd_rows import (
    ScoreRows,
    blank_cell_mask,
    build_scores,
    read_score_rows,
)
from dpviz.data.reading.guessing.shapes import guess_other_shape, reshape_to_items_or_events
from dpviz.data.reading.input_rules import (
    MAX_ITEMS,
    SHAPES,
    IngestError,
    Remark,
    check_count_limit,
    check_file_size,
    quote_value,
)
from dpviz.data.reading.limited_reading import count_in_limited_process, read_in_limited_process
from dpviz.data.reading.table import GUESS, ColumnGuess, Table, sensitivity_column

T = TypeVar("T")


@former_names(meant="meaning")
@dataclass(frozen=True, kw_only=True)
class Proposal:
    """The table as read, what was said of it, and what that makes of it; `own` is no stranger's."""

    name: str
    content: str | bytes | None
    said: ReadingChoices
    source: Table
    own: bool = False

    @cached_property
    def _as_read(self) -> TableMeaning:
        return guess_meaning(self.source, self.said)

    @cached_property
    def _guessed_shape(self) -> tuple[str, Remark] | None:
        said = self.said
        if said.shape is not None or self.source.person or said.is_log is not None:
            return None
        return guess_other_shape(self.source, self._as_read)

    @property
    def shape(self) -> str:
        """The shape of the table: as said, else where there is but one."""
        guessed = self._guessed_shape
        sure = guessed is not None and not guessed[1].asks
        return self.said.shape or (guessed[0] if guessed is not None and sure else "rows")

    @cached_property
    def table(self) -> Table:
        """The table, with an item or an event a row."""
        if self.shape == "rows":
            return self.source
        item = self.said.item if isinstance(self.said.item, str) else None
        person = self._as_read.other if self._as_read.log else None
        person = person if isinstance(self.said.person, ColumnGuess) else self.said.person
        return self._limited(reshape_to_items_or_events, self.source, self.shape, item, person)

    @cached_property
    def meaning(self) -> TableMeaning:
        """Kind and columns of the table, where a doubt may be left."""
        if self.shape == "rows":
            return self._as_read
        first, second = self.table.columns
        if self.shape == "columns":
            return TableMeaning(log=False, item=first, other=second)
        return TableMeaning(log=True, item=second, other=first)

    @cached_property
    def rows(self) -> ScoreRows | None:
        """Numbers and odd rows of scores; None for a log, or where there are no scores."""
        score, label = self.meaning.other, self.meaning.item
        if self.meaning.log or score is None:
            return None
        check_count_limit("There are", len(self.table.frame), "items", MAX_ITEMS)
        table, said = _of(self.table, score, label), self.said
        if self.source.person:  # a file of our own was asked before
            said = replace(said, total=said.total or "keep", duplicates=said.duplicates or "keep")
        return self._limited(read_score_rows, table, score, label, said)

    def _limited(self, work: Callable[..., T], *arguments: object) -> T:
        """Result of `work`, in a limited process for a stranger's long table."""
        return (
            work(*arguments) if self.own else count_in_limited_process(self.name, work, *arguments)
        )

    @cached_property
    def remarks(self) -> tuple[Remark, ...]:
        """All guesses and questions: of the reading, the shape, the columns, and the rows."""
        made = [*self.source.remarks]
        if self._guessed_shape is not None:
            made.append(self._guessed_shape[1])
            if made[-1].asks:
                return tuple(made)
        if self.meaning.doubt is not None:
            made.append(self.meaning.doubt)
        if self.meaning.log:
            made += self._about_missing()
        with suppress(IngestError):  # too much even to look through: said as soon as it is used
            made += () if self.rows is None else self.rows.remarks
        return tuple(made)

    def _about_missing(self) -> list[Remark]:
        """Question of the rows of a log without a person or an item."""
        columns = {"person": self.meaning.other, "item": self.meaning.item}
        lacking = {
            role: blank_cell_mask(self.table.frame[column])
            for role, column in columns.items()
            if column is not None
        }
        lacking = {role: blank for role, blank in lacking.items() if blank.any()}
        if not lacking:
            return []
        count = int(np.logical_or.reduce(list(lacking.values())).sum())
        says = f"{count:,} of {len(self.table.frame):,} rows have no {' or no '.join(lacking)}"
        if self.said.missing == "skip":
            return [Remark(says=f"{says}. They are left out.")]
        return [
            Remark(
                says=f"{says}. Leave them out?",
                mends={"Leave them out": {"missing": "skip"}},
                asks=True,
            )
        ]

    @cached_property
    def log_table(self) -> Table:
        """Table of a log with the columns of person and item alone; raises `IngestError`."""
        if self.meaning.item is None:
            missing = self.meaning.open_choice
            raise IngestError(f"Choose {missing} of {quote_value(self.name)} first.")
        if (question := self.open_question) is not None:
            raise IngestError(question.says)
        return _of(self.table, *self.meaning.columns.values())

    @property
    def open_question(self) -> Remark | None:
        """First question that only an answer settles, not a person's agreeing to what is shown."""
        return next((remark for remark in self.remarks if remark.requires_choice), None)

    def require_answers(self, spelling: Spelling) -> Self:
        """Itself; raises `IngestError` with the first question and the options that answer it."""
        for remark in self.remarks:
            kept = remark.kept.items()
            agreed = kept and all(getattr(self.said, name) == value for name, value in kept)
            if remark.asks and not agreed:
                raise IngestError(question_and_options_text(remark, spelling))
        if self.meaning.open_choice:
            numbers = [column.name for column in profile_columns(self.table) if column.is_numeric]
            if self.meaning.log or not numbers:
                raise _without_numbers(self.name)
            says = f"The numbers in {quote_value(numbers[0])} look like codes, ranks or dates."
            raise IngestError(
                question_and_options_text(Remark(says=says, kept={"score": numbers[0]}), spelling)
            )
        return self

    def reading_sentence(self, count: int) -> str:
        """Sentence that names what so many items were taken from: "read 3 items: …"."""
        item, other = self.meaning.item, self.meaning.other
        named = "without names" if item is None else f"names from {quote_value(item)}"
        scores = f"scores from {quote_value(other)}"
        if self.shape == "columns":
            named, scores = "names are those of columns", "scores are their sums"
        elif self.meaning.log:
            who = "rows" if other is None else f"distinct people by {quote_value(other)}"
            scores = f"scores count {who}"
        return f"read {count:,} items: {named}, {scores}"

    @property
    def is_unambiguous(self) -> bool:
        """True if there is nothing to confirm: names and scores, or scores alone, without doubt."""
        return not (
            self.meaning.log
            or self.meaning.open_choice
            or self.remarks
            or len(self.table.columns) > 2
            or not all(
                column.can_name_items or column.is_code or column.name == self.meaning.other
                for column in profile_columns(self.table)
            )
        )

    def with_column(self, **columns: Any) -> "Proposal":
        """Same input with another `item` or `other`; a column in both stays with the latest."""
        meant = replace(self.meaning, **columns)
        if meant.item == meant.other is not None:
            meant = replace(meant, other=None) if "item" in columns else replace(meant, item=None)
        return self.with_choices(**meant.columns)

    def with_choices(self, **said: Any) -> "Proposal":
        """Input with more choices, read again where they change the table."""
        anew: dict[str, Any] = {"log": None, **dict.fromkeys(COLUMNS, GUESS)}
        if "log" in said:
            said = {**anew, "shape": "rows", **said}
        elif needs_rereading(said):
            again = {"above": None, "below": None} if "sheet" in said else {}
            said = {**anew, "shape": None, **again, **said}
        elif set(COLUMNS) & set(said):
            said = {**anew, **said}
        how = replace(self.said, **said)
        if needs_rereading(said) and self.content is not None:
            return propose_reading(self.name, self.content, how, is_own_data=self.own)
        made = replace(self, said=how)
        made.first_rows()  # raises for a shape that the table has not got
        return made

    def without_source(self) -> Self:
        """Proposal without its source, once a person agreed; the table stays."""
        guesses = tuple(
            replace(
                guess, mends={} if any(map(needs_rereading, guess.mends.values())) else guess.mends
            )
            for guess in self.source.remarks
        )
        return replace(self, content=None, source=replace(self.source, remarks=guesses))

    def scores(self) -> Scores:
        """The scores; raises `IngestError` while a question is open."""
        rows = self.rows
        if rows is None:
            raise _without_numbers(self.name)
        if (question := self.open_question) is not None:
            raise IngestError(question.says)
        own = sensitivity_column(self.table)
        table = _of(self.table, self.meaning.other, self.meaning.item, own)
        return self._limited(build_scores, table, self.meaning.item, rows, self.said)

    def first_rows(self, row_limit: int = 3) -> tuple[tuple[str, str], ...]:
        """First rows in their proposed meaning: the item, and its score or person."""
        item, other = self.meaning.item, self.meaning.other
        head = self.table.frame.iloc[:row_limit]
        left = (
            [f"item {i + 1}" for i in range(len(head))]
            if item is None
            else [cell_text(c) or "" for c in head[item]]
        )
        if other is None:
            right = ["another person"] * len(head) if self.meaning.log else [""] * len(head)
        elif self.meaning.log:
            right = [cell_text(cell) or "" for cell in head[other]]
        else:
            right = [cell_text(cell) or "nothing" for cell in head[other]]
            with suppress(IngestError):  # said as soon as the scores are used
                values = [] if self.rows is None else self.rows.values[:row_limit].tolist()
                for place, value in enumerate(values):
                    right[place] = right[place] if isnan(value) else f"{value:,.10g}"
        return tuple(zip(left, right, strict=True))


def propose_reading(
    name: str,
    content: str | bytes | Table,
    choices: ReadingChoices | None = None,
    *,
    is_own_data: bool = False,
    progress: Progress = ignore_progress,
) -> Proposal:
    """Proposed reading of the input; what is one's `is_own_data` is read without the limits of a
    process.
    """
    choices = choices or ReadingChoices()
    if is_own_data or isinstance(content, Table):
        return _proposed(name, content, choices, progress)
    size = content if isinstance(content, bytes) else content.encode("utf-8", "replace")
    check_file_size(name, len(size))
    given = read_in_limited_process(name, _proposed_to_strangers, name, content, choices)
    vars(given).update(content=content)  # not `replace`, which forgets what was found
    return given


def _proposed_to_strangers(name: str, content: str | bytes, choices: ReadingChoices) -> Proposal:
    """Proposal with what a look at every cell found, so that it is looked at once."""
    given = _proposed(name, content, choices)
    vars(given).update(content=None, own=False, remarks=given.remarks)
    return given


def _proposed(
    name: str,
    content: str | bytes | Table,
    choices: ReadingChoices,
    progress: Progress = ignore_progress,
) -> Proposal:
    table = read_with_remarks(name, content, choices, progress)
    if choices.apart is False and choices.is_log is None and len(table.columns) == 1:
        choices = replace(choices, log=True)
    given = Proposal(
        name=name,
        content=None if isinstance(content, Table) else content,
        said=choices,
        source=table,
        own=True,
    )
    if given.meaning.open_choice and not given.meaning.log and len(table.columns) == 1:
        raise _without_numbers(name)
    return given


def _without_numbers(name: str) -> IngestError:
    return IngestError(
        f"No column of {quote_value(name)} holds numbers; a score must be a number. {SHAPES}"
    )


def _of(table: Table, *columns: str | None) -> Table:
    return replace(
        table, frame=table.frame[list(dict.fromkeys(name for name in columns if name is not None))]
    )

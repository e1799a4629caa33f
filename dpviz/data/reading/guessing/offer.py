"""A proposal: a reading of the input, its guesses, and the answers that would correct each.

Nothing is computed before a person agrees, and a person's choices go before every guess.
"""

from dataclasses import dataclass, fields, replace
from typing import Any

from dpviz.base import Column, Scores, cached_property, cell_text, pd
from dpviz.data.reading import IngestError, Table, quote_value, scores_from
from dpviz.data.reading.guessing.columns import TableMeaning, guess_meaning, meaning_for_kind
from dpviz.data.reading.guessing.guessed_table import ReadingChoices, Remark, read_with_remarks
from dpviz.data.reading.guessing.number_cells import first_ambiguous_number
from dpviz.data.reading.input_rules import MAX_ITEMS, check_count_limit
from dpviz.data.reading.limited_reading import count_safely
from dpviz.data.reading.numbers import BadNumber, parse_numbers

_OTHER = {",": ".", ".": ","}


@dataclass(frozen=True, kw_only=True)
class Proposal:
    name: str
    content: str | bytes | None
    said: ReadingChoices
    table: Table
    meant: TableMeaning
    guesses: tuple[Remark, ...]

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """All guesses, including the doubts about the chosen columns."""
        return (
            *self.guesses,
            *(each for each in (_two_ways(self), _repeated(self)) if each is not None),
        )

    @property
    def ambiguous_score(self) -> str | None:
        return self._seen[0]

    @cached_property
    def _seen(self) -> tuple[str | None, tuple[str, int] | None]:
        """First ambiguous score, and a repeated name with its count, from a look at every cell."""
        score, item = self.meant.other, self.meant.item
        if self.meant.log:
            return None, None
        try:
            table = _of(self.table, score, item)
            return count_safely(self.name, len(table.frame), _looked_through, table, score, item)
        except IngestError:  # too much even to look through: said as soon as it is used
            return None, None

    @property
    def is_unambiguous(self) -> bool:
        """True if there is nothing to confirm: names and scores, or scores alone, without doubt."""
        return not (
            self.meant.log
            or self.meant.missing_choice
            or self.remarks
            or (self.meant.item is None and len(self.table.columns) > 1)
            or len(self.table.columns) > 2
        )

    @property
    def decimal_sign(self) -> str | None:
        """Decimal sign: the chosen one, else the one that makes an ambiguous number thousands."""
        return self.said.decimal or (
            None
            if self.ambiguous_score is None
            else _OTHER["," if "," in self.ambiguous_score else "."]
        )

    def with_kind(self, *, log: bool) -> "Proposal":
        """Same input as a log or as scores, with the likeliest columns."""
        return replace(self, meant=meaning_for_kind(self.table, log=log))

    def with_column(self, **columns: Any) -> "Proposal":
        """Same input with another `item` or `other`; a column in both stays with the latest."""
        meant = replace(self.meant, **columns)
        if meant.item == meant.other is not None:
            meant = replace(meant, other=None) if "item" in columns else replace(meant, item=None)
        return replace(self, meant=meant)

    def with_choices(self, **said: Any) -> "Proposal":
        """Input read again with more choices; columns that still exist stay chosen."""
        if "log" in said:
            return self.with_kind(log=said["log"])
        how = replace(self.said, **said)
        if set(said) == {"decimal"} or self.content is None:
            return replace(self, said=how)
        return propose_reading(self.name, self.content, how)

    def without_source(self) -> "Proposal":
        """Proposal without its source, once a person agreed; the table stays."""
        reread = {each.name for each in fields(ReadingChoices) if each.name != "decimal"}
        guesses = tuple(
            replace(
                g, mends={} if any(reread & set(mend) for mend in g.mends.values()) else g.mends
            )
            for g in self.guesses
        )
        return replace(self, content=None, guesses=guesses)

    def scores(self) -> Scores:
        score = self.meant.other
        if score is None:
            raise IngestError(
                f"No column of {quote_value(self.name)} holds numbers; a score must be a number."
            )
        table = _of(self.table, score, self.meant.item)
        many = len(table.frame)
        check_count_limit("There are", many, "items", MAX_ITEMS)
        return count_safely(
            self.name, many, scores_from, table, score, self.meant.item, decimal=self.decimal_sign
        )

    def first_rows(self, most: int = 3) -> tuple[tuple[str, str], ...]:
        """First rows in their proposed meaning: the item, and its score or person."""
        item, other = self.meant.item, self.meant.other
        head = self.table.frame.iloc[:most]
        left = (
            [f"item {i + 1}" for i in range(len(head))]
            if item is None
            else [cell_text(c) or "" for c in head[item]]
        )
        if other is None:
            right = ["another person"] * len(head) if self.meant.log else [""] * len(head)
        elif self.meant.log:
            right = [cell_text(cell) or "" for cell in head[other]]
        else:
            right = [_number(self, cell) for cell in head[other]]
        return tuple(zip(left, right, strict=True))


def propose_reading(
    name: str, content: str | bytes, said: ReadingChoices | None = None
) -> Proposal:
    """Proposed reading of the input.

    >>> given = propose_reading("votes.csv", "Votes of 2026\\n\\nname;votes\\nZoë;1.234\\nBo;2.345\\n".encode("cp1252"))
    >>> given.meant, given.scores().values.tolist()
    (TableMeaning(log=False, item='name', other='votes'), [1234.0, 2345.0])
    >>> [list(remark.mends) for remark in given.remarks]
    [['Read it as “ZoÎ”', 'Read it as “Zoл”'], ['Take them in'], ['Read it as 1.234']]
    """
    said = said or ReadingChoices()
    table, guesses = read_with_remarks(name, content, said)
    meant = (
        TableMeaning(log=True, item=table.columns[0], other=None)
        if said.apart is False and len(table.columns) == 1
        else guess_meaning(table)
    )
    if meant.missing_choice and not meant.log and len(table.columns) == 1:
        raise IngestError(
            f"No column of {quote_value(name)} holds numbers; a score must be a number."
        )
    return Proposal(
        name=name, content=content, said=said, table=table, meant=meant, guesses=tuple(guesses)
    )


def _repeated(given: Proposal) -> Remark | None:
    """Remark on a name in several rows of scores, each of which is then an item."""
    again = given._seen[1]
    if again is None:
        return None
    says = (
        f"{quote_value(again[0])} stands in {again[1]:,} rows, and each row is an item of its own."
    )
    return Remark(says=says, mends={"Count the rows instead": {"log": True}})


def _two_ways(given: Proposal) -> Remark | None:
    """Remark on the reading of a number with two readings."""
    doubt = given.ambiguous_score
    if doubt is None:
        return None
    sign = "," if "," in doubt else "."
    whole, part = doubt.replace(sign, "\u202f"), doubt.replace(",", ".")
    thousands = given.decimal_sign != sign
    said, other = (whole, part) if thousands else (part, whole)
    what = "point" if sign == "." else "comma"
    says = (
        f"{quote_value(doubt)} is read as {said}: the {what}"
        f" {'parts the thousands' if thousands else 'marks the decimals'}."
    )
    return Remark(
        says=says, mends={f"Read it as {other}": {"decimal": sign if thousands else _OTHER[sign]}}
    )


def _looked_through(
    table: Table, score: str | None, item: str | None
) -> tuple[str | None, tuple[str, int] | None]:
    return None if score is None else first_ambiguous_number(
        table, score
    ), None if item is None else _again(table.frame[item])


def _again(cells: Column) -> tuple[str, int] | None:
    """First repeated name, and its number of rows."""
    again = cells[cells.duplicated()].iloc[:1]
    name = next((text for cell in again if (text := cell_text(cell))), None)
    return None if name is None else (name, int((cells == again.iloc[0]).sum()))


def _number(given: Proposal, cell: object) -> str:
    try:
        (value,) = parse_numbers(pd.Series([cell]), decimal=given.decimal_sign).tolist()
    except BadNumber:
        return cell_text(cell) or "nothing"
    return f"{value:,.10g}"


def _of(table: Table, *columns: str | None) -> Table:
    return replace(
        table, frame=table.frame[list(dict.fromkeys(name for name in columns if name is not None))]
    )

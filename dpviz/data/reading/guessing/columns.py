"""Roles of a table's columns, by their cells and their headings together.

An identifier is never a score by itself. Neither a date nor a person is an item unasked: a list of
the best dates looks like an answer and is none.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, time

import numpy as np

from dpviz.base import Floats, cached_property, cell_text, is_blank
from dpviz.data.reading.headings import (
    CALLED,
    COUNTS,
    DATES,
    GROUPS,
    IDS,
    ITEMS,
    MEASURES,
    NOTES,
    PERSON,
    has_word,
    is_ambiguous_number_heading,
    is_sensitivity_heading,
    split_heading,
)
from dpviz.data.reading.json_text import NESTED
from dpviz.data.reading.numbers import is_number, looks_numeric
from dpviz.data.reading.table import Table

_DATE = re.compile(
    r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.] ?\d{1,2}[-/.] ?(?:\d{4}|\d{2})"
    r"|\d{1,2}[ -]?[A-Za-z]{3,9}\.?[ -]?\d{2,4}|[A-Za-z]{3,9}\.? \d{1,2},? \d{4}|\d{4}-\d{2}"
    r"|(?:0?[1-9]|1[0-2])[-/.](?:19|20)\d\d|\d{4}-?W\d{1,2}|\d{4}[ -]?Q[1-4])"
    r"(?:[T ,]+\d{1,2}:\d{2}.*)?|\[?\d{1,2}/[A-Za-z]{3}/\d{4}:\d{2}:\d{2}.*|\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?",
    re.ASCII,
)
_CODE = re.compile(
    r"(?=.*\d)[A-Za-z0-9_.:#/-]+|[^@\s]+@(?=[^@\s]+?\.[^@\s])[^@\s]+|[0-9a-fA-F]{12,}", re.ASCII
)
_PHONE = re.compile(r"(?:\+|00?)[\d ()/.-]{6,}|\d{2,5}[ /-]\d[\d ()/.-]{4,}", re.ASCII)
_NO_NUMBER = re.compile(
    r"[<>≤≥~≈]\s*\d+|[-–—*./:x•…?]{1,3}|n/?a|n\.? ?[av]\.?|k\.? ?a\.?|nan|null|none|missing|unknown|suppressed"
    r"|confidential|redacted|s|c|few|geheim|\d++\s*+[-–]\s*+\d+|[\d., ]++\s*+[a-zA-Z%*†+]{1,3}",
    re.IGNORECASE,
)
"""Cells that stand where a number is withheld, rounded or marked."""
_SECONDS = ((7e8, 4e9), (7e11, 4e12))  # since 1970, in seconds and in thousandths: 1992 to 2096
_YEARS = (1900, 2100)
_DAYS = (20_000, 60_000)  # as a spreadsheet counts them: 1954 to 2064
_LEAST_RANKS = 5  # below it counts are easily 1 to their number by chance
_SAMPLE = 1_000  # rows, fewer of a table with many columns
_LEAST = 50
_CELLS = 50_000
_MANY = 0.9  # of the cells, where a few may be blank or odd
_FEW = 12  # rows below which each name's standing once says little
_EAN_LENGTHS = (8, 12, 13, 14)
_LONGEST = 200  # characters of a cell that are looked at, as a stranger wrote them
_LONG_CODES = 7  # digits that counts of different things seldom all have


@dataclass(frozen=True)
class ColumnProfile:
    """A column by its heading and its first non-empty cells."""

    name: str
    cells: tuple[object, ...]

    @cached_property
    def heading_words(self) -> frozenset[str]:
        return frozenset() if self.is_unnamed else split_heading(self.name)

    @cached_property
    def is_unnamed(self) -> bool:
        """True for "column 3", which stands for a heading that is not there."""
        return re.fullmatch(r"column \d+", self.name) is not None

    def is_headed(self, words: frozenset[str]) -> bool:
        return has_word(self.heading_words, words)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        return tuple((cell_text(cell) or "")[:_LONGEST].strip() for cell in self.cells)

    @cached_property
    def whole_numbers(self) -> Floats:
        """Its numbers if nearly all of its cells are whole and positive, else none."""
        found = [float(text) for text in self.texts if text.isdecimal() and len(text) < 19]
        return np.array(found if len(found) >= _MANY * len(self.texts) else [])

    @cached_property
    def is_numeric(self) -> bool:
        return looks_numeric(self.cells) and bool(self.cells)

    @cached_property
    def has_some_numbers(self) -> bool:
        """True for numbers among cells that stand in for one: "<5", "n/a", "228k"."""
        if not any(sign.isdigit() for text in self.texts for sign in text):
            return False
        like = sum(
            is_number(text, multiples=True) or _NO_NUMBER.fullmatch(text) is not None
            for text in self.texts
        )
        most = any(map(is_number, self.texts)) and like >= _MANY * len(self.texts)
        return like > 0 and 5 * like >= len(self.texts) and (most or self.is_headed(COUNTS))

    @cached_property
    def is_date(self) -> bool:
        """True for dates or times, including seconds since 1970 and years."""
        if _mostly(self.cells, _a_date):
            return True
        headed = self.is_headed(DATES) and not self.heading_words & (COUNTS | ITEMS | MEASURES)
        if not len(self.whole_numbers) or not (headed or self.is_unnamed):
            return False
        spans = (*_SECONDS, _YEARS, _DAYS) if headed else _SECONDS
        return any(
            bool(np.mean((low <= self.whole_numbers) & (self.whole_numbers <= high)) > _MANY)
            for low, high in spans
        )

    @cached_property
    def can_be_score(self) -> bool:
        """True if it can be a score: numbers that are no date, identifier or row number."""
        no_score = self.is_date or self.is_id or is_sensitivity_heading(self.name)
        return not no_score and (self.is_numeric or self.has_some_numbers)

    @cached_property
    def score_likelihood(self) -> int:
        """Likelihood of being the score, higher for likelier: 3 for a heading of counts."""
        if self.is_doubtful_id:
            return 0
        if (
            "%" in self.name
            or self.is_headed(MEASURES)
            or (self.is_headed(ITEMS | GROUPS) and not self.is_headed(COUNTS))
            # one number for all tells none apart
            or (len(self.cells) >= 3 and len(set(self.texts)) == 1)
        ):
            return 1
        return 3 if self.is_headed(COUNTS) else 2

    @cached_property
    def is_id(self) -> bool:
        """True if its cells identify rows, people or things without naming them."""
        if self.has_id_heading or (self.is_numeric and self._has_code_digits):
            return True
        if self.is_headed(ITEMS | COUNTS):
            return False
        if self.is_numeric:
            return self.is_row_number or self.is_headed(PERSON)
        return not self.has_some_numbers and _mostly(
            self.texts, lambda text: _CODE.fullmatch(text) or _PHONE.fullmatch(text)
        )

    @cached_property
    def is_doubtful_id(self) -> bool:
        """True for whole numbers that may be ranks, years or codes."""
        whole = self.whole_numbers
        if is_ambiguous_number_heading(self.heading_words):
            return True
        if self.is_headed(COUNTS) or len(whole) < 3:
            return False
        in_order = len(set(np.diff(whole).tolist())) == 1
        ranked = self.is_unique and whole.min() == 1 and whole.max() == len(whole)
        if ranked and not self.is_unnamed and (in_order or len(whole) >= _LEAST_RANKS):
            return True
        if ((whole >= _YEARS[0]) & (whole <= _YEARS[1])).all():
            return True
        if len(set(map(len, self.texts))) == 1 and len(self.texts[0]) >= _LONG_CODES:
            return True
        by_one = float(whole.min()) >= 100 and bool((np.diff(whole) == 1).all())
        many = len(whole) >= 100 and float(whole.min()) >= 1_000
        return self.is_unique and (by_one or many)

    @property
    def is_code(self) -> bool:
        """True if its cells alone, which are not plain numbers, make it an identifier."""
        return self.is_id and not self.has_id_heading and not self.is_date and not self.is_numeric

    @cached_property
    def has_id_heading(self) -> bool:
        words = self.heading_words
        numbered = any(word.endswith("number") and word != "number" for word in words)
        return numbered or (self.is_headed(IDS) and not words & COUNTS)

    @property
    def _has_code_digits(self) -> bool:
        """True for leading zeros, and for numbers whose last digit checks the others."""
        texts = self.texts
        zeros = sum(text[:1] == "0" and len(text) > 1 and text.isdecimal() for text in texts)
        if zeros and (zeros > 0.5 * len(texts) or len(set(map(len, texts))) == 1):
            return True
        return len(texts) >= 3 and _mostly(texts, _checks)

    @property
    def is_id_date_or_person(self) -> bool:
        """True if more than its counting the rows makes it an identifier, a date or a person's."""
        return self.has_id_heading or self._has_code_digits or self.is_date or self.is_person

    @property
    def is_row_number(self) -> bool:
        """True for cells 0, 1, 2, … or 1, 2, 3, …, as an export numbers its rows."""
        if len(self.cells) < 3:
            return False
        return any(
            all(text.rstrip(".") == str(i) for i, text in enumerate(self.texts, first))
            for first in (0, 1)
        )

    @cached_property
    def is_person(self) -> bool:
        """True if its heading names people, or its cells are e-mail addresses."""
        words = self.heading_words
        headed = self.is_headed(PERSON) and not words & COUNTS and not (words & ITEMS - CALLED)
        return headed or _mostly(self.texts, lambda text: "@" in text)

    @property
    def can_name_items(self) -> bool:
        """True if its cells can name items: texts, or numbers below a heading of things."""
        if self.is_date or self.is_id or NESTED.issuperset(self.texts):
            return False
        return not self.is_numeric or self.is_headed(ITEMS | GROUPS)

    @cached_property
    def item_name_sort_key(self) -> tuple[float, float]:
        """Likelihood of naming items: by the heading, then by how many cells differ."""
        different = len(set(self.texts)) / max(len(self.texts), 1)
        if self.is_headed(NOTES):
            return (0.0, different)
        if self.is_headed(GROUPS):
            return (1.0, different)
        if self.is_headed(ITEMS):
            return (3.0, different)
        return (2.0 if different > _MANY else 1.0, different)

    @cached_property
    def has_repeated_cells(self) -> bool:
        """True if cells repeat, as the items of a log do."""
        return len(set(self.texts)) < len(self.cells) * (_MANY if len(self.cells) >= _FEW else 1.0)

    @property
    def is_unique(self) -> bool:
        return len(set(self.texts)) == len(self.texts)


def _mostly(cells: Sequence[object], holds: Callable[..., object]) -> bool:
    return bool(cells) and sum(map(bool, map(holds, cells))) >= _MANY * len(cells)


def _a_date(cell: object) -> bool:
    return isinstance(cell, date | time) or (
        isinstance(cell, str) and _DATE.fullmatch(cell[:_LONGEST].strip()) is not None
    )


def _checks(text: str) -> bool:
    """True if the last digit of an EAN or an ISBN checks the others."""
    digits = text.replace("-", "")
    if (
        len(digits) == 10
        and digits[:9].isdecimal()
        and (digits[9].isdecimal() or digits[9] in "xX")
    ):
        last = 10 if digits[9] in "xX" else int(digits[9])
        return (sum((10 - i) * int(d) for i, d in enumerate(digits[:9])) + last) % 11 == 0
    if len(digits) not in _EAN_LENGTHS or not digits.isdecimal():
        return False
    if len(digits) == 13 and digits.startswith(("978", "979")):
        return True  # an ISBN, which people make up without its last digit
    return sum(int(d) * (3 if i % 2 else 1) for i, d in enumerate(reversed(digits))) % 10 == 0


def profile_columns(table: Table) -> tuple[ColumnProfile, ...]:
    rows = min(_SAMPLE, max(_LEAST, _CELLS // max(len(table.columns), 1)))
    heads = {name: table.frame[name].iloc[:rows].tolist() for name in table.columns}
    return tuple(
        ColumnProfile(name, tuple(cell for cell in cells if not is_blank(cell)))
        for name, cells in heads.items()
    )

"""Delimiters of a text, found out, and its rows as they part them."""

import csv
import re
from collections.abc import Iterator
from itertools import islice
from operator import itemgetter
from typing import Any, Final

from dpviz.data.reading.numbers import looks_numeric
from dpviz.data.reading.surroundings import is_note, most_common_width_and_count

DELIMITERS: Final = ("\t", ";", "|", ",")
"""The rarer in running text first: it wins where all else is equal."""
COLONS: Final = "::"
GAP: Final = "  "  # two blanks or more, as tables for eyes have between their columns
BLANKS: Final = " "
FOR_EYES: Final = ("|", GAP, BLANKS)  # with blanks around them, which are no part of a cell
_MOSTLY: Final = 0.75  # of the rows have the same number of cells
_SAMPLE_CHARACTERS: Final = 65_536
_ROWS: Final = 200
LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_TYPE = r"(?:str|[iuf]\d+|varchar|u?(?:big|small|tiny|huge)?int\d*|double|float|bool(?:ean)?|date|<\w+>)"
_RULE = re.compile(r"(?=[^\r\n]*(?:--|==|:-|-:))[-+=:| \t]+[\r\n]*")
_TYPES = re.compile(
    rf"\s*+\|?(?:\s*+{_TYPE}\s*+\|?)*\s*+{_TYPE}\s*+\|?\s*+|(?:# A tibble|shape): .*\n?", re.ASCII
)
_GROUPED = re.compile(r"(?:[\t;|:]|  ) *\d{1,3}(?:,\d{3})+(?!\d)", re.ASCII)

Record = list[str]


def guess_delimiter(text: str) -> str | None:
    """Delimiter whose first rows have equally many cells, then most numeric columns; or None."""
    sample = text[:_SAMPLE_CHARACTERS]
    if len(text) > len(sample):
        sample = sample[: max(sample.rfind("\n"), sample.rfind("\r")) + 1] or sample
    candidates: list[tuple[float, int, int, str]] = []
    grouped = "," not in _GROUPED.sub("", sample)  # each comma is inside a number
    for preference, delimiter in enumerate(reversed(DELIMITERS[:-1] if grouped else DELIMITERS)):
        width, share, numeric = _evenness(sample, delimiter)
        if width > 1:
            candidates.append((share, numeric, preference, delimiter))
    best = max(candidates, default=(0.0, 0, 0, None))
    # where cells are not quoted, blanks part the words of names
    by_blanks = (BLANKS, 2, 0) if sample.startswith('"') else (BLANKS, 3, 2)
    others: list[tuple[int, int, str]] = []
    for delimiter, least, number_columns in ((COLONS, 2, 0), (GAP, 2, 0), by_blanks):
        if delimiter in sample and best[0] < _MOSTLY:
            width, share, numeric = _evenness(sample, delimiter)
            if width >= least and numeric >= number_columns and share >= _MOSTLY:
                others.append((numeric, -len(others), delimiter))
    if others:
        return max(others)[-1]
    return best[-1]


def _evenness(sample: str, delimiter: str) -> tuple[int, float, int]:
    """Usual number of cells, the share of rows that have so many, and the numeric columns."""
    sampled = first_records(sample, delimiter)
    filled = [record for record in sampled if any(record) and not is_note(record)] or sampled
    if not filled:
        return 1, 0.0, 0
    width, count = most_common_width_and_count(map(len, filled))
    short = len(filled) > 1 and len(filled[0]) == width - 1
    body = [record for record in filled[1:] or filled if len(record) == width]
    numeric = sum(looks_numeric(cells) for cells in zip(*body, strict=True))
    return width, (count + short) / len(filled), numeric


def record_reader(text: str, delimiter: str | None, *, strict: bool) -> Any:
    """Rows of the text, parsed; it has no NUL, which stands for one column."""
    sign = {COLONS: "\t", GAP: "\t", None: "\0"}.get(delimiter, delimiter) or "\0"
    lines = _prepared_lines(text, delimiter)
    return csv.reader(lines, delimiter=sign, strict=strict, skipinitialspace=sign == BLANKS)


def _prepared_lines(text: str, delimiter: str | None) -> Iterator[str]:
    """Lines whose cells one sign parts; a rule under a heading becomes a blank line."""
    for line in map(itemgetter(0), LINE.finditer(text)):
        if delimiter == COLONS:
            yield line.replace(COLONS, "\t")
        elif delimiter not in FOR_EYES:
            yield line
        elif _RULE.fullmatch(line) or _TYPES.fullmatch(line):
            yield "\n"
        else:
            bare = line.strip()
            if delimiter == "|" and len(bare) > 1 and bare[0] == bare[-1] == "|":
                bare = bare[1:-1].replace("**", "")  # of a page, whose letters may be bold
            yield (re.sub(r"[ \t]{2,}", "\t", bare) if delimiter == GAP else bare) + "\n"


def first_records(text: str, delimiter: str | None, record_limit: int = _ROWS) -> list[Record]:
    """First records, at most `record_limit`; none if they cannot be parsed."""
    try:
        return list(islice(record_reader(text, delimiter, strict=False), record_limit))
    except csv.Error:  # told in full by the reading proper
        return []

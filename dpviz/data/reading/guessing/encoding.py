"""Encoding of a text, and its title rows above the column names.

UTF-8 and byte order marks are certain. Other encodings are guesses, reported with the words that
they give, since a wrong one changes letters only.
"""

import codecs
from collections import Counter
from collections.abc import Sequence
from itertools import islice

from dpviz.base import is_blank
from dpviz.data.reading.numbers import looks_numeric
from dpviz.data.reading.headings import is_usual_heading

_SAMPLE = 65_536  # bytes, or characters
_ROWS = 200
_MARKS = (
    codecs.BOM_UTF32_LE,
    codecs.BOM_UTF32_BE,
    codecs.BOM_UTF8,
    codecs.BOM_UTF16_LE,
    codecs.BOM_UTF16_BE,
)
EIGHT_BITS = ("cp1252", "cp1250", "mac-roman", "cp1251")
"""One-byte encodings, the most usual first; most bytes fit most of them, so only words tell."""
_CONTROLS = bytes({*range(0x20)} - {*b"\t\n\r\x0c\x1a"})  # no text of one byte a letter has them


def guess_encoding(content: bytes) -> str | None:
    """Guessed encoding of a text that has no mark and is not UTF-8, else None.

    >>> guess_encoding("Zoë".encode("cp1252")), guess_encoding("Zoë".encode())
    ('cp1252', None)
    """
    if content.startswith(_MARKS):
        return None
    wide = _wide(content[:_SAMPLE])
    if wide is not None:
        return wide
    if any(control in content[:_SAMPLE] for control in _CONTROLS):
        return None  # it is no text
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        fitting = [name for name in EIGHT_BITS if _fits(content, name)]
        return max(fitting, key=lambda name: _letters(content, name), default="latin-1")
    return None


def _wide(sample: bytes) -> str | None:
    """UTF-16 by its zero bytes, if every other byte is zero in most places."""
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if len(sample) >= 2 and max(even, odd) > 0.6 * (len(sample) / 2) > 4 * min(even, odd):
        return "utf-16-le" if odd > even else "utf-16-be"
    return None


def _fits(content: bytes, name: str) -> bool:
    try:
        content.decode(name)
    except UnicodeDecodeError:
        return False
    return True


def _letters(content: bytes, name: str) -> float:
    """Share of the non-ASCII letters that form words of one script and case."""
    text = content[:_SAMPLE].decode(name, "replace")
    good = total = 0.0
    for before, here, after in zip(" " + text, text, text[1:] + " ", strict=False):
        if not here.isascii():
            total += 1
            good += _at_home(before, here, after)
    return good / max(total, 1.0) - (0.0 if name == "cp1252" else 0.05)


def _at_home(before: str, here: str, after: str) -> float:
    """Likelihood of a non-ASCII character between these two."""
    beside = [other for other in (before, after) if other.isalpha()]
    if not here.isalpha():
        return 0.0 if len(beside) == 1 and here in "£€°¥¢" else 0.5 if beside else 0.9
    cyrillic = "\u0400" <= here <= "\u04ff"
    if any(("\u0400" <= other <= "\u04ff") != cyrillic for other in beside) or (
        here.isupper() and before.islower()
    ):
        return 0.0
    return 1.0 if cyrillic or not beside or any(map(str.isascii, beside)) else 0.3


def non_ascii_words(content: bytes, encoding: str, most: int = 3) -> tuple[str, ...]:
    """First non-ASCII words of a text in this encoding."""
    cells = (
        cell.strip(" \"'")
        for line in content[: 20 * _SAMPLE].decode(encoding, "replace").splitlines()
        for cell in line.replace("\t", ",").replace(";", ",").split(",")
    )
    return tuple(islice(dict.fromkeys(cell[:40] for cell in cells if not cell.isascii()), most))


def other_encodings(content: bytes, encoding: str, most: int = 2) -> dict[str, str]:
    """Other possible encodings, by the first word that they spell differently."""
    if encoding not in EIGHT_BITS:
        return {}
    now, listed = non_ascii_words(content, encoding, _ROWS), dict[str, str]()
    for name in EIGHT_BITS:
        if name != encoding and _fits(content, name):
            word = next(
                (
                    new
                    for new, old in zip(non_ascii_words(content, name, _ROWS), now, strict=False)
                    if new != old
                ),
                None,
            )
            if word is not None and word.isprintable():
                listed.setdefault(word, name)
    return dict(islice(listed.items(), most))


def title_row_count(rows: Sequence[Sequence[object]]) -> int:
    """Number of title rows: first rows with fewer filled cells than most rows.

    >>> title_row_count([["Votes of 2026"], [], ["item", "votes"], ["ash", "3"], ["oak", "5"]])
    2
    """
    filled = [sum(not is_blank(cell) for cell in row) for row in rows]
    body = [count for count in filled if count]
    usual = Counter(body).most_common(1)[0][0] if body else 0
    if usual < 2:
        return 0
    first = next(
        i
        for i, count in enumerate(filled)
        if count >= usual or _names_all_but_first(rows[i], usual)
    )
    return first if first <= 20 else 0


def _names_all_but_first(row: Sequence[object], usual: int) -> bool:
    """True if only the first column has no name, as that of row numbers in an export."""
    return len(row) == usual and is_blank(row[0]) and not any(map(is_blank, row[1:]))


def is_data_row(first: Sequence[str], columns: Sequence[Sequence[object]]) -> bool:
    """True if a supposed header is more likely data: a cell repeats below it.

    >>> is_data_row(["ann", "tea"], [["bo", "cy"], ["tea", "rye"]]), is_data_row(["who", "what"], [["bo"], ["tea"]])
    (True, False)
    """
    if any(map(is_usual_heading, first)) or looks_numeric(first):
        return False
    return any(name in cells for name, cells in zip(first, columns, strict=True))

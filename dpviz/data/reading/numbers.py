"""Cells to numbers: one notation for a whole column, and never a guess between two readings.

Notations: plain (1234.5), comma groups (1,234.5 or 12,34,567), decimal comma (1.234,5), in the
digits of any script. If both of the latter fit ("1,234" alone) the column is refused; so is a whole
number that no float holds. Multiples ("228k") are numbers only where somebody says so.
"""

import re
from collections.abc import Sequence
from decimal import Decimal
from numbers import Integral, Real
from typing import Any, Final

import numpy as np

from dpviz.base import Column, Floats, Ints, ParameterError, is_blank, pd

DECIMALS: Final = {".": "a point (1,234.5)", ",": "a comma (1.234,5)"}

_EXPONENT = r"(?:[eE][+-]?\d+)?"
_PLAIN = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)" + _EXPONENT, re.ASCII)
_POINT = re.compile(
    r"[+-]?(?:\d{1,3}(?:,\d{3})+(?:\.\d*)?|\d{1,2}(?:,\d{2})*,\d{3}(?:\.\d*)?|\d+(?:\.\d*)?|\.\d+)"
    + _EXPONENT,
    re.ASCII,
)
_COMMA = re.compile(
    r"[+-]?(?:\d{1,3}(?:\.\d{3})+(?:,\d*)?|\d+(?:,\d*)?|,\d+)" + _EXPONENT, re.ASCII
)
_DOTTED = re.compile(r"[+-]?[1-9]\d{0,2}\.\d{3}", re.ASCII)
_FROM_COMMA = str.maketrans({".": None, ",": "."})
_FROM_POINT = str.maketrans({",": None})

_DIGITS = re.compile(r"[+-]?\d+(?:\.0*)?", re.ASCII)

_SIGNS = str.maketrans("\u2212\uff0b\uff0d\uff0c\uff0e\u066b", "-+-,..", "\u066c")
_OTHER_DIGIT = re.compile(r"[^\D0-9]")
_FACTORS: Final = (
    dict.fromkeys(("k", "thousand", "tsd", "tys", "тыс"), 1e3)
    | dict.fromkeys(("m", "mn", "mio", "million", "mln", "млн"), 1e6)
    | dict.fromkeys(("b", "bn", "g", "billion", "mrd", "mld", "млрд"), 1e9)
)
_MULTIPLE = re.compile(rf"(.*\d[.,]?)\s*({'|'.join(_FACTORS)})\.?", re.IGNORECASE)

_LONGEST = 1_000  # characters
_WHOLE = 2.0**53  # below it floats hold every whole number

_NOT = "is not a number"
_EMPTY = "is empty"
_MISSING = "is missing (NaN)"
_ROUNDED = "has more digits than can be kept (2⁵³ = 9,007,199,254,740,992 is the limit): round it"
_HUGE = "is too large for a floating-point number"
_BOOL = "is true or false, not a number"
_DOUBTFUL = "can be read in two ways: say whether a point or a comma marks the decimals"


class BadNumber(Exception):
    """First cell that is no number: its position from 0, and the reason."""

    def __init__(self, position: int, why: str) -> None:
        super().__init__(position, why)
        self.position = position
        self.why = why

    @property
    def is_ambiguous(self) -> bool:
        return self.why == _DOUBTFUL


def parse_numbers(
    column: Column,
    *,
    decimal: str | None = None,
    dots_may_group: bool = False,
    multiples: bool = False,
) -> Floats:
    """Cells of a column as finite floats; raises `BadNumber` for the first that is none.

    `decimal` is the decimal sign; None finds it. `dots_may_group` says that the source separates by
    semicolons, as countries with a decimal comma do: then a column whose every dot stands before
    exactly three digits is refused. With `multiples` k is thousand, m a million and bn a billion.
    """
    if decimal is not None and decimal not in DECIMALS:
        raise ParameterError("decimal", decimal, "a point or a comma")
    if pd.api.types.is_bool_dtype(column.dtype) and len(column):
        raise BadNumber(0, _BOOL)
    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "iuf":
        return _finite(_kept_whole(column.to_numpy()))
    cells = column.tolist()
    written = [_tidy(cell) for cell in cells if isinstance(cell, str)]
    factors = [1.0]
    if multiples and written:
        written, factors = map(list, zip(*map(_without_multiple, written), strict=True))
    places: Sequence[int] = range(len(cells))
    result = np.empty(len(cells))
    if len(written) < len(cells):
        places = [i for i, cell in enumerate(cells) if isinstance(cell, str)]
        _fill_others(result, cells)
    try:
        result[places] = _written(written, decimal, dots_may_group) * np.array(factors)
    except BadNumber as err:
        raise BadNumber(places[err.position], err.why) from None
    return _finite(result)


def looks_numeric(cells: Sequence[object]) -> bool:
    """True if most of the non-empty cells can be read as numbers in one notation or another."""
    filled = [cell for cell in cells if not is_blank(cell)]
    return 2 * sum(map(is_number, filled)) > len(filled)


def is_number(cell: object, *, multiples: bool = False) -> bool:
    """True for a cell that can be read as a number in one notation or another."""
    if isinstance(cell, str):
        text = _tidy(cell)
        text = _without_multiple(text)[0] if multiples else text
        return any(way.fullmatch(text) for way in (_PLAIN, _POINT, _COMMA))
    return isinstance(cell, Real | Decimal) and not isinstance(cell, bool)


def non_number_positions(column: Column, *, multiples: bool = False) -> Ints:
    """Places of the cells that are no numbers, empty ones too."""
    cells = column.tolist()
    read = (is_number(cell, multiples=multiples) and not is_blank(cell) for cell in cells)
    return np.flatnonzero(~np.fromiter(read, bool, len(cells)))


def first_abbreviated_number(cells: Sequence[object]) -> str | None:
    """First cell such as "228k" or "1.2 M"; None if there is none."""
    texts = (cell for cell in cells if isinstance(cell, str) and not is_number(cell))
    return next((text for text in texts if is_number(text, multiples=True)), None)


def _tidy(cell: str) -> str:
    """Cell without outer blanks, in plain signs; "?" for one too long to be a number."""
    if len(cell) > _LONGEST:
        return "?"
    text = cell.strip()
    if text.isascii():
        return text
    return _OTHER_DIGIT.sub(lambda digit: str(int(digit[0])), text.translate(_SIGNS))


def _without_multiple(text: str) -> tuple[str, float]:
    found = _MULTIPLE.fullmatch(text)
    if found is None:
        return text, 1.0
    return found[1], _FACTORS[found[2].lower()]


def _finite(values: Floats) -> Floats:
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        raise BadNumber(int(bad[0]), _MISSING if np.isnan(values[bad[0]]) else "is not finite")
    return values


def _kept_whole(cells: "np.ndarray[Any, Any]") -> Floats:
    """Numbers as floats; raises if that changes a whole number."""
    values = cells.astype(np.float64)
    if cells.dtype.kind in "iu":
        large = np.flatnonzero(np.abs(values) >= _WHOLE)
        changed = [i for i in large.tolist() if int(cells[i]) != int(values[i])]
        if changed:
            raise BadNumber(changed[0], _ROUNDED)
    return values


def _fill_others(result: Floats, cells: list[object]) -> None:
    """Put the cells that are not text into `result`."""
    for i, cell in enumerate(cells):
        if isinstance(cell, str):
            continue
        if isinstance(cell, bool | np.bool_):
            raise BadNumber(i, _BOOL)
        if not isinstance(cell, Real | Decimal):
            empty = cell is None or cell is pd.NA or cell is pd.NaT
            raise BadNumber(i, _EMPTY if empty else _NOT)
        try:
            result[i] = float(cell)
            if isinstance(cell, Integral) and int(cell) != int(result[i]):
                raise BadNumber(i, _ROUNDED)
        except OverflowError:
            raise BadNumber(i, _HUGE) from None
        except ValueError:  # a signalling NaN of decimal
            raise BadNumber(i, _MISSING) from None


def _written(cells: list[str], decimal: str | None, dots_may_group: bool) -> Floats:
    """Texts to floats in one notation for all of them."""
    if decimal is None and all(map(_PLAIN.fullmatch, cells)):
        dotted = [i for i, cell in enumerate(cells) if "." in cell] if dots_may_group else []
        if dotted and all(_DOTTED.fullmatch(cells[i]) for i in dotted):
            raise BadNumber(dotted[0], _DOUBTFUL)
        return _floats(cells)
    for i, cell in enumerate(cells):
        if not cell:
            raise BadNumber(i, _EMPTY)
        if not any(way.fullmatch(cell) for way in (_PLAIN, _POINT, _COMMA)):
            raise BadNumber(i, _NOT)
    point, comma = (_first_misfit(way, cells) for way in (_POINT, _COMMA))
    if decimal is not None:
        misfit = point if decimal == "." else comma
        if misfit is not None:
            raise BadNumber(misfit, f"is not a number with {DECIMALS[decimal]} before its decimals")
    elif (point is None) == (comma is None):  # both ways fit, or neither does
        raise BadNumber(_first_misfit(_PLAIN, cells) or 0, _DOUBTFUL)
    table = _FROM_POINT if decimal == "." or (decimal is None and point is None) else _FROM_COMMA
    return _floats([cell.translate(table) for cell in cells])


def _first_misfit(way: "re.Pattern[str]", cells: list[str]) -> int | None:
    return next((i for i, cell in enumerate(cells) if not way.fullmatch(cell)), None)


def _floats(cells: list[str]) -> Floats:
    values = np.fromiter(map(float, cells), np.float64, len(cells))
    bad = np.flatnonzero(np.isinf(values))
    if len(bad):
        raise BadNumber(int(bad[0]), _HUGE)
    for i in np.flatnonzero(np.abs(values) >= _WHOLE).tolist():
        if _DIGITS.fullmatch(cells[i]) and Decimal(cells[i]) != Decimal(values[i]):
            raise BadNumber(i, _ROUNDED)
    return values

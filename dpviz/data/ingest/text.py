"""Text as it comes: bytes to text, and labels made fit to show and to write.

Label text is data. Formulas, markup, emoji, right-to-left text and duplicates are kept as they are;
only runs of control characters and line breaks become one space, and a lone surrogate, which no
encoding can write, becomes U+FFFD.
"""

import codecs
import math
import re
from collections.abc import Mapping
from datetime import date, datetime
from typing import Final

from dpviz.base.frames import Column
from dpviz.base.parameters import check_choice
from dpviz.data.ingest.limits import IngestError, quoted

ENCODINGS: Final[Mapping[str, str]] = {
    "utf-8": "UTF-8",
    "utf-16-le": "UTF-16, little-endian",
    "utf-16-be": "UTF-16, big-endian",
    "cp1252": "Windows-1252 (Western European)",
    "latin-1": "Latin-1 (ISO 8859-1)",
}

_MARKS = (  # the longer first: the mark of UTF-32 starts with that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_BREAKS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_SURROGATES = re.compile("[\ud800-\udfff]")


def decode(name: str, content: bytes, encoding: str | None = None) -> str:
    """The text of a file: by its byte order mark, else as `encoding` says, else as UTF-8.

    Raises `IngestError` where a byte does not fit, or where the content is no text at all; it never
    guesses an encoding, since a wrong guess changes letters silently.

    >>> decode("a.csv", "é".encode("cp1252"), "cp1252")
    'é'
    """
    if encoding is not None:
        check_choice("encoding", encoding, ENCODINGS)
    mark, codec = next(((m, c) for m, c in _MARKS if content.startswith(m)), (b"", encoding or "utf-8"))
    try:
        text = content[len(mark) :].decode(codec)
    except UnicodeDecodeError as err:
        line = content.count(b"\n", 0, err.start) + 1
        raise IngestError(
            f"{quoted(name)} is not {codec.upper()} text (line {line}): save it as UTF-8, or say which encoding it has."
        ) from err
    if "\0" in text:
        raise IngestError(f"{quoted(name)} holds binary data, not text: it may be another kind of file.")
    return text


def encodable(text: str) -> str:
    """The text with lone surrogates replaced by U+FFFD, so that it can be written as UTF-8.

    >>> encodable("a" + chr(0xD800)) == "a" + chr(0xFFFD)
    True
    """
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)


def folded(text: str) -> str:
    """A label on one line: runs of control characters and line breaks become one space, the rest stays.

    >>> folded("Lamps,\\r\\nsmall")
    'Lamps, small'
    """
    return encodable(_BREAKS.sub(" ", text))


def texts(column: Column) -> list[str | None]:
    """The cells of a column as text, None where a cell is empty or blank.

    Whole numbers read without a decimal point, dates as year-month-day.
    """
    import pandas as pd

    values = column.tolist()
    if isinstance(column.dtype, pd.StringDtype):
        return [value if isinstance(value, str) and value.strip() else None for value in values]
    return [as_text(value) for value in values]


def blank(cell: object) -> bool:
    """Whether a cell holds nothing: None, a missing value of pandas, NaN, or text of blanks only."""
    if isinstance(cell, str):
        return not cell.strip()
    import pandas as pd

    return cell is None or cell is pd.NA or cell is pd.NaT or (isinstance(cell, float) and math.isnan(cell))


def as_text(value: object) -> str | None:
    """A cell as text, None where it holds nothing."""
    if blank(value):
        return None
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime) and (value.hour, value.minute, value.second, value.microsecond) == (0, 0, 0, 0):
        return value.date().isoformat()
    if isinstance(value, date):
        return value.isoformat()
    return str(value)

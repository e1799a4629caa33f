"""Errors of engines as one sentence that tells no secret."""

import re
from urllib.parse import parse_qsl, unquote, unquote_plus, urlsplit

from dpviz.data.reading import quote_value

_WRONG = (
    "Expected Number of Columns",
    "Invalid unicode",
    "Value with unterminated quote",
)  # of a row of text

_JSON = re.compile(
    r'(Malformed JSON|JSON transform error) in file "([^"]*)", (?:at byte \d+ )?in line (\d+): (.*)'
)


def engine_error_text(err: Exception, url: str = "") -> str:
    """First line of an engine's error, cut, without the address, which may hold a password."""
    # of MySQL's drivers: a number, and what it means
    numbered = len(err.args) == 2 and isinstance(err.args[0], int)
    lines = str(err.args[1] if numbered else err).strip().splitlines() or [type(err).__name__]
    line = lines[0]
    # what is wrong there, and in which file, DuckDB says further down
    if "CSV Error on Line" in line:
        line += "".join(f": {each}" for each in lines[1:] if each.startswith(_WRONG))
        line += "".join(f" ({each.strip()})" for each in lines[1:] if each.startswith("  file = "))
    if broken := _JSON.search(line):  # DuckDB counts records, and one too many where it is no JSON
        record = int(broken[3]) - (broken[1] == "Malformed JSON")
        return f"record {record:,} of {quote_value(broken[2])}: {broken[4]}"[:300].rstrip(". ")
    if url:
        line = line.replace(url, "the address")
        parts = urlsplit(url)
        written = [parts.password or "", *(value for _, value in parse_qsl(parts.query))]
        for secret in sorted(
            {*written, *map(unquote, written), *map(unquote_plus, written)} - {""}, key=len
        )[::-1]:
            line = line.replace(secret, "***")
    return line[:300].rstrip(". ")

"""Usual column headings in English and German, by their words."""

import re
from typing import Final

_WORD = re.compile(r"[A-ZÀ-Þ]?[a-zß-ÿ]+|[A-ZÀ-Þ]+(?![a-zß-ÿ])")


def split_heading(heading: str) -> frozenset[str]:
    """Words of a heading in any style.

    >>> sorted(split_heading("UserID")), sorted(split_heading("song_title"))
    (['id', 'user'], ['song', 'title'])
    """
    return frozenset(word.casefold() for word in _WORD.findall(heading))


PERSON: Final = split_heading(
    "person user customer client member patient student pupil visitor reader viewer listener"
    " account respondent participant subscriber buyer caller voter household email mail who kunde"
    " kundin nutzer nutzerin benutzer mitglied patientin besucher leser"
)
ITEMS: Final = split_heading(
    "item items name names title label product article song track film movie book query search page"
    " category choice answer topic city place country region word what artikel produkt titel"
    " bezeichnung thema ort stadt land"
)
COUNTS: Final = split_heading(
    "score scores count counts value values frequency total votes points sum amount number visits"
    " views loans calls people users customers clients members patients students visitors readers"
    " viewers listeners voters anzahl summe stimmen punkte wert besuche menge"
)
DATES: Final = split_heading(
    "date time timestamp datetime day month year created updated datum zeit jahr monat uhrzeit"
)
IDS: Final = split_heading(
    "id ids uid uuid guid index row no nr key code rank session hash rang lfd kennung"
)
CALLED: Final = split_heading("name first last full vorname nachname")
"""Headings of people, if their choice stands in another column."""


def is_usual_heading(heading: str) -> bool:
    """True for a usual heading such as "user" or "item", so that its row is no data."""
    return bool(split_heading(heading) & (PERSON | ITEMS | COUNTS | DATES | IDS))

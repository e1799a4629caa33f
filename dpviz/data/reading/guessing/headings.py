"""What columns are usually called, in English and German; a heading is taken apart into its words
first.
"""

import re
from typing import Final

_WORD = re.compile(r"[A-ZÀ-Þ]?[a-zß-ÿ]+|[A-ZÀ-Þ]+(?![a-zß-ÿ])")


def words(heading: str) -> frozenset[str]:
    """The words of a heading, as it may be written.

    >>> sorted(words("UserID")), sorted(words("song_title"))
    (['id', 'user'], ['song', 'title'])
    """
    return frozenset(word.casefold() for word in _WORD.findall(heading))


PERSON: Final = words(
    "person user customer client member patient student pupil visitor reader viewer listener"
    " account respondent participant subscriber buyer caller voter household email mail who kunde"
    " kundin nutzer nutzerin benutzer mitglied patientin besucher leser"
)
ITEMS: Final = words(
    "item items name names title label product article song track film movie book query search page"
    " category choice answer topic city place country region word what artikel produkt titel"
    " bezeichnung thema ort stadt land"
)
COUNTS: Final = words(
    "score scores count counts value values frequency total votes points sum amount number visits"
    " views loans calls people users customers clients members patients students visitors readers"
    " viewers listeners voters anzahl summe stimmen punkte wert besuche menge"
)
DATES: Final = words(
    "date time timestamp datetime day month year created updated datum zeit jahr monat uhrzeit"
)
IDS: Final = words(
    "id ids uid uuid guid index row no nr key code rank session hash rang lfd kennung"
)
CALLED: Final = words("name first last full vorname nachname")
"""Of people, where a choice of theirs stands beside it."""


def usual(heading: str) -> bool:
    """Whether a heading is one that tables have, as "user" or "item", so that its row is no row of
    data.
    """
    return bool(words(heading) & (PERSON | ITEMS | COUNTS | DATES | IDS))

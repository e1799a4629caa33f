"""Rules for what is kept of an event log: listed items, and a limit on items of each person.

Those pairs (person, item) are kept whose MD5 is smallest, so that what is kept of a person depends
on that person's rows alone, and is the same in every engine. Rows of unlisted items are dropped first.
"""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from dpviz.base import check_integer
from dpviz.base.text_format import fold_to_line
from dpviz.data.reading.input_rules import (
    MAX_ITEMS,
    MAX_LABEL,
    MAX_NAME,
    IngestError,
    check_count_limit,
)

NAMES_LEAK: Final = (
    "The items come from the log, and one person can add one. Special mechanisms with a δ cover"
    " that. So does a catalogue: a list of all possible items that does not come from the log."
)


@dataclass(frozen=True, kw_only=True)
class CountingSummary:
    items_known: bool
    contributions: int | None
    other_rows: int = 0
    cut_rows: int = 0
    cut_pairs: int = 0

    @property
    def notes(self) -> tuple[str, ...]:
        notes = []
        if not self.items_known:
            notes.append(NAMES_LEAK)
        elif self.other_rows:
            notes.append(
                f"Left out, as their items are not in the catalogue:"
                f" {_number(self.other_rows, 'row')}."
            )
        if self.contributions is not None:
            notes.append(
                f"Counted: at most {_number(self.contributions, 'item')} per person. Left out:"
                f" {_number(self.cut_pairs, 'further item')}, in {_number(self.cut_rows, 'row')}."
            )
        else:
            notes.append(
                "Items per person are not limited. Set a limit from your rules, not from the data."
                + ("" if self.items_known else " Mechanisms with a threshold need one.")
            )
        return tuple(notes)


def _number(size: int, what: str) -> str:
    return f"{size:,} {what}" + ("" if size == 1 else "s")


def check_contribution_limit(contributions: object) -> int | None:
    return None if contributions is None else check_integer("contributions", contributions, low=1)


def normalise_name(text: str, *, normalise_unicode: bool = True) -> str:
    """Text that tells people and items apart: one line, no outer blanks, in Unicode form C."""
    if text.isascii() and text.isprintable():  # of millions, nearly all
        return text.strip()
    alike = fold_to_line(text).strip()
    return (
        unicodedata.normalize("NFC", alike)
        if normalise_unicode and not is_slow_to_normalise(alike)
        else alike
    )


def is_slow_to_normalise(text: str) -> bool:
    """True for a text too long for a name; normalising it would take quadratic time."""
    return len(text) > MAX_NAME and not text.isascii()


def distinct_list_items(lines: Iterable[str], *, normalise_unicode: bool = True) -> tuple[str, ...]:
    """Items of a list without blank lines and repetitions. Raises `IngestError`.

    >>> distinct_list_items(["tea", " rye ", "", "tea"])
    ('tea', 'rye')
    """
    items = tuple(
        dict.fromkeys(
            text
            for line in lines
            if (text := normalise_name(line, normalise_unicode=normalise_unicode))
        )
    )
    if len(items) < 2:
        raise IngestError(f"The list has {len(items)} items; a selection needs at least 2.")
    check_count_limit("The list has", len(items), "items", MAX_ITEMS)
    check_count_limit("An item on the list has", max(map(len, items)), "characters", MAX_LABEL)
    return items


def person_item_hash_text(person: str, item: str) -> str:
    """Text to hash; names hold no line break."""
    return f"{person}\n{item}"

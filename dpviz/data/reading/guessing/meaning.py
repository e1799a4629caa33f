"""Likely meaning of a table: scores or a log, and the columns of items, scores and people."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from operator import attrgetter

from dpviz.data.reading.guessing.choices import COLUMNS, ReadingChoices
from dpviz.data.reading.guessing.columns import ColumnProfile, profile_columns
from dpviz.data.reading.headings import CALLED, COUNTS, DATES, GROUPS, ITEMS, PROPERTIES
from dpviz.data.reading.input_rules import Remark, quote_value
from dpviz.data.reading.table import GUESS, ColumnGuess, Table, check_column

_ITEMS_PROPER = 3.0  # likelihood of a heading that names items alone
_MOST = 4  # alternatives that are offered
_SUMS = frozenset({"total", "sum", "gesamt", "summe", "totale", "toplam", "合計", "总数"})
Columns = Sequence[ColumnProfile]


@dataclass(frozen=True, kw_only=True)
class TableMeaning:
    """Kind of a table and its columns: item and score, or item and person; and a doubt, if any."""

    log: bool
    item: str | None
    other: str | None
    doubt: Remark | None = field(default=None, compare=False)

    @property
    def open_choice(self) -> str | None:
        """Choice that a person must still make, if any."""
        if self.log:
            return "the column of the item" if self.item is None else None
        return "the column of the score" if self.other is None else None

    @property
    def columns(self) -> dict[str, str | None]:
        first, second = ("item", "person") if self.log else ("label", "score")
        return {first: self.item, second: self.other}


def guess_meaning(table: Table, choices: ReadingChoices | None = None) -> TableMeaning:
    """Likeliest meaning of a table, where nothing else was said."""
    choices = choices or ReadingChoices()
    for role in COLUMNS:
        if isinstance(name := getattr(choices, role), str):
            check_column(role, name, table.columns)
    columns = profile_columns(table)
    if choices.is_log is None:
        return _guess_kind(columns)
    if not choices.is_log:
        return guess_score_columns(columns, choices.label, choices.score)
    return guess_log_columns(columns, choices.person, choices.item)


def _guess_kind(columns: Columns) -> TableMeaning:
    scores, log = guess_score_columns(columns), guess_log_columns(columns)
    named = {column.name: column for column in columns}
    item, person, score = (named.get(name or "") for name in (log.item, log.other, scores.other))
    if _holds_numbers_of_events(columns):
        known = {log.other, log.item}
        rest = guess_score_columns([column for column in columns if column.name not in known])
        if rest.other is None:
            return replace(log, doubt=_which_are_people(log))
        return replace(log, doubt=_two_kinds(log, rest, log_first=True))
    if item is None:
        return log if score is None and person is not None else scores
    if person is not None and person.is_person and item is score and score.score_likelihood == 1:
        return log  # numbers below an item's heading, beside people
    repeated, dated = item.has_repeated_cells, any(column.is_date for column in columns)
    people = person is not None and person.is_person and scores.item != log.other
    if score is None:
        if person is not None and not repeated and _may_be_counts(person):
            # as people each item would have one
            told = replace(scores, item=item.name, other=person.name)
            return replace(told, doubt=_two_kinds(log, told, log_first=False))
        sure = person is None or people or person.heading_words & CALLED or person.has_id_heading
        doubt = None if sure else _which_are_people(log)
        other = person is None and _has_other_items(columns, item)
        doubt = _counts_rows(item) if other else doubt
        return replace(log, doubt=doubt or log.doubt) if repeated or people else scores
    if people:
        is_log = repeated or dated
        scores = replace(scores, doubt=_two_kinds(log, scores, log_first=False))
    else:
        dated_or_weak = dated or (person is not None and score.score_likelihood < 2)
        is_log = repeated and dated_or_weak and score.score_likelihood < 3
    if not is_log:
        return scores
    if score.score_likelihood < 2:
        return log
    return replace(log, doubt=_two_kinds(log, scores, log_first=True))


def _may_be_counts(person: ColumnProfile) -> bool:
    """True for numbers below a word for people that may say how many there are."""
    return bool(len(person.whole_numbers)) and not (person.is_row_number or person.has_id_heading)


def _has_other_items(columns: Columns, item: ColumnProfile) -> bool:
    """True for another column that is headed as items, of which each stands once."""
    return any(
        column.is_headed(ITEMS) and column.can_name_items and column.is_unique
        for column in columns
        if column is not item
    )


def _holds_numbers_of_events(columns: Columns) -> bool:
    """True for numbers alone without headings, of which the last says when."""
    whole = [column for column in columns if len(column.whole_numbers) and not column.is_date]
    return (
        all(column.is_unnamed and column.is_numeric for column in columns)
        and len(whole) > 1
        and (any(column.is_date for column in columns) or whole[0].has_repeated_cells)
    )


def guess_score_columns(
    columns: Columns,
    label: str | ColumnGuess | None = GUESS,
    score: str | ColumnGuess | None = GUESS,
) -> TableMeaning:
    doubt = None
    if isinstance(score, ColumnGuess):
        candidates = _score_candidates([column for column in columns if column.name != label])
        chosen = candidates[0].name if candidates else None
        doubt = _which_score(candidates) if candidates else None
    else:
        chosen = score
    if not isinstance(label, ColumnGuess):
        return TableMeaning(log=False, item=label, other=chosen, doubt=doubt)
    named = _name_column([column for column in columns if column.name != chosen])
    if named is not None and chosen is not None:
        names = [column.name for column in columns]
        after = names.index(named.name) > names.index(chosen)
        doubt = doubt or _name_doubt(named, chosen, after=after)
    return TableMeaning(
        log=False, item=None if named is None else named.name, other=chosen, doubt=doubt
    )


def _score_candidates(columns: Columns) -> list[ColumnProfile]:
    """Columns that may equally be the score."""
    able = [column for column in columns if column.can_be_score]
    if len(columns) == 1 and columns[0].is_numeric and not columns[0].is_id_date_or_person:
        return list(columns)
    if not able:  # as "a, 1; b, 2; c, 3": numbers that count the rows, after the names
        return [
            column
            for before, column in pairwise(columns)
            if before.can_name_items and column.is_numeric and not column.is_id_date_or_person
        ][:1]
    names = [
        column for column in columns if column.can_name_items or column.is_id or column.is_date
    ]
    if (
        not names
        and len(able) > 1
        and able[0].score_likelihood == 2
        and able[0].is_unique
        and len(able[0].whole_numbers)
    ):
        able = able[1:]  # numbers that name the rows
    best = max(column.score_likelihood for column in able)
    alike = [column for column in able if column.score_likelihood == best]
    totals = [column for column in alike if column.heading_words & _SUMS]
    return totals if len(totals) == 1 else alike


def _name_column(columns: Columns) -> ColumnProfile | None:
    """Likeliest column of names: texts, else codes or numbers of which each stands once."""
    able = [column for column in columns if column.can_name_items and not column.is_person]
    if able:
        return max(able, key=attrgetter("item_name_sort_key"))
    once = [column for column in columns if column.is_unique and not column.is_row_number]
    ways = (
        [column for column in columns if column.is_code and not column.is_person],
        [column for column in once if column.is_id and not column.is_person],
        [column for column in columns if column.is_person],
        [column for column in once if column.is_date],
        [column for column in once if column.score_likelihood < 3 and column.is_numeric],
    )
    numbered = (column for column in columns if column.is_row_number)
    last = (column for column in numbered if column.heading_words and not column.has_id_heading)
    return next((way[0] for way in ways if way), next(last, None))


def guess_log_columns(
    columns: Columns,
    person: str | ColumnGuess | None = GUESS,
    item: str | ColumnGuess | None = GUESS,
) -> TableMeaning:
    """Likeliest columns of the items and of the people, if there are any."""
    doubt = None
    if isinstance(person, ColumnGuess):
        rest = [column for column in columns if column.name != item]
        found = _person_column(rest, known_item=isinstance(item, str)) if columns[1:] else None
        person = None if found is None else found.name
    if isinstance(item, ColumnGuess):
        rest = [column for column in columns if column.name != person]
        candidates = _item_candidates(rest, people_known=person is not None)
        item = candidates[0].name if candidates else None
        doubt = (
            _which_column("items", "item", candidates, person=person)
            if len(candidates) > 1
            else None
        )
    return TableMeaning(log=True, item=item, other=person, doubt=doubt)


def _person_column(columns: Columns, *, known_item: bool) -> ColumnProfile | None:
    headed = [column for column in columns if column.is_person and not column.is_date]
    names = [column for column in columns if column.can_name_items and column not in headed]
    headed += [
        column
        for column in columns
        if column.is_id
        and not column.is_date
        and not column.is_headed(ITEMS)
        and (column.has_repeated_cells or column.has_id_heading)
    ]
    if len(names) > 1 or known_item:
        headed += [c for c in names if c.heading_words and c.heading_words <= CALLED]
        headed += [c for c in names[:1] if c.has_repeated_cells and not c.heading_words & ITEMS]
    numbers = [column for column in columns if column.is_unnamed and len(column.whole_numbers)]
    if not names and len(numbers) > 1:
        headed.append(numbers[0])
    return next(iter(headed), None)


def _item_candidates(columns: Columns, *, people_known: bool) -> list[ColumnProfile]:
    """Columns that may equally hold the items of a log."""
    able = [column for column in columns if column.can_name_items]
    able = [column for column in able if column.has_repeated_cells] or able
    if not able:
        able = [
            column
            for column in columns
            if not column.is_date
            and (column.is_id or (column.is_unnamed and len(column.whole_numbers)))
        ]
        return ([column for column in able if column.is_headed(ITEMS)] or able)[:1]
    best = max(column.item_name_sort_key[0] for column in able)
    # whose rows nobody is known for may be counted by any of its columns
    least = best if people_known else min(best, 1.0)
    able.sort(key=attrgetter("item_name_sort_key"), reverse=True)
    able = [column for column in able if column.item_name_sort_key[0] >= least]
    able += [
        column
        for column in columns
        if column.is_id
        and not column.is_date
        and column.has_repeated_cells
        and (column.heading_words & ITEMS or (best < _ITEMS_PROPER and able[0].is_headed(GROUPS)))
    ]
    return [able[0], *(column for column in able[1:] if not _tells_the_same(able[0], column))]


def _tells_the_same(first: ColumnProfile, second: ColumnProfile) -> bool:
    """True for one cell in all rows, or one for each name of the first, as numbers of titles."""
    pairs = set(zip(first.texts, second.texts, strict=False))
    different = len(set(second.texts))
    return different == 1 or len(set(first.texts)) == different == len(pairs)


def _which_column(what: str, role: str, candidates: Columns, **others: str | None) -> Remark:
    listed = " or ".join(quote_value(column.name) for column in candidates[:_MOST])
    return Remark(
        says=f"Which column holds the {what}: {listed}?",
        mends={
            f"{what.capitalize()} from {quote_value(column.name)}": {**others, role: column.name}
            for column in candidates[1:_MOST]
        },
        asks=True,
        kept={**others, role: candidates[0].name},
    )


def _which_score(candidates: Columns) -> Remark | None:
    if len(candidates) > 1:
        remark = _which_column("scores", "score", candidates)
        if all(column.score_likelihood == 2 and not column.is_unnamed for column in candidates):
            return replace(
                remark, mends={**remark.mends, "Each column is an item": {"shape": "columns"}}
            )
        return remark
    words = candidates[0].heading_words
    is_property = bool(words & PROPERTIES) and not words & COUNTS
    if is_property or candidates[0].score_likelihood == 0:
        looks = "Its numbers look like codes, ranks or years."
        why = "Its heading names no count." if is_property else looks
        says = f"Does column {quote_value(candidates[0].name)} hold scores? {why}"
        return Remark(says=says, asks=True, kept={"score": candidates[0].name})
    return None


def _name_doubt(named: ColumnProfile, score: str, *, after: bool) -> Remark | None:
    """Doubt if dates, people or bare numbers are the items."""
    kept, column = {"score": score, "label": named.name}, quote_value(named.name)
    is_date = named.is_date or (named.is_numeric and named.is_headed(DATES))
    for doubtful, says in (
        (
            named.is_person or _names_people(named),
            f"Column {column} names people. Are people the items?",
        ),
        (is_date, f"Column {column} holds dates. Is each date an item?"),
    ):
        if doubtful:
            return Remark(says=says, asks=True, kept=kept)
    sure = not (named.is_unnamed or after) and len(named.whole_numbers) > 0
    sure = (sure or named.is_id) and not named.is_row_number
    if sure or not named.is_numeric or named.is_headed(ITEMS):
        return None
    says = f"Are the numbers in {column} names, and those in {quote_value(score)} scores?"
    mends = {f"Scores from {column}": {"score": named.name}}
    return Remark(says=says, mends=mends, asks=True, kept=kept)


def _names_people(column: ColumnProfile) -> bool:
    """True for a heading such as "first name", which no thing has, unlike "name"."""
    words = column.heading_words
    return words <= CALLED and bool(words - ITEMS)


def _which_are_people(log: TableMeaning) -> Remark:
    item, person = quote_value(log.item), quote_value(log.other)
    return Remark(
        says=f"Is {person} the person, and {item} what they chose?",
        mends={
            f"{item} is the person": {"person": log.item, "item": log.other},
            "Each row is another person": {"person": None, "item": log.item},
        },
        asks=True,
        kept=log.columns,
    )


def _counts_rows(item: ColumnProfile) -> Remark:
    kept = {"person": None, "item": item.name}
    says = f"No column holds scores. Count the rows for each {quote_value(item.name)}?"
    return Remark(says=says, asks=True, kept=kept)


def _two_kinds(log: TableMeaning, scores: TableMeaning, *, log_first: bool) -> Remark:
    """Doubt between a log and scores of the same items."""
    item, score = log.item or scores.item, scores.other
    people = "people" if log.other is None else f"people by {quote_value(log.other)}"
    counts = {"person": log.other, "item": item}
    sums = {"score": score, "label": scores.item if log_first is False else item}
    if log_first:
        sums["duplicates"] = "sum"
    offers = (
        (f"Count {people} for each {quote_value(item)}", counts),
        (f"Use the numbers in {quote_value(score)}", sums),
    )
    (_, kept), (other, way) = offers if log_first else offers[::-1]
    says = (
        f"Two readings are possible: distinct {people} for each {quote_value(item)}, or the numbers"
        f" in {quote_value(score)} as scores."
    )
    return Remark(says=says, mends={other: way}, asks=True, kept=kept)

"""Tables of runs from a file, or typed by hand, as a `CandidatePool`.

Invariant: an error is one sentence that names the row.
"""

import numpy as np

from dpviz.base import Floats, Frame, ParameterError, is_blank, pd
from dpviz.base.text_format import fold_to_line
from dpviz.candidates.pool import CandidatePool
from dpviz.data.reading.guessing.choices import ReadingChoices
from dpviz.data.reading.guessing.columns import profile_columns
from dpviz.data.reading.guessing.meaning import guess_meaning
from dpviz.data.reading.input_rules import (
    MAX_ITEMS,
    MAX_LABEL,
    IngestError,
    cell_texts,
    check_count_limit,
    quote_value,
)
from dpviz.data.reading.numbers import BadNumber, parse_numbers
from dpviz.data.reading.table import Table, parse_score_column

MAX_CANDIDATES = 2_000
TYPED_COLUMNS = ("candidate", "score", "how often")
_NAMES = ("candidate", "candidates", "model", "setting", "configuration", "method", "name", "label")


def find_candidate_and_score_columns(table: Table) -> tuple[str, str]:
    """The likeliest columns (candidate, score) of a run table; raises `IngestError` without any."""
    if len(table.columns) < 2:
        raise IngestError(
            f"{quote_value(table.source)} has one column; a run table needs a candidate and a"
            " score."
        )
    named = {name.strip().casefold(): name for name in reversed(table.columns)}
    candidate = next((named[name] for name in _NAMES if name in named), None)
    candidate = candidate or guess_meaning(table, ReadingChoices(log=False)).item
    numeric = (column.name for column in profile_columns(table) if column.is_numeric)
    score = named.get("score") or next((name for name in numeric if name != candidate), None)
    candidate = candidate or next(name for name in table.columns if name != score)
    if score is None or score == candidate:
        score = next(name for name in table.columns if name != candidate)
    return candidate, score


def pool_from_run_table(table: Table, candidate: str, score: str) -> CandidatePool:
    if candidate == score:
        raise IngestError(
            f"Column {quote_value(candidate)} cannot hold both the candidates and their scores."
        )
    return CandidatePool.from_table(_runs(table, candidate, score))


def pool_from_typed_table(table: Table) -> CandidatePool:
    """A pool from `TYPED_COLUMNS`: how often is a probability or a number of runs, blank 1."""
    candidate, score, often = TYPED_COLUMNS
    given = _runs(table, candidate, score).assign(weight=_weights(table, often))
    laws, labels = [], []
    for name, rows in given.groupby("candidate", sort=False):
        total = float(rows["weight"].sum())
        if not total > 0:
            raise IngestError(
                f"The candidate {quote_value(str(name))} is empty: how often is 0 in all of its"
                " rows."
            )
        laws.append((rows["score"].to_numpy(), rows["weight"].to_numpy() / total))
        labels.append(str(name))
    return CandidatePool(laws, labels=labels)


def _runs(table: Table, candidate: str, score: str) -> Frame:
    check_count_limit("There are", len(table.frame), "runs", MAX_ITEMS)
    cells = cell_texts(table.column("candidate", candidate))
    for position, cell in enumerate(cells):
        if cell is None:
            raise IngestError(
                f"{table.row_label(position)}: the candidate in column {quote_value(candidate)} is"
                " empty."
            )
        if len(cell) > MAX_LABEL:
            raise IngestError(
                f"{table.row_label(position)}: the candidate's name has more than {MAX_LABEL}"
                " characters."
            )
    names = [fold_to_line(cell) for cell in cells if cell is not None]
    scores = parse_score_column(table, score)
    check_count_limit("There are", len(set(names)), "candidates", MAX_CANDIDATES)
    return pd.DataFrame({"candidate": names, "score": scores})


def _weights(table: Table, column: str) -> Floats:
    cells = table.column("how often", column).astype(object)
    filled = pd.Series([1.0 if is_blank(cell) else cell for cell in cells.tolist()], dtype=object)
    try:
        weights = parse_numbers(filled)
    except BadNumber as bad:
        raise IngestError(
            f"{table.row_label(bad.position)}: how often {quote_value(filled[bad.position])}"
            f" {bad.why}."
        ) from None
    if (weights < 0).any():
        row = int(np.argmax(weights < 0))
        where = table.row_label(row).lower()
        raise ParameterError(f"how often in {where}", float(weights[row]), "0 or more")
    return weights

"""Scores from a file, a table or a data frame, read as the app and the command line read it."""

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from dpviz.base import ParameterError, Scores
from dpviz.data.counting import count_proposed_log
from dpviz.data.reading.files import read_limited_file
from dpviz.data.reading.guessing import Proposal, ReadingChoices, propose_reading
from dpviz.data.reading.table import GUESS, ColumnGuess, Table, read_frame


def scores_from(
    source: Any,
    score: str | ColumnGuess = GUESS,
    label: str | ColumnGuess | None = GUESS,
    *,
    sensitivity: float | None = None,
    monotonic: bool | None = None,
    **answers: Any,
) -> Scores:
    """Scores from a file, a table or a data frame, read as the app and the command line read it.

    Parameters
    ----------
    source
        The path of a file, a `Table`, or a data frame of whatever library.
    score
        The column of scores; `GUESS` to find it out.
    label
        The column of labels, None for none; `GUESS` to find it out.
    sensitivity
        Δ above 0: by how much one person changes a score at most; None for what the table says,
        else 1.
    monotonic
        Whether one person moves all scores in the same direction; None for what the table says,
        else not.
    **answers
        Answers to what would be asked, by the names that the question has: `total="leave-out"`,
        `duplicates="sum"`, `person="user", item="page"`, `encoding="cp1250"`.

    Returns
    -------
    Scores
        The scores, an item a row; of an event log the number of distinct people.

    Raises
    ------
    IngestError
        With a question where two readings are possible; with the row of the first bad cell, or for
        too few or too many items.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"item": ["a", "b"], "count": [3, 5]})
    >>> scores_from(frame, monotonic=True).values.tolist()
    [3.0, 5.0]
    """
    known = [each.name for each in fields(ReadingChoices)]
    for name in set(answers) - set(known):
        raise ParameterError("the argument", name, "one of " + ", ".join(known), "choice")
    said = ReadingChoices(score=score, label=label, **answers)
    if isinstance(source, str | Path):
        path = Path(source)
        given = propose_reading(
            path.name, read_limited_file(path, path.name), said, is_own_data=True
        )
    else:
        table = source if isinstance(source, Table) else read_frame(source)
        given = propose_reading(table.source, table, said, is_own_data=True)
    made = proposed_scores(given.require_answers("python"))
    told: dict[str, Any] = {"sensitivity": sensitivity, "monotonic": monotonic}
    return replace(made, **{name: value for name, value in told.items() if value is not None})


def proposed_scores(proposal: Proposal) -> Scores:
    """Scores of a proposal: those of its rows, or the counts of its log."""
    return count_proposed_log(proposal).scores if proposal.meaning.log else proposal.scores()

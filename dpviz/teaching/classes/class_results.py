"""What a class believed, before and after it talked: a table of answers and how many gave them.

Invariant: nothing in it tells one student from another, neither by a line nor by the order of
lines.
"""

from dpviz.base import Frame, export_csv, pd
from dpviz.teaching.classes.class_state import Given


def table(given: tuple[Given, ...]) -> Frame:
    """A line an answer, in the order in which they were asked; `after` is empty where nothing was
    asked twice.
    """
    return pd.DataFrame(
        [
            (
                one.stop.taught.title,
                question.text,
                choice,
                "yes" if n == right else "no",
                one.first[n],
                after,
            )
            for one in given
            if (question := one.stop.question) is not None
            for right in (question.answer(),)
            for n, choice in enumerate(question.choices)
            for after in (one.after[n] if one.after else None,)
        ],
        columns=["lesson", "question", "answer", "right", "first", "after"],
    ).astype({"after": "Int64"})


def as_csv(given: tuple[Given, ...]) -> str:
    """The same as a file."""
    return export_csv(table(given))

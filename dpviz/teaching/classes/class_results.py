"""Table of a class's answers before and after the talk, and of its marks.

Invariant: neither a row nor the order of rows tells one student from another.
"""

from collections import Counter

from dpviz.base import export_csv, pd
from dpviz.teaching.activities import FULL
from dpviz.teaching.classes.class_state import StopAnswers
from dpviz.teaching.lesson import LETTERS, NEAR


def answers_csv(given: tuple[StopAnswers, ...]) -> str:
    """Rows of answers, in the order asked; `after` is empty where nothing was asked twice.

    A mark has a row for its value, and is right where it is close to the exact chance.
    """
    rows: list[tuple[object, ...]] = []
    for one in given:
        title, question, of = one.stop.lesson_content.title, one.stop.question, one.stop.experiment
        if question is not None:
            after = one.after or (None,) * len(one.first)
            marked = ["yes" if n == question.answer() else "no" for n in range(len(one.first))]
            each = zip(question.choices, marked, one.first, after, LETTERS, strict=False)
            rows += [(title, question.text, *cells) for cells in each]
        elif of is not None and of.guess is not None:
            rows += [
                (title, of.guess.asks, f"{mark} of {FULL}", near, count, None, "")
                for mark, count in Counter(one.marks).items()
                for near in ("yes" if abs(mark - of.exact_mark) <= NEAR else "no",)
            ]
    table = pd.DataFrame(
        rows, columns=["lesson", "question", "answer", "right", "first", "after", "letter"]
    )
    return export_csv(table.astype({"after": "Int64"}))

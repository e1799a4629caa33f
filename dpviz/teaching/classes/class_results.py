"""Table of a class's answers before and after the talk.

Invariant: neither a row nor the order of rows tells one student from another.
"""

from dpviz.base import export_csv, pd
from dpviz.teaching.classes.class_state import StopAnswers


def answers_csv(given: tuple[StopAnswers, ...]) -> str:
    """Rows of answers, in the order asked; `after` is empty where nothing was asked twice."""
    table = pd.DataFrame(
        [
            (
                one.stop.lesson_content.title,
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
    )
    return export_csv(table.astype({"after": "Int64"}))

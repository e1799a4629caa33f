"""Table of a class's answers before and after the talk, and of its marks.

Invariant: neither a row nor the order of rows tells one student from another.
"""

from collections import Counter

from dpviz.base import export_csv, pd
from dpviz.teaching.activities import FULL
from dpviz.teaching.classes.class_state import StopAnswers
from dpviz.teaching.lesson import LETTERS, NEAR


def answers_csv(given: tuple[StopAnswers, ...]) -> str:
    """Rows of answers in the order asked, then of marks; `after` is empty without a talk.

    A mark has a row for its value, and is right where it is close to the exact chance.
    """
    answers: list[tuple[object, ...]] = [
        (title, question.text, choice, "yes" if n == right else "no", one.first[n], after, letter)
        for one in given
        if (question := one.stop.question) is not None
        for title, right in ((one.stop.lesson_content.title, question.answer),)
        for n, (choice, letter) in enumerate(zip(question.choices, LETTERS, strict=False))
        for after in (one.after[n] if one.after else None,)
    ]
    marks = [
        (one.stop.lesson_content.title, of.guess.asks, f"{mark} of {FULL}", near, count, None, "")
        for one in given
        if (of := one.stop.experiment) is not None and of.guess is not None
        for mark, count in Counter(one.marks).items()
        for near in ("yes" if abs(mark - of.exact_mark) <= NEAR else "no",)
    ]
    columns = ["lesson", "question", "answer", "right", "first", "after", "letter"]
    return export_csv(pd.DataFrame([*answers, *marks], columns=columns).astype({"after": "Int64"}))

"""All that the lessons say, figures and all, as it was read before it was kept in `texts.json`.

`python -m tests.teaching.texts` writes it anew; what changed is read as a diff.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from dpviz.teaching.lesson import Lesson
from dpviz.teaching.lessons import LESSONS

KEPT = Path(__file__).with_name("texts.json")


def texts(lesson: Lesson) -> Iterator[str]:
    """All that a lesson says, at every setting, with the right choice of each question."""
    yield lesson.says
    yield from lesson.able
    for step in lesson.steps:
        yield step.title
        yield step.text
        if step.question is not None:
            yield step.question.text
            yield step.question.choices[step.question.answer]
            yield from step.question.choice_reasons()
        if step.experiment is not None:
            yield from map(step.experiment.says, step.experiment.settings())


if __name__ == "__main__":
    made = {key: list(texts(LESSONS[key])) for key in LESSONS}
    KEPT.write_text(json.dumps(made, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")

"""The sentences of lessons that compare or count, held to what they tell; made by `python -m
tests.teaching.morals`.

Run so it writes `morals.json`: every such sentence with its figures blanked, to be read before it
is kept.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import dpviz.teaching.lessons  # noqa: F401 - which fill the menu
from dpviz.teaching.lesson import LESSONS, Lesson

KEPT = Path(__file__).with_name("morals.json")
_COMPARES = re.compile(
    r"\b(more|less|least|most|fewer|few|larger|largest|smaller|smallest|better|best|worse|worst|nearer|further|higher|"
    r"lower|cheaper|rarely|often|never|always|nothing|none|nobody|not|no|only|every|all|any|one|twice|half|double|times|"
    r"same|equal|equally|level|alike|too|enough|wins?|loses?|lost|holds?|fails?|breaks?|grows?|falls?|rises?|costs?|pays?|"
    r"free|gains?|helps?|harms?|spoils?|keeps?|ahead|behind|safe|right|wrong|bound|hidden|exactly|proved|promises?)\b",
    re.IGNORECASE,
)


def texts(lesson: Lesson) -> Iterator[str]:
    """All that a lesson says, at every setting."""
    yield lesson.says
    yield from lesson.able
    for step in lesson.steps:
        yield step.title
        yield step.text()
        if step.question is not None:
            yield step.question.text
            yield from step.question.choice_reasons()
        if step.experiment is not None:
            yield from map(step.experiment.says, step.experiment.settings())


def sentences(lesson: Lesson) -> list[str]:
    """Those that compare or count, each once, their figures blanked."""
    lines = (
        line
        for text in texts(lesson)
        for line in re.split(r"\n+", text)
        if not line.startswith("|")
    )
    said = (sentence.strip() for line in lines for sentence in re.split(r"(?<=[.?!:;])\s+", line))
    return list(
        dict.fromkeys(re.sub(r"\d[\d,.]*\d|\d", "#", one) for one in said if _COMPARES.search(one))
    )


if __name__ == "__main__":
    made = {key: sentences(LESSONS[key]) for key in LESSONS}
    KEPT.write_text(json.dumps(made, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")

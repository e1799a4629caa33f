"""Sentences of lessons that compare or count, to be read before they are kept in `morals.json`.

`python -m tests.teaching.morals` writes every such sentence there with its figures blanked.
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
    lines = re.split(r"\n+", "\n".join(texts(lesson)))
    said = [re.split(r"(?<=[.?!:;])\s+", line) for line in lines if not line.startswith("|")]
    compare = (one.strip() for each in said for one in each if _COMPARES.search(one))
    return list(dict.fromkeys(re.sub(r"\d[\d,.]*\d|\d", "#", one) for one in compare))


if __name__ == "__main__":
    made = {key: sentences(LESSONS[key]) for key in LESSONS}
    KEPT.write_text(json.dumps(made, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")

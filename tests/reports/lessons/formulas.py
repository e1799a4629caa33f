"""The formulas of lessons as MathML, made once, so that the app needs nothing to make them.

`python -m tests.reports.lessons.formulas` writes them beside the templates; a test holds them to their LaTeX.
"""

import json
from pathlib import Path

from latex2mathml.converter import convert

import dpviz.reports
import dpviz.teaching.lessons
from dpviz.teaching.lesson import LESSONS

KEPT = Path(dpviz.reports.__file__).parent / "templates" / "formulas.json"


def made() -> dict[str, str]:
    """What stands within the element `math`, by the LaTeX; an HTML page names no namespace."""
    texts = {step.formula.latex for lesson in LESSONS.values() for step in lesson.steps if step.formula is not None}
    whole = {latex: convert(latex, display="block") for latex in sorted(texts)}
    return {latex: text[text.index(">") + 1 : text.rindex("<")] for latex, text in whole.items()}


if __name__ == "__main__":
    KEPT.write_text(json.dumps(made(), indent=0, ensure_ascii=False) + "\n", encoding="utf-8")

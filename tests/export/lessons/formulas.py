"""The formulas of lessons as MathML, made once, so that the app needs nothing to make them.

`python -m tests.export.lessons.formulas` writes them beside the templates; a test holds them to
their LaTeX.
"""

import json
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

from latex2mathml.converter import convert

import dpviz.export
from dpviz.teaching.lessons import LESSONS

KEPT = Path(dpviz.export.__file__).parent / "templates" / "formulas.json"
RELATIONS = {"=", "≤", "≥", "∝", "⟺", "∣"}
SPACE = "\u00a0"


def made() -> dict[str, list[str]]:
    """What may stand on lines of their own, each within an element `math`, by the LaTeX; HTML names
    no namespace.
    """
    texts = {
        step.formula.latex
        for lesson in LESSONS.values()
        for step in lesson.steps
        if step.formula is not None
    }
    return {latex: [*_pieces(convert(latex))] for latex in sorted(texts)}


def _pieces(whole: str) -> Iterator[str]:
    """The formula parted after a relation, a wide space, and between words that stand in no
    brackets.
    """
    ((row,),) = (
        ElementTree.fromstring(whole.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "", 1)),
    )
    for words in row.iter("mtext"):
        words.tag = (
            "mi" if words.text != SPACE else words.tag
        )  # else an operator beside it loses its space
    parts = [*_words(row)]
    ends = [0, *(n for n, part in enumerate(parts[:-1], 1) if _ends_a_piece(part)), len(parts)]
    for begin, end in pairwise(ends):
        yield (
            f"<mrow>{''.join(ElementTree.tostring(part, 'unicode') for part in parts[begin:end])}</mrow>"
        )


def _words(row: Iterable[ElementTree.Element]) -> Iterator[ElementTree.Element]:
    depth = 0
    for part in row:
        depth += (part.text == "(") - (part.text == ")")
        if part.text in RELATIONS:
            part.set("form", "infix")  # also where nothing follows on its line
        words = (part.text or "").split(SPACE) if part.tag == "mi" and not depth else []
        if not all(words) or len(words) < 2:
            yield part
            continue
        for number, word in enumerate(words):
            if number:
                yield _of("mtext", SPACE)
            yield _of("mi", word)


def _of(tag: str, text: str) -> ElementTree.Element:
    element = ElementTree.Element(tag)
    element.text = text
    return element


def _ends_a_piece(part: ElementTree.Element) -> bool:
    return part.text in RELATIONS or part.text == SPACE or part.get("width") == "2em"


if __name__ == "__main__":
    KEPT.write_text(json.dumps(made(), indent=0, ensure_ascii=False) + "\n", encoding="utf-8")

"""Formulas are those of their LaTeX: after a change run `python -m tests.export.lessons.formulas`."""

import json

from tests.export.lessons.formulas import KEPT, made


def test_what_is_kept_is_what_the_latex_says() -> None:
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    assert kept == made(), (
        "python -m tests.export.lessons.formulas sets those of the lessons there are"
    )
    assert not any("<merror" in piece for pieces in kept.values() for piece in pieces)

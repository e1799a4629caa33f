"""What the lessons say is what was read, and of two figures the larger is the one said to be."""

import json
import re

import pytest

from dpviz.teaching.lesson import LESSONS
from tests.teaching.texts import KEPT, texts


@pytest.mark.parametrize("key", LESSONS)
def test_a_lesson_says_what_was_read(key: str) -> None:
    kept = json.loads(KEPT.read_text(encoding="utf-8")).get(key)
    told = "read it against its figures, then: python -m tests.teaching.texts"
    assert list(texts(LESSONS[key])) == kept, told


_AGAINST = re.compile(
    r"(?P<one>\d[\d.]*)(?:\u202f% of releases,| people are|,| is) (?P<how>more|fewer|less) than"
    r" (?:the |ε = )"
    r"(?P<other>\d[\d.]*)"
)


def test_of_two_figures_the_one_that_is_said_to_be_more_is() -> None:
    told = "\n".join(text for lesson in LESSONS.values() for text in texts(lesson))
    said = list(_AGAINST.finditer(told))
    for found in said:
        more = float(found["one"]) > float(found["other"])
        assert more is (found["how"] == "more"), found[0]
    assert {found["how"] for found in said} >= {"more", "fewer"}

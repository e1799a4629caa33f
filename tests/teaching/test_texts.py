"""What the lessons say, figures and all, is what was read."""

import json

import pytest

from dpviz.teaching.lessons import LESSONS
from tests.teaching.texts import KEPT, texts


@pytest.mark.parametrize("key", LESSONS)
def test_a_lesson_says_what_was_read(key: str) -> None:
    kept = json.loads(KEPT.read_text(encoding="utf-8")).get(key)
    told = "read it against its figures, then: python -m tests.teaching.texts"
    assert list(texts(LESSONS[key])) == kept, told

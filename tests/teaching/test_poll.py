"""A poll of a teacher's own: what is wrong with it is told in one sentence, live or in a file."""

import re

import pytest

from dpviz.base.errors import ParameterError
from dpviz.teaching.poll import Poll
from dpviz.teaching.session_file import read_session

SHORT = 'title = "Short"\nminutes = 20\nlessons = ["ties"]\n'


@pytest.mark.parametrize(
    ("text", "choices", "sentence"),
    [
        (" \n", ("Tea", "Coffee"), "the question of a poll must be"),
        ("x" * 161, ("Tea", "Coffee"), "a line of 1 to 160 letters"),
        (None, ("Tea", "Coffee"), "the question of a poll must be"),
        ("Tea?", "Tea, Coffee", "2 to 6 different lines"),
        ("Tea?", ("Tea",), "2 to 6 different lines"),
        ("Tea?", tuple("abcdefg"), "2 to 6 different lines"),
        ("Tea?", ("Tea", "tea "), "2 to 6 different lines"),
        ("Tea?", ("Tea", "\u200b"), "answer 2 of a poll must be a line of 1 to 40 letters"),
        ("Tea?", ("Tea", 7), "answer 2 of a poll must be a line of 1 to 40 letters"),
    ],
)
def test_what_is_wrong_is_told_in_one_sentence(
    text: object, choices: object, sentence: str
) -> None:
    with pytest.raises(ParameterError, match=re.escape(sentence)) as told:
        Poll(text, choices)
    assert "\n" not in str(told.value)


def test_a_file_has_its_poll() -> None:
    assert read_session(SHORT).poll is None
    read = read_session(SHORT + '[poll]\ntext = "Tea?"\nchoices = ["Yes", "No"]\n').poll
    assert read == Poll("Tea?", ["Yes", "No"])
    for wrong, sentence in (
        ('poll = "Tea?"\n', "a table with text and choices"),
        ('[poll]\ntext = "Tea?"\nchoices = ["Yes"]\n', "the answers of a poll"),
        ('[poll]\ntext = "Tea?"\nchoice = ["Yes", "No"]\n', "a name in the poll"),
    ):
        with pytest.raises(ParameterError, match=sentence):
            read_session(SHORT + wrong)

"""Codes: what is read from a projector comes in, and nobody can work one out."""

import secrets

import pytest

from dpviz.teaching.classes.class_state import LENGTH, LETTERS, new_code, parse_code


def test_every_letter_comes_from_the_generator_of_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(secrets, "choice", lambda of: asked.append(of) or of[len(asked)])
    assert new_code() == LETTERS[1 : LENGTH + 1]
    assert asked == [LETTERS] * LENGTH


def test_letters_are_told_apart() -> None:
    assert len(set(LETTERS)) == len(LETTERS)
    assert not set(LETTERS) & set("IOQU01")
    assert len(LETTERS) ** LENGTH > 1e8


@pytest.mark.parametrize("typed", ["abcdef", "ABC DEF", "abc-def", " a b c d e f\n"])
def test_a_code_may_be_typed_as_one_likes(typed: str) -> None:
    assert parse_code(typed) == "ABCDEF"


@pytest.mark.parametrize(
    "typed",
    ["", "ABCDE", "ABCDEFG", "ABCDE1", "ABCDEI", "ÄBCDEF", "A" * 10_000, " " * 99 + "ABCDEF"],
)
def test_what_can_be_no_code_is_none(typed: str) -> None:
    assert parse_code(typed) is None

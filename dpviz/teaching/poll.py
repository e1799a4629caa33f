"""A poll: a teacher's question without a right answer, whose votes become data."""

from collections.abc import Sequence
from dataclasses import dataclass

from dpviz.base import ParameterError

LEAST, MOST = 2, 6
# letters that a projector and a phone have room for, as everybody in the class sees them
_QUESTION, _CHOICE = 160, 40


@dataclass(frozen=True)
class Poll:
    """Question and choices of a poll.

    >>> Poll(" Tea or coffee? ", ["Tea", "Coffee "])
    Poll(text='Tea or coffee?', choices=('Tea', 'Coffee'))
    """

    text: str
    choices: tuple[str, ...]

    def __init__(self, text: object, choices: object) -> None:
        """Check and clean a text and choices, which may be anything."""
        if not isinstance(text, str) or not 0 < len(_line(text)) <= _QUESTION:
            raise ParameterError(
                "the question of a poll", text, f"a line of 1 to {_QUESTION} letters"
            )
        if isinstance(choices, str) or not isinstance(choices, Sequence):
            raise ParameterError(
                "the answers of a poll", choices, f"{LEAST} to {MOST} different lines"
            )
        said = tuple(_line(one) if isinstance(one, str) else "" for one in choices)
        if not LEAST <= len(said) <= MOST or len({one.casefold() for one in said}) < len(said):
            raise ParameterError(
                "the answers of a poll", list(choices), f"{LEAST} to {MOST} different lines"
            )
        for n, one in enumerate(said):
            if not 0 < len(one) <= _CHOICE:
                raise ParameterError(
                    f"answer {n + 1} of a poll", choices[n], f"a line of 1 to {_CHOICE} letters"
                )
        object.__setattr__(self, "text", _line(text))
        object.__setattr__(self, "choices", said)


def _line(typed: str) -> str:
    """Text on one line, without characters that cannot be printed."""
    return " ".join("".join(each if each.isprintable() else " " for each in typed).split())


HARMLESS = Poll("Which season do you like best?", ("Spring", "Summer", "Autumn", "Winter"))
"""Poll shown until a teacher writes another."""

"""A poll: a question that whoever teaches makes up on the spot, with no right answer; the votes
become data.

Invariant: it is harmless to ask, since all of a class see it and how it was voted; so it says no
more than a line.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from dpviz.base import ParameterError

LEAST, MOST = 2, 6
_QUESTION, _CHOICE = 160, 40  # letters that a projector and a phone have room for


@dataclass(frozen=True)
class Poll:
    """What is asked, and what may be chosen.

    >>> Poll(" Tea or coffee? ", ["Tea", "Coffee "])
    Poll(text='Tea or coffee?', choices=('Tea', 'Coffee'))
    """

    text: str
    choices: tuple[str, ...]

    def __init__(self, text: object, choices: object) -> None:
        """What somebody typed, or a file says, which may be anything."""
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
    """The same on one line, without what cannot be seen."""
    return " ".join("".join(each if each.isprintable() else " " for each in typed).split())


HARMLESS = Poll("Which season do you like best?", ("Spring", "Summer", "Autumn", "Winter"))
"""What stands there until a teacher thinks of something better."""

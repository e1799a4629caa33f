"""Codes of classes: six letters that nobody confuses when they are read from a projector or said aloud.

Invariants: drawn by the system's generator of secrets, each code as likely as any other of 22⁶ = 113 million; what is
typed may be in small letters and have spaces or hyphens in it.
"""

import secrets

LETTERS = "ABCDEFGHJKLMNPRSTVWXYZ"  # without those that look like others: I, O, Q, U
LENGTH = 6
_LONGEST = 40  # characters that are looked at: a code with many spaces in it


def new_code() -> str:
    """A code that cannot be told from those before.

    >>> len(new_code()), set(new_code()) <= set(LETTERS)
    (6, True)
    """
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def read_code(typed: str) -> str | None:
    """The code that was meant; None where it can be none.

    >>> read_code(" abc-def "), read_code("abc")
    ('ABCDEF', None)
    """
    code = "".join(typed[:_LONGEST].split()).replace("-", "").upper()
    return code if len(code) == LENGTH and set(code) <= set(LETTERS) else None

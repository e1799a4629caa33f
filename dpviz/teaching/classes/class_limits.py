"""Limits of a class, a server and an address."""

from dataclasses import dataclass


class ClassRefusal(Exception):
    """A refusal, with a sentence for the person who asked."""


class ClassStoreUnavailable(ClassRefusal):
    """The store of classes is locked, its disk is full, or its file is no store."""


@dataclass(frozen=True, kw_only=True)
class ClassLimits:
    """Limits on what classes take of the server."""

    classes: int = 100  # at once, on all processes together
    people: int = 300  # in a class
    seconds: float = 3 * 3600.0  # then it ends
    results: float = 24 * 3600.0  # after its end, for which its results stay
    away: float = 30.0  # since one was heard of last; then one is not there any more
    writes: int = 20  # predictions and draws of a person ...
    within: float = 10.0  # ... in so many seconds
    empty: float = 600.0  # seconds without student and teacher, after which a class ends
    unused: float = 60.0  # after which an unused seat makes way for somebody in a full class
    lookups: int = 100  # of typed codes that no class has, on all processes together,
    keys: int = 20  # wrong keys to begin a class, on all processes together ...
    minute: float = 60.0  # ... in so many seconds
    begun: int = 30  # classes that an address may have under way
    begun_empty: int = 10  # of these without a student
    joined: int = 1000  # seats that an address may take ...
    joined_within: float = 600.0  # ... in so many seconds: three lecture halls behind one address


LIMITS = ClassLimits()

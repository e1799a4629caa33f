"""One deployment as its file states it: what is not stated is None, and never filled in."""

import re
from dataclasses import dataclass
from typing import Final

from dpviz.base import check_choice, check_integer, check_number, store_fields

LOCAL_MODELS: Final = frozenset({"Local", "Varies"})
"""Models in which devices add noise themselves, so that ε is that of one report."""

UNIT_GROUPS: Final = {
    "device": r"device|phone|browser",
    "household": r"household|housing unit",
    "business": r"business|establishment",
    "event or record": r"\bevent|\btrip|\brecord|\bvisit\b|pageview|\bbirth|tuple|\brow\b",
    "person": r"person|user|account|customer|victim|individual|member|people",
}
"""Kinds of unit by the words that tell them; the last one that fits is taken."""

_PERIODS: Final = (
    (r"quarter-day", "six hours", 1460),
    (r"\bday|daily", "day", 365),
    (r"week", "week", 52),
    (r"month", "month", 12),
    (r"quarter", "quarter", 4),
    (r"year|annual", "year", 1),
)
_NOISES: Final = ("gaussian", "laplace")
_LIMITS: Final = (
    *((name, 0.0, None) for name in ("epsilon", "rho", "scale", "change", "threshold")),
    ("delta", 0.0, 1.0),
    ("guess", 0.5, 1.0),
)
_ABOVE: Final = frozenset({"scale", "change"})


def unit_group(unit: str | None) -> str | None:
    """Kind of unit, a key of `UNIT_GROUPS`; "other" for words that are not known.

    >>> [unit_group(unit) for unit in ("user-day", "Device-day-level", "trip", "reader", None)]
    ['person', 'device', 'event or record', 'other', None]
    """
    if unit is None:
        return None
    fits = [group for group, words in UNIT_GROUPS.items() if re.search(words, unit.lower())]
    return fits[-1] if fits else "other"


@dataclass(frozen=True, kw_only=True)
class Deployment:
    """A public deployment: who published what about whom, with the parameters that it states.

    `unit` is whose data the promise covers, such as "user-day". `delta` is 0 where the promise is
    pure. `scale` is the noise's deviation or laplace scale. A unit counts in `contributions` items,
    once in each, or changes all counts together by `change`. Noisy counts from `threshold` on are
    published. `guess` is a bound on right guesses that the file states itself.

    >>> one = Deployment(slug="views", name="Views", unit="device-day", rho=0.015)
    >>> one.unit_group, one.period, one.epsilon is None
    ('device', ('day', 365), True)
    """

    slug: str
    name: str
    curators: tuple[str, ...] = ()
    kind: str | None = None
    date: str | None = None
    description: str | None = None
    unit: str | None = None
    unit_details: str | None = None
    epsilon: float | None = None
    delta: float | None = None
    delta_text: str | None = None
    rho: float | None = None
    details: str | None = None
    model: str | None = None
    release_type: str | None = None
    mechanisms: str | None = None
    noise: str | None = None
    scale: float | None = None
    contributions: int | None = None
    change: float | None = None
    threshold: float | None = None
    names_known: bool | None = None
    unprotected: str | None = None
    sources: tuple[str, ...] = ()
    notes: str | None = None
    guess: float | None = None

    def __post_init__(self) -> None:
        for name, low, high in _LIMITS:
            if (value := getattr(self, name)) is not None:
                given = check_number(name, value, low=low, high=high, above=name in _ABOVE)
                store_fields(self, **{name: given})
        if self.contributions is not None:
            check_integer("contributions", self.contributions, low=1)
        if self.noise is not None:
            check_choice("noise", self.noise, _NOISES)

    @property
    def unit_group(self) -> str | None:
        return unit_group(self.unit)

    @property
    def period(self) -> tuple[str, int] | None:
        """Time after which a unit counts anew, and how often in a year; None where it does not."""
        unit = (self.unit or "").lower()
        return next(((name, n) for words, name, n in _PERIODS if re.search(words, unit)), None)

    @property
    def is_local(self) -> bool:
        """True where each device adds its noise itself."""
        return self.model in LOCAL_MODELS

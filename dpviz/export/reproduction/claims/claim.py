"""A claim: a number that a paper prints, and the verdict on it from its exact value.

`claims.toml` is the table. A function under `@register_claim` computes the exact value: a number,
or one a reading where the paper leaves something open; and by name what the sentence `why` has
places for, and `error` where it is no constant.
"""

import math
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, TypeVar

from dpviz.base import Registry, Scores

Vectors = Mapping[str, Scores]
"""Score vectors by the name of their file, all of them counts."""

PAPERS = {
    "canonical": "Shekelyan & Loukides 2022",
    "free_gap": "Ding, Wang, Zhang & Kifer 2019",
    "large_margin": "Chaudhuri, Hsu & Song 2014",
    "candidates": "Liu & Talwar 2018",
}


@dataclass(frozen=True, kw_only=True)
class RecomputedValues:
    """Exact values by reading, each within `error` (where "simulated" a 95 % half width)."""

    values: Mapping[str, float]
    why: str
    error: float = 0.0
    method: str = "exact"


@dataclass(frozen=True)
class Verdict:
    """The word "agrees", "differs" or "open", with the reading nearest to what is printed."""

    word: str
    reading: str
    value: float


@dataclass(frozen=True, kw_only=True)
class PrintedNumber:
    """A row of the table: `low` to `high` is what the printed number stands for."""

    name: str
    where: str
    says: str
    printed: str
    why: str
    low: float = -math.inf
    high: float = math.inf
    unit: str = ""  # "%" for shares, "×" for multiples
    files: Sequence[str] = ()
    above: int = 0  # items that each file has to exceed
    seconds: float = 0.3
    reading: str = ""
    error: float = 0.0
    method: str = "exact"

    @property
    def paper(self) -> str:
        return PAPERS[self.name.partition(".")[0]]

    def lacks_files(self, vectors: Vectors) -> bool:
        return any(name not in vectors or vectors[name].d <= self.above for name in self.files)

    def recompute_values(self, vectors: Vectors) -> RecomputedValues:
        """The exact numbers, from the vectors that it needs and no others."""
        compute, settings = FUNCTIONS[self.name]
        found = compute(**settings, **{name: vectors[name] for name in self.files})
        exact, facts = found if isinstance(found, tuple) else (found, {})
        return RecomputedValues(
            values=exact if isinstance(exact, Mapping) else {self.reading: exact},
            why=self.why.format(exact=exact, **facts),
            error=facts.get("error", self.error),
            method=self.method,
        )

    def judge_values(self, recomputed_values: RecomputedValues) -> Verdict:
        """Agree where some reading lies in the range for certain, differ where none can."""
        outside = {
            reading: max(self.low - value, value - self.high)
            for reading, value in recomputed_values.values.items()
        }
        least = min(outside.values())
        word = (
            "agrees"
            if least <= -recomputed_values.error
            else "open"
            if least <= recomputed_values.error
            else "differs"
        )
        reading = min(outside, key=lambda one: max(outside[one], 0.0))
        return Verdict(word, reading, recomputed_values.values[reading])


def read_toml(name: str) -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath(name).read_text(encoding="utf-8"))


CLAIMS: Registry[PrintedNumber] = Registry("claim")
for _name, _row in read_toml("claims.toml").items():
    CLAIMS.add(_name, PrintedNumber(name=_name, **_row), label=_row["where"], says=_row["says"])

_Exact = float | Mapping[str, float]
_Compute = Callable[..., _Exact | tuple[_Exact, Mapping[str, Any]]]
_C = TypeVar("_C", bound=_Compute)
FUNCTIONS: dict[str, tuple[_Compute, Mapping[str, Any]]] = {}


def register_claim(name: str, **settings: Any) -> Callable[[_C], _C]:
    """A decorator: the function computes this claim, from `settings` and the vectors by name."""

    def put(compute: _C) -> _C:
        FUNCTIONS[name] = compute, settings
        return compute

    return put

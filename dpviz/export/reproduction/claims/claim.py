"""A claim: what a paper prints, as a range of numbers, and how the number is computed exactly.

Symbols: `low` to `high` are the numbers that the printed one stands for, its rounding included; a
`Reading` is one way to take the claim where the paper leaves something open, with its exact value,
each within `error` of the truth.
Invariants: the verdict follows from these numbers alone; what needs the papers' data says so and
waits for it.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

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
class Finding:
    """The exact values by reading ("" where there is but one way), each within `error`, and why it
    is so.

    `method` is "exact", or "simulated" where a value is an average of draws; `error` is a 95 % half
    width then.
    """

    values: Mapping[str, float]
    why: str
    error: float = 0.0
    method: str = "exact"


@dataclass(frozen=True)
class Verdict:
    """What a claim comes to: `word` is "agrees", "differs" or "open", for the reading nearest to
    what is printed.
    """

    word: str
    reading: str
    value: float


@dataclass(frozen=True, kw_only=True)
class PrintedNumber:
    """One printed number: of which `paper`, `where`, what it says and the text `printed`.

    `unit` is "%" where the values are shares told in per cent, "×" where they are multiples;
    `files` names the score vectors it needs, each with more than `above` items; `seconds` is a
    rough measure of the time it takes.
    """

    paper: str
    where: str
    says: str
    printed: str
    compute: Callable[[Vectors], Finding]
    low: float = -math.inf
    high: float = math.inf
    unit: str = ""
    files: tuple[str, ...] = ()
    above: int = 0
    seconds: float = 0.3

    def missing_files(self, vectors: Vectors) -> tuple[str, ...]:
        """The files that are not there, or too short."""
        return tuple(
            name for name in self.files if name not in vectors or vectors[name].d <= self.above
        )

    def compute_finding(self, vectors: Vectors) -> Finding:
        """The exact numbers, from the vectors that it needs and no others."""
        return self.compute({name: vectors[name] for name in self.files})

    def judge_finding(self, finding: Finding) -> Verdict:
        """Agrees where some reading lies in the range for certain, differs where none can, open
        between the two.
        """

        def outside(item: tuple[str, float]) -> float:
            return max(self.low - item[1], item[1] - self.high, 0.0)

        reading, value = min(finding.values.items(), key=outside)
        inside = any(
            self.low <= v - finding.error and v + finding.error <= self.high
            for v in finding.values.values()
        )
        out = all(
            v + finding.error < self.low or v - finding.error > self.high
            for v in finding.values.values()
        )
        return Verdict("agrees" if inside else "differs" if out else "open", reading, value)


CLAIMS: Registry[PrintedNumber] = Registry("claim")


def register_claim(
    name: str, **about: Any
) -> Callable[[Callable[[Vectors], Finding]], Callable[[Vectors], Finding]]:
    """A decorator: the function computes the claim of this name; `about` is the rest of its
    `PrintedNumber`.
    """

    def put(compute: Callable[[Vectors], Finding]) -> Callable[[Vectors], Finding]:
        claim = PrintedNumber(paper=PAPERS[name.partition(".")[0]], compute=compute, **about)
        CLAIMS.add(name, claim, label=claim.where, says=claim.says)
        return compute

    return put

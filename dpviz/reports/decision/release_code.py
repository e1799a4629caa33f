"""The Python script that makes the release decided on: OpenDP where it has the mechanism, else dpviz.

OpenDP's noisy top-k is peeling with exponential noise (permute-and-flip) under max divergence and with gumbel noise
under zero-concentrated divergence, which is one-shot with gumbel noise too; its laplace mechanism on counts, sorted, is
noisy counts. The script finds OpenDP's scale from what OpenDP's own map claims: never more than the sheet.
Invariants: noise comes from the system's entropy; no seed and no score stands in a script; the law is the sheet's.
"""

import textwrap
from dataclasses import dataclass
from typing import Final

from dpviz.base import NOISES, rendered
from dpviz.charts import count
from dpviz.studies.decision import Decision
from dpviz.topk import OneShot, TopKMechanism
from dpviz.topk.peeling import Peeling

_EXACT: Final = "OpenDP draws its noise exactly, from the system's entropy, and rounds what it claims upward."
_ORDER: Final = f"{_EXACT} The order in which the items come out is covered as well."
_NOTES: Final = {
    "max": _ORDER,
    "zero_concentrated": _ORDER,
    "counts": f"{_EXACT} The noisy scores are covered as well.",
    "dpviz": (
        "dpviz computes with floating-point numbers: chances are right to about 1e-10, and answers whose chances add "
        "up to less than that may never come out. Its generator, seeded afresh with 256 bits of the system's entropy, "
        "is not a cryptographic one. ε holds up to that; a mechanism that OpenDP has leaves neither open."
    ),
}
"""What has to be said of how a script draws, by its kind: a measure or mechanism of OpenDP's, or dpviz."""

_WIDTH = 63  # of a line, so that two columns of code fit the sheet


@dataclass(frozen=True)
class ReleaseCode:
    """A script, the tool it uses ("OpenDP" or "dpviz"), and what has to be said of how it draws."""

    text: str
    tool: str
    note: str


def release_code(decision: Decision) -> ReleaseCode:
    """The script for what was decided.

    >>> from dpviz.studies.decision import Question, decide
    >>> from dpviz.studies.design import Design
    >>> peeling = Design(mechanism="peeling", parameters={"noise": "gumbel"})
    >>> code = release_code(decide(Question(k=10, designs=(peeling,))))
    >>> code.tool, "zero_concentrated_divergence" in code.text
    ('OpenDP', True)
    """
    m, question, data = decision.mechanism, decision.question, decision.question.data
    kind, unit, name = _kind(m, data.contributions), _inert(question.unit), type(m).__name__
    most = data.contributions
    counted = "" if most is None else f", counted with each {unit} in at most {most:,} of them"
    what = f"{_inert(question.name) or 'the list'}: {count(m.k, 'item')} with ε = {m.epsilon!r} for one {unit}"
    text = rendered(
        __package__,
        "release.py.txt",
        kind=kind,
        makes=_wrapped(f"Makes one release of {what}."),
        file=_wrapped(f"counts.csv has a line for each item: its name, a comma, its score{counted}."),
        note=_wrapped(_NOTES[kind]),
        mechanism=name,
        names=", ".join(sorted((name, "Scores"))),
        parameters={"epsilon": m.epsilon, "k": m.k, **decision.need.design.parameters},
        data=data,
    )
    return ReleaseCode(str(text), "dpviz" if kind == "dpviz" else "OpenDP", _NOTES[kind])


def _kind(m: TopKMechanism, contributions: int | None) -> str:
    """How OpenDP has this very law: under which measure its choice, or as noisy counts; "dpviz" where it has not."""
    if isinstance(m, OneShot | Peeling):
        if NOISES[m.noise].max_stable:
            return "zero_concentrated"
        if m.noise == "exponential" and (isinstance(m, Peeling) or m.k == 1):
            return "max"
    counts = m.releases_scores(contributions) and getattr(m, "noise", "") == "laplace"
    return "counts" if counts else "dpviz"


def _inert(text: str) -> str:
    """A person's words, unable to end the string that they stand in."""
    return "".join(c if c.isprintable() and c not in "\\\"'" else " " for c in text)


def _wrapped(text: str) -> str:
    """The text in lines that fit the sheet."""
    return textwrap.fill(" ".join(text.split()), _WIDTH, break_long_words=False, break_on_hyphens=False)

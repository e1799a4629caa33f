"""The Python script that makes the release decided on: OpenDP where it has the mechanism, else dpviz.

OpenDP's noisy top-k is peeling with exponential noise (permute-and-flip) under max divergence and with gumbel noise
under zero-concentrated divergence, which is one-shot with gumbel noise too; its laplace mechanism on counts, sorted, is
noisy counts. The script finds OpenDP's scale from what OpenDP's own map claims: never more than the sheet.
Invariants: noise comes from the system's entropy; no seed and no score stands in a script; the law is the sheet's.
"""

from dataclasses import dataclass
from typing import Final

from dpviz.base.noise import NOISES
from dpviz.studies.decision import Decision
from dpviz.topk.mechanism import TopKMechanism
from dpviz.topk.one_shot import OneShot
from dpviz.topk.peeling import Peeling

__all__ = ["ReleaseCode", "release_code"]

_FLOATING: Final = (
    "dpviz computes with floating-point numbers: chances are right to about 1e-10, and answers whose chances add up to "
    "less than that may never come out. Its generator, seeded afresh with 256 bits of the system's entropy, is not a "
    "cryptographic one. ε holds up to that; a mechanism that OpenDP has leaves neither open."
)
_EXACT: Final = "OpenDP draws its noise exactly, from the system's entropy, and rounds what it claims upward."
_ORDER: Final = "The order in which the items come out is covered as well."

_WIDTH = 63  # of a line, so that two columns of code fit the sheet

_HEAD = '''"""{told}

    {install}
    python release.py counts.csv

{file}
{note}
"""

import csv
import math
{imports}

{settings}


{release}


def read(path):
    """Names and scores, without a first line of column names."""
    with open(path, newline="", encoding="utf-8-sig") as file:
        rows = [row for row in csv.reader(file) if row]
    try:
        float(rows[0][1])
    except ValueError:
        rows = rows[1:]
    scores = [float(row[1]) for row in rows]
    if not all(map(math.isfinite, scores)):
        raise ValueError("a score is not a finite number")
    return [row[0] for row in rows], scores


if __name__ == "__main__":
    names, scores = read(sys.argv[1])
    {show}
'''

_CHOOSE = '''def mechanism(scale):
    """The k best scores, with OpenDP's noise of this scale."""
    domain = dp.vector_domain(dp.atom_domain(T=float, nan=False))
    space = domain, dp.linf_distance(T=float, monotonic={monotonic})
    measure = dp.{measure}_divergence()
    return dp.m.{call}


SCALE = dp.binary_search_param(mechanism, SENSITIVITY, {claim})


def release(scores):
    """Positions of the items chosen, the first one first."""
    return {result}'''

_COUNTS = '''def mechanism(scale):
    """All scores with laplace noise of this scale."""
    domain = dp.vector_domain(dp.atom_domain(T=float, nan=False))
    metric = dp.l1_distance(T=float)
    return dp.m.make_laplace(domain, metric, scale)


SCALE = dp.binary_search_param(mechanism, MOVED, EPSILON)


def release(scores):
    """Positions and noisy scores, the largest first."""
    noisy = mechanism(SCALE)(scores)
    order = sorted(range(len(noisy)), key=lambda i: -noisy[i])
    return [(item, noisy[item]) for item in order[:K]]'''

_DPVIZ = '''def release(scores):
    """Positions of the items chosen, in the order of the file."""
    given = Scores(
        scores,
        sensitivity={sensitivity!r},
        monotonic={monotonic},
        contributions={contributions},
    )
    seed = secrets.randbits(256)  # never kept
    rng = np.random.default_rng(seed)
    return MECHANISM.sample(given, rng=rng)[0].tolist()'''

_NAMES = """for item in release(scores):
        print(names[item])"""
_NAMES_AND_SCORES = """for item, noisy in release(scores):
        print(f"{names[item]},{noisy}")"""


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
    m, data = decision.mechanism, decision.question.data
    settings = [f"EPSILON = {m.epsilon!r}", f"K = {m.k}", f"SENSITIVITY = {data.sensitivity!r}  # of one score"]
    measure = _measure(m)
    if measure is not None:
        claim = "EPSILON" if measure == "max" else "RHO"
        if measure != "max":
            settings.append("RHO = EPSILON**2 / (8 * K)  # its price in OpenDP")
        return _opendp(decision, settings, _chosen(m.k, measure, claim, bool(data.monotonic)), _NAMES, _ORDER)
    if m.releases_scores(data.contributions) and getattr(m, "noise", "") == "laplace":
        moved = (data.contributions or 0) * (1 if data.monotonic else 2)
        settings.append(f"MOVED = {moved} * SENSITIVITY  # of all scores together")
        return _opendp(decision, settings, _COUNTS, _NAMES_AND_SCORES, "The noisy scores are covered as well.")
    return _dpviz(decision)


def _measure(m: TopKMechanism) -> str | None:
    """Under which measure OpenDP has this very law of the chosen set; None where it has not."""
    if not isinstance(m, OneShot | Peeling):
        return None
    if NOISES[m.noise].max_stable:
        return "zero_concentrated"
    return "max" if m.noise == "exponential" and (isinstance(m, Peeling) or m.k == 1) else None


def _chosen(k: int, measure: str, claim: str, monotonic: bool) -> str:
    call, result = "make_noisy_top_k(*space, measure, K, scale)", "list(mechanism(SCALE)(scores))"
    if k == 1:
        call, result = "make_noisy_max(*space, measure, scale)", "[mechanism(SCALE)(scores)]"
    return _CHOOSE.format(call=call, measure=measure, claim=claim, result=result, monotonic=monotonic)


def _opendp(decision: Decision, settings: list[str], release: str, show: str, more: str) -> ReleaseCode:
    imports = 'import sys\n\nimport opendp.prelude as dp\n\ndp.enable_features("contrib")'
    note = f"{_EXACT} {more}"
    text = _script(decision, "pip install opendp", imports, "\n".join(settings), release, show, note)
    return ReleaseCode(text, "OpenDP", note)


def _dpviz(decision: Decision) -> ReleaseCode:
    m, data = decision.mechanism, decision.question.data
    own = decision.need.design.parameters
    values = "".join(f"    {name}={value!r},\n" for name, value in {"epsilon": m.epsilon, "k": m.k, **own}.items())
    cls = type(m).__name__
    names = ", ".join(sorted((cls, "Scores")))
    imports = f"import secrets\nimport sys\n\nimport numpy as np\n\nfrom dpviz import {names}"
    release = _DPVIZ.format(
        sensitivity=data.sensitivity, monotonic=bool(data.monotonic), contributions=data.contributions
    )
    settings = f"MECHANISM = {cls}(\n{values})"
    text = _script(decision, "pip install . (in the folder of dpviz)", imports, settings, release, _NAMES, _FLOATING)
    return ReleaseCode(text, "dpviz", _FLOATING)


def _script(decision: Decision, install: str, imports: str, settings: str, release: str, show: str, note: str) -> str:
    question, unit = decision.question, _inert(decision.question.unit)
    items = "1 item" if question.k == 1 else f"{question.k:,} items"
    most = question.data.contributions
    counted = "" if most is None else f", counted with each {unit} in at most {most:,} of them"
    what = _inert(question.name) or "the list"
    return _HEAD.format(
        told=_wrapped(f"Makes one release of {what}: {items} with ε = {decision.epsilon!r} for one {unit}."),
        install=install,
        file=_wrapped(f"counts.csv has a line for each item: its name, a comma, its score{counted}."),
        note=_wrapped(note),
        imports=imports,
        settings=settings,
        release=release,
        show=show,
    )


def _inert(text: str) -> str:
    """A person's words, unable to end the string that they stand in."""
    return "".join(c if c.isprintable() and c not in "\\\"'" else " " for c in text)


def _wrapped(text: str) -> str:
    """The text in lines that fit the sheet."""
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) >= _WIDTH:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return "\n".join(lines)

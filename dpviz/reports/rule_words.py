"""What the ways to choose are and what their theorems say, in plain words; by their names in the registry."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dpviz.base.errors import ParameterError
from dpviz.candidates import CANDIDATES, CandidateRule
from dpviz.charts.words import count, number

__all__ = ["LABELS", "Words", "problem", "settings", "words"]


@dataclass(frozen=True)
class Words:
    """What a way does, what it costs and whose theorem says so."""

    does: str
    costs: str
    source: str


_WORDS = {
    "one": Words("Picks a candidate at random and publishes its run.", "ε1", "No theorem needed: one private run."),
    "known_threshold": Words(
        "Runs candidates drawn at random until one scores at least τ, and publishes that run; after each failure a "
        "coin may end it with nothing. τ must not come from the private data.",
        "2ε1 + ε0",
        "Liu & Talwar 2018, Theorem 3.1: giving up at random hides how many runs failed.",
    ),
    "random_stopping": Words(
        "Runs candidates drawn at random until a coin says stop, and publishes the best run seen.",
        "3ε1, however many runs (3ε1 + 3ε0 with a hard limit)",
        "Liu & Talwar 2018, Theorems 3.2, 3.4 and 3.5: a number of runs that is random hides which run was lucky.",
    ),
    "negative_binomial": Words(
        "Draws the number of runs first, from a negative binomial law, and publishes the best run; with η = 1 it is "
        "random stopping.",
        "(2 + η)ε1",
        "Papernot & Steinke 2022, Corollary 3.",
    ),
    "poisson": Words(
        "Draws the number of runs first, from a Poisson law of mean μ, and publishes the best.",
        "found through Rényi orders, at the δ set; made for small ε1",
        "Papernot & Steinke 2022, Theorem 6.",
    ),
    "naive": Words(
        "Runs every candidate once and publishes the best run.",
        "Kε1: one ε1 for each candidate",
        "Composition; and no less in the worst case (Liu & Talwar 2018, Appendix B.1).",
    ),
}

LABELS = {
    "one": "One random candidate, one run",
    **{name: CANDIDATES.label(name) for name in CANDIDATES},
    "naive": "Naive: best of one run each",
}


def words(name: str) -> Words:
    """The words for a way; a rule without any has the first line of its docstring."""
    if name in _WORDS:
        return _WORDS[name]
    return Words((CANDIDATES[name].__doc__ or "").strip().split("\n")[0], "see the theorem", "")


def problem(err: ParameterError) -> str:
    """Why a theorem does not cover the candidates, as a person would say it."""
    if err.parameter == "limit" and err.value is None:
        return "with δ1 above 0 the theorem asks for a limit T: switch on “Set the limit T” in the sidebar"
    if err.parameter == "candidate_delta":
        return f"its theorem is about runs with δ1 {'= 0' if '0 for' in err.allowed else err.allowed}"
    return str(err).rstrip(".")


_SIGNS: dict[str, tuple[str, Callable[[Any], str]]] = {
    "threshold": ("τ", number),
    "stop": ("γ", number),
    "epsilon0": ("ε0", number),
    "shape": ("η", number),
    "mean": ("μ", number),
    "delta": ("δ", number),
    "limit": ("at most", lambda limit: count(limit, "run")),
}


def settings(rule: CandidateRule) -> str:
    """A rule with its parameters, in short.

    >>> from dpviz.candidates import RandomStopping
    >>> settings(RandomStopping(stop=0.1, limit=99))
    'Random stopping, γ = 0.1, at most 99 runs'
    """
    parts = [CANDIDATES.label(rule.name)]
    for name, (sign, written) in _SIGNS.items():
        given = getattr(rule, name, None)
        if given is not None:
            parts.append(f"{sign} {written(given)}" if name == "limit" else f"{sign} = {written(given)}")
    return ", ".join(parts)

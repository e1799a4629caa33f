"""`audit`: a proved lower bound on the privacy loss of an implementation, from draws in two worlds.

Symbols: p, q = the chances of one event in the two worlds; (ε, δ)-DP asks p ≤ e^ε·q + δ, so ε ≥
log((p − δ)/q); ρ-zCDP asks D_α ≤ αρ of every α above 1, also of that event and its complement.
Invariant: the event is chosen on one half of the draws and judged on the other, where
Clopper–Pearson bounds both its chances. So a bound exceeds the truth at most as often as stated.
Source: Gilbert & McMillan 2018; Jagielski, Ullman & Oprea 2020 (bounds by Clopper–Pearson).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.random import Generator

from dpviz.base import (
    Floats,
    Frame,
    Ints,
    Mechanism,
    ParameterError,
    Progress,
    Scores,
    check_generator,
    check_integer,
    check_number,
    check_open_interval,
    ignore_progress,
    notebook_table,
    pd,
    portion,
    round_down,
)
from dpviz.privacy.bench.implementation_draws import Sampler, collect_draws
from dpviz.privacy.bench.output_events import (
    CHOOSE,
    JUDGE,
    count_outputs,
    generate_candidate_events,
)
from dpviz.privacy.item_alignment import align_items
from dpviz.privacy.neighbours import check_neighbour
from dpviz.privacy.unshared_names import own_items_by_world, select_items
from dpviz.topk.sampled_law import clopper_pearson


@dataclass(frozen=True, kw_only=True)
class ClaimEvidence:
    """The evidence against one claim: the most that an event shows."""

    claim: str
    promised: float | None
    at_least: float
    event: str
    likelier: str
    here: int
    there: int
    draws: int

    @property
    def holds(self) -> bool:
        return self.promised is None or self.at_least <= self.promised


@dataclass(frozen=True, kw_only=True)
class Audit:
    """A proved bound on the privacy loss from draws in two worlds, with its confidence and event.

    Parameters
    ----------
    findings
        Evidence on ε, then on ρ where it was claimed.
    delta
        The δ that was claimed beside ε.
    confidence
        The chance, at least, that every bound holds.
    """

    findings: tuple[ClaimEvidence, ...]
    delta: float
    confidence: float

    @property
    def at_least(self) -> float:
        """The least ε of the implementation, at δ."""
        return self.findings[0].at_least

    @property
    def rho_at_least(self) -> float | None:
        """The least ρ of the implementation; None where none was claimed."""
        return self.findings[1].at_least if len(self.findings) > 1 else None

    @property
    def holds(self) -> bool:
        """True where no claim is refuted; draws never prove that one is true."""
        return all(finding.holds for finding in self.findings)

    @property
    def event(self) -> str:
        """The event of the first claim that is refuted, else that of ε."""
        return next(
            (finding for finding in self.findings if not finding.holds), self.findings[0]
        ).event

    def frame(self) -> Frame:
        """A row a claim: promise, bound, confidence, event and counts."""
        rows = [
            {
                "claim": f.claim,
                "promised": f.promised,
                "delta": self.delta if f.claim == "epsilon" else None,
            }
            | {
                "at_least": f.at_least,
                "holds": f.holds,
                "confidence": self.confidence,
                "event": f.event,
            }
            | {"likelier": f.likelier, "here": f.here, "there": f.there, "draws": f.draws}
            for f in self.findings
        ]
        return pd.DataFrame(rows)

    def _repr_html_(self) -> str:
        rows = [(f"{f.claim}, claimed {_told(f.promised)}", _proved(f)) for f in self.findings]
        verdict = "no claim is refuted" if self.holds else "does not hold"
        return notebook_table(
            "Audit", [*rows, ("shown by", self.event)], f"{verdict}, confidence {self.confidence:g}"
        )

    def __repr__(self) -> str:
        told = ", ".join(f"{f.claim} {_proved(f)} of {_told(f.promised)}" for f in self.findings)
        return (
            f"Audit({told}, {'no claim refuted' if self.holds else 'does not hold'}: {self.event})"
        )


def audit(
    draw: Sampler | Mechanism,
    scores: Any,
    neighbour: Any,
    *,
    epsilon: float | None = None,
    delta: float = 0.0,
    rho: float | None = None,
    samples: int = 100_000,
    confidence: float = 0.99,
    rng: Generator | int | None = None,
    progress: Progress = ignore_progress,
) -> Audit:
    """A lower bound on the loss of an implementation, from its draws in two neighbouring worlds.

    A claim below the bound is wrong, but for at most 1 − `confidence` of all audits.

    Parameters
    ----------
    draw
        A mechanism, on each world's own names if it needs any; or a function of (scores, size, rng)
        that gives independent outputs, a row each, of shape (size, k) or (size,). Order counts.
    scores, neighbour
        Two worlds, one person apart: `Scores`, which meet by label, or any data that `draw` takes.
    epsilon, delta
        The claimed ε and δ; ε is None where only ρ is claimed.
    rho
        The claimed ρ of zero-concentrated DP; None for no claim.
    samples
        The number of draws in each world, at least 100.
    confidence
        The chance, below 1, that all bounds hold.
    rng
        The generator, or its seed; None for seed 0.
    progress
        Told the fraction done; may raise `Cancelled`.

    Returns
    -------
    Audit
        The bound, `at_least`, with its `event`, and whether the claim `holds`.

    Raises
    ------
    ParameterError
        For scores that are no neighbours, parameters out of range, and outputs that are no rows.

    Examples
    --------
    >>> from dpviz import Scores
    >>> s, t = Scores([1, 0], monotonic=True), Scores([0, 0], monotonic=True)
    >>> def best(scores, size, rng):  # no noise at all
    ...     return np.full((size, 1), scores.order[0] if scores["item 1"] else 1)
    >>> found = audit(best, s, t, epsilon=1.0, samples=2000)
    >>> found.holds, found.event, round(found.at_least, 2)
    (False, 'the output is (item 1)', 5.24)
    """
    claims = {
        "epsilon": None if epsilon is None else check_number("epsilon", epsilon, low=0.0),
        "rho": None if rho is None else check_number("rho", rho, low=0.0),
    }
    delta = check_number("delta", delta, low=0.0, high=1.0)
    samples = check_integer("samples", samples, low=100)
    confidence, rng = check_open_interval("confidence", confidence), check_generator(rng, default=0)
    if isinstance(scores, Scores) and isinstance(neighbour, Scores):
        scores, neighbour = align_items(scores, neighbour)
        check_neighbour(scores, neighbour)

    def name(value: Any) -> str:
        is_item = isinstance(scores, Scores) and type(value) is int and 0 <= value < scores.d
        return scores.label(value) if is_item else str(value)

    worlds = scores, neighbour
    parts = portion(progress, 0.0, 0.4), portion(progress, 0.4, 0.8)
    if (
        isinstance(draw, Mechanism)
        and isinstance(worlds[0], Scores)
        and (own := own_items_by_world(draw, *worlds))
    ):
        runs = zip(worlds, own, parts, strict=True)
        rows = [
            # −1 stands last among the items of both worlds too
            np.append(items, -1)[
                collect_draws(draw, select_items(world, items), samples, rng, part)
            ]
            for world, items, part in runs
        ]
    else:
        rows = [
            collect_draws(draw, world, samples, rng, part)
            for world, part in zip(worlds, parts, strict=True)
        ]
    if rows[0].shape != rows[1].shape:
        allowed = f"rows of the same length for scores and neighbour, {rows[0].shape}"
        raise ParameterError("the outputs of draw", rows[1].shape, allowed)
    seen = count_outputs(rows[0], rows[1], name)
    bounds: list[tuple[str, Bound]] = [("epsilon", partial(_epsilon, delta=delta))]
    bounds += [] if rho is None else [("rho", _rho)]
    sure = 1 - (1 - confidence) / len(bounds)
    texts, counts = zip(
        *((text, seen.event_counts(mask)) for text, mask in generate_candidate_events(seen)),
        strict=True,
    )
    draws = seen.counts[0].sum(1)
    findings = tuple(
        _finding(texts, np.array(counts, float), draws, name, claims[name], bound, sure)
        for name, bound in bounds
    )
    progress(1.0)
    return Audit(findings=findings, delta=delta, confidence=confidence)


Bound = Callable[[Floats, Floats], Floats]
"""Losses of events whose chance is at least p in one world and at most q in the other."""


@np.errstate(divide="ignore")
def _epsilon(p: Floats, q: Floats, delta: float) -> Floats:
    """log((p − δ)/q), at least 0."""
    shown = np.log(np.maximum(p - delta, 0.0)) - np.log(q)
    return np.asarray(np.maximum(shown, 0.0))


@np.errstate(divide="ignore", invalid="ignore")
def _rho(p: Floats, q: Floats) -> Floats:
    """max over α of D_α/α between an event and its complement in two worlds; 0 where p ≤ q."""
    p, q = np.maximum(p, q)[:, None], q[:, None]
    log_p, log_q, log_not_p, log_not_q = np.log(p), np.log(q), np.log1p(-p), np.log1p(-q)
    mean = p * (log_p - log_q) + np.where(p < 1, (1 - p) * (log_not_p - log_not_q), 0.0)
    alpha = np.geomspace(1.05, 64.0, 24)
    rest = np.where(p < 1, alpha * log_not_p + (1 - alpha) * log_not_q, -np.inf)
    divergence = np.logaddexp(alpha * log_p + (1 - alpha) * log_q, rest) / (alpha - 1)
    shown = np.where(p > q, np.concatenate([mean, divergence / alpha], axis=1), 0.0)
    return np.asarray(np.nan_to_num(shown, nan=0.0, posinf=np.inf).max(1))


def _finding(
    texts: Sequence[str],
    counts: Floats,
    draws: Ints,
    claim: str,
    promised: float | None,
    bound: Bound,
    sure: float,
) -> ClaimEvidence:
    """Choose an event on the second part of the draws, and judge it on the last."""
    # its complement; the other direction
    ways = [(flip, back) for flip in (False, True) for back in (False, True)]
    seen, many = counts[:, :, CHOOSE].T, int(draws[CHOOSE])
    shown = np.array(
        [_shown(*_seen_as(seen, many, flip, back), many, bound, sure) for flip, back in ways]
    )
    way, at = np.unravel_index(int(np.argmax(shown)), shown.shape)
    flip, back = ways[int(way)]
    text, many = texts[int(at)], int(draws[JUDGE])
    here, there = _seen_as(counts[[at], :, JUDGE].T, many, flip, back)
    return ClaimEvidence(
        claim=claim,
        promised=promised,
        at_least=float(_shown(here, there, many, bound, sure)[0]),
        event=f"not: {text}" if flip else text,
        likelier="neighbour" if back else "scores",
        here=int(here[0]),
        there=int(there[0]),
        draws=many,
    )


def _seen_as(counts: Floats, draws: int, flip: bool, back: bool) -> tuple[Floats, Floats]:
    """Counts of events or complements in both worlds, the world where they are likelier first."""
    here, there = draws - counts if flip else counts
    return (there, here) if back else (here, there)


def _shown(here: Floats, there: Floats, draws: int, bound: Bound, sure: float) -> Floats:
    return bound(clopper_pearson(here, draws, sure)[0], clopper_pearson(there, draws, sure)[1])


def _told(value: float | None) -> str:
    return "nothing" if value is None else f"{value:g}"


def _proved(finding: ClaimEvidence) -> str:
    return f"at least {round_down(finding.at_least, 4):g}"

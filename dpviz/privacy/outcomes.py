"""Privacy losses from chances known up to an error: of all outputs, or of events.

Invariant: every figure uses the least that a chance can be in its own world and the most that it
can be in the other, so it is a lower bound ("at least"). For a list of all outputs the largest loss
is "exact" where the upper bound made the same way agrees with it, also on infinite losses.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from dpviz.base import (
    Bools,
    Floats,
    Ints,
    OutcomeComparison,
    PrivacyCeiling,
    Progress,
    RevealingOutput,
)
from dpviz.gaps.gap_law import GapLaw
from dpviz.privacy.loss import PrivacyLoss
from dpviz.privacy.loss_laws import EventLosses, LossLaw, log_ratio
from dpviz.topk import TopKDistribution


def comparison_loss(comparison: OutcomeComparison, ceiling: PrivacyCeiling) -> PrivacyLoss:
    """The loss that compared outcomes show: disjoint outputs, or events and their complements."""
    p, q, error, other_error = np.broadcast_arrays(
        comparison.here, comparison.there, comparison.error, comparison.other_error
    )
    if comparison.events:
        p, q = np.append(p, 1 - p), np.append(q, 1 - q)
        error, other_error = np.tile(error, 2), np.tile(other_error, 2)
    p_low, p_high = np.maximum(p - error, 0.0), np.minimum(p + error, 1.0)
    q_low, q_high = np.maximum(q - other_error, 0.0), np.minimum(q + other_error, 1.0)
    forth, back = _log_quotient(p_low, q_high), _log_quotient(q_low, p_high)
    least = np.maximum(forth, back)
    shown = int(np.argmax(least))
    loss = PrivacyLoss(
        method="at least",
        ceiling=ceiling,
        seen=comparison.seen,
        output=comparison.output(shown % len(comparison.here)),
        here=EventLosses(p_low, q_high),
        there=EventLosses(q_low, p_high),
    )
    if comparison.events:
        if shown < len(comparison.here):
            return loss
        return replace(loss, output=replace(loss.output, text=f"not: {loss.output.text}"))
    here, there = _listed_law(forth, p_low), _listed_law(back, q_low)
    most = np.maximum(_log_quotient(p_high, q_low), _log_quotient(q_high, p_low))
    finite = most < np.inf
    apart = float(most[finite].max(initial=0.0) - least[finite].max(initial=0.0))
    # what may be infinite must be
    if comparison.whole and apart <= 1e-6 and bool((finite | (least == most)).all()):
        return replace(loss, method="exact", here=here, there=there, error=apart)
    return replace(loss, here=here, there=there)


def _listed_law(loss: Floats, mass: Floats) -> LossLaw:
    return LossLaw.from_losses(loss, mass, max(0.0, 1.0 - float(mass.sum())), float(loss.max()))


def loss_from_log_probabilities(
    log_p: Floats,
    log_q: Floats,
    output: Callable[[int], RevealingOutput],
    ceiling: PrivacyCeiling,
    observation: str,
    log_size: Floats | float = 0.0,
) -> PrivacyLoss:
    """The whole loss from log chances of all outputs, of which `log_size` counts those alike."""
    loss = log_ratio(log_p, log_q)
    return PrivacyLoss(
        method="exact",
        ceiling=ceiling,
        seen=observation,
        output=output(int(np.argmax(np.abs(loss)))),
        here=LossLaw.from_log_masses(loss, log_p + log_size),
        there=LossLaw.from_log_masses(-loss, log_q + log_size),
        error=LOG_ERROR,
    )


@np.errstate(divide="ignore", invalid="ignore")
def _log_quotient(above: Floats, below: Floats) -> Floats:
    return np.where(above > 0, np.log(above) - np.log(below), -np.inf)


SetLaw = TopKDistribution | GapLaw  # of k items, by rank in its `law`

LOG_ERROR = 1e-8  # of a difference of two log probabilities
_LEVELS = 16  # of a and of b


def event_loss_lower_bound(
    dist: SetLaw, other: SetLaw, order: Ints | None, ceiling: PrivacyCeiling, progress: Progress
) -> PrivacyLoss:
    """A lower bound, by post-processing: within(a, b) of a common order, and every inclusion."""
    d, k, scores = dist.scores.d, dist.k, dist.scores
    chances = [np.stack([dist.chances, other.chances])]
    a = b = np.empty(0, np.int64)
    progress(0.5)
    if order is not None:
        a, b = _levels(k, d)
        tables = [world.law.within_table(a, b).ravel() for world in (dist, other)]
        chances.append(np.clip(np.stack(tables), 0.0, 1.0))

    def told(at: int) -> RevealingOutput:  # of one: all of a million items are too many
        if at < d:
            return RevealingOutput(f"{scores.label(at)} among the chosen", (at,))
        row, column = divmod(at - d, len(b))
        if b[column] == k:
            return RevealingOutput(f"the top {k} exactly")
        return RevealingOutput(f"ranks 1 to {a[row]} all chosen, none worse than rank {b[column]}")

    progress(1.0)
    p, q = np.concatenate(chances, axis=1)
    both = OutcomeComparison(p, q, dist.error, other.error, told, dist.seen, events=True)
    return comparison_loss(both, ceiling)


def candidate_revealing_sets(dist: SetLaw, other: SetLaw) -> list[RevealingOutput]:
    """The best items among those that gain and among the others, and the top k of each world."""
    gained = other.scores.values > dist.scores.values
    sets = {
        "the best items among those that gain": _best_of(dist, gained),
        "the best items among those that do not gain": _best_of(dist, ~gained),
        "the top items of the first scores": dist.scores.order[: dist.k],
        "the top items of the neighbour": other.scores.order[: dist.k],
    }
    return [RevealingOutput(text, tuple(np.sort(items).tolist())) for text, items in sets.items()]


def raise_loss_by_sets(
    loss: PrivacyLoss,
    dist: SetLaw,
    other: SetLaw,
    sets: Sequence[RevealingOutput],
    progress: Progress,
) -> PrivacyLoss:
    """A loss raised by a few single sets, whose log probabilities are right however small."""
    # the first of those that are alike
    sets = list({output.items: output for output in reversed(sets)}.values())[::-1]
    for number, output in enumerate(sets):
        found = dist.log_probability(output.items) - other.log_probability(output.items)
        if abs(found) - LOG_ERROR > loss.largest:
            loss = replace(loss, output=output)
        loss = replace(
            loss,
            here=loss.here.with_unlisted_output(found - LOG_ERROR),
            there=loss.there.with_unlisted_output(-found - LOG_ERROR),
        )
        progress((number + 1) / len(sets))
    return loss


def _best_of(dist: SetLaw, wanted: Bools) -> Ints:
    """The k best ranked of the wanted items, filled up with the best of the others."""
    order = dist.scores.order
    return np.append(order[wanted[order]], order[~wanted[order]])[: dist.k]


def _levels(k: int, d: int) -> tuple[Ints, Ints]:
    """Some a in 0..k and b in k..d, close to k and further and further from it."""
    a = k - np.append(0, np.geomspace(1, k, _LEVELS)).round()
    b = k + np.append(0, np.geomspace(1, d - k, _LEVELS)).round()
    return np.unique(a).astype(np.int64), np.unique(b).astype(np.int64)

"""Privacy losses from chances known up to an error: of all outputs, or of events.

Events: within(a,b) under a common order, and every item's inclusion, each with its complement.
Invariants: every figure uses the least that a chance can be in its own world and the most that it
can be in the other, so it is a lower bound ("at least"). For a list of all outputs the largest loss
is "exact" where the upper bound made the same way agrees with it, also on which losses are
infinite. A function of the output tells no more than the output (post-processing).
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from dpviz.base import Bools, Floats, Ints, PrivacyCeiling, Progress, RevealingOutput
from dpviz.gaps.gap_law import GapLaw
from dpviz.privacy.loss import PrivacyLoss
from dpviz.privacy.loss_laws import EventLosses, LossLaw
from dpviz.topk import TopKDistribution


def outcome_loss(
    p: Floats,
    q: Floats,
    error: Floats | float,
    other_error: Floats | float,
    output: Callable[[int], RevealingOutput],
    ceiling: PrivacyCeiling,
    seen: str,
) -> PrivacyLoss:
    """The loss of disjoint outputs from their chances in both worlds."""
    p_low, p_high = np.maximum(p - error, 0.0), np.minimum(p + error, 1.0)
    q_low, q_high = np.maximum(q - other_error, 0.0), np.minimum(q + other_error, 1.0)
    forth, back = _log_quotient(p_low, q_high), _log_quotient(q_low, p_high)
    least = np.maximum(forth, back)
    most = np.maximum(_log_quotient(p_high, q_low), _log_quotient(q_high, p_low))
    shown, finite = int(np.argmax(least)), most < np.inf
    error = float(most[finite].max(initial=0.0) - least[finite].max(initial=0.0))
    # what may be infinite must be
    exact = bool((finite | (least == most)).all()) and error <= 1e-6
    return PrivacyLoss(
        method="exact" if exact else "at least",
        ceiling=ceiling,
        seen=seen,
        output=output(shown),
        here=LossLaw.from_losses(
            forth, p_low, max(0.0, 1.0 - float(p_low.sum())), float(forth.max())
        ),
        there=LossLaw.from_losses(
            back, q_low, max(0.0, 1.0 - float(q_low.sum())), float(back.max())
        ),
        error=error if exact else 0.0,
    )


def _log_quotient(above: Floats, below: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(above > 0, np.log(above) - np.log(below), -np.inf)


SetLaw = TopKDistribution | GapLaw  # of k items, by rank in its `law`

LOG_ERROR = 1e-8  # of a difference of two log probabilities
_LEVELS = 16  # of a and of b


def event_loss(
    dist: SetLaw, other: SetLaw, order: Ints | None, ceiling: PrivacyCeiling, progress: Progress
) -> PrivacyLoss:
    """A lower bound of the privacy loss between two exact distributions."""
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
    return event_loss_from_probabilities(p, q, dist.error, other.error, told, ceiling, dist.seen)


def event_loss_from_probabilities(
    p: Floats,
    q: Floats,
    error: Floats | float,
    other_error: Floats | float,
    told: Callable[[int], RevealingOutput],
    ceiling: PrivacyCeiling,
    seen: str,
) -> PrivacyLoss:
    """The loss that events, or their complements, show."""
    both = np.concatenate([p, 1 - p]), np.concatenate([q, 1 - q])
    errors = [np.tile(e, 2) if np.ndim(e) else e for e in (error, other_error)]
    low, high = (np.maximum(side - e, 0.0) for side, e in zip(both, errors, strict=True))
    low_most, high_most = (np.minimum(side + e, 1.0) for side, e in zip(both, errors, strict=True))
    ratio = np.maximum(_log_quotient(low, high_most), _log_quotient(high, low_most))
    shown = int(np.argmax(ratio))
    output = told(shown % len(p))
    if shown >= len(p):
        output = RevealingOutput(f"not: {output.text}", output.items)
    return PrivacyLoss(
        method="at least",
        ceiling=ceiling,
        seen=seen,
        output=output,
        here=EventLosses(low, high_most),
        there=EventLosses(high, low_most),
    )


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
            here=loss.here.with_highest_loss(found - LOG_ERROR),
            there=loss.there.with_highest_loss(-found - LOG_ERROR),
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

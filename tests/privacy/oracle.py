"""Privacy losses by brute force, from the probabilities of single sets."""

import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import scipy

from dpviz import PrivacyLoss, Scores, compose
from dpviz.base import Floats, OutcomeComparison, PrivacyCeiling, RevealingOutput
from dpviz.privacy.loss_laws import LossLaw
from dpviz.privacy.neighbours import neighbouring
from dpviz.privacy.outcomes import comparison_loss
from dpviz.topk.mechanism import TopKMechanism


def log_laws(mechanism: TopKMechanism, *worlds: Scores) -> list[Floats]:
    """log P of every set, or list that may be shorter, in each world."""
    d, k = worlds[0].d, mechanism.k
    sizes = range(min(k, d) + 1) if mechanism.shorter else [k]
    sets = [items for size in sizes for items in itertools.combinations(range(d), size)]
    laws = [mechanism.distribution(world) for world in worlds]
    return [np.array([law.log_probability(items) for items in sets]) for law in laws]


def both_ways(loss: PrivacyLoss, here: Any, there: Any) -> list[tuple[PrivacyLoss, Any, Any]]:
    """The loss with what its two worlds have, and the same with the worlds swapped."""
    return [(loss, here, there), (loss.reversed, there, here)]


def delta(p: Floats, q: Floats, epsilon: float) -> float:
    """Σ (P − e^ε P')⁺ of the logs of two laws."""
    return float(np.maximum(np.exp(p) - np.exp(epsilon + q), 0.0).sum())


def renyi(p: Floats, q: Floats, order: float) -> float:
    """log Σ P^α P'^(1−α) / (α − 1) of the logs of two laws."""
    if order == 1:
        return float(np.exp(p) @ (p - q))
    return float(scipy.special.logsumexp(order * p + (1 - order) * q)) / (order - 1)


def multiplied(losses: Iterable[PrivacyLoss]) -> tuple[Floats, Floats]:
    """The values and the mass of the loss of releases together."""
    total, mass = np.zeros(1), np.ones(1)
    for loss in losses:
        total = np.add.outer(total, loss.values).ravel()
        mass = np.multiply.outer(mass, loss.mass).ravel()
    return total, mass


def delta_of_law(at: float, values: Floats, mass: Floats) -> float:
    """δ at ε' = `at` of a law of the loss."""
    return float(mass @ -np.expm1(np.minimum(at - values, 0.0)))


def check_plan(losses: list[PrivacyLoss], plan: list[Any], **people: Any) -> set[str]:
    """δ of the losses multiplied out stays below each total's; the ways that gave one."""
    named = set()
    for way in (losses, [loss.reversed for loss in losses]):
        law = multiplied(way)
        for delta in (1e-4, 0.01, 0.1):
            for by in compose(plan, delta=delta, **people).ways:
                if by.total is not None:
                    named.add(by.name)
                    assert delta_of_law(by.total.epsilon, *law) <= delta, by
    return named


def cells_rounded_down(loss: Floats, mass: Floats, step: float) -> Floats:
    """A law on multiples of a step that errs low, as no account may."""
    return np.bincount(np.floor(loss / step).astype(int), mass)


def laplace_loss(shift: float, cells: int = 400) -> tuple[Floats, Floats]:
    """The loss of a count with laplace noise that moves, s − 2z cut off at ±s, from below."""
    edges = np.linspace(-shift, shift, 2 * cells + 1)
    at_least = np.where(edges > -shift, 1 - np.exp((edges - shift) / 2) / 2, 1.0)  # P(L > edge)
    return edges, np.append(at_least[:-1] - at_least[1:], at_least[-1])


def loss_of(
    p: Floats, q: Floats, error: Floats | float = 0.0, other: Floats | float = 0.0, **ceiling: float
) -> PrivacyLoss:
    """The loss of outputs with these chances, known to an error, in two worlds."""
    allowed = PrivacyCeiling(**{"epsilon": math.inf, **ceiling})
    return comparison_loss(OutcomeComparison(p, q, error, other, output_at, "it"), allowed)


def output_at(at: int) -> RevealingOutput:
    return RevealingOutput(f"output {at}", (at,))


def without(law: LossLaw, at: int) -> LossLaw:
    """The law with one of its losses pruned."""
    values, mass = np.delete(law.values, at), np.delete(law.mass, at)
    return replace(law, values=values, mass=mass, missing=float(law.mass[at]))


def corners(scores: Scores) -> Iterator[Scores]:
    """Every neighbour whose scores move by Δ or stay; counts, which are monotonic, stay counts."""
    for step in itertools.product((-1, 0, 1), repeat=scores.d):
        other = replace(scores, values=scores.values + scores.sensitivity * np.array(step, float))
        is_count = not scores.monotonic or (other.values >= 0).all()
        if any(step) and is_count and neighbouring(scores, other):
            yield other

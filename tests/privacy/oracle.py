"""Privacy losses by brute force, from the probabilities of single sets."""

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from dpviz import Scores
from dpviz.privacy.neighbours import neighbouring
from dpviz.topk.mechanism import TopKMechanism


def log_laws(
    mechanism: TopKMechanism, scores: Scores, neighbour: Scores
) -> tuple[np.ndarray, np.ndarray]:
    """log P of every set in both worlds."""
    laws = mechanism.distribution(scores), mechanism.distribution(neighbour)
    sets = list(itertools.combinations(range(scores.d), mechanism.k))
    return tuple(np.array([law.log_probability(items) for items in sets]) for law in laws)  # type: ignore[return-value]


def delta(p: np.ndarray, q: np.ndarray, epsilon: float) -> float:
    """Σ (P − e^ε P')⁺."""
    return float(np.maximum(np.exp(p) - np.exp(epsilon + q), 0.0).sum())


def renyi(p: np.ndarray, q: np.ndarray, order: float) -> float:
    """log Σ P^α P'^(1−α) / (α − 1)."""
    if order == 1:
        return float(np.exp(p) @ (p - q))
    return math.log(float(np.exp(order * p + (1 - order) * q).sum())) / (order - 1)


def corners(scores: Scores) -> Iterator[Scores]:
    """Every neighbour whose scores move by Δ or stay; counts, which are monotonic, stay counts."""
    for step in itertools.product((-1, 0, 1), repeat=scores.d):
        other = replace(scores, values=scores.values + scores.sensitivity * np.array(step, float))
        if (
            any(step)
            and neighbouring(scores, other)
            and not (scores.monotonic and (other.values < 0).any())
        ):
            yield other

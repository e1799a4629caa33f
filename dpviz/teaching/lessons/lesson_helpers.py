"""Helpers of several lessons: the class trip's votes, lists by wrong names, figures in words."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.random import Generator

from dpviz.base import Floats, Ints, NoiseName, Scores
from dpviz.data import EXAMPLES
from dpviz.teaching.lesson import SLACK
from dpviz.topk import OneShot

TRIP: Scores = EXAMPLES["class_trip"].scores()
"""Votes for a class trip: places, and how many children want to go there."""
BY_MISSES = ("all are right", "one is wrong", "two are wrong", "three or more are wrong")
"""Outcomes of a list of k names, by how many are wrong."""


def percentage(p: float) -> str:
    """Percentage with one decimal place, never 0 and never 100.

    >>> [percentage(p).replace(chr(0x202F), " ") for p in (0.4312, 1e-9, 0.99999)]
    ['43.1 %', 'under 0.1 %', 'over 99.9 %']
    """
    number = "under 0.1" if p < 0.001 else "over 99.9" if p > 0.999 else f"{100 * p:.1f}"
    return f"{number}\u202f%"


@lru_cache
def winner_law(scores: Scores, epsilon: float, noise: NoiseName = "gumbel") -> Floats:
    """Chance that each item wins by one-shot with this noise."""
    return OneShot(epsilon=epsilon, k=1, noise=noise).distribution(scores).inclusion


@dataclass(frozen=True)
class SingleWinner:
    """Winners by one-shot with this noise, the setting being ε."""

    scores: Scores
    noise: NoiseName = "gumbel"

    def law(self, epsilon: float) -> Floats:
        return winner_law(self.scores, epsilon, self.noise)

    def draw(self, epsilon: float, rng: Generator, size: int) -> Ints:
        one = OneShot(epsilon=epsilon, k=1, noise=self.noise)
        return one.sample(self.scores, size, rng=rng)[:, 0]


def is_within_factor(one: Floats, other: Floats, factor: float) -> bool:
    """True where no chance is more than `factor` times the other one."""
    return bool((one <= factor * other + SLACK).all() and (other <= factor * one + SLACK).all())


def two_outcome_law(p: float) -> Floats:
    """Law of an outcome of chance p, and of its opposite."""
    return np.array([p, 1 - p])


def nearest_factor_index(ratio: float, factors: Iterable[float]) -> int:
    """Index of the factor that is nearest to a ratio, on the scale of logarithms."""
    return int(np.argmin([abs(math.log(ratio / factor)) for factor in factors]))


def only_or_both_index(first: bool, second: bool) -> int:
    """Index of a choice: the first only, the second only, or both."""
    return {(True, False): 0, (False, True): 1, (True, True): 2}[first, second]


def binomial(n: int, p: float, largest_count: int) -> Floats:
    """Chances of 0, 1, …, largest_count of n independent things, each of chance p.

    >>> binomial(2, 0.5, 2).round(12).tolist()
    [0.25, 0.5, 0.25]
    """
    i = np.arange(largest_count + 1)
    ways = [math.lgamma(n + 1) - math.lgamma(j + 1) - math.lgamma(n - j + 1) for j in i]
    return np.asarray(
        np.exp(np.array(ways) + i * math.log(p) + (n - i) * math.log1p(-p)), np.float64
    )


def markdown_table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Table in markdown, its first column to the left and the others to the right."""
    lines = [heads, [":--"] + ["--:"] * (len(heads) - 1), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def miss_outcome_law(hit_count_law: Floats) -> Floats:
    """Law of `BY_MISSES` from hits[j] = P(j of the k chosen score at least the k-th largest)."""
    wrong = hit_count_law[::-1]
    last = len(BY_MISSES) - 1
    return np.append(np.pad(wrong[:last], (0, max(last - len(wrong), 0))), wrong[last:].sum())


def miss_outcome_indices(items: Ints, scores: Scores) -> Ints:
    """Index in `BY_MISSES` of each release; `items` has the shape (size, k)."""
    _, best = scores.tie_counts(items.shape[1])
    wrong: Ints = (scores.rank[items] >= best).sum(axis=1)
    return np.minimum(wrong, len(BY_MISSES) - 1)


def miss_outcome_function(scores: Scores) -> Callable[[Ints, Floats], int]:
    """Outcome in `BY_MISSES` of the items that one play takes."""
    return lambda taken, _: int(miss_outcome_indices(taken[None, :], scores)[0])

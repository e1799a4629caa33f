"""Privacy that laws and draws show, false in one of a million; shares no code with the library."""

import itertools
import math
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
from scipy import stats

from dpviz import Scores
from dpviz.privacy.neighbours import max_moved_scores, move_scores

FALSE_ALARM = 1e-6

Output = TypeVar("Output", bound=Hashable)
Law = Mapping[Output, float]


def largest_loss(law: Law[Output], other: Law[Output]) -> float:
    """The largest |log P(y)/P'(y)| over outputs y; infinite where just one of them can give y."""
    return max(_log_ratio(law.get(y, 0.0), other.get(y, 0.0)) for y in {*law, *other})


def _log_ratio(p: float, q: float) -> float:
    if p == q:
        return 0.0
    return abs(math.log(p / q)) if p > 0 and q > 0 else math.inf


def smallest_delta(law: Law[Output], other: Law[Output], epsilon: float) -> float:
    """The smallest δ at which two laws are (ε, δ)-close, both ways."""
    grow = math.exp(epsilon)
    pairs = [(law.get(y, 0.0), other.get(y, 0.0)) for y in {*law, *other}]
    return max(
        sum(max(p - grow * q, 0.0) for p, q in pairs), sum(max(q - grow * p, 0.0) for p, q in pairs)
    )


def interval(count: np.ndarray, draws: int, looks: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """(low, high) of probabilities whose outputs came out `count` times, all `looks` at once."""
    count = np.asarray(count, float)
    alarm = FALSE_ALARM / (2 * looks)
    low = np.where(count > 0, stats.beta.ppf(alarm, np.maximum(count, 1), draws - count + 1), 0.0)
    high = np.where(
        count < draws, stats.beta.isf(alarm, count + 1, np.maximum(draws - count, 1)), 1.0
    )
    return low, high


def loss_seen(here: Sequence[Output], there: Sequence[Output]) -> float:
    """What the largest |log P(y)/P'(y)| is at least, from draws under two data sets."""
    (low, high), (other_low, other_high) = _intervals(here, there)
    with np.errstate(divide="ignore"):
        return float(np.maximum(np.log(low / other_high), np.log(other_low / high)).max())


def delta_seen(here: Sequence[Output], there: Sequence[Output], epsilon: float) -> float:
    """What the smallest δ at this ε is at least, from draws under two data sets."""
    (low, high), (other_low, other_high) = _intervals(here, there)
    grow = math.exp(epsilon)
    return float(np.maximum(low - grow * other_high, other_low - grow * high).max())


def _intervals(
    here: Sequence[Output], there: Sequence[Output]
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    outputs = sorted({*here, *there}, key=repr)
    for draws in (here, there):
        counted = Counter(draws)
        yield interval(np.array([counted[y] for y in outputs]), len(draws), 2 * len(outputs))


def disagreement(draws: Sequence[Output], law: Law[Output], looks: int = 1) -> str:
    """Draws that the law does not allow, each output by itself and all by a χ² test; or nothing."""
    counted = Counter(draws)
    unknown = {y: count for y, count in counted.items() if law.get(y, 0.0) <= 0.0}
    if unknown:
        return f"drawn though impossible: {unknown}"
    outputs = list(law)
    count, p = np.array([counted[y] for y in outputs]), np.array([law[y] for y in outputs])
    low, high = interval(count, len(draws), looks * (len(outputs) + 1))
    off = (p < low - 1e-12) | (p > high + 1e-12)
    if off.any():
        return "; ".join(
            f"{outputs[i]}: {count[i]} of {len(draws)}, P = {p[i]:.6g}" for i in np.flatnonzero(off)
        )
    expected = p * len(draws)
    common = expected >= 5
    seen, expected = (np.append(v[common], v[~common].sum()) for v in (count, expected))
    if expected[-1] < 5:
        seen, expected = seen[:-1], expected[:-1]
    if len(seen) > 1:
        chance = stats.chisquare(seen, expected * seen.sum() / expected.sum()).pvalue
        if not chance > FALSE_ALARM / (looks * (len(outputs) + 1)):
            return f"χ²: such draws have a chance of {chance:.2g}"
    return ""


def corner_neighbours(s: Scores) -> Iterator[Scores]:
    """Every neighbour at a corner; monotonic ones go up only, as down is such a pair turned."""
    for step in itertools.product((0.0, 1.0) if s.monotonic else (-1.0, 1.0), repeat=s.d):
        yield moved(s, step)


def random_neighbour(s: Scores, rng: np.random.Generator, *, corner: bool = True) -> Scores:
    """A neighbour at a corner of one person's possible moves, or inside."""
    if s.same_direction:
        step = rng.integers(0, 2, s.d).astype(float) if corner else rng.random(s.d)
        step *= rng.choice([-1.0, 1.0])
    else:
        step = rng.choice([-1.0, 1.0], s.d) if corner else rng.uniform(-1.0, 1.0, s.d)
    if (few := max_moved_scores(s)) < s.d:
        step[rng.permutation(s.d)[few:]] = 0.0
    return move_scores(s, step)


def moved(s: Scores, step: Sequence[float]) -> Scores:
    """The scores with each one moved by so many Δ."""
    return replace(s, values=s.values + np.array(step) * s.sensitivity)


def rows(drawn: np.ndarray) -> list[tuple[int, ...]]:
    """The rows of an array, as outputs that can be counted."""
    return [tuple(row) for row in drawn.tolist()]

"""The distribution of the loss level in joint selection: listed, or drawn without a list.

Symbols: gap g = twice the loss, rate = ε/4, so that e^(−rate·g) = e^(−ε/2·loss); N(g), reaches
b_l(g) and the envelope as in `loss_levels`. Draws are exact for any envelope.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from dpviz.base import Floats, Ints, Progress, ReadOnlyArrays, ignore_progress, portion
from dpviz.numerics.log_binomials import log_binomial, log_sum_exp
from dpviz.topk.joint import bounded_paths, ordered_choices
from dpviz.topk.joint.loss_levels import (
    LevelEnvelope,
    LogCount,
    WorkLimitExceeded,
    coarse_envelope,
    counts_within_gap_by_rank,
    distinct_gaps,
    gap_intervals_of_reaches,
    log_exponential_probability,
    refine_envelope,
)
from dpviz.topk.law import row_chunks

_MISSING = 1e-12
_EXCESS = 0.3  # of the envelope's weight, in logs: three draws in four are accepted
_MOST_PAIRS = 4_000_000
_CELLS = 1 << 20


@dataclass(frozen=True)
class AnswerKind:
    """One kind of answer, sets or lists: its counts within given reaches, and in total."""

    label: str
    log_count: LogCount
    log_bound: LogCount
    log_answers: Callable[[int, int], Any]
    work: Callable[[Ints], Ints]
    first: int
    points: float


def _log_sequences(d: int, k: int) -> float:
    return math.lgamma(d + 1) - math.lgamma(d - k + 1)


def _work_of_sequences(reaches: Ints) -> Ints:
    return np.full(len(reaches), reaches.shape[1])


ANSWERS = {
    "sets": AnswerKind(
        "Sets",
        bounded_paths.log_bounded_set_count,
        bounded_paths.log_count_upper_bound,
        log_binomial,
        bounded_paths.counting_costs,
        first=1000,
        points=16,
    ),
    "sequences": AnswerKind(
        "Ordered lists",
        ordered_choices.log_bounded_sequence_count,
        ordered_choices.log_bounded_sequence_count,
        _log_sequences,
        _work_of_sequences,
        first=48,
        points=math.inf,
    ),
}


@dataclass(frozen=True)
class LossLevels(ReadOnlyArrays):
    """The pieces between gaps that carry the weight."""

    reached: Ints
    log_count: Floats
    probability: Floats
    log_total: float
    missing: float


def sampling_envelope(
    x: Floats,
    k: int,
    rate: float,
    kind: AnswerKind,
    *,
    progress: Progress = ignore_progress,
    work_limit: float = math.inf,
    excess: float = _EXCESS,
) -> LevelEnvelope:
    """An envelope with N known at enough points to draw levels from."""
    spent = 0

    def log_count(reaches: Ints) -> Floats:
        nonlocal spent
        spent += int(kind.work(reaches).sum())
        if spent > work_limit:
            raise WorkLimitExceeded
        return kind.log_count(reaches)

    log_answers = float(kind.log_answers(len(x), k))
    known = coarse_envelope(x, k, rate, kind.log_bound, log_answers, kind.first)
    return refine_envelope(
        known, x, k, log_count, excess=excess, points=kind.points, progress=progress
    )


def list_loss_levels(
    x: Floats,
    k: int,
    rate: float,
    kind: AnswerKind,
    *,
    work_limit: float,
    progress: Progress = ignore_progress,
) -> LossLevels:
    known = sampling_envelope(
        x, k, rate, kind, progress=portion(progress, 0.0, 0.4), work_limit=work_limit
    )
    windows, missing = known.gap_windows(_MISSING)
    gaps = [distinct_gaps(x, k, low, high, _MOST_PAIRS) for low, high in windows]
    ends = [np.append(gap[1:], high) for gap, (_, high) in zip(gaps, windows, strict=True)]
    start, end = np.concatenate(gaps), np.concatenate(ends)
    if len(start) * k > work_limit:
        raise WorkLimitExceeded
    reached, counts, spent = [], [], 0
    for part in row_chunks(len(start), k, _CELLS):
        reached.append(counts_within_gap_by_rank(x, k, start[part]))
        spent += int(kind.work(reached[-1]).sum())
        if spent > work_limit:
            raise WorkLimitExceeded
    for rows in reached:
        counts.append(kind.log_count(rows))
        progress(0.4 + 0.6 * len(counts) / len(reached))
    count = np.concatenate(counts)
    weight = count + log_exponential_probability(rate, start, end)
    total = log_sum_exp(weight)
    return LossLevels(np.concatenate(reached), count, np.exp(weight - total), total, missing)


def draw_distinct_reaches_and_indices(
    x: Floats,
    k: int,
    envelope: LevelEnvelope,
    kind: AnswerKind,
    size: int,
    rng: Generator,
) -> tuple[Ints, Ints]:
    gaps = np.empty(0)
    while len(gaps) < size:
        at, gap = envelope.draw_stretches_and_gaps(size - len(gaps), rng)
        open_ = np.flatnonzero(~envelope.exact_mask[at])
        accepted = np.ones(len(gap), bool)
        if len(open_):
            reached = counts_within_gap_by_rank(x, k, gap[open_])
            gap[open_] = gap_intervals_of_reaches(x, reached)[0]
            _, first, back = np.unique(gap[open_], return_index=True, return_inverse=True)
            count = kind.log_count(reached[first])[back]
            accepted[open_] = np.log1p(-rng.random(len(open_))) <= count - envelope.high[at[open_]]
        gaps = np.append(gaps, gap[accepted])
    distinct, back = np.unique(gaps, return_inverse=True)
    return counts_within_gap_by_rank(x, k, distinct), back


Levels = LossLevels  # the former name, in stored pickles

"""Simulated worth of the free gaps on the items that were selected, beside the formula.

Half of ε selects (with gaps), half measures the k selected items with Lap(2kΔ/ε) each. The formula
promises nothing for the selected items.
Source: Ding, Wang, Zhang & Kifer 2019, Sections 5.3, 6.2 and 7.2.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from dpviz.base import (
    Floats,
    Ints,
    ParameterError,
    Progress,
    Scores,
    check_generator,
    check_integer,
    check_number,
    check_scores,
    ignore_progress,
    slices_with_progress,
    tally,
)
from dpviz.gaps.gap_estimates import blue, blue_variance_ratio, fuse, sparse_vector_gap_variance
from dpviz.gaps.noisy_top_draws import draw_noisy_top_with_values
from dpviz.gaps.noisy_top_k import NoisyTopKWithGap
from dpviz.gaps.sparse.sparse_vector import SparseVector

_CHUNK_CELLS = 1_000_000
_QUERIES = 64  # asked at once


@dataclass(frozen=True)
class SimulatedEstimate:
    """A simulated figure with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class MeasurementExperiment:
    """Mean squared errors on the selected items, in squared units of the scores."""

    measured: SimulatedEstimate
    combined: SimulatedEstimate
    ratio: SimulatedEstimate
    formula: float
    runs: int


def top_k_experiment(
    scores: Scores,
    *,
    epsilon: float,
    k: int,
    runs: int = 20_000,
    rng: Generator | int | None = None,
    progress: Progress = ignore_progress,
) -> MeasurementExperiment:
    """Select with noisy top-k with gap, measure, and combine by `blue`, many independent times."""
    selection = NoisyTopKWithGap(epsilon=epsilon, k=k)
    selection.check_scores(scores)
    runs, rng = check_integer("runs", runs, low=2), check_generator(rng, default=0)
    scale = selection.replace(epsilon=selection.epsilon / 2).scale(scores)
    measuring = 2 * k * scores.sensitivity / selection.epsilon
    ratio = (scale / measuring) ** 2
    step = max(1, _CHUNK_CELLS // min(scores.d, 8 * (k + 20)))
    alone, combined = np.empty(runs), np.empty(runs)
    for here in slices_with_progress(runs, step, progress):
        size = here.stop - here.start
        items, noisy = draw_noisy_top_with_values(scores.values, scale, k, size, rng)
        true = scores.values[items]
        alpha = true + rng.laplace(scale=measuring, size=(size, k))
        beta = blue(alpha, -np.diff(noisy, axis=1), ratio)
        alone[here] = ((alpha - true) ** 2).sum(1)
        combined[here] = ((beta - true) ** 2).sum(1)
    return _figures(np.full(runs, float(k)), alone, combined, blue_variance_ratio(k, ratio))


def half_budget_measurement_error(scores: Scores, epsilon: float, k: int) -> float:
    """Typical error of a value measured with half of ε shared among k of them: √2·2kΔ/ε.

    >>> round(half_budget_measurement_error(Scores([3.0, 1.0]), 1.0, 10), 4)
    28.2843
    """
    return math.sqrt(2.0) * 2 * k * scores.sensitivity / epsilon


def theoretical_squared_error_ratio(k: int, *, monotonic: bool) -> float:
    """Ratio of squared errors for noise before the selection, with ε split in half.

    >>> theoretical_squared_error_ratio(2, monotonic=True), theoretical_squared_error_ratio(1, monotonic=False)
    (0.75, 1.0)
    """
    return blue_variance_ratio(k, 1.0 if monotonic else 4.0)


def seeded_top_k_experiment(
    scores: Scores,
    *,
    epsilon: float,
    k: int,
    runs: int = 20_000,
    progress: Progress = ignore_progress,
) -> MeasurementExperiment:
    """`top_k_experiment` with a seed by k and kind of scores, and fewer runs for a large k."""
    fewer = max(200, min(runs, 4_000_000 // (k + 40)))  # runs times values drawn in one
    rng = np.random.default_rng([k, int(scores.monotonic)])
    return top_k_experiment(scores, epsilon=epsilon, k=k, runs=fewer, rng=rng, progress=progress)


def sparse_vector_experiment(
    scores: Scores,
    *,
    epsilon: float,
    k: int,
    threshold: float,
    split: str | tuple[float, float] = "optimal",
    runs: int = 20_000,
    rng: Generator | int | None = None,
    progress: Progress = ignore_progress,
) -> MeasurementExperiment:
    """Select by sparse vector, measure, `fuse` with T + gap; means over all answers of all runs."""
    check_scores(scores)
    epsilon = check_number("epsilon", epsilon, low=0.0, above=True)
    selection = SparseVector(
        epsilon=epsilon / 2, k=k, threshold=threshold, split=split, monotonic=scores.same_direction
    )
    margins = selection.margins(scores)
    runs, rng = check_integer("runs", runs, low=2), check_generator(rng, default=0)
    measuring = 2 * k / epsilon  # in units of Δ, as all below
    measured_noise = 2 * measuring**2
    gap_noise = sparse_vector_gap_variance(selection.epsilon0, selection.epsilon1)
    answers, alone, combined = np.empty(runs), np.empty(runs), np.empty(runs)
    step = max(1, _CHUNK_CELLS // 4 // max(k, _QUERIES))
    for here in slices_with_progress(runs, step, progress):
        size = here.stop - here.start
        run, error = _gap_errors(selection, margins, size, rng)
        direct = rng.laplace(scale=measuring, size=len(error))
        fused = fuse(direct, measured_noise, error, gap_noise)
        answers[here] = tally(run, size=size)
        alone[here] = tally(run, direct**2, size)
        combined[here] = tally(run, fused**2, size)
    if not answers.any():
        raise ParameterError(
            "threshold", threshold, f"so low that one of {runs} runs gives an answer"
        )
    unit = scores.sensitivity**2
    formula = gap_noise / (gap_noise + measured_noise)
    return _figures(answers, alone * unit, combined * unit, formula)


def _gap_errors(
    selection: SparseVector, margins: Floats, runs: int, rng: Generator
) -> tuple[Ints, Floats]:
    """Run and error of T + gap, in units of Δ, of every answer of every run."""
    eta = rng.laplace(scale=1 / selection.epsilon0, size=runs)
    left = np.full(runs, selection.k)
    parts: list[tuple[Ints, Floats]] = []
    for start in range(0, len(margins), _QUERIES):
        going = np.flatnonzero(left)
        if len(going) == 0:
            break
        here = margins[start : start + _QUERIES]
        noise = rng.laplace(scale=1 / selection.epsilon1, size=(len(going), len(here)))
        error = noise - eta[going, None]
        above = here + error >= 0
        above &= np.cumsum(above, axis=1) <= left[going, None]
        row, column = np.nonzero(above)
        parts.append((going[row], error[row, column]))
        left[going] -= above.sum(1)
    return np.concatenate([run for run, _ in parts]), np.concatenate([error for _, error in parts])


def _figures(
    answers: Floats, alone: Floats, combined: Floats, formula: float
) -> MeasurementExperiment:
    return MeasurementExperiment(
        measured=_quotient(alone, answers),
        combined=_quotient(combined, answers),
        ratio=_quotient(combined, alone),
        formula=formula,
        runs=len(answers),
    )


def _quotient(above: Floats, below: Floats) -> SimulatedEstimate:
    """mean(above)/mean(below) of paired figures, with its interval by the delta method."""
    value = float(above.mean() / below.mean())
    spread = (above - value * below) / below.mean()
    half = 1.959963984540054 * float(spread.std(ddof=1)) / math.sqrt(len(spread))  # of 95 %
    return SimulatedEstimate(value, value - half, value + half)


Estimate = SimulatedEstimate  # the former name, in stored pickles

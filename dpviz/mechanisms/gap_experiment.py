"""What the free gaps are worth on the items that were selected: simulated, beside the formula.

Half of ε selects (with gaps), half measures the k selected items with Lap(2kΔ/ε) each.
Symbols: α = measurements, β = `blue` or `fuse` of them with the gaps; λ = Var(selection)/Var(measurement).
Invariants: both errors come from the same runs; the ratio's interval knows that they are paired. The
formula is for noise before selection: no promise for what was selected.
Source: Ding, Wang, Zhang & Kifer 2019, Sections 5.3, 6.2 and 7.2.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from dpviz.arrays import Floats
from dpviz.errors import ParameterError
from dpviz.kernels.noisy_top import noisy_top
from dpviz.mechanisms.gap import NoisyTopKWithGap
from dpviz.mechanisms.gap_estimates import blue, blue_variance_ratio
from dpviz.parameters import check_integer
from dpviz.progress import Progress, silent
from dpviz.scores import Scores

__all__ = ["Estimate", "MeasurementExperiment", "top_k_experiment"]

_CHUNK_CELLS = 1_000_000
_Z = 1.959963984540054  # 95 %


@dataclass(frozen=True)
class Estimate:
    """A simulated figure with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class MeasurementExperiment:
    """Mean squared errors on the selected items, in squared units of the scores.

    `measured`: measurements alone; `combined`: with the gaps; `ratio` = combined/measured, below 1 where
    the gaps help; `formula`: the ratio for noise before selection.
    """

    measured: Estimate
    combined: Estimate
    ratio: Estimate
    formula: float
    runs: int


def top_k_experiment(
    scores: Scores,
    *,
    epsilon: float,
    k: int,
    runs: int = 20_000,
    rng: Generator | None = None,
    progress: Progress = silent,
) -> MeasurementExperiment:
    """Select with noisy top-k with gap, measure, and combine by `blue`; `runs` independent times.

    `rng=None` means default_rng(0), so that a page repeats itself. Raises `ParameterError` as
    `NoisyTopKWithGap` does, and for fewer than 2 runs.

    >>> s = Scores(np.arange(100.0, 0.0, -10.0), monotonic=True)
    >>> found = top_k_experiment(s, epsilon=20.0, k=2, runs=2000)
    >>> found.formula, found.ratio.low < found.ratio.value < found.ratio.high
    (0.75, True)
    """
    selection = NoisyTopKWithGap(epsilon=epsilon, k=k)
    selection.check_scores(scores)
    runs = check_integer("runs", runs, low=2)
    rng = _checked_rng(rng)
    scale = selection.replace(epsilon=selection.epsilon / 2).scale(scores)
    measuring = 2 * k * scores.sensitivity / selection.epsilon
    ratio = (scale / measuring) ** 2
    step = max(1, _CHUNK_CELLS // min(scores.d, 8 * (k + 20)))
    alone, combined = np.empty(runs), np.empty(runs)
    for start in range(0, runs, step):
        here = slice(start, min(start + step, runs))
        size = here.stop - start
        items, noisy = noisy_top(scores.values, scale, k, size, rng)
        true = scores.values[items]
        alpha = true + rng.laplace(scale=measuring, size=(size, k))
        beta = blue(alpha, -np.diff(noisy, axis=1), ratio)
        alone[here] = ((alpha - true) ** 2).mean(1)
        combined[here] = ((beta - true) ** 2).mean(1)
        progress(here.stop / runs)
    return paired(alone, combined, blue_variance_ratio(k, ratio))


def paired(alone: Floats, combined: Floats, formula: float) -> MeasurementExperiment:
    """The figures from the errors of each run."""
    ratio = float(combined.mean() / alone.mean())
    spread = (combined - ratio * alone) / alone.mean()  # the delta method
    return MeasurementExperiment(
        measured=_estimate(alone),
        combined=_estimate(combined),
        ratio=_around(ratio, spread),
        formula=formula,
        runs=len(alone),
    )


def _estimate(values: Floats) -> Estimate:
    return _around(float(values.mean()), values)


def _around(value: float, spread: Floats) -> Estimate:
    half = _Z * float(spread.std(ddof=1)) / math.sqrt(len(spread))
    return Estimate(value, value - half, value + half)


def _checked_rng(rng: Generator | None) -> Generator:
    if rng is not None and not isinstance(rng, Generator):
        raise ParameterError("rng", rng, "a numpy.random.Generator")
    return np.random.default_rng(0) if rng is None else rng

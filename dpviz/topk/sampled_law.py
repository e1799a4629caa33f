"""A law estimated from draws, with exact binomial confidence intervals (Clopper–Pearson, 95 %)."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.random import Generator

from dpviz.base import (
    Floats,
    Ints,
    Progress,
    check_generator,
    check_integer,
    monotone_progress,
    portion,
)
from dpviz.topk.law import Draw, ListedLaw

CONFIDENCE = 0.95
_PREPARING = 0.1  # of the progress: what a sampler does before its first draw
_REPORTS = 50  # at least so many while draws are made: between two of them nothing can be stopped
_MOST_CELLS = 2_000_000  # of one chunk of draws


def clopper_pearson(
    count: Floats, draws: int, confidence: float = CONFIDENCE
) -> tuple[Floats, Floats]:
    """(low, high): the exact interval for a probability if `count` of `draws` were in the event."""
    count = np.asarray(count, float)
    outside = (1 - confidence) / 2
    quantile = scipy.special.betaincinv
    low = np.where(count > 0, quantile(np.maximum(count, 1e-9), draws - count + 1, outside), 0.0)
    return low, np.where(
        count < draws, quantile(count + 1, np.maximum(draws - count, 1e-9), 1 - outside), 1.0
    )


@dataclass(frozen=True, eq=False)
class SampledLaw(ListedLaw):
    d: int
    k: int
    ranks: Ints
    error: float = 1.0  # no certificate: the interval says what is known
    shorter: bool = False  # type: ignore[misc]  # as draws of any mechanism

    @property
    def draws(self) -> int:
        return len(self.ranks)

    @property
    def weight(self) -> Floats:
        return np.ones(self.draws)

    def length(self) -> Floats:
        return self._sums((self.ranks >= 0).sum(1), self.weight, self.k + 1)

    def full_length_within(self, a: int, b: int) -> float:
        full = (self.ranks >= 0).sum(1)
        in_place = (self.ranks == np.arange(self.k)).cumprod(1).sum(1)
        return float(((in_place >= a) & (self.ranks.max(1) < b) & (full == full.max())).mean())

    def log_probability(self, ranks: Ints) -> float:
        padded = np.append(ranks, np.full(self.k - len(ranks), -1))
        with np.errstate(divide="ignore"):
            return float(np.log((self.ranks == padded).all(1).mean()))


def sampled_law(
    prepare: Callable[[Progress], Draw],
    d: int,
    k: int,
    samples: int,
    rng: Generator | int | None,
    progress: Progress,
    *,
    may_be_shorter: bool = False,
) -> SampledLaw:
    """A law from draws in chunks, so that it can be watched and stopped."""
    samples = check_integer("samples", samples, low=1)
    generator = check_generator(rng, default=0)
    progress = monotone_progress(progress)
    draw = prepare(portion(progress, 0.0, _PREPARING))
    # a chunk smaller than what is drawn together would only be slower
    least = max(-(-samples // _REPORTS), getattr(draw, "at_once", 1))
    chunk = max(1, min(least, _MOST_CELLS // k))
    parts = []
    for start in range(0, samples, chunk):
        parts.append(draw(min(chunk, samples - start), generator))
        progress(_PREPARING + (1 - _PREPARING) * min(1.0, (start + chunk) / samples))
    return SampledLaw(d, k, np.concatenate(parts), shorter=may_be_shorter)

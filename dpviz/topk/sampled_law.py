"""A law estimated from draws, with exact binomial confidence intervals (Clopper–Pearson, 95 %)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import scipy
from numpy.random import Generator

from dpviz.base import (
    Floats,
    Ints,
    Progress,
    cached_property,
    check_generator,
    check_integer,
    monotone_progress,
    portion,
    tally,
)
from dpviz.topk.law import ClassTable, ClassTableLaw, Draw, tabulate_classes

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
class SampledLaw(ClassTableLaw):
    d: int
    k: int
    ranks: Ints
    error: float = 1.0  # no certificate: the interval says what is known

    @property
    def draws(self) -> int:
        return len(self.ranks)

    @cached_property
    def _table(self) -> ClassTable:
        return tabulate_classes(
            self.ranks, np.full(self.draws, 1.0 / self.draws), self.k, self.d, self.shorter
        )

    def classes(self) -> ClassTable:
        return self._table

    def inclusion(self) -> Floats:
        return tally(self.ranks[self.ranks >= 0], size=self.d) / self.draws

    def hits(self, best: int) -> Floats:
        return tally(((self.ranks >= 0) & (self.ranks < best)).sum(1), size=self.k + 1) / self.draws

    def length(self) -> Floats:
        return tally((self.ranks >= 0).sum(1), size=self.k + 1) / self.draws

    def log_probability(self, ranks: Ints) -> float:
        padded = np.append(ranks, np.full(self.k - len(ranks), -1))
        with np.errstate(divide="ignore"):
            return float(np.log((self.ranks == padded).all(1).mean()))


@dataclass(frozen=True, eq=False)
class _SampledShorterLaw(SampledLaw):
    """Estimated law of lists of at most k: rows of `ranks` are padded with −1."""

    shorter: ClassVar[bool] = True

    def full_length_within(self, a: int, b: int) -> float:
        full = (self.ranks >= 0).sum(1)
        in_place = (self.ranks == np.arange(self.k)).cumprod(1).sum(1)
        return float(((in_place >= a) & (self.ranks.max(1) < b) & (full == full.max())).mean())


def sampled_law(
    prepare: Callable[[Progress], Draw],
    d: int,
    k: int,
    samples: int,
    rng: Generator | int | None,
    progress: Progress,
    *,
    shorter: bool = False,
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
    return (_SampledShorterLaw if shorter else SampledLaw)(d, k, np.concatenate(parts))

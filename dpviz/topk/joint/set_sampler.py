"""A sampler of sets for joint selection that counts only the heavy stretches of levels.

Symbols: gap, reach, N(g) and rate as in `loss_levels`; stretches [start, end) as in
`level_envelope`. A draw takes a stretch by its upper bound on N, a level g in it, and a set uniform
among all within the widest reach of the stretch. The set is kept if its own gap is at most g, which
has chance N(g)/N(widest).
Invariants: exact, however loose the bounds are; they decide only how many draws are rejected.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from dpviz.base import Floats, Ints, Progress
from dpviz.topk.joint.bounded_paths import UniformSetSampler
from dpviz.topk.joint.level_envelope import LevelEnvelope
from dpviz.topk.joint.loss_levels import counts_within_gap

# log of the factor by which N may grow within a stretch: nearly two draws in three are kept
_TOGETHER = 1.0
# than are kept on average are proposed, as every stretch that is opened again is counted again
_MORE = 1.1
_CELLS = 1 << 20  # reaches looked up at once


@dataclass(frozen=True)
class JointSetSampler:
    """draw(size, rng): 0-based ranks, ascending along each row, shape (size, k)."""

    x: Floats
    k: int
    known: LevelEnvelope
    progress: Progress

    def __call__(self, size: int, rng: Generator) -> Ints:
        known = self.known.merge_stretches(_TOGETHER)
        kept = math.exp(
            0.5 * (self.known.log_weight_low + self.known.log_weight_high) - known.log_weight_high
        )
        parts: list[Ints] = [np.empty((0, self.k), np.int64)]
        there = 0
        while there < size:
            sets = self._some(known, math.ceil(_MORE * (size - there) / kept), rng)
            parts.append(sets[: size - there])
            there += len(parts[-1])
        return np.concatenate(parts)

    def _some(self, known: LevelEnvelope, size: int, rng: Generator) -> Ints:
        """The accepted ones of `size` proposals, in the order of the proposals."""
        x, k = self.x, self.k
        at, gap = known.draw_proposals(size, rng)
        sets, kept = np.empty((size, k), np.int64), np.zeros(size, bool)
        stretches, back = np.unique(at, return_inverse=True)
        end = known.end[stretches]
        widest = np.where(np.isfinite(end), np.nextafter(end, -np.inf), x[0] - x[-1])
        for number, reached in enumerate(counts_within_gap(x, k, widest)):
            self.progress(1.0)  # a stretch may take a tenth of a second
            rows = np.flatnonzero(back == number)
            choices = UniformSetSampler(reached)
            log_share = choices.log_count - known.high[stretches[number]]  # N over its bound
            rows = rows[np.log1p(-rng.random(len(rows))) <= log_share]
            sets[rows] = choices.draw(len(rows), rng)
            for part in np.split(rows, range(_CELLS // k + 1, len(rows), _CELLS // k + 1)):
                kept[part] = (sets[part] < counts_within_gap(x, k, gap[part])).all(axis=1)
        return sets[kept]

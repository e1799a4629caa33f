"""The k of d items with the largest noisy values: inclusion, classes, log P of a set.

Symbols: q = levels in descending order, item i shows q_i + N_i; z = the (k+1)-th largest, the
cut-off. Every figure is an integral over z of products over the items left undecided.
Invariants: figures are computed when asked for; `error` counts what was cut off and how far the
checks that must give 1 and k are from doing so.
Source: Shekelyan & Loukides 2022, Alg 2; the integrals are ours.
"""

import math
from typing import ClassVar

import numpy as np

from dpviz.base import Floats, Ints, Noise, Progress, cached_property, ignore_progress
from dpviz.numerics.cutoff.angles import EXPONENT
from dpviz.numerics.cutoff.item_sums import hit_count_probabilities, out_and_in_probabilities
from dpviz.numerics.cutoff.poisson_binomial import certain_event_probability, within_probabilities
from dpviz.numerics.cutoff.tilted_nodes import TiltedNodes, rough_nodes, tilted_nodes
from dpviz.numerics.cutoff.window import CutoffWindow, cutoff_window
from dpviz.numerics.set_probabilities import SetProbabilities

_ROUNDING = 1e-11
_LEVEL_ROUNDING = 2.0**-51  # of a level: the difference, Δ, the scale and their product are rounded
_ROUGH = 5e-4
_FEW_LEVELS = 300
_FINER = (1.5, 2.5, 4.0, 8.0)  # times as many nodes, where the first ones miss
_CLOSE = 5e-11
# two ways to err, e^(-EXPONENT)·√(2πV) of the peak density each, over some 16 deviations of z
_ANGLES = 13.0


class CutoffRace:
    alike_in_classes: ClassVar[bool] = False  # whether the members of a class are equally likely
    shorter: ClassVar[bool] = False  # whether fewer than k may come out

    def __init__(
        self, levels: Floats, k: int, noise: Noise, progress: Progress = ignore_progress
    ) -> None:
        self.d, self.k, self.noise = len(levels), k, noise
        self._levels = levels
        self.progress = progress
        # the last table that was asked for
        self._last: tuple[tuple[bytes, bytes], Floats] = ((b"", b""), np.empty((0, 0)))
        self._sets = SetProbabilities(noise, levels)
        self._unbalanced = 0.0  # what Σ inclusion lacks to k, once that is computed
        self.window = cutoff_window(noise, levels, k)
        self._nodes, total = _enough_nodes(self.window)
        if total is not None:
            self._missed = 2 * abs(total - 1.0)

    @property
    def error(self) -> float:
        """Estimated bound on the error of a figure: omissions, and how far checks miss."""
        return omission_bound(self.window) + self._missed + self._unbalanced

    @cached_property
    def _missed(self) -> float:
        """Twice the distance of P(anything) from 1: nodes in z are the same for every figure."""
        return 2 * abs(certain_event_probability(self._nodes) - 1.0)

    def within_table(self, complete_ranks: Ints, worst_ranks: Ints) -> Floats:
        """P(ranks 1..complete_ranks[i] in, none worse than worst_ranks[j]), a row for each i."""
        asked = complete_ranks.tobytes(), worst_ranks.tobytes()
        if asked == self._last[0]:  # one world is compared with many others
            return self._last[1].copy()
        table = within_probabilities(self._nodes, complete_ranks, worst_ranks, self.progress)
        # P(anything) may have come with it
        if complete_ranks.min() <= self.window.first and worst_ranks.max() >= self.window.last:
            self._missed = 2 * abs(
                float(table[np.argmin(complete_ranks), np.argmax(worst_ranks)]) - 1.0
            )
        self._last = asked, table.copy()
        return table

    def rough_within_table(self, complete_ranks: Ints, worst_ranks: Ints) -> Floats:
        """The same from few nodes."""
        return within_probabilities(self._rough, complete_ranks, worst_ranks)

    @cached_property
    def _rough(self) -> TiltedNodes:
        rough = rough_nodes(self.window)
        return rough if abs(certain_event_probability(rough) - 1.0) <= _ROUGH else self._nodes

    def inclusion(self) -> Floats:
        """P(rank r is in): 1 − P(out) for the top k, where that is small, else P(in)."""
        window = self.window
        out, within = out_and_in_probabilities(self._nodes, self.progress)
        self._unbalanced = abs(float(out.sum() - within.sum()))
        full = np.zeros(self.d)
        full[: window.first] = 1.0
        full[window.first : self.k] = 1.0 - out
        full[self.k : window.last] = within
        return np.clip(full, 0.0, 1.0)

    def hits(self, hit_rank_count: int) -> Floats:
        """P(exactly j of the ranks 1..best are in) for j = 0..k, shape (k + 1,)."""
        hits = hit_count_probabilities(self._nodes, hit_rank_count, self.progress)
        if hit_rank_count < self.window.last:  # else no integral told of it
            self._missed = 2 * abs(float(hits.sum()) - 1.0)
        return np.clip(hits, 0.0, 1.0)

    def log_probability(self, ranks: Ints) -> float:
        """log P of one set of k ranks."""
        return self._sets.log_probability(ranks)


def omission_bound(window: CutoffWindow) -> float:
    """Bound on what is cut off, rounded, and left out of the angles."""
    angles = _ANGLES * math.sqrt(2 * math.pi * (window.variance + 1)) * math.exp(-EXPONENT)
    largest = float(np.abs(window.level).max(initial=0.0))
    # raising a level by u changes no figure by more than u·P(its item is in)
    levels = _LEVEL_ROUNDING * window.selected_undecided_count * largest
    return window.outside + _ROUNDING + angles + levels


def _enough_nodes(window: CutoffWindow) -> tuple[TiltedNodes, float | None]:
    """Nodes in z, and P(anything) where known; with few levels, finer nodes until that is 1."""
    nodes = tilted_nodes(window)
    if len(window.level) > _FEW_LEVELS:
        return nodes, None
    total = certain_event_probability(nodes)
    for fineness in _FINER:
        if abs(total - 1.0) <= _CLOSE:
            break
        nodes = tilted_nodes(window, fineness)
        total = certain_event_probability(nodes)
    return nodes, total

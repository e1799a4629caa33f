"""The exact law of "the k largest noisy scores": independent values against a common cut-off.

Symbols: q = levels in descending order, item i shows q_i + N_i; z = the (k+1)-th largest, the cut-off.
Every figure is an integral over z of products over items (`poisson_binomial`); only the few items
that the window leaves undecided cost anything. k = 1 is a table of one class an item.
Invariants: figures are computed when asked for; `error` counts what was cut off and how far the checks
that must give 1 and k are from doing so.
Source: Shekelyan & Loukides 2022, Alg 2; the integrals are ours.
"""

import math
from functools import cached_property

import numpy as np

from dpviz.base.arrays import Floats, Ints
from dpviz.base.noise import Noise
from dpviz.base.progress import Progress, portion, silent
from dpviz.base.scores import Scores
from dpviz.numerics.item_race import winning_chances
from dpviz.numerics.set_race import log_set_probability
from dpviz.topk.cutoff.angles import EXPONENT
from dpviz.topk.cutoff.cutoff_draws import one_shot_draws
from dpviz.topk.cutoff.hit_counts import hit_sums
from dpviz.topk.cutoff.inclusion import inclusion_sums
from dpviz.topk.cutoff.poisson_binomial import total_sum, within_sums
from dpviz.topk.cutoff.tilted_nodes import TiltedNodes, rough_nodes, tilted_nodes
from dpviz.topk.cutoff.window import Window, cutoff_window
from dpviz.topk.law import ClassLaw, ClassTable, Draw, Law

__all__ = ["CutoffLaw", "cutoff_law", "cutoff_sampler", "relative_levels"]

_MISSING = 1e-10
_ROUNDING = 1e-11
_LEVEL_ROUNDING = 2.0**-51  # of a level: the difference, Δ, the scale and their product are rounded
_ROUGH = 5e-4
_FEW_LEVELS = 300
_FINER = (1.5, 2.5, 4.0, 8.0)  # times as many nodes, where the first ones miss
_CLOSE = 5e-11
_ANGLES = 13.0  # two ways to err, e^(-EXPONENT)·√(2πV) of the peak density each, over some 16 deviations of z
_ALL = 10_000  # up to so many classes every one is listed
_CLASS_BLOCK = 200  # of a's at once, so that a table of classes reports and stays small


def relative_levels(scores: Scores, k: int, scale: float) -> Floats:
    """scale·(x − x_[k+1]): differences first, so that nothing is lost to the size of the scores."""
    levels: Floats = scale * scores.relative_to(k + 1)
    return levels


class CutoffLaw(Law):
    """Which k of d items show the largest q_i + N_i.

    `levels` are the q in descending order, shape (d,).

    >>> from dpviz.base.noise import NOISES
    >>> law = CutoffLaw(np.array([1.0, 0.0, 0.0]), 1, NOISES["gumbel"])
    >>> round(law.within(1, 1), 9) == round(np.e / (np.e + 2), 9)
    True
    """

    def __init__(self, levels: Floats, k: int, noise: Noise, progress: Progress = silent) -> None:
        self.d, self.k, self.noise = len(levels), k, noise
        self._levels = levels
        self.progress = progress
        self._unbalanced = 0.0  # what Σ inclusion lacks to k, once that is computed
        self.window = cutoff_window(noise, levels, k)
        self._nodes = _enough_nodes(self.window)

    @property
    def error(self) -> float:  # type: ignore[override]
        """Estimated bound on the error of a figure: cut off, rounded, angles left out, and how far checks miss.

        All but the last are bounds; sums that must be 1 and k say how far the nodes are from being enough.
        """
        angles_left_out = _ANGLES * math.sqrt(2 * math.pi * (self.window.variance + 1)) * math.exp(-EXPONENT)
        return self.window.outside + _ROUNDING + angles_left_out + self._missed + self._unbalanced + self._inexact

    @property
    def _inexact(self) -> float:
        """What rounding of the levels can do: raising one by u changes no figure by more than u·P(its item is in)."""
        return _LEVEL_ROUNDING * self.window.choose * float(np.abs(self.window.level).max(initial=0.0))

    @cached_property
    def _missed(self) -> float:
        """Twice what P(anything) lacks to 1: nodes in z are the same for every figure."""
        return 2 * abs(total_sum(self._nodes) - 1.0)

    def within_table(self, a: Ints, b: Ints) -> Floats:
        table = within_sums(self._nodes, a, b, self.progress)
        if a.min() <= self.window.first and b.max() >= self.window.last:  # P(anything) has come with it
            self._missed = 2 * abs(float(table[np.argmin(a), np.argmax(b)]) - 1.0)
        return table

    def within_each(self, a: Ints, b: Ints) -> Floats:
        """With P(anything) among them, which `error` needs and which costs much more on its own."""
        return super().within_each(np.append(a, 0), np.append(b, self.d))[:-1]

    def rough_within_table(self, a: Ints, b: Ints) -> Floats:
        """within(a,b) from few nodes."""
        return within_sums(self._rough, a, b)

    @cached_property
    def _rough(self) -> TiltedNodes:
        rough = rough_nodes(self.window)
        return rough if abs(total_sum(rough) - 1.0) <= _ROUGH else self._nodes

    def inclusion(self) -> Floats:
        """P(rank r is in): 1 − P(out) for the top k, where that is small, and P(in) for the others."""
        window = self.window
        out, within = inclusion_sums(self._nodes, self.progress)
        self._unbalanced = abs(float(out.sum() - within.sum()))
        full = np.zeros(self.d)
        full[: window.first] = 1.0
        full[window.first : self.k] = 1.0 - out
        full[self.k : window.last] = within
        return np.clip(full, 0.0, 1.0)

    def hits(self, best: int) -> Floats:
        return np.clip(hit_sums(self._nodes, best, self.progress), 0.0, 1.0)

    def log_probability(self, ranks: Ints) -> float:
        chosen = np.zeros(self.d, bool)
        chosen[ranks] = True
        return log_set_probability(self.noise, self._levels[chosen], self._levels[~chosen])

    def classes(self) -> ClassTable:
        """Second differences of within where the mass is."""
        k, d = self.k, self.d
        a_low, b_high, cut = self._mass_range()
        b = np.arange(k, b_high + 1)
        top = self.within(k, k)
        found: list[tuple[Ints, Ints, Floats]] = []
        least = 0.0 if k * (d - k) <= _ALL else _MISSING / (4.0 * max(k - a_low, 1) * max(b_high - k, 1))
        dropped = 0.0
        for start in range(a_low, k, _CLASS_BLOCK):
            a = np.arange(start, min(start + _CLASS_BLOCK, k) + 1)
            part = portion(self.progress, (a[0] - a_low) / (k - a_low), (a[-1] - a_low) / (k - a_low))
            other = within_sums(self._nodes, a, b, part) - top
            mass = np.diff(-np.diff(other, axis=1), axis=0)  # P(h = a_i, t = b_j+1)
            keep = mass > least
            dropped += float(np.abs(mass[~keep]).sum())
            i, j = np.nonzero(keep)
            found.append((a[i], b[j] + 1, mass[keep]))
        h = np.concatenate([np.array([k - 1]), *(part[0] for part in found)])
        t = np.concatenate([np.array([k]), *(part[1] for part in found)])
        probability = np.concatenate([np.array([top]), *(part[2] for part in found)])
        return ClassTable(h.astype(np.int64), t.astype(np.int64), probability, cut + dropped + self.window.outside)

    def _mass_range(self) -> tuple[int, int, float]:
        """(a, b, rest): all mass but `rest` has h ≥ a and t ≤ b."""
        window = self.window
        k, d = self.k, self.d
        if k * (d - k) <= _ALL:
            return 0, d, 0.0
        a = np.arange(window.first, k + 1)
        reach_a = within_sums(self._nodes, a, np.array([d]))[:, 0]
        b = np.arange(k, window.last + 1)
        reach_b = within_sums(self._nodes, np.array([0]), b)[0]
        low = int(a[max(0, int(np.count_nonzero(reach_a >= 1 - _MISSING / 8)) - 1)])
        high = int(b[min(len(b) - 1, int(np.count_nonzero(reach_b < 1 - _MISSING / 8)))])
        return low, high, _MISSING / 2


def _enough_nodes(window: Window) -> TiltedNodes:
    """Nodes in z; with few levels, where no averaging over items helps, closer ones until P(anything) is 1."""
    nodes = tilted_nodes(window)
    if len(window.level) > _FEW_LEVELS:
        return nodes
    for fineness in _FINER:
        if abs(total_sum(nodes) - 1.0) <= _CLOSE:
            break
        nodes = tilted_nodes(window, fineness)
    return nodes


def cutoff_law(levels: Floats, k: int, noise: Noise, progress: Progress = silent) -> Law:
    """The law of the k largest of `levels` (descending, relative to level[k]) plus noise."""
    return CutoffLaw(levels, k, noise, progress) if k > 1 else _top_one_law(levels, noise)


def _top_one_law(levels: Floats, noise: Noise) -> ClassLaw:
    """k = 1: every item is a class of its own, and one integral gives them all."""
    d = len(levels)
    probability, error = winning_chances(noise, levels)

    def log_class(h: int, t: int) -> float:
        return log_set_probability(noise, levels[[t - 1]], np.delete(levels, t - 1))

    return ClassLaw(d, 1, np.zeros(d, np.int64), np.arange(1, d + 1), probability, 0.0, error, log_class)


def cutoff_sampler(levels: Floats, k: int, noise: Noise) -> Draw:
    """draw(size, rng): the ranks of the k largest noisy values, ascending along each row."""
    return one_shot_draws(cutoff_window(noise, levels, k))

"""Sums over the value of a floor at which at most k items pass: how many, which, and which of the best.

Symbols as in `floor` and `angles`: y = e^(iθ), t = F + yS; P(count = c) is a mean of Π t·y^(−c) over the angles θ, and
that of several counts has Σ_c y^(−c) in its place, one factor for all items.
Invariants: counts run over a window of as many values as there are angles, around their mean; those beyond it have a
chance below that of `angles`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dpviz.base import Bools, Floats, Ints, Progress, repeated, silent
from dpviz.numerics.cutoff.angles import Angles, Complexes
from dpviz.numerics.cutoff.condensed import LevelPoints
from dpviz.numerics.cutoff.floor import FloorNodes
from dpviz.numerics.cutoff.item_sums import resolving_angles
from dpviz.numerics.cutoff.poisson_binomial import Blocks
from dpviz.numerics.cutoff.tilted_nodes import TiltedItems
from dpviz.numerics.one_thread import one_thread

_CELLS = 40_000


@dataclass(frozen=True)
class _Part:
    """Some nodes with their undecided items, and the angles that tell how many of these pass."""

    items: TiltedItems
    turn: Angles
    z: Floats
    weight: Floats
    log_t: Complexes  # Σ log t of each block, shape (nodes, angles, blocks)
    counts: Ints  # the window of counts, shape (nodes, n)

    def factors(self, wanted: Bools, choose: int) -> Complexes:
        """Σ_c y^(choose − c) over the counts wanted, shape (nodes, angles)."""
        turns = np.exp(-1j * np.outer(np.arange(self.turn.n), self.turn.theta))
        return np.asarray((wanted @ turns) * np.exp(1j * (choose - self.counts[:, :1]) * self.turn.theta))

    def chances(self, log_t: Complexes, counts: Ints) -> Floats:
        """P(count) over a window of counts, of what `log_t` (nodes, angles) sums up."""
        wave = np.exp(-1j * np.outer(self.turn.theta, np.arange(self.turn.n)))
        product = np.exp(log_t - 1j * counts[:, :1] * self.turn.theta)
        return np.asarray((product @ wave).real * (2.0 / self.turn.n))


class FloorSums:
    """Sums over the values of a floor; what one look at the items tells serves several of them.

    Parameters
    ----------
    nodes
        The values, with their chances.
    """

    def __init__(self, nodes: FloorNodes) -> None:
        self.nodes, self.window = nodes, nodes.window
        self._whole = Blocks(nodes, np.array([self.window.first]), np.array([self.window.last]))

    @cached_property
    def _parts(self) -> list[_Part]:
        """All items, parted at k."""
        return list(_looks(self.nodes, self._whole, silent))

    @one_thread()
    def length(self) -> Floats:
        """P(exactly j pass) for j = 0..k, shape (k + 1,)."""
        lengths = np.zeros(self.window.k + 1)
        for part in self._parts:
            chance = part.chances(part.log_t.sum(-1), part.counts) * part.weight[:, None]
            inside = (part.counts >= 0) & (part.counts <= self.window.choose)
            np.add.at(lengths, self.window.first + part.counts[inside], chance[inside])
        return lengths

    @one_thread()
    def passing(self, progress: Progress = silent) -> Floats:
        """P(rank r passes and at most k do) of the undecided ranks, shape (last − first,)."""
        window, choose = self.window, self.window.choose
        if not len(window.level):
            return np.zeros(0)
        points = LevelPoints(window.level)
        within = np.zeros(len(points.level))
        for number, part in enumerate(self._parts):
            wanted = part.factors(part.counts <= choose, choose)
            product = np.exp(part.log_t.sum(-1) - 1j * part.turn.theta * (choose - 1)) * wanted
            product *= part.weight[:, None] * (2.0 / part.turn.n)
            gap = 1 - part.turn.y.conj()
            versine = part.turn.versine[:, None]
            size = max(1, _CELLS // (len(within) * max(1, len(gap))))
            for start in range(0, len(product), size):
                rows = slice(start, start + size)
                sf, cdf, _ = window.noise.tails(part.z[rows, None] - points.level)
                square = 1 - (2 * versine) * (sf * cdf)[:, None, :]  # |t|²
                np.divide(1.0, square, out=square)
                plain = (product[rows].real[:, None] @ square)[:, 0]
                turned = ((product[rows] * gap).real[:, None] @ square)[:, 0]
                within += (sf * (plain - sf * turned)).sum(0)
            progress((number + 1) / len(self._parts))
        return repeated(points.at_levels(within), window.count)

    @one_thread()
    def best(self, best: int, progress: Progress = silent) -> Floats:
        """P(exactly j of the first `best` ranks pass, and at most k of all) for j = 0..k, shape (k + 1,)."""
        window = self.window
        if best >= window.last:
            return self.length()
        if best == window.k:
            blocks, parts = self._whole, iter(self._parts)
        else:
            blocks = Blocks(self.nodes, np.array([window.first]), np.array([best, window.last]))
            parts = _looks(self.nodes, blocks, progress)
        split = int(np.searchsorted(blocks.start, best - window.first))
        border = int(np.searchsorted(blocks.at, split)) - blocks.first
        hits = np.zeros(window.k + 1)
        for part in parts:
            sf, count = part.items.sf, blocks.count
            good = _window(sf[:, :split] @ count[:split], part.turn)
            bad = _window(sf[:, split:] @ count[split:], part.turn)
            chance = part.chances(part.log_t[..., :border].sum(-1), good) * part.weight[:, None]
            other = np.cumsum(part.chances(part.log_t[..., border:].sum(-1), bad), axis=1)
            room = window.choose - good - bad[:, :1]  # how far along the bad counts may go
            at_most = np.take_along_axis(other, np.clip(room, 0, part.turn.n - 1), 1)
            chance *= np.where(room < 0, 0.0, at_most)
            inside = (good >= 0) & (good <= window.choose)
            np.add.at(hits, window.first + good[inside], chance[inside])
        return hits

    @one_thread()
    def within(self, a: Ints, b: Ints, whole: bool, progress: Progress = silent) -> Floats:
        """P(ranks 1..a pass, none after b does, and at most k do), shape (rows, columns).

        Parameters
        ----------
        a
            From 0 to k, shape (rows,).
        b
            From k on, shape (columns,).
        whole
            Whether exactly k have to pass.
        progress
            Told the fraction done; may raise `Cancelled`.

        Returns
        -------
        Floats
            The chance of each pair.
        """
        window = self.window
        rows, row_of = np.unique(np.clip(a, window.first, window.k), return_inverse=True)
        columns, column_of = np.unique(np.clip(b, window.k, window.last), return_inverse=True)
        blocks = Blocks(self.nodes, rows, columns)
        table = np.zeros((len(rows), len(columns)))
        for part in _looks(self.nodes, blocks, progress):
            wanted = part.counts == window.choose if whole else part.counts <= window.choose
            every = part.factors(wanted, window.choose) * (part.weight[:, None] * (2.0 / part.turn.n))
            inner, outer = blocks.sides(part.items, part.log_t, part.turn)
            inner *= every[..., None]
            table += (inner.reshape(-1, len(rows)).T @ outer.reshape(-1, len(columns))).real
        return table[np.ix_(row_of, column_of)]


def _looks(nodes: FloorNodes, blocks: Blocks, progress: Progress) -> Iterator[_Part]:
    level, count = blocks.level, blocks.count
    size = max(1, _CELLS // max(1, len(level)))
    for begin in range(0, len(nodes.z), size):
        part = slice(begin, min(begin + size, len(nodes.z)))
        items = nodes.plain_items(part, level)
        variance = (items.sf * items.cdf) @ count
        turn = resolving_angles(float(variance.max()), float(variance.min()), float(nodes.log_density[part].max()))
        log_t, _ = blocks.undecided(items, turn, slopes=False)
        yield _Part(items, turn, nodes.z[part], nodes.weight[part], log_t, _window(items.sf @ count, turn))
        progress(part.stop / len(nodes.z))


def _window(mean: Floats, turn: Angles) -> Ints:
    """As many whole numbers as there are angles around each mean, shape (nodes, n)."""
    return np.rint(mean).astype(np.int64)[:, None] - turn.n // 2 + np.arange(turn.n)

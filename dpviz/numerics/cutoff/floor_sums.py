"""Sums over the value of a floor at which at most k items pass: how many, which, and which of the
best.

Symbols as in `floor` and `angles`: y = e^(iθ), t = F + yS; P(count = c) is a mean of Π t·y^(−c)
over the angles θ, and that of several counts has Σ_c y^(−c) in its place, one factor for all items.
Invariants: counts run over a window of as many values as there are angles, around their mean; those
beyond it have a chance below that of `angles`. Where a floor is so high that k hardly ever pass, k
cuts nothing: items pass independently, and only counts ask for angles.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dpviz.base import Bools, Floats, Ints, Progress, repeated, silent
from dpviz.base.caching import cached_property
from dpviz.numerics.blas_threads import one_thread
from dpviz.numerics.cutoff.angles import EXPONENT, Angles, Complexes, bennett
from dpviz.numerics.cutoff.floor import FloorNodes
from dpviz.numerics.cutoff.item_sums import resolving_angles
from dpviz.numerics.cutoff.level_condensation import level_points
from dpviz.numerics.cutoff.poisson_binomial import Blocks
from dpviz.numerics.cutoff.tilted_nodes import TiltedItems

_CELLS = 40_000
_NODES = 32  # at once, as the angles are those that the widest of their counts asks for


@dataclass(frozen=True)
class _Part:
    """Some nodes with their undecided items, and the angles that tell how many of these pass."""

    at: slice  # which nodes
    free: bool  # whether k hardly ever pass
    items: TiltedItems
    blocks: Blocks
    weight: Floats
    importance: float  # the log of what they weigh at most

    @cached_property
    def turn(self) -> Angles:
        """Angles that tell how many pass on either side of where the items are parted."""
        spread = self.items.sf * self.items.cdf * self.blocks.count
        split = int(self.blocks.at[self.blocks.column_block[0]])
        sides = [
            side.sum(1)
            for side in (spread[:, :split], spread[:, split:])
            if side.size or not spread.size
        ]
        return resolving_angles(float(np.max(sides)), float(np.min(sides)), self.importance)

    @cached_property
    def log_t(self) -> Complexes:
        """Σ log t of each block, shape (nodes, angles, blocks)."""
        return self.blocks.undecided(self.items, self.turn, slopes=False)[0]

    @cached_property
    def counts(self) -> Ints:
        """The window of counts, shape (nodes, n)."""
        return _around(self.items.sf @ self.blocks.count, self.turn)

    @cached_property
    def lengths(self) -> Floats:
        """P(each of these counts), with the weight of the nodes."""
        return self.chances(self.log_t.sum(-1), self.counts) * self.weight[:, None]

    def factors(self, wanted: Bools, choose: int) -> Complexes:
        """Σ_c y^(choose − c) over the counts wanted, shape (nodes, angles)."""
        turns = np.exp(-1j * np.outer(np.arange(self.turn.n), self.turn.theta))
        return np.asarray(
            (wanted @ turns) * np.exp(1j * (choose - self.counts[:, :1]) * self.turn.theta)
        )

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

    @cached_property
    def _parts(self) -> list[_Part]:
        """All nodes, with the items parted at k."""
        return list(self._looks(self._parted(self.window.k), silent))

    @cached_property
    @one_thread()
    def total(self) -> float:
        """P(at most k pass)."""
        most = self.window.choose
        return math.fsum(
            float((p.weight if p.free else p.lengths[(p.counts >= 0) & (p.counts <= most)]).sum())
            for p in self._parts
        )

    @one_thread()
    def length(self) -> Floats:
        """P(exactly j pass) for j = 0..k, shape (k + 1,)."""
        lengths = np.zeros(self.window.k + 1)
        for part in self._parts:
            inside = (part.counts >= 0) & (part.counts <= self.window.choose)
            np.add.at(lengths, self.window.first + part.counts[inside], part.lengths[inside])
        return lengths

    @one_thread()
    def passing(self, progress: Progress = silent) -> Floats:
        """P(rank r passes and at most k do) of the undecided ranks, shape (last − first,)."""
        window, choose = self.window, self.window.choose
        if not len(window.level):
            return np.zeros(0)
        points = level_points(window, window.level, window.count)
        within = np.zeros(len(points.level))
        for number, part in enumerate(self._parts):
            sf, cdf, _ = window.noise.tails(self.nodes.z[part.at, None] - points.level)
            within += part.weight @ sf if part.free else _cut(part, sf, cdf, choose)
            progress((number + 1) / len(self._parts))
        return points.at_items(within)

    @one_thread()
    def best(self, best: int, progress: Progress = silent) -> Floats:
        """P(exactly j of the first `best` ranks pass, and at most k of all) for j = 0..k, shape (k
        + 1,).
        """
        window = self.window
        if best >= window.last:
            return self.length()
        blocks = self._parted(best)
        border = int(blocks.column_block[0]) - blocks.first
        split = int(blocks.at[blocks.column_block[0]])
        hits = np.zeros(window.k + 1)
        for part in self._parts if best == window.k else self._looks(blocks, progress):
            sf, count = part.items.sf, blocks.count
            good = _around(sf[:, :split] @ count[:split], part.turn)
            chance = part.chances(part.log_t[..., :border].sum(-1), good) * part.weight[:, None]
            if not part.free:
                bad = _around(sf[:, split:] @ count[split:], part.turn)
                other = np.cumsum(part.chances(part.log_t[..., border:].sum(-1), bad), axis=1)
                room = window.choose - good - bad[:, :1]  # how far along the bad counts may go
                at_most = np.take_along_axis(other, np.clip(room, 0, part.turn.n - 1), 1)
                chance *= np.where(room < 0, 0.0, at_most)
            inside = (good >= 0) & (good <= window.choose)
            np.add.at(hits, window.first + good[inside], chance[inside])
        return hits

    @one_thread()
    def right(self) -> Floats:
        """P(just the best j pass) for j = 0..k, shape (k + 1,)."""
        window, level = self.window, repeated(self.window.level, self.window.count)
        right = np.zeros(window.k + 1)
        size = max(1, _CELLS // max(1, len(level)))
        for begin in range(0, len(self.nodes.z), size):
            u = self.nodes.z[begin : begin + size, None] - level
            log_p = np.zeros((len(u), len(level) + 1))
            np.cumsum(window.noise.log_sf(u), axis=1, out=log_p[:, 1:])
            log_p[:, :-1] += np.cumsum(window.noise.log_cdf(u)[:, ::-1], axis=1)[:, ::-1]
            right[window.first :] += self.nodes.weight[begin : begin + size] @ np.exp(
                log_p[:, : window.choose + 1]
            )
        return right

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
        for number, part in enumerate(self._parts):
            items = self.nodes.plain_items(part.at, blocks.level)
            if not part.free:
                wanted = part.counts == window.choose if whole else part.counts <= window.choose
                every = part.factors(wanted, window.choose) * (
                    part.weight[:, None] * (2.0 / part.turn.n)
                )
                inner, outer = blocks.sides(
                    items, blocks.undecided(items, part.turn, slopes=False)[0], part.turn
                )
                inner *= every[..., None]
                table += (inner.reshape(-1, len(rows)).T @ outer.reshape(-1, len(columns))).real
            elif not whole:
                passing, failing, _ = blocks.decided(items)
                table += (np.exp(passing) * part.weight[:, None]).T @ np.exp(failing)
            progress((number + 1) / len(self._parts))
        return table[np.ix_(row_of, column_of)]

    def _parted(self, best: int) -> Blocks:
        """All items, parted at a rank from k on."""
        window = self.window
        return Blocks(self.nodes, np.array([window.first]), np.array([best, window.last]))

    def _looks(self, blocks: Blocks, progress: Progress) -> Iterator[_Part]:
        """The nodes part by part."""
        nodes = self.nodes
        for at, items, free in self._some(blocks.level, blocks.count):
            yield _Part(
                at, free, items, blocks, nodes.weight[at], float(nodes.log_density[at].max())
            )
            progress(at.stop / len(nodes.z))

    def _some(self, level: Floats, count: Floats) -> Iterator[tuple[slice, TiltedItems, bool]]:
        """Nodes at once, and whether k or more hardly ever pass there (then also at those that
        follow).
        """
        size = min(_NODES, max(1, _CELLS // max(1, len(level))))
        for begin in range(0, len(self.nodes.z), size):
            stop = min(begin + size, len(self.nodes.z))
            items = self.nodes.plain_items(slice(begin, stop), level)
            room = self.window.choose - items.sf @ count
            crowded = np.flatnonzero(bennett(room, (items.sf * items.cdf) @ count) <= EXPONENT)
            border = int(crowded[-1]) + 1 if len(crowded) else 0
            for some, free in ((slice(0, border), False), (slice(border, stop - begin), True)):
                if some.stop > some.start:
                    yield slice(begin + some.start, begin + some.stop), items.some(some), free


def _cut(part: _Part, sf: Floats, cdf: Floats, choose: int) -> Floats:
    """P(an item of these chances passes, and at most `choose` of all with it), its own factor taken
    out of the sums.
    """
    product = np.exp(part.log_t.sum(-1) - 1j * part.turn.theta * (choose - 1))
    product *= part.factors(part.counts <= choose, choose) * (
        part.weight[:, None] * (2.0 / part.turn.n)
    )
    gap, versine = 1 - part.turn.y.conj(), part.turn.versine[:, None]
    within = np.zeros(sf.shape[1])
    size = max(1, _CELLS // (len(within) * max(1, len(gap))))
    for start in range(0, len(product), size):
        rows = slice(start, start + size)
        square = 1 - (2 * versine) * (sf[rows] * cdf[rows])[:, None, :]  # |t|²
        np.divide(1.0, square, out=square)
        plain = (product[rows].real[:, None] @ square)[:, 0]
        turned = ((product[rows] * gap).real[:, None] @ square)[:, 0]
        within += (sf[rows] * (plain - sf[rows] * turned)).sum(0)
    return within


def _around(mean: Floats, turn: Angles) -> Ints:
    """As many whole numbers as there are angles around each mean, shape (nodes, n)."""
    return np.rint(mean).astype(np.int64)[:, None] - turn.n // 2 + np.arange(turn.n)

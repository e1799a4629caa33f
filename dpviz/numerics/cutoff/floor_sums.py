"""Sums over the value of a floor at which at most k items pass: how many, and which.

Symbols as in `floor` and `angles`: y = e^(iθ), t = F + yS; P(count = c) is a mean of Π t·y^(−c)
over the angles θ; for several counts Σ_c y^(−c) takes its place, one factor for all items.
Invariants: counts run over a window of as many values as there are angles, around their mean; those
beyond it have a chance below that of `angles`. Where a floor is so high that k hardly ever pass, k
cuts nothing: items pass independently, and only counts need angles.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dpviz.base import (
    Bools,
    Floats,
    Ints,
    Progress,
    cached_property,
    ignore_progress,
    iterate_with_progress,
    repeat_values,
    slices_with_progress,
)
from dpviz.numerics.blas_threads import single_blas_thread
from dpviz.numerics.cutoff.angles import EXPONENT, Complexes, FourierAngles, bennett_exponent
from dpviz.numerics.cutoff.item_sums import resolving_angles
from dpviz.numerics.cutoff.poisson_binomial import RankBlocks
from dpviz.numerics.cutoff.tilted_nodes import TiltedItems, TiltedNodes

_CELLS = 40_000
_NODES = 32  # at once, as the angles are those that the widest of their counts asks for


@dataclass(frozen=True)
class _Part:
    """Some nodes with their undecided items, and the angles that resolve how many of these pass."""

    at: slice  # which nodes
    free: bool  # whether k hardly ever pass
    items: TiltedItems
    blocks: RankBlocks
    weight: Floats
    importance: float  # the log of what they weigh at most

    @cached_property
    def count_angles(self) -> FourierAngles:
        """Angles that resolve the counts on either side of the split of the items."""
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
        return self.blocks.undecided_log_and_slope_sums(
            self.items, self.count_angles, slopes=False
        )[0]

    @cached_property
    def count_window(self) -> Ints:
        """Window of counts, shape (nodes, n)."""
        return _around(self.items.sf @ self.blocks.count, self.count_angles)

    @cached_property
    def count_probabilities(self) -> Floats:
        """P(each of these counts), with the weight of the nodes."""
        return (
            self.count_angles.inverse_transform_at_counts(
                np.exp(self.log_t.sum(-1)), self.count_window[:, 0]
            )
            * self.weight[:, None]
        )

    def count_phase_factors(self, wanted: Bools, choose: int) -> Complexes:
        """Σ_c y^(choose − c) over the counts wanted, shape (nodes, angles)."""
        turned = np.exp(1j * (choose - self.count_window[:, :1]) * self.count_angles.theta)
        return np.asarray((wanted @ self.count_angles.inverse_phase_powers.T) * turned)


class FloorSums:
    """Sums over the values of a floor; several of them share one evaluation of the items."""

    def __init__(self, nodes: TiltedNodes) -> None:
        self.nodes, self.window = nodes, nodes.window

    @cached_property
    def _parts(self) -> list[_Part]:
        return list(self._looks(self._parted(self.window.k), ignore_progress))

    @cached_property
    @single_blas_thread()
    def at_most_k_probability(self) -> float:
        """P(at most k pass)."""
        most = self.window.selected_undecided_count
        return math.fsum(
            (
                p.weight
                if p.free
                else p.count_probabilities[(p.count_window >= 0) & (p.count_window <= most)]
            ).sum()
            for p in self._parts
        )

    @single_blas_thread()
    def length_probabilities(self) -> Floats:
        """P(exactly j pass) for j = 0..k, shape (k + 1,)."""
        lengths = np.zeros(self.window.k + 1)
        for part in self._parts:
            inside = (part.count_window >= 0) & (
                part.count_window <= self.window.selected_undecided_count
            )
            np.add.at(
                lengths,
                self.window.first + part.count_window[inside],
                part.count_probabilities[inside],
            )
        return lengths

    @single_blas_thread()
    def pass_probabilities(self, progress: Progress = ignore_progress) -> Floats:
        """P(rank r passes and at most k do) of the undecided ranks, shape (last − first,)."""
        window, choose = self.window, self.window.selected_undecided_count
        if not len(window.level):
            return np.zeros(0)
        points = window.interpolation_levels(window.level, window.count)
        within = np.zeros(len(points.level))
        for part, _ in iterate_with_progress(self._parts, progress):
            sf, cdf, _ = window.noise.tails(self.nodes.z[part.at, None] - points.level)
            within += part.weight @ sf if part.free else _cut(part, sf, cdf, choose)
        return points.interpolate_items(within)

    @single_blas_thread()
    def hit_probabilities(
        self, hit_rank_count: int, progress: Progress = ignore_progress
    ) -> Floats:
        """P(j of the first `hit_rank_count` ranks pass, at most k of all) for j = 0..k, shape (k +
        1,).
        """
        window = self.window
        if hit_rank_count >= window.last:
            return self.length_probabilities()
        blocks = self._parted(hit_rank_count)
        border = int(blocks.column_block[0]) - blocks.first
        split = int(blocks.at[blocks.column_block[0]])
        hits = np.zeros(window.k + 1)
        for part in self._parts if hit_rank_count == window.k else self._looks(blocks, progress):
            sf, count = part.items.sf, blocks.count
            good = _around(sf[:, :split] @ count[:split], part.count_angles)
            chance = part.count_angles.inverse_transform_at_counts(
                np.exp(part.log_t[..., :border].sum(-1)), good[:, 0]
            )
            chance *= part.weight[:, None]
            if not part.free:
                bad = _around(sf[:, split:] @ count[split:], part.count_angles)
                other = part.count_angles.inverse_transform_at_counts(
                    np.exp(part.log_t[..., border:].sum(-1)), bad[:, 0]
                )
                # how far along the bad counts may go
                room = window.selected_undecided_count - good - bad[:, :1]
                at_most = np.take_along_axis(
                    np.cumsum(other, axis=1), np.clip(room, 0, part.count_angles.n - 1), 1
                )
                chance *= np.where(room < 0, 0.0, at_most)
            inside = (good >= 0) & (good <= window.selected_undecided_count)
            np.add.at(hits, window.first + good[inside], chance[inside])
        return hits

    @single_blas_thread()
    def best_list_probabilities(self) -> Floats:
        """P(exactly the best j pass) for j = 0..k, shape (k + 1,)."""
        window, level = self.window, repeat_values(self.window.level, self.window.count)
        right = np.zeros(window.k + 1)
        size = max(1, _CELLS // max(1, len(level)))
        for part in slices_with_progress(len(self.nodes.z), size, ignore_progress):
            u = self.nodes.z[part, None] - level
            log_p = np.zeros((len(u), len(level) + 1))
            np.cumsum(window.noise.log_sf(u), axis=1, out=log_p[:, 1:])
            log_p[:, :-1] += np.cumsum(window.noise.log_cdf(u)[:, ::-1], axis=1)[:, ::-1]
            right[window.first :] += self.nodes.weight[part] @ np.exp(
                log_p[:, : window.selected_undecided_count + 1]
            )
        return right

    @single_blas_thread()
    def within_probabilities(
        self,
        complete_ranks: Ints,
        worst_ranks: Ints,
        full_lists_only: bool,
        progress: Progress = ignore_progress,
    ) -> Floats:
        """P(ranks 1..a pass, none after b does, and at most k do), shape (rows, columns)."""
        blocks = RankBlocks(self.nodes, complete_ranks, worst_ranks)
        table = np.zeros((len(blocks.rows), len(blocks.columns)))
        for part, _ in iterate_with_progress(self._parts, progress):
            items = self.nodes.untilted_items(part.at, blocks.level)
            log_in, log_out, _ = blocks.in_and_out_sums(items)
            if not part.free:
                choose, turn = self.window.selected_undecided_count, part.count_angles
                wanted = (
                    part.count_window == choose if full_lists_only else part.count_window <= choose
                )
                every = part.count_phase_factors(wanted, choose) * (
                    part.weight[:, None] * (2.0 / turn.n)
                )
                log_t, _ = blocks.undecided_log_and_slope_sums(items, turn, slopes=False)
                inner, outer = blocks.products_up_to_and_beyond_k(log_t, turn, log_in, log_out)
                inner *= every[..., None]
                table += (inner.reshape(-1, len(table)).T @ outer.reshape(-1, table.shape[1])).real
            elif not full_lists_only:
                table += (np.exp(log_in) * part.weight[:, None]).T @ np.exp(log_out)
        return blocks.expand_distinct_table(table)

    def _parted(self, best: int) -> RankBlocks:
        window = self.window
        return RankBlocks(self.nodes, np.array([window.first]), np.array([best, window.last]))

    def _looks(self, blocks: RankBlocks, progress: Progress) -> Iterator[_Part]:
        """Some nodes at a time: first those that k or more may pass, then those that fewer pass."""
        nodes, count = self.nodes, blocks.count
        size = min(_NODES, max(1, _CELLS // max(1, len(blocks.level))))
        for some in slices_with_progress(len(nodes.z), size, progress):
            items = nodes.untilted_items(some, blocks.level)
            room = self.window.selected_undecided_count - items.sf @ count
            exponent = bennett_exponent(room, (items.sf * items.cdf) @ count)
            border = some.start + int(np.flatnonzero(np.append(True, exponent <= EXPONENT))[-1])
            for at, free in ((slice(some.start, border), False), (slice(border, some.stop), True)):
                if at.stop > at.start:
                    part = items.select_nodes(slice(at.start - some.start, at.stop - some.start))
                    importance = float(nodes.log_density[at].max())
                    yield _Part(at, free, part, blocks, nodes.weight[at], importance)


def _cut(part: _Part, sf: Floats, cdf: Floats, choose: int) -> Floats:
    """P(such an item passes, and at most `choose` of all); its own factor is taken out."""
    product = np.exp(part.log_t.sum(-1) - 1j * part.count_angles.theta * (choose - 1))
    product *= part.count_phase_factors(part.count_window <= choose, choose) * (
        part.weight[:, None] * (2.0 / part.count_angles.n)
    )
    gap, versine = 1 - part.count_angles.phase_factors.conj(), part.count_angles.versine[:, None]
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


def _around(mean: Floats, turn: FourierAngles) -> Ints:
    """As many whole numbers as there are angles around each mean, shape (nodes, n)."""
    return np.rint(mean).astype(np.int64)[:, None] - turn.n // 2 + np.arange(turn.n)

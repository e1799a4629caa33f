"""Sums over the cut-off of a noisy top-k: within(a,b) for many a and b at once.

Symbols as in `tilted_nodes`; y = e^(iθ), t = F̃ + yS̃. P(count = j) is a mean of Π t·y^(−j) over
the angles θ. within(a,b) = ∫ Re mean (A′B + AB′) dz with A(a) = Π_{i≤a} S̃·Π_{a<i≤k} t/y, B(b) =
Π_{k<i≤b} t·Π_{i>b} F̃, where ′ differentiates F only: rank one in (a,b) at each node, so a table is
one product of matrices. Items whose S̃ or F̃ is small enter by power sums: log t = −Σ (1−y)^j
S̃^j/j serves all angles at once.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.base import Floats, Ints, Progress, ignore_progress, slices_with_progress
from dpviz.numerics.blas_threads import single_blas_thread
from dpviz.numerics.cutoff.angles import Complexes, FourierAngles, fourier_angles
from dpviz.numerics.cutoff.tilted_nodes import TiltedItems, TiltedNodes

_CELLS = 40_000  # of one array of nodes × items, or nodes × angles × items
_TINY = 1e-300


@single_blas_thread()
def within_probabilities(
    nodes: TiltedNodes,
    complete_ranks: Ints,
    worst_ranks: Ints,
    progress: Progress = ignore_progress,
) -> Floats:
    blocks = RankBlocks(nodes, complete_ranks, worst_ranks)
    table = np.zeros((len(blocks.rows), len(blocks.columns)))
    size = max(4, _CELLS // len(blocks.level))
    for part in slices_with_progress(len(nodes.z), size, progress):
        table += blocks.partial_within_probabilities(part)
    return blocks.expand_distinct_table(table)


def certain_event_probability(nodes: TiltedNodes, progress: Progress = ignore_progress) -> float:
    """within(0, d), which differs from 1 only by the engine's error."""
    first, last = np.array([nodes.window.first]), np.array([nodes.window.last])
    return float(within_probabilities(nodes, first, last, progress)[0, 0])


class RankBlocks:
    """The undecided ranks cut at every a, at k and at every b; sums over blocks serve all (a,b)."""

    def __init__(self, nodes: TiltedNodes, a: Ints, b: Ints) -> None:
        self.nodes, window = nodes, nodes.window
        rows, self._row_of = np.unique(np.clip(a, window.first, window.k), return_inverse=True)
        columns, self._column_of = np.unique(np.clip(b, window.k, window.last), return_inverse=True)
        self.rows, self.columns = rows, columns
        cuts = np.unique(np.concatenate([[window.first], rows, [window.k], columns, [window.last]]))
        self.start, self.level, self.count = window.condensed_level_groups(cuts)
        # the group that each block begins with, and the end
        self.at = np.searchsorted(self.start, cuts - window.first)
        self.row_block = np.searchsorted(cuts, rows)
        self.column_block = np.searchsorted(cuts, columns)
        self.k_block = int(np.searchsorted(cuts, window.k))
        # blocks ever summed over angles
        self.first, self.stop = int(self.row_block[0]), int(self.column_block[-1])

    def expand_distinct_table(self, table: Floats) -> Floats:
        """A table of distinct rows and columns for all a and b."""
        return table[np.ix_(self._row_of, self._column_of)]

    def partial_within_probabilities(self, part: slice) -> Floats:
        nodes = self.nodes
        if self.first == self.stop:
            items = nodes.untilted_items(part, self.level)
            turn = fourier_angles(0.0, 0.0, -np.inf)
        else:
            items = nodes.tilted_items(part, self.level, self.count)
            turn = node_angles(nodes, part, items, self.count)
        log_in, log_out, ratio_out = self.in_and_out_sums(items)
        log_in += (items.log_weight + np.log(nodes.weight[part] * (2.0 / turn.n)))[:, None]
        log_t, ratio = self.undecided_log_and_slope_sums(items, turn)
        a, b = self.products_up_to_and_beyond_k(log_t, turn, log_in, log_out)
        split = self.k_block - self.first
        a_slope = a * _from(ratio[..., :split])[..., self.row_block - self.first]
        after = _up_to(ratio[..., split:])[..., self.column_block - self.k_block]
        b_slope = b * (after + ratio_out[:, None, :])
        # Re Σ (A′B + AB′) over nodes and angles
        return _stack(a_slope.conj(), a.conj()).T @ _stack(b, b_slope)

    def _by_block(self, values: Floats, left: int, first: int, stop: int) -> Floats:
        """Sum `values`, which begin with group `left`, over blocks first..stop−1 (last axis)."""
        sums = np.zeros((*values.shape[:-1], stop - first))
        right = left + values.shape[-1]
        if right > left:
            begin = int(np.searchsorted(self.at, left, side="right")) - 1
            end = int(np.searchsorted(self.at, right, side="left"))
            starts = np.maximum(self.at[begin:end], left) - left
            sums[..., begin - first : end - first] = np.add.reduceat(values, starts, axis=-1)
        return sums

    def in_and_out_sums(self, items: TiltedItems) -> tuple[Floats, Floats, Floats]:
        """For each a: Σ_{i≤a} log S̃. For each b: Σ_{i>b} log F̃ and Σ_{i>b} f̃/F̃."""
        middle, last = int(self.at[self.k_block]), len(self.at) - 1
        log_sf = _safe_log(items.sf[:, :middle], items.cdf[:, :middle]) * self.count[:middle]
        log_in = _up_to(self._by_block(log_sf, 0, 0, self.k_block))[:, self.row_block]
        cdf, count = items.cdf[:, middle:], self.count[middle:]
        log_cdf = _safe_log(cdf, items.sf[:, middle:]) * count
        ratio = items.pdf[:, middle:] / np.maximum(cdf, _TINY) * count
        log_out, ratio_out = (
            _from(self._by_block(v, middle, self.k_block, last))[
                :, self.column_block - self.k_block
            ]
            for v in (log_cdf, ratio)
        )
        return log_in, log_out, ratio_out

    def undecided_log_and_slope_sums(
        self, items: TiltedItems, turn: FourierAngles, *, slopes: bool = True
    ) -> tuple[Complexes, Complexes]:
        """Σ log t and Σ f̃/t over blocks first..stop−1, shape (nodes, angles, blocks)."""
        first, stop = self.first, self.stop
        left, right = int(self.at[first]), int(self.at[stop])
        near_top, near_bottom = turn.series_column_limits(
            items.sf[:, left:right], items.cdf[:, left:right]
        )
        near_top, near_bottom = left + near_top, left + near_bottom
        log_t, ratio = self._directly(items, turn, near_top, near_bottom, slopes)
        if near_bottom < right:
            powers, slope = self._power_sums(
                items.sf, items.pdf, near_bottom, right, turn.terms, slopes
            )
            log_t -= turn.negative_log_series(powers)
            if slopes:
                ratio += turn.power_series(slope)
        if left < near_top:  # t = y·(1 − (1−ȳ)F̃)
            powers, slope = self._power_sums(
                items.cdf, items.pdf, left, near_top, turn.terms, slopes
            )
            log_t -= turn.negative_log_series(powers).conj()
            if slopes:
                ratio += turn.power_series(slope).conj() * turn.phase_factors.conj()[:, None]
            log_t += (
                1j
                * turn.theta[:, None]
                * self._by_block(self.count[left:near_top], left, first, stop)
            )
        return log_t, ratio

    def _power_sums(
        self, p: Floats, pdf: Floats, left: int, right: int, terms: int, with_slopes: bool
    ) -> tuple[Floats, Floats]:
        """Σ p^j (j ≥ 1) and Σ f̃p^j (j ≥ 0) over each block, shape (nodes, terms, blocks)."""
        p = p[:, left:right].copy()
        power, slope = p * self.count[left:right], pdf[:, left:right] * self.count[left:right]
        powers, slopes = [], []
        for j in range(terms):
            powers.append(self._by_block(power, left, self.first, self.stop))
            if j < terms - 1:
                power *= p
            if with_slopes:
                slopes.append(self._by_block(slope, left, self.first, self.stop))
                slope *= p
        return np.stack(powers, 1), np.stack(slopes or powers, 1)

    def _directly(
        self, items: TiltedItems, turn: FourierAngles, left: int, right: int, slopes: bool
    ) -> tuple[Complexes, Complexes]:
        """Σ log t and Σ f̃/t over the groups left..right−1, by block, each group at each angle."""
        shape = (len(items.sf), len(turn.theta), self.stop - self.first)
        log_t, ratio = np.zeros(shape, complex), np.zeros(shape, complex)
        count = self.count[left:right]
        versine, sine = turn.versine[:, None], turn.sine[:, None]
        size = max(1, _CELLS // max(1, (right - left) * len(turn.theta)))
        for start in range(0, len(items.sf) if right > left else 0, size):
            z = slice(start, start + size)
            sf = items.sf[z, None, left:right]
            square = (-2 * versine) * (sf * items.cdf[z, None, left:right])
            square += 1  # |t|²
            slope = np.empty(square.shape)
            if slopes:
                np.divide(items.pdf[z, None, left:right] * count, square, out=slope)
                ratio[z] = self._by_block(slope, left, self.first, self.stop)
                slope *= sf
                ratio[z] -= (versine + 1j * sine) * self._by_block(
                    slope, left, self.first, self.stop
                )
            np.log(square, out=square)
            square *= 0.5 * count
            log_t[z].real = self._by_block(square, left, self.first, self.stop)
            np.multiply(sf, -versine, out=slope)
            slope += 1
            np.multiply(sf, sine, out=square)
            np.arctan2(square, slope, out=square)
            square *= count
            log_t[z].imag = self._by_block(square, left, self.first, self.stop)
        return log_t, ratio

    def products_up_to_and_beyond_k(
        self, log_t: Complexes, angles: FourierAngles, log_in: Floats, log_out: Floats
    ) -> tuple[Complexes, Complexes]:
        """A(a) and B(b) at each angle, shape (nodes, angles, rows) and (nodes, angles, columns)."""
        split = self.k_block - self.first
        missing = self.nodes.window.k - self.rows  # factors t/y
        log_a = _from(log_t[..., :split])[..., self.row_block - self.first]
        a = _polar(log_a.real + log_in[:, None, :], log_a.imag - angles.theta[:, None] * missing)
        log_b = _up_to(log_t[..., split:])[..., self.column_block - self.k_block]
        return a, _polar(log_b.real + log_out[:, None, :], log_b.imag)


def node_angles(
    nodes: TiltedNodes, part: slice, items: TiltedItems, count: Floats
) -> FourierAngles:
    """Angles for these nodes: the smaller z's density there, the fewer."""
    variance = (items.sf * items.cdf) @ count
    return fourier_angles(
        float(variance.max()), float(variance.min()), float(nodes.log_density[part].max())
    )


def _safe_log(p: Floats, q: Floats) -> Floats:
    """log p where p + q = 1, right for p near 1 too; a huge negative number at p = 0."""
    return np.where(p < 0.5, np.log(np.maximum(p, _TINY)), np.log1p(-np.minimum(q, 0.6)))


def _polar(log_modulus: Floats, angle: Floats) -> Complexes:
    """e^(log_modulus + i·angle), faster than exp of a complex array."""
    out = np.empty(angle.shape, complex)
    modulus = np.exp(log_modulus)
    np.multiply(modulus, np.cos(angle), out=out.real)
    np.multiply(modulus, np.sin(angle), out=out.imag)
    return out


def _stack(one: Complexes, two: Complexes) -> Floats:
    """Real and imaginary parts of both, stacked as rows for a real product of matrices."""
    flat = [v.reshape(-1, v.shape[-1]) for v in (one, two)]
    return np.concatenate([part for v in flat for part in (v.real, v.imag)])


def _up_to(values: NDArray[Any]) -> NDArray[Any]:
    """Sums of the first 0, 1, ... entries along the last axis."""
    out = np.zeros((*values.shape[:-1], values.shape[-1] + 1), values.dtype)
    np.cumsum(values, axis=-1, out=out[..., 1:])
    return out


def _from(values: NDArray[Any]) -> NDArray[Any]:
    """Sums of the entries from 0, 1, ... on along the last axis."""
    return _up_to(values[..., ::-1])[..., ::-1]


Blocks = RankBlocks  # the former name, in stored pickles

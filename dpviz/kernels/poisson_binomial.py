"""Sums over the threshold of a noisy top-k: within(a,b) for many a and b at once, and inclusion.

Symbols as in `tilted_nodes`; y = e^(iθ), t = F̃ + yS̃. P(count = j) is a mean of Π t·y^(−j) over N angles θ,
here half-shifted, θ = (n + ½)·2π/N, of which one half is the conjugate of the other.
within(a,b) = ∫ Re mean (A′B + AB′) dz with A(a) = Π_{i≤a} S̃·Π_{a<i≤k} t/y, B(b) = Π_{k<i≤b} t·Π_{i>b} F̃, where ′
differentiates F only: rank one in (a,b) at each node, so a table is one product of matrices.
Invariants: every factor is at most exp(−min(1, 2 sin²(θ/2))·S̃F̃), whichever of t, S̃, F̃ it is; angles whose
product of these is below e^(−_EXPONENT) are left out, and N is so large that what it folds back is, too.
"""

import math
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from dpviz.arrays import Floats, Ints
from dpviz.kernels.tilted_nodes import TiltedItems, TiltedNodes
from dpviz.progress import Progress, silent

__all__ = ["inclusion_sums", "total_sum", "within_sums"]

_EXPONENT = 28.0
_CELLS = 200_000  # of one array of nodes × items, or nodes × angles × items
_TINY = 1e-300

Complexes = NDArray[np.complex128]
Number = TypeVar("Number", np.float64, np.complex128)


def angles(most: float, least: float) -> tuple[int, Floats]:
    """(N, θ): the half-angles to sum over for tilted counts of variance `least` to `most`.

    >>> n, theta = angles(0.01, 0.0)
    >>> n == 2 * len(theta)
    True
    """
    most = max(most, 1e-3)
    n = 2
    while True:
        away = n - 2.0  # the mean is within 1 of the count wanted, which moves by one where it is differentiated
        if away > 0 and most * ((1 + away / most) * math.log1p(away / most) - away / most) >= _EXPONENT:
            break
        n += 2
    theta = (np.arange(n // 2) + 0.5) * (2 * math.pi / n)
    return n, theta[np.minimum(1.0, 2 * np.sin(theta / 2) ** 2) * least < _EXPONENT]


def _safe_log(p: Floats, q: Floats) -> Floats:
    """log p where p + q = 1, right for p near 1 too; a huge negative number at p = 0."""
    return np.where(p < 0.5, np.log(np.maximum(p, _TINY)), np.log1p(-np.minimum(q, 0.6)))


def within_sums(nodes: TiltedNodes, a: Ints, b: Ints, progress: Progress = silent) -> Floats:
    """within(a_i, b_j) of shape (len(a), len(b)), 0 ≤ a ≤ k ≤ b ≤ d."""
    window = nodes.window
    rows, row_of = np.unique(np.clip(a, window.first, window.k), return_inverse=True)
    columns, column_of = np.unique(np.clip(b, window.k, window.last), return_inverse=True)
    blocks = _Blocks(nodes, rows, columns)
    table = np.zeros((len(rows), len(columns)))
    size = max(1, _CELLS // max(len(blocks.level), 1))
    for start in range(0, len(nodes.z), size):
        part = slice(start, min(start + size, len(nodes.z)))
        table += blocks.sums(part)
        progress(part.stop / len(nodes.z))
    return table[np.ix_(row_of, column_of)]


def total_sum(nodes: TiltedNodes, progress: Progress = silent) -> float:
    """within(0, d), which is 1 but for what the engine gets wrong."""
    window = nodes.window
    return float(within_sums(nodes, np.array([window.first]), np.array([window.last]), progress)[0, 0])


class _Blocks:
    """The undecided ranks cut at every a, at k and at every b; sums over the pieces serve all (a,b)."""

    def __init__(self, nodes: TiltedNodes, rows: Ints, columns: Ints) -> None:
        window = nodes.window
        self.nodes, self.rows, self.columns = nodes, rows, columns
        cuts = np.unique(np.concatenate([[window.first], rows, [window.k], columns, [window.last]]))
        start, self.level, self.count = window.split(cuts)
        starts = cuts[:-1] - window.first
        self.at = np.searchsorted(start, starts)  # where each block begins, in groups
        self.row_block = np.searchsorted(cuts, rows)
        self.column_block = np.searchsorted(cuts, columns)
        self.k_block = int(np.searchsorted(cuts, window.k))
        self.between = (int(self.row_block[0]), int(self.column_block[-1]))  # blocks that are ever undecided

    def _by_block(self, values: Floats, first: int, last: int) -> Floats:
        """Sums over the groups of blocks first..last−1, along the last axis, which starts at block `first`."""
        if first == last:
            return np.zeros((*values.shape[:-1], 0))
        return np.add.reduceat(values, self.at[first:last] - self.at[first], axis=-1)

    def sums(self, part: slice) -> Floats:
        """The part of the table that comes from these nodes."""
        items = self.nodes.items(part, self.level, self.count)
        variance = (items.sf * items.cdf) @ self.count
        n, theta = angles(float(variance.max()), float(variance.min()))
        log_in, log_out, ratio_out = self._decided(items)
        log_weight = items.log_weight + np.log(self.nodes.weight[part] * 2.0 / n)
        first, last = self.between
        stop = self.at[last] if last < len(self.at) else len(self.level)
        inner = slice(int(self.at[first]) if first < len(self.at) else stop, int(stop))
        table = np.zeros((len(self.rows), len(self.columns)))
        size = max(1, _CELLS // max((inner.stop - inner.start) * len(theta), 1))
        for start in range(0, len(variance), size):
            z = slice(start, start + size)
            log_t, ratio = self._undecided(items, z, inner, theta)
            table += self._product(log_t, ratio, theta, log_in[z] + log_weight[z, None], log_out[z], ratio_out[z])
        return table

    def _decided(self, items: TiltedItems) -> tuple[Floats, Floats, Floats]:
        """For each a: Σ_{i≤a} log S̃. For each b: Σ_{i>b} log F̃ and Σ_{i>b} f̃/F̃."""
        blocks = len(self.at)
        top = slice(0, int(self.at[self.k_block]))
        log_sf = _safe_log(items.sf[:, top], items.cdf[:, top]) * self.count[top]
        log_in = _up_to(self._by_block(log_sf, 0, self.k_block))[:, self.row_block]
        rest = slice(top.stop, None)
        sf, cdf, pdf = items.sf[:, rest], items.cdf[:, rest], items.pdf[:, rest]
        at = self.column_block - self.k_block
        log_out = _from(self._by_block(_safe_log(cdf, sf) * self.count[rest], self.k_block, blocks))[:, at]
        ratio = pdf / np.maximum(cdf, _TINY) * self.count[rest]
        return log_in, log_out, _from(self._by_block(ratio, self.k_block, blocks))[:, at]

    def _undecided(self, items: TiltedItems, z: slice, inner: slice, theta: Floats) -> tuple[Complexes, Complexes]:
        """Σ log t and Σ f̃/t over each block, complex, shape (nodes, angles, blocks)."""
        sf = items.sf[z, None, inner]
        count = self.count[inner]
        versine, sine = (1 - np.cos(theta))[:, None], np.sin(theta)[:, None]
        square = 1 - (2 * versine) * (sf * items.cdf[z, None, inner])  # |t|²
        ratio = (items.pdf[z, None, inner] * count) / square
        plain = self._by_block(ratio, *self.between)
        ratio *= sf
        weighted = self._by_block(ratio, *self.between)
        np.log(square, out=square)
        square *= 0.5 * count
        modulus = self._by_block(square, *self.between)
        angle = np.arctan2(sine * sf, 1 - versine * sf)
        angle *= count
        return modulus + 1j * self._by_block(angle, *self.between), plain - (versine + 1j * sine) * weighted

    def _product(
        self, log_t: Complexes, ratio: Complexes, theta: Floats, log_in: Floats, log_out: Floats, ratio_out: Floats
    ) -> Floats:
        """Re Σ (A′B + AB′) over nodes and angles."""
        first = self.between[0]
        split = self.k_block - first
        top, bottom = slice(0, split), slice(split, None)
        rows, columns = self.row_block - first, self.column_block - self.k_block
        missing = self.nodes.window.k - self.rows  # factors t/y
        a = np.exp(_from(log_t[..., top])[..., rows] - 1j * theta[:, None] * missing + log_in[:, None, :])
        a_slope = a * _from(ratio[..., top])[..., rows]
        b = np.exp(_up_to(log_t[..., bottom])[..., columns] + log_out[:, None, :])
        b_slope = b * (_up_to(ratio[..., bottom])[..., columns] + ratio_out[:, None, :])
        left = _stack(a_slope.conj(), a.conj())
        return left.T @ _stack(b, b_slope)


def _stack(one: Complexes, two: Complexes) -> Floats:
    """Real and imaginary parts of both, on top of each other: rows for a real product of matrices."""
    flat = [v.reshape(-1, v.shape[-1]) for v in (one, two)]
    return np.concatenate([flat[0].real, flat[0].imag, flat[1].real, flat[1].imag])


def _up_to(values: NDArray[Number]) -> NDArray[Number]:
    """Sums of the first 0, 1, ... entries along the last axis."""
    out = np.zeros((*values.shape[:-1], values.shape[-1] + 1), values.dtype)
    np.cumsum(values, axis=-1, out=out[..., 1:])
    return out


def _from(values: NDArray[Number]) -> NDArray[Number]:
    """Sums of the entries from 0, 1, ... on along the last axis."""
    return _up_to(values[..., ::-1])[..., ::-1]


def inclusion_sums(nodes: TiltedNodes, progress: Progress = silent) -> tuple[Floats, Floats]:
    """P(in) and P(out) for one item of each group of the window, each from its own sums."""
    window = nodes.window
    level, count = window.level, window.count
    inside, outside = np.zeros(len(level)), np.zeros(len(level))
    size = max(1, _CELLS // len(level))
    for start in range(0, len(nodes.z), size):
        part = slice(start, min(start + size, len(nodes.z)))
        items = nodes.items(part, level, count)
        variance = (items.sf * items.cdf) @ count
        n, theta = angles(float(variance.max()), float(variance.min()))
        weight = np.exp(items.log_weight) * nodes.weight[part] * (2.0 / n)
        step = max(1, _CELLS // (len(level) * len(theta)))
        for z in range(0, len(variance), step):
            rows = slice(z, z + step)
            one, other = _one_in_one_out(items, rows, theta, weight[rows], count, window.choose)
            inside += one
            outside += other
        progress(part.stop / len(nodes.z))
    return inside, outside


def _one_in_one_out(
    items: TiltedItems, rows: slice, theta: Floats, weight: Floats, count: Floats, choose: int
) -> tuple[Floats, Floats]:
    """Σ over nodes and angles of Re w·(y/t_i)·S̃_i·(Σ_{j≠i} f̃_j/t_j), and the same for item i left out.

    Left out, it either stays below the threshold, F̃_i·Σ_{j≠i}, or is the threshold itself, f̃_i. With
    1/t = (1 − (1−ȳ)S̃)/|t|² each term is a polynomial in S̃ over |t|² or |t|⁴: a product of matrices.
    """
    sf, cdf, pdf = items.sf[rows], items.cdf[rows], items.pdf[rows]
    y = np.exp(1j * theta)
    gap = 1 - y.conj()
    square = 1 - 2 * (1 - y.real)[:, None] * (sf * cdf)[:, None, :]
    modulus = np.log(square) @ (0.5 * count)
    angle = np.arctan2(y.imag[:, None] * sf[:, None, :], 1 - (1 - y.real)[:, None] * sf[:, None, :]) @ count
    np.divide(1.0, square, out=square)
    slopes = (pdf * count)[:, :, None]
    ratio = (square @ slopes)[..., 0] - gap * (square @ (slopes * sf[:, :, None]))[..., 0]
    product = np.exp(modulus + 1j * (angle - theta * choose)) * weight[:, None]
    slope = product * ratio
    first = np.concatenate([_linear(slope * y, gap), _linear(slope, gap), _linear(product, gap)], 1) @ square
    square *= square
    second = np.concatenate([_quadratic(product * y, gap), _quadratic(product, gap)], 1) @ square
    inside = first[:, 0] + sf * first[:, 1] - pdf * (second[:, 0] + sf * (second[:, 1] + sf * second[:, 2]))
    below = first[:, 2] + sf * first[:, 3] - pdf * (second[:, 3] + sf * (second[:, 4] + sf * second[:, 5]))
    at = first[:, 4] + sf * first[:, 5]
    return (sf * inside).sum(0), (cdf * below + pdf * at).sum(0)


def _linear(c: Complexes, gap: Complexes) -> Floats:
    """Coefficients of Re c·(1 − gap·s) in s, shape (nodes, 2, angles)."""
    return np.stack([c.real, -(c * gap).real], 1)


def _quadratic(c: Complexes, gap: Complexes) -> Floats:
    """Coefficients of Re c·(1 − gap·s)² in s, shape (nodes, 3, angles)."""
    return np.stack([c.real, -2 * (c * gap).real, (c * gap * gap).real], 1)

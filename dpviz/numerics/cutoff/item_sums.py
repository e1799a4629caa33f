"""P(item is among the k largest) for all undecided items, and P(j of the top ranks are).

Symbols as in `tilted_nodes` and `angles`. With D′ = Σ_j f̃_j/t_j and w the product of all t,
y^(−choose) and the node's weight, an item is in with ∫ Re mean w·(y/t_i)·S̃_i·(D′ − f̃_i/t_i) dz;
left out, it lies below the cut-off, F̃_i·(D′ − f̃_i/t_i)/t_i, or is the cut-off itself, f̃_i/t_i.
Hits: A_j = P(j of the undecided ranks up to `best` exceed z), B_j of those after, ′ differentiates
the F's only; j with ∫ (A′_j B_(c−j) + A_j B′_(c−j)) dz, c = choose, each a Fourier sum.
Invariants: ranks up to k get P(out), the others P(in), so that small chances keep their digits;
both have the same sum. Counts j outside a window around the tilted mean are negligible.
"""

import math

import numpy as np

from dpviz.base import Floats, Ints, Progress, ignore_progress, slices_with_progress
from dpviz.numerics.blas_threads import single_blas_thread
from dpviz.numerics.cutoff.angles import EXPONENT, Complexes, FourierAngles, fourier_angles
from dpviz.numerics.cutoff.poisson_binomial import RankBlocks, node_angles
from dpviz.numerics.cutoff.tilted_nodes import TiltedItems, TiltedNodes

_CELLS = 40_000
_TINY = 1e-300


@single_blas_thread()
def out_and_in_probabilities(
    nodes: TiltedNodes, progress: Progress = ignore_progress
) -> tuple[Floats, Floats]:
    """(P(out) of each undecided rank up to k, P(in) of each undecided rank from k + 1 on)."""
    window, at = nodes.window, np.array([nodes.window.k])
    start, each, number = window.level_groups(at)
    split = int(np.searchsorted(start, window.selected_undecided_count))
    top, rest = (
        window.interpolation_levels(each[side], number[side])
        for side in (slice(split), slice(split, None))
    )
    split, looked = len(top.level), 0
    _, level, count = window.condensed_level_groups(at)
    if window.wide_cell_level is not None:  # whose chance is wanted enters no product
        looked = split + len(rest.level)
        level = np.concatenate([top.level, rest.level, level])
        count = np.append(np.zeros(looked), count)
    found = np.zeros(split + len(rest.level))
    size = max(4, _CELLS // len(level))
    for part in slices_with_progress(len(nodes.z), size, progress):
        items = nodes.tilted_items(part, level, count)
        turn = node_angles(nodes, part, items, count)
        weight = np.exp(items.log_weight) * nodes.weight[part] * (2.0 / turn.n)
        step = max(1, _CELLS // (len(level) * max(1, len(turn.theta))))
        for z in range(0, len(weight), step):
            rows, choose = slice(z, z + step), window.selected_undecided_count
            found += _sums(items, rows, turn, weight[rows], count, choose, split, looked)
    return top.interpolate_items(found[:split]), rest.interpolate_items(found[split:])


def _sums(
    items: TiltedItems,
    rows: slice,
    turn: FourierAngles,
    weight: Floats,
    count: Floats,
    choose: int,
    split: int,
    looked: int,
) -> Floats:
    """Both sums over some nodes, at the first `looked` columns (0: all); products are of others."""
    sf, cdf, pdf = items.sf[rows], items.cdf[rows], items.pdf[rows]
    versine, sine = turn.versine[:, None], turn.sine[:, None]
    square = (-2 * versine) * (sf * cdf)[:, None, :]
    square += 1
    entering = sf[:, None, looked:]
    angle = np.arctan2(sine * entering, 1 - versine * entering) @ count[looked:]
    modulus = np.log(square[..., looked:]) @ (0.5 * count[looked:])
    np.divide(1.0, square, out=square)
    gap = 1 - turn.phase_factors.conj()
    slopes = (pdf * count)[:, :, None]
    plain, weighted = (square @ slopes)[..., 0], (square @ (slopes * sf[:, :, None]))[..., 0]
    ratio = plain - np.multiply(gap, weighted)
    product: Complexes = np.exp(
        modulus + np.log(np.maximum(weight, _TINY))[:, None] + 1j * (angle - turn.theta * choose)
    )
    slope: Complexes = np.multiply(product, ratio)
    after = slice(split, looked or None)
    top, rest = square[:, :, :split], square[:, :, after]
    # with 1/t = (1 − (1−ȳ)S̃)/|t|² each term is a polynomial in S̃ over |t|² or |t|⁴, so that sums
    # over angles are products of matrices
    one = np.concatenate([_linear(slope, gap), _linear(product, gap)], 1) @ top
    two = _quadratic(product, gap) @ np.square(top)
    s, f = sf[:, :split], pdf[:, :split]
    out = cdf[:, :split] * (
        one[:, 0] + s * one[:, 1] - f * (two[:, 0] + s * (two[:, 1] + s * two[:, 2]))
    )
    out += f * (one[:, 2] + s * one[:, 3])
    one = _linear(np.multiply(slope, turn.phase_factors), gap) @ rest
    two = _quadratic(np.multiply(product, turn.phase_factors), gap) @ np.square(rest)
    s, f = sf[:, after], pdf[:, after]
    within = s * (one[:, 0] + s * one[:, 1] - f * (two[:, 0] + s * (two[:, 1] + s * two[:, 2])))
    return np.append(out.sum(0), within.sum(0))


def _linear(c: Complexes, gap: Complexes) -> Floats:
    """Coefficients of Re c·(1 − gap·s) in s, shape (nodes, 2, angles)."""
    return np.stack([c.real, -(c * gap).real], 1)


def _quadratic(c: Complexes, gap: Complexes) -> Floats:
    """Coefficients of Re c·(1 − gap·s)² in s, shape (nodes, 3, angles)."""
    return np.stack([c.real, -2 * (c * gap).real, (c * gap * gap).real], 1)


_CLOSER = 4.0  # beyond the exponent of one sum: here there are many


@single_blas_thread()
def hit_count_probabilities(
    nodes: TiltedNodes, hit_rank_count: int, progress: Progress = ignore_progress
) -> Floats:
    """P(exactly j of the first `hit_rank_count` ranks are in) for j = 0..k, shape (k + 1,)."""
    window = nodes.window
    hits = np.zeros(window.k + 1)
    if hit_rank_count >= window.last:
        hits[-1] = 1.0
        return hits
    blocks = RankBlocks(nodes, np.array([window.first]), np.array([hit_rank_count, window.last]))
    level, count, border = blocks.level, blocks.count, int(blocks.column_block[0])
    split = int(blocks.at[border])
    size = max(1, _CELLS // len(level))
    for part in slices_with_progress(len(nodes.z), size, progress):
        items = nodes.tilted_items(part, level, count)
        spread = items.sf * items.cdf
        good, bad = spread[:, :split] @ count[:split], spread[:, split:] @ count[split:]
        importance = float(nodes.log_density[part].max()) + _CLOSER
        turn = resolving_angles(
            float(max(good.max(), bad.max())), float(np.minimum(good, bad).min()), importance
        )
        sums = blocks.undecided_log_and_slope_sums(items, turn)
        log_t, ratio = (
            np.stack([v[..., :border].sum(-1), v[..., border:].sum(-1)], -1) for v in sums
        )
        middle = np.rint(items.sf[:, :split] @ count[:split]).astype(np.int64)
        weight = np.exp(items.log_weight) * nodes.weight[part]
        _add(hits[window.first :], log_t, ratio, turn, middle, weight)
    return hits


def resolving_angles(
    largest_variance: float, smallest_variance: float, importance: float
) -> FourierAngles:
    """Angles that resolve counts over a whole window around their mean."""
    n = 2 * fourier_angles(largest_variance, 0.0, importance).n
    theta = (np.arange(n // 2) + 0.5) * (2 * math.pi / n)
    felt = np.minimum(1.0, 2 * np.sin(theta / 2) ** 2) * smallest_variance < EXPONENT + importance
    return FourierAngles(n, theta[felt])


def _add(
    hits: Floats,
    log_t: Complexes,
    ratio: Complexes,
    turn: FourierAngles,
    middle: Ints,
    weight: Floats,
) -> None:
    """Add the part of these nodes; `log_t`, `ratio` are (nodes, angles, 2): up to `best`, after."""
    product, choose = np.exp(log_t), len(hits) - 1
    first = middle - turn.n // 2
    own, other = product[..., 0], product[..., 1]
    rest = choose - first - turn.n + 1  # of what the others have to count, backwards
    value = (
        turn.inverse_transform_at_counts(own * ratio[..., 0], first)
        * turn.inverse_transform_at_counts(other, rest)[:, ::-1]
    )
    value += (
        turn.inverse_transform_at_counts(own, first)
        * turn.inverse_transform_at_counts(other * ratio[..., 1], rest)[:, ::-1]
    )
    at = first[:, None] + np.arange(turn.n)
    inside = (at >= 0) & (at <= choose)
    np.add.at(hits, at[inside], (value * weight[:, None])[inside])

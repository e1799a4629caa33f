"""P(exactly j of the top `best` ranks are among the k largest), for every j at once.

Symbols as in `tilted_nodes` and `angles`; good = undecided ranks up to `best`, bad = those after it, c = choose;
A_j = P(j of the good exceed z), B_j of the bad, ′ differentiates the F's only. The k largest hold j good ones with
∫ (A′_j B_(c−j) + A_j B′_(c−j)) dz, each A and B a Fourier sum over as many angles as both counts spread.
Invariants: at every node j runs over a window of half as many values as there are angles on either side of the
tilted mean; the counts outside it, and those that fold back into it, have a chance below that of `angles`.
"""

import math

import numpy as np

from dpviz.base.arrays import Floats, Ints
from dpviz.base.progress import Progress, silent
from dpviz.numerics.cutoff.angles import EXPONENT, Angles, Complexes, angles
from dpviz.numerics.cutoff.poisson_binomial import Blocks
from dpviz.numerics.cutoff.tilted_nodes import TiltedNodes
from dpviz.numerics.one_thread import one_thread

_CLOSER = 4.0  # beyond the exponent of one sum: here there are many
_CELLS = 40_000


@one_thread()
def hit_sums(nodes: TiltedNodes, best: int, progress: Progress = silent) -> Floats:
    """P(exactly j of the first `best` ranks are in) for j = 0..k, shape (k + 1,)."""
    window = nodes.window
    hits = np.zeros(window.k + 1)
    if best >= window.last:
        hits[-1] = 1.0
        return hits
    blocks = Blocks(nodes, np.array([window.first]), np.array([best, window.last]))
    level, count, border = blocks.level, blocks.count, int(blocks.column_block[0])
    split = int(blocks.at[border])
    size = max(1, _CELLS // len(level))
    for begin in range(0, len(nodes.z), size):
        part = slice(begin, min(begin + size, len(nodes.z)))
        items = nodes.items(part, level, count)
        spread = items.sf * items.cdf
        good, bad = spread[:, :split] @ count[:split], spread[:, split:] @ count[split:]
        importance = float(nodes.log_density[part].max()) + _CLOSER
        turn = _turn(float(max(good.max(), bad.max())), float(np.minimum(good, bad).min()), importance)
        sums = blocks.undecided(items, turn)
        log_t, ratio = (np.stack([v[..., :border].sum(-1), v[..., border:].sum(-1)], -1) for v in sums)
        middle = np.rint(items.sf[:, :split] @ count[:split]).astype(np.int64)
        weight = np.exp(items.log_weight) * nodes.weight[part]
        _add(hits[window.first :], log_t, ratio, turn, middle, weight, window.choose)
        progress(part.stop / len(nodes.z))
    return hits


def _turn(most: float, least: float, importance: float) -> Angles:
    """Angles that resolve counts of variance up to `most` over a whole window around their mean."""
    n = 2 * angles(most, 0.0, importance).n
    theta = (np.arange(n // 2) + 0.5) * (2 * math.pi / n)
    felt = np.minimum(1.0, 2 * np.sin(theta / 2) ** 2) * least < EXPONENT + importance
    return Angles(n, theta[felt])


def _add(
    hits: Floats, log_t: Complexes, ratio: Complexes, turn: Angles, middle: Ints, weight: Floats, choose: int
) -> None:
    """Add what these nodes give; `log_t`, `ratio` of shape (nodes, angles, 2) for the good and the bad."""
    product = np.exp(log_t)
    first = middle - turn.n // 2
    steps = np.arange(turn.n)
    wave = np.exp(-1j * np.outer(turn.theta, steps))
    own = product[..., 0] * np.exp(-1j * first[:, None] * turn.theta)
    other = product[..., 1] * np.exp(-1j * (choose - first)[:, None] * turn.theta)

    def counted(values: Complexes, waves: Complexes) -> Floats:
        return np.asarray((values @ waves).real * (2.0 / turn.n))

    value = counted(own * ratio[..., 0], wave) * counted(other, wave.conj())
    value += counted(own, wave) * counted(other * ratio[..., 1], wave.conj())
    at = first[:, None] + steps
    inside = (at >= 0) & (at <= choose)
    np.add.at(hits, at[inside], (value * weight[:, None])[inside])

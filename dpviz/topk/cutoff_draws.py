"""Draws of the k largest noisy values, as ranks.

Symbols as in `cutoff_window`; U uniform is the survival probability of a noise value, so an item shows
more than z exactly when U < S(z).
Invariants: draws differ from the true law by at most `Window.outside` in total variation (ranks
decided for sure); within the window they are exact: a row with too few values above the window's low end
is completed from the same uniform numbers.
"""

import numpy as np
from numpy.random import Generator

from dpviz.base.arrays import Bools, Floats, Ints, repeated, tally
from dpviz.base.noise import Noise
from dpviz.numerics.cutoff.window import Window
from dpviz.topk.law import Draw

_CELLS = 2_000_000
_TINY = 1e-300


def one_shot_draws(window: Window) -> Draw:
    """draw(size, rng): ranks of the k largest noisy values, ascending along each row, shape (size, k)."""
    level = repeated(window.level, window.count)
    noise, choose = window.noise, window.choose
    survival = np.exp(noise.log_sf(window.low - level))

    def chunk(out: Ints, rng: Generator) -> None:
        uniform = rng.random((len(out), len(level)))
        np.maximum(uniform, _TINY, out=uniform)
        survives = uniform < survival
        few = survives.sum(1) < choose
        survives[few] = True
        out[:] = window.first + _largest(*_ragged(survives, uniform, level, noise), choose)

    def draw(size: int, rng: Generator) -> Ints:
        ranks = np.empty((size, window.k), np.int64)
        ranks[:, : window.first] = np.arange(window.first)
        rows = max(1, _CELLS // len(level))
        for start in range(0, size if choose else 0, rows):
            chunk(ranks[start : start + rows, window.first :], rng)
        return ranks

    return draw


def _ragged(survives: Bools, uniform: Floats, level: Floats, noise: Noise) -> tuple[Floats, Ints]:
    """Values and columns of the survivors of each row, in column order and padded with −inf."""
    flat = np.flatnonzero(survives)
    row, column = np.divmod(flat, survives.shape[1])
    u = uniform.ravel()[flat]
    value = level[column] + noise.quantile(np.log1p(-u), np.log(u))
    count = tally(row, size=len(survives))
    place = np.arange(len(flat)) - repeated(np.cumsum(count) - count, count)
    values = np.full((len(survives), int(count.max())), -np.inf)
    columns = np.zeros(values.shape, np.int64)
    values[row, place] = value
    columns[row, place] = column
    return values, columns


def _largest(values: Floats, columns: Ints, choose: int) -> Ints:
    """The columns of the `choose` largest values of each row, in column order."""
    rows, width = values.shape
    if width == choose:
        return columns
    least = np.partition(values, width - choose, axis=1)[:, width - choose]
    chosen = values >= least[:, None]
    for row in np.flatnonzero(chosen.sum(1) != choose):  # equal values: the first ones count
        surplus = np.flatnonzero(values[row] == least[row])[::-1]
        chosen[row, surplus[: chosen[row].sum() - choose]] = False
    return columns[chosen].reshape(rows, choose)

"""The exact law of the k largest noisy scores, and draws from it.

Symbols: q = levels in descending order, item i has the value q_i + N_i, as in
`dpviz.numerics.cutoff.cutoff_race`. In draws, U uniform is the survival probability of a noise
value, so a value exceeds z exactly if U < S(z).
Invariants: draws differ from the true law by at most `CutoffWindow.outside` in total variation. A
row with too few values above the window's low end is completed from the same uniform numbers.
Source: Shekelyan & Loukides 2022, Alg 2; the integrals are ours.
"""

import numpy as np
from numpy.random import Generator

from dpviz.base import (
    Bools,
    Floats,
    Ints,
    Noise,
    Progress,
    cached_property,
    ignore_progress,
    portion,
    repeat_values,
    tally,
)
from dpviz.numerics.cutoff.cutoff_race import CutoffRace
from dpviz.numerics.cutoff.poisson_binomial import within_probabilities
from dpviz.numerics.cutoff.window import cutoff_window
from dpviz.numerics.cutoff.worst_rank import FEW_RANKS, expected_worst_rank_excess
from dpviz.numerics.item_race import item_win_probabilities
from dpviz.numerics.set_probabilities import SetProbabilities
from dpviz.topk.law import ClassLaw, ClassTable, Draw, RankLaw, row_chunks

_MISSING = 1e-10
_TOLERANCE = 1e-13  # a smaller chance counts as 0: `error` bounds more than that
_ALL = 10_000  # up to so many classes every one is listed
_CLASS_BLOCK = 200  # of a's at once, so that a table of classes reports and stays small


class CutoffLaw(CutoffRace, RankLaw):  # type: ignore[override]  # `error` is known once figures are
    def within_table(self, complete_ranks: Ints, worst_ranks: Ints) -> Floats:
        """0 without an integral if the range of the cut-off rules it out."""
        rows, columns = self._possible(complete_ranks, worst_ranks)
        table = np.zeros((len(complete_ranks), len(worst_ranks)))
        if rows.any() and columns.any():
            table[np.ix_(rows, columns)] = super().within_table(
                complete_ranks[rows], worst_ranks[columns]
            )
        return table

    def within_pairs(self, complete_ranks: Ints, worst_ranks: Ints) -> Floats:
        """Adds P(anything) to the pairs: `error` needs it, and alone it would cost much more."""
        some = np.logical_and(*self._possible(complete_ranks, worst_ranks))
        within = np.zeros(len(complete_ranks))
        if some.any():
            complete_ranks, worst_ranks = (
                np.append(complete_ranks[some], 0),
                np.append(worst_ranks[some], self.d),
            )
            within[some] = super().within_pairs(complete_ranks, worst_ranks)[:-1]
        return within

    def _possible(self, a: Ints, b: Ints) -> tuple[Bools, Bools]:
        """True for each a, and each b, whose probability is not negligible."""
        most_in, most_out = self._most
        rows = np.clip(a - self.window.first, 0, len(most_in) - 1)
        columns = np.clip(b - self.window.k, 0, len(most_out) - 1)
        return most_in[rows] > _TOLERANCE, most_out[columns] > _TOLERANCE

    @cached_property
    def _most(self) -> tuple[Floats, Floats]:
        """P(undecided ranks up to each a exceed `low`), P(none after each b exceeds `high`)."""
        window = self.window
        level = repeat_values(window.level, window.count)
        log_in = np.cumsum(
            window.noise.log_sf(window.low - level[: window.selected_undecided_count])
        )
        log_out = np.cumsum(
            window.noise.log_cdf(window.high - level[window.selected_undecided_count :])[::-1]
        )[::-1]
        return np.exp(np.append(0.0, log_in)), np.exp(np.append(log_out, 0.0))

    def mean_worst_rank_excess(self) -> float:
        if self.noise.kinks or self.window.last - self.k < FEW_RANKS:
            return super().mean_worst_rank_excess()
        return expected_worst_rank_excess(
            self.noise, self._levels[: self.window.last], self.k, progress=self.progress
        )

    def classes(self) -> ClassTable:
        """Second differences of within, over the ranges that carry the mass."""
        k, d = self.k, self.d
        a_low, b_high, cut = self._mass_range()
        b = np.arange(k, b_high + 1)
        top = self.within(k, k)
        parts = [(np.array([k - 1]), np.array([k]), np.array([top]))]
        least = (
            0.0
            if k * (d - k) <= _ALL
            else _MISSING / (4.0 * max(k - a_low, 1) * max(b_high - k, 1))
        )
        dropped = 0.0
        for start in range(a_low, k, _CLASS_BLOCK):
            a = np.arange(start, min(start + _CLASS_BLOCK, k) + 1)
            part = portion(
                self.progress, (a[0] - a_low) / (k - a_low), (a[-1] - a_low) / (k - a_low)
            )
            other = within_probabilities(self._nodes, a, b, part) - top
            mass = np.diff(-np.diff(other, axis=1), axis=0)  # P(h = a_i, t = b_j+1)
            keep = mass > least
            dropped += float(np.abs(mass[~keep]).sum())
            i, j = np.nonzero(keep)
            parts.append((a[i], b[j] + 1, mass[keep]))
        h, t, probability = (np.concatenate(column) for column in zip(*parts, strict=True))
        missing = cut + dropped + self.window.outside
        return ClassTable(h.astype(np.int64), t.astype(np.int64), probability, missing)

    def _mass_range(self) -> tuple[int, int, float]:
        """(a, b, rest): all mass except `rest` has h ≥ a and t ≤ b."""
        window = self.window
        k, d = self.k, self.d
        if k * (d - k) <= _ALL:
            return 0, d, 0.0
        a, b = np.arange(window.first, k + 1), np.arange(k, window.last + 1)
        reach_a = within_probabilities(self._nodes, a, np.array([d]))[:, 0]
        reach_b = within_probabilities(self._nodes, np.array([0]), b)[0]
        low = a[max(0, int(np.count_nonzero(reach_a >= 1 - _MISSING / 8)) - 1)]
        high = b[min(len(b) - 1, int(np.count_nonzero(reach_b < 1 - _MISSING / 8)))]
        return int(low), int(high), _MISSING / 2


def cutoff_law(
    levels: Floats, k: int, noise: Noise, progress: Progress = ignore_progress
) -> RankLaw:
    if k > 1:
        return CutoffLaw(levels, k, noise, progress)
    # every item is a class of its own, and one integral gives them all
    d = len(levels)
    probability, error = item_win_probabilities(noise, levels)
    log_class = _ItemChances(noise, levels).log_class
    return ClassLaw(
        d, 1, np.zeros(d, np.int64), np.arange(1, d + 1), probability, 0.0, error, log_class
    )


class _ItemChances(SetProbabilities):
    def log_class(self, h: int, t: int) -> float:
        """log P of the class that is rank t alone."""
        return self.log_probability(np.array([t - 1]))


_TINY = 1e-300


def top_k_sampler(levels: Floats, k: int, noise: Noise) -> Draw:
    """draw(size, rng): ascending ranks of the k largest noisy values, shape (size, k)."""
    window = cutoff_window(noise, levels, k)
    level = repeat_values(window.level, window.count)
    choose = window.selected_undecided_count
    survival = np.exp(noise.log_sf(window.low - level))

    def draw(size: int, rng: Generator) -> Ints:
        ranks = np.empty((size, window.k), np.int64)
        ranks[:, : window.first] = np.arange(window.first)
        for part in row_chunks(size if choose else 0, len(level)):
            uniform = np.maximum(rng.random((part.stop - part.start, len(level))), _TINY)
            survives = uniform < survival
            survives[survives.sum(1) < choose] = True
            chosen = _largest(*_ragged(survives, uniform, level, noise), choose)
            ranks[part, window.first :] = window.first + chosen
        return ranks

    return draw


def _ragged(survives: Bools, uniform: Floats, level: Floats, noise: Noise) -> tuple[Floats, Ints]:
    """Values and columns of the survivors of each row, in column order and padded with −inf."""
    flat = np.flatnonzero(survives)
    row, column = np.divmod(flat, survives.shape[1])
    u = uniform.ravel()[flat]
    value = level[column] + noise.quantile(np.log1p(-u), np.log(u))
    count = tally(row, size=len(survives))
    place = np.arange(len(flat)) - repeat_values(np.cumsum(count) - count, count)
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

"""P(how many of the κ largest noisy values lie in each group), of few groups of any size.

Symbols: a group has m members at level q, each with its own noise; n = how many of its members are
among the κ largest; z = the (κ + 1)-th largest value of all; S, F, f at z − q.
Formula: P(n of each) = ∫ Π binom(m, n)·S^n·F^(m−n) · Σ (m − n)·f/F dz, over the groups.
Invariants: in logs, as m reaches e^(several thousand). Each panel is halved until all chances add
up to the known change of P(at most κ values exceed z).
"""

import math

import numpy as np
import scipy

from dpviz.base import Floats, Ints, Noise, Progress, ignore_progress
from dpviz.numerics.interval_search import bisect
from dpviz.numerics.log_binomials import log_sum_exp
from dpviz.numerics.quadrature import integrate_by_halving, unit_panel_edges

_TAIL = 1e-13  # mass of z left out at either end
_FAR = 36.0  # units from which −log F is S to working precision
_WHOLE = 34.0  # log m from which a member less makes no difference
_CELLS = 400_000  # of nodes × answers at once
_POINTS, _WEIGHTS = np.polynomial.legendre.leggauss(10)
_ROUNDING = 1e-14  # relative, of the chances, by the logs that they are made of


@np.errstate(divide="ignore")
def log_members_left_by_removed(log_size: Floats, largest_removed_count: int) -> Floats:
    """log(m − j), shape (groups, removed_count + 1), by j; −inf where nobody is left."""
    log_size = log_size[:, None]
    whole = np.rint(np.exp(np.minimum(log_size, _WHOLE))) - np.arange(largest_removed_count + 1.0)
    return np.where(log_size < _WHOLE, np.log(np.maximum(whole, 0.0)), log_size)


class GroupCounts:
    """Groups whose members compete for κ places."""

    def __init__(self, noise: Noise, level: Floats, log_size: Floats, winners: int) -> None:
        self._noise, self._winners = noise, winners
        self._level = level - level.max()  # only differences matter
        self._left = log_members_left_by_removed(log_size, winners)
        taken = np.cumsum(self._left[:, :-1], axis=1)
        self._ways = np.insert(taken, 0, 0.0, axis=1)
        self._ways -= scipy.special.gammaln(np.arange(1.0, winners + 2))
        self._highest = math.log(noise.tail / _TAIL) + log_sum_exp(self._level + log_size)

    def probabilities(
        self, group_rows: Ints, progress: Progress = ignore_progress
    ) -> tuple[Floats, float]:
        """(P of each answer, a bound on the error); an answer is a row of κ ascending groups."""
        counts = np.stack([(group_rows == group).sum(1) for group in range(len(self._level))])

        def panels(a: Floats, b: Floats) -> tuple[Floats, Floats]:
            half, shape = 0.5 * (b - a), (len(a), len(_POINTS), len(group_rows))
            log_terms, rates = self._terms(
                (0.5 * (a + b)[:, None] + half[:, None] * _POINTS).ravel()
            )
            log_mass, rate = np.zeros((2, len(rates), len(group_rows)))
            for group, count in enumerate(counts):
                log_mass += log_terms[:, group, count]
                rate += rates[:, group, count]
            density = (np.exp(log_mass) * rate).reshape(shape)
            found = np.einsum("pna,n->pa", density, _WEIGHTS) * half[:, None]
            return found, np.abs(found.sum(1) - self._at_most(b) + self._at_most(a))

        (chances,), error, count = integrate_by_halving(
            panels,
            self._edges(),
            batch=max(1, _CELLS // (len(_POINTS) * len(group_rows))),
            tolerance=_TAIL,
            halvings=14,
            narrowest=1e-9,
            progress=progress,
        )
        return chances, error + 2 * _TAIL + _ROUNDING * count

    @np.errstate(all="ignore")  # 0·∞ where a group lies so high that F is 0: nothing of it is left
    def _terms(self, z: Floats) -> tuple[Floats, Floats]:
        """log(binom(m, n)·S^n·F^(m−n)) and (m − n)·f/F, by node, group and n = 0..κ."""
        u = z[:, None] - self._level
        log_cdf, log_sf = self._noise.log_cdf(u), self._noise.log_sf(u)
        log_minus = np.where(u > _FAR, log_sf, np.log(-log_cdf))  # of −log F
        fall = np.exp(np.minimum(self._left + log_minus[:, :, None], 700.0))
        log_terms = self._ways + np.arange(self._winners + 1) * log_sf[:, :, None]
        log_rate = self._left + (self._noise.log_pdf(u) - log_cdf)[:, :, None]
        rates = np.exp(np.minimum(log_rate, 700.0))
        nobody = np.isneginf(self._left)
        return log_terms - np.where(nobody, 0.0, fall), np.where(nobody, 0.0, np.nan_to_num(rates))

    def _at_most(self, z: Floats) -> Floats:
        """P(at most κ values exceed z): the groups' numbers of such values are convolved."""
        chances = np.exp(self._terms(z)[0])
        total = np.insert(np.zeros((len(z), self._winners)), 0, 1.0, axis=1)
        for group in range(len(self._level)):
            total = np.stack(
                [
                    (total[:, : n + 1] * chances[:, group, n::-1]).sum(1)
                    for n in range(self._winners + 1)
                ],
                axis=1,
            )
        return np.asarray(total.sum(1))

    def _edges(self) -> Floats:
        """Panels over the range of z, split at the kinks of the density."""
        lowest = float(self._level.min()) + max(self._noise.start, -800.0)
        low, _ = bisect(
            lambda z: self._at_most(np.array([z]))[0] > _TAIL,
            lowest,
            self._highest,
            rounds=100,
            tolerance=1e-3,
        )
        _, high = bisect(
            lambda z: self._at_most(np.array([z]))[0] >= 1 - _TAIL,
            low,
            self._highest,
            rounds=100,
            tolerance=1e-3,
        )
        return unit_panel_edges(low, high, np.add.outer(self._noise.kinks, self._level).ravel())

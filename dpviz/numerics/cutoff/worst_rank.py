"""Expected excess of the worst released rank: Σ_{b≥k} P(some rank after b is released).

Symbols: H_b(z) = Π_{i>b} F_i, the cdf of the best of the ranks after b; N_b = number of the first b
that exceed z; G(z) = P(the floor is below z), 1 without one. The best of the ranks after b is
released where it beats the floor and fewer than k of the first b beat it: ∫ G·H_b′·P(N_b < k) dz.
Method: P(N < k) is a mean of Π t·y^(1−k)/(1−y) over a circle r around 0, plus 1 where r > 1 has the
pole inside. A saddle point r, but `_AWAY` deviations from 1, needs few angles; Π t·ΠF is largest
for b = d, so that it serves every b. Where k hardly ever pass, no angles are needed.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from dpviz.base import Floats, Noise, Progress, ignore_progress, repeat_values, slices_with_progress
from dpviz.numerics.blas_threads import single_blas_thread
from dpviz.numerics.cutoff.angles import Complexes, bennett_exponent
from dpviz.numerics.cutoff.floor import place_cutoff_nodes_and_steps
from dpviz.numerics.cutoff.level_condensation import Rule, condense_levels, group_equal_levels
from dpviz.numerics.cutoff.window import solve_tilt_and_variance
from dpviz.numerics.log_binomials import log_sum_exp

FEW_RANKS = 500
"""Number of ranks after k below which P(none after b) one by one costs less."""

_TOLERANCE = 1e-15
_EXPONENT = 34.0  # e^−this is what angles leave out
_AWAY = 3.0
_FARTHEST = 1.0  # of log r from 0, where so few pass that this is no deviation
_NODES = 8  # at once
_TINY = 1e-300
_NEVER = 45.0  # H_b below e^−this is 0


@single_blas_thread()
def expected_worst_rank_excess(
    noise: Noise,
    descending_levels: Floats,
    k: int,
    log_floor: Callable[[Floats], Floats] = np.zeros_like,
    progress: Progress = ignore_progress,
) -> float:
    """Σ_{b=k}^{d−1} P(a rank after b is released), where the noise is smooth."""
    high = math.log(noise.tail / _TOLERANCE) + log_sum_exp(descending_levels[k:])
    low = float(descending_levels[k]) - (high - float(descending_levels[k])) - 1
    z, step = place_cutoff_nodes_and_steps(noise, descending_levels, k - 1, low, high, log_floor)
    if not len(z):
        return 0.0
    weight = step * np.exp(log_floor(z))
    beyond = _Beyond(noise, descending_levels, k)
    total = 0.0
    for part in slices_with_progress(len(z), _NODES, progress):
        total += float(weight[part] @ beyond.integrand(z[part]))
    return total


class _Beyond:
    """Σ_b H_b′·P(N_b < k) at some z."""

    def __init__(self, noise: Noise, level: Floats, k: int) -> None:
        self.noise, self.level, self.k = noise, level, k
        self.start, self.values, self.count = group_equal_levels(level[k:])
        self.owner = repeat_values(np.arange(len(self.start)), self.count)
        # of each rank after k, how many of its own level there are from it on
        self.left = (self.start + self.count)[self.owner] - np.arange(len(self.owner))
        self.every = _few(level)

    def integrand(self, z: Floats) -> Floats:
        """At ascending z, shape (nodes,)."""
        level, count = self.every
        sf, cdf, _ = self.noise.tails(z[:, None] - level)
        mean, variance = sf @ count, (sf * cdf) @ count
        first, passing, failing, slope = self._after(z)
        free = bennett_exponent(self.k - mean, variance) > _EXPONENT
        value = np.where(free, slope.sum(1), 0.0)
        if free.all():
            return value
        log_r, _ = solve_tilt_and_variance(
            sf, cdf, count, self.k - 0.5, np.zeros(len(z)), tolerance=0.5
        )
        push = np.minimum(_AWAY / np.sqrt(variance + _TINY), _FARTHEST)
        log_r = np.where(mean < self.k - 0.5, np.maximum(log_r, push), np.minimum(log_r, -push))
        before, many = _few(self.level[: self.k + first])
        for node in np.flatnonzero(~free):
            y, share = _circle(float(log_r[node]), sf[node], cdf[node], count, self.k)
            head = np.array(self.noise.tails(z[node] - before)[:2])
            after = np.array([passing[node, :-1], failing[node, :-1]])
            r = math.exp(float(log_r[node]))
            value[node] = share * _few_pass(r, y, head, many, after, slope[node], self.k)
            value[node] += slope[node].sum() if log_r[node] > 0 else 0.0
        return value

    def _after(self, z: Floats) -> tuple[int, Floats, Floats, Floats]:
        """(first, S, F, H_b′) of the ranks b from k + first on; before, H_b is negligible."""
        sf, cdf, pdf = self.noise.tails(z[:, None] - self.values)
        log_f = np.log(np.maximum(cdf, _TINY))
        ratio = pdf / np.maximum(cdf, _TINY)
        log_h, slope = (
            np.cumsum((v * self.count)[:, ::-1], axis=1)[:, ::-1] for v in (log_f, ratio)
        )
        some = slice(int(self.start[max(0, int(np.count_nonzero(log_h[-1] < -_NEVER)) - 1)]), None)
        owner, passed = self.owner[some], (self.count[self.owner] - self.left)[some]
        h = np.exp(log_h[:, owner] - passed * log_f[:, owner])
        return (
            some.start,
            sf[:, owner],
            cdf[:, owner],
            h * (slope[:, owner] - passed * ratio[:, owner]),
        )


def _count_factors(tails: Floats, y: complex | Complexes) -> Any:
    """t = F + y·S of items whose passes are counted, from (S, F)."""
    return tails[1] + y * tails[0]


def _circle(
    log_r: float, sf: Floats, cdf: Floats, count: Floats, k: int
) -> tuple[Complexes, float]:
    """(y, share): enough points on a circle of radius r around 0 to give P(N < k)."""
    tilted = math.exp(log_r) * sf / (cdf + math.exp(log_r) * sf)
    away = abs(float(tilted @ count) - (k - 1)) + 1
    variance = float((tilted * (1 - tilted)) @ count)
    n = 2 * math.ceil(0.5 * max(_EXPONENT / abs(log_r), away))
    while bennett_exponent(n - away, variance) < _EXPONENT:
        n += 2
    # the other half of the points is the conjugate of this one
    theta = (np.arange(n // 2) + 0.5) * (math.tau / n)
    felt = theta[np.minimum(1.0, 2 * np.sin(theta / 2) ** 2) * variance < _EXPONENT]
    return np.exp(log_r + 1j * felt), 2 / n


def _few_pass(
    r: float, y: Complexes, head: Floats, many: Floats, after: Floats, slope: Floats, k: int
) -> float:
    """Sum over y and b of H_b′·Π t·y^(1−k)/(1−y); `many` items stand for each of `head`."""
    # a product may be e^±1000 and H_b′ the opposite: its value at r enters the logs of H_b′; at y
    # it is a share of that, at most 1
    head_at_r, after_at_r = _count_factors(head, r), _count_factors(after, r)
    log_at_r = np.log(head_at_r) @ many - (k - 1) * math.log(r)
    at_r = log_at_r + np.cumsum(np.log(np.append(1.0, after_at_r)))
    lifted = np.exp(at_r + np.log(slope, out=np.full(len(slope), -np.inf), where=slope > 0))
    turned = np.log(_count_factors(head / head_at_r, y[:, None])) @ many
    shares = np.ones((len(y), len(slope)), complex)
    np.cumprod(_count_factors(after / after_at_r, y[:, None]), axis=1, out=shares[:, 1:])
    weight = np.exp(turned - (k - 1) * np.log(y / r)) / (1 - y)
    return float((weight @ (shares @ lifted)).real)


def _few(level: Floats) -> Rule:
    """Condensed levels, and the number of items that each stands for."""
    _, values, count = group_equal_levels(level)
    return condense_levels(values, count, np.zeros(1, np.int64))[1:]

"""Large margin mechanism: find privately how many items are near the top, then choose one of them.

Symbols: s = scores/Δ in descending order, relative to the best; Z ~ Lap(3/ε), G ~ Lap(6/ε), Z_r ~
Lap(12/ε); t_r = 6(1 + log(3r/δ)/ε), T_r = (3/ε)log(3/(2δ)) + (6/ε)log(3/δ) + (12/ε)log(3r(r+1)/δ) +
t_r; ℓ = the first r < d with s_1 + Z − s_(r+1) > Z_r + G + T_r, else d; then weights e^(εs/6) on
the top ℓ.
Invariants: (ε, δ)-DP. The universe beyond the front group costs nothing, so zero scores need not be
listed. In units of 12/ε the tests are those of `dpviz.numerics.first_pass`.
Source: Chaudhuri, Hsu & Song 2014, Alg 1, Thm 2, Thm 3 (its ln(3/n) is ln(3/η)).
"""

import math
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from dpviz.base import NOISES, Floats, Ints, Progress, Scores, check_integer, check_open_interval
from dpviz.base.former_names import former_names
from dpviz.margin.top_one import (
    TOP_ONE,
    TopOneLaw,
    TopOneMechanism,
    check_zero_count,
    scores_and_zero_below_best,
)
from dpviz.numerics.first_pass import (
    Gaps,
    SharedNoise,
    shared_laplace_difference,
    stream_first_pass_law,
)
from dpviz.numerics.running_sums import running_sum_relative_error, running_sums

# tests beyond the listed ranks; the effect of later ones is bounded
_TESTED = (30_000, 1_000_000, 10_000_000)
_LAPLACE = NOISES["laplace"]
_BLOCK = 512
_LISTED_AT_ONCE = 1 << 16
_NEGLIGIBLE = 1e-12
# E[e^(Z−G)] for scales ¼ and ½; its ½ and the 2 of T_1 make one
_TILT = 1 / ((1 - 0.25**2) * (1 - 0.5**2))
_LARGEST_LOG = 700.0


@dataclass(frozen=True)
class UtilityBound:
    rank: int
    distance: float
    margin_needed: float
    probability: float


@former_names(margins="required_margins", passes_from="pass_probability_bound")
@TOP_ONE.register(
    "large_margin",
    label="Large margin",
    says=(
        "Finds a front group and chooses within it, for any number of other items. Use it if there"
        " are too many others to count and all lie far below."
    ),
)
@dataclass(frozen=True, kw_only=True)
class LargeMargin(TopOneMechanism):
    """One item under (ε, δ)-DP, as if the universe were only its front group.

    Parameters
    ----------
    epsilon
        ε above 0, the total for one release.
    delta
        δ above 0 and below 1.

    Examples
    --------
    >>> law = LargeMargin(epsilon=1.0, delta=1e-3).distribution(Scores([300, 295, 20, 3, 0]))
    >>> law.rank_law.round(3).tolist(), law.inclusion.round(3).tolist()
    ([0.0, 0.96, 0.038, 0.002, 0.001], [0.697, 0.303, 0.0, 0.0, 0.0])
    """

    # Z − G in units of the tests' 12/ε
    _shared: ClassVar[SharedNoise] = shared_laplace_difference(0.25, 0.5)

    @property
    def _scale(self) -> float:
        return 12 / self.epsilon

    def required_margins(self, d: int) -> Floats:
        """T_r for r = 1..d−1 in units of Δ, shape (d−1,): the margins for s_1 − s_(r+1) to pass."""
        d = check_integer("d", d, low=2)
        return self._margin(np.arange(1, d, dtype=float))

    def utility_bound(self, scores: Scores, eta: float, *, zeros: int = 0) -> UtilityBound:
        """The theorem's promise at the smallest ℓ* it applies to.

        If s_1 − s_(ℓ*+1) > (21/ε)log(3/η) + T_ℓ*, the item is within (6/ε)log(2ℓ*/η) of the best
        with probability at least 1 − η; ℓ* = d always qualifies.

        Parameters
        ----------
        scores
            The scores to choose from.
        eta
            η above 0 and below 1, the chance of failure.
        zeros
            Number of further, unlisted items of score zero.

        Returns
        -------
        UtilityBound
            The promise, its distances in the unit of the scores.
        """
        zeros = check_zero_count(scores, zeros)
        eta = check_open_interval("eta", eta)
        s, zero = scores_and_zero_below_best(scores)
        extra = 21 / self.epsilon * math.log(3 / eta)
        # T_r rises, so of the zeros only the first can pass
        following = np.append(s[1:], zero) if zeros else s[1:]
        margin = extra + self._margin(np.arange(1, len(following) + 1, dtype=float))
        clear = np.flatnonzero(-following > margin)
        rank, needed = len(s) + zeros, 0.0
        if len(clear):
            rank, needed = int(clear[0]) + 1, float(margin[clear[0]])
        distance = 6 / self.epsilon * (math.log(2 / eta) + math.log(rank))
        return UtilityBound(
            rank, distance * scores.sensitivity, needed * scores.sensitivity, 1 - eta
        )

    def _margin(self, r: Floats) -> Floats:
        e, delta = self.epsilon, self.delta
        fixed = 3 * math.log(3 / (2 * delta)) + 24 * math.log(3 / delta) + 6 * e
        return (fixed + 6 * np.log(r * r * r * (r + 1) * (r + 1))) / e

    def pass_probability_bound(self, rank: int, best: float) -> float:
        """A bound on the chance that any test from a rank on passes.

        Parameters
        ----------
        rank
            The first test, at least 2.
        best
            Distance of its items below the best, in units of Δ.

        Returns
        -------
        float
            The bound, at most 1.
        """
        # as the Laplace CDF is at most e^x/2, test r passes with a chance of at most
        # E[e^(Z−G)]/2·e^(ε(best−T_r)/12), Z and G in units of 12/ε; here
        # T_r ≥ T_1 + (12/ε)·log(r^2.5/2), and Σ r^(−2.5) is at most (rank−1)^(−1.5)/1.5
        log_excess = self.epsilon * (best - float(self.required_margins(2)[0])) / 12
        constant = _TILT * math.exp(min(log_excess, _LARGEST_LOG))
        return min(1.0, constant * math.exp(-1.5 * math.log(rank - 1)) / 1.5)

    def _gaps(self, s: Floats, zero: float, start: int, stop: int) -> Floats:
        """Noise-free excess of tests start+1..stop in units of 12/ε; unlisted s = `zero`."""
        r = np.arange(start + 1, stop + 1, dtype=float)
        listed = s[start + 1 : stop + 1]
        following = np.append(listed, np.full(len(r) - len(listed), zero))
        return (-following - self._margin(r)) / self._scale

    def _law(self, scores: Scores, zeros: int, progress: Progress) -> TopOneLaw:
        s, zero = scores_and_zero_below_best(scores)
        for most in _TESTED:  # few tests beyond the list do if later ones rarely pass
            front, tests = _Front(s, zero, zeros, self.epsilon), len(s) - 1 + min(zeros, most)
            rest = stream_first_pass_law(
                partial(self._gaps, s, zero),
                tests,
                self._shared,
                front.add_size_probabilities,
                progress,
                falling_from=len(s) - 1,
            )
            later = (
                min(rest.none, self.pass_probability_bound(tests + 1, -zero))
                if zeros > most
                else 0.0
            )
            if later <= _NEGLIGIBLE:
                break
        front.add_whole_universe(rest.none)
        inclusion = np.empty(len(s))
        inclusion[scores.order] = front.item_inclusion()
        return TopOneLaw(
            scores=scores,
            inclusion=inclusion,
            error=rest.error + later + running_sum_relative_error(len(s)),
            zeros=zeros,
            zero_mass=front.zero_mass,
            rank_law=front.rank_law,
            beyond=front.beyond,
        )

    def _sample(self, scores: Scores, zeros: int, size: int, rng: Generator) -> Ints:
        s, zero = scores_and_zero_below_best(scores)
        count = len(s) + zeros - 1
        shared = rng.laplace(0.0, 0.25, size) - rng.laplace(0.0, 0.5, size)
        first = draw_first_passing_test(partial(self._gaps, s, zero), count, len(s), shared, rng)
        ranks = _Front(s, zero, zeros, self.epsilon).draw_ranks(first + 1, rng)
        return np.where(ranks < len(s), scores.order[np.minimum(ranks, len(s) - 1)], ranks)


class _Front:
    """The exponential mechanism on the top ℓ; the probabilities of ℓ arrive piece by piece."""

    def __init__(self, s: Floats, zero: float, zeros: int, epsilon: float) -> None:
        self.m = len(s)
        self.zeros = zeros
        with np.errstate(under="ignore"):
            self.weight = np.exp(epsilon / 6 * s)
            self.zero_weight = math.exp(epsilon / 6 * zero) if zeros else 0.0
        self.log_zero_weight = epsilon / 6 * zero
        self.total = running_sums(self.weight)
        self.rank_law = np.zeros(self.m)
        self.beyond = 0.0
        self.zero_mass = 0.0
        self._from_beyond = 0.0  # Σ P(ℓ)/total weight of the top ℓ over unlisted ranks

    def add_size_probabilities(self, start: int, p: Floats) -> None:
        """Add P(ℓ = start+1), P(ℓ = start+2), …"""
        listed = max(0, min(len(p), self.m - start))
        self.rank_law[start : start + listed] = p[:listed]
        if listed == len(p):
            return
        p = p[listed:]
        unlisted = self.zero_weight * np.arange(
            start + listed + 1 - self.m, start + listed + 1 - self.m + len(p)
        )
        shared = p / (self.total[-1] + unlisted)
        self.beyond += float(p.sum())
        self._from_beyond += float(shared.sum())
        self.zero_mass += float(shared @ unlisted)

    def add_whole_universe(self, p: float) -> None:
        """Add the chance that no item is left out; in logs, as unlisted items may be very many."""
        if not self.zeros:
            self.add_size_probabilities(self.m - 1, np.array([p]))
            return
        unlisted = math.log(self.zeros) + self.log_zero_weight
        everything = float(np.logaddexp(math.log(float(self.total[-1])), unlisted))
        self.beyond += p
        self._from_beyond += p * math.exp(-everything)
        self.zero_mass += p * math.exp(unlisted - everything)

    def item_inclusion(self) -> Floats:
        listed = running_sums((self.rank_law / self.total)[::-1])[::-1]
        return self.weight * (listed + self._from_beyond)

    def draw_ranks(self, last: Ints, rng: Generator) -> Ints:
        """A 0-based rank from the top `last`."""
        listed = np.minimum(last, self.m)
        weight = self.total[listed - 1] + (last - listed) * self.zero_weight
        u = rng.random(len(last)) * weight
        inside: Ints = np.minimum(np.searchsorted(self.total, u, side="right"), listed - 1)
        if not self.zeros:
            return inside
        beyond = u - self.total[-1]
        index = np.clip(
            beyond / max(self.zero_weight, 1e-300), 0, np.maximum(last - listed - 1, 0)
        ).astype(np.int64)
        return np.where((beyond >= 0) & (last > self.m), self.m + index, inside)


def draw_first_passing_test(
    gaps: Gaps, test_count: int, listed_count: int, shared_noise: Floats, rng: Generator
) -> Ints:
    """For each value of the shared noise the first test that passes, drawn test by test."""
    index = np.full(len(shared_noise), test_count, np.int64)
    active = np.arange(len(shared_noise))
    start = 0
    while start < test_count and len(active):
        stop = min(start + max(_BLOCK, start - listed_count), test_count)
        first = _within(gaps, start, stop, shared_noise[active], rng)
        passed = first < stop
        index[active[passed]] = first[passed]
        active = active[~passed]
        start = stop
    return index


def _within(gaps: Gaps, start: int, stop: int, shared: Floats, rng: Generator) -> Ints:
    """The first test to pass among start..stop−1, otherwise `stop` or more."""
    at_once = stop - start <= _LISTED_AT_ONCE
    g = gaps(start, stop if at_once else start + 1)
    # thinning: candidates lie a geometric number of tests apart, by the largest chance of a block,
    # and are accepted with the ratio of the chances
    ceiling = _chance(float(g.max()) + shared)
    with np.errstate(divide="ignore"):
        step = np.log1p(-ceiling)
    at = np.full(len(shared), start, np.int64)
    looking = np.arange(len(shared))
    while len(looking):
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            skip = np.floor(np.log1p(-rng.random(len(looking))) / step[looking])
        at[looking] += np.clip(np.nan_to_num(skip, posinf=np.inf), 0, stop).astype(np.int64)
        looking = looking[at[looking] < stop]
        here = at[looking]
        gap = (
            g[here - start]
            if at_once
            else np.array([float(gaps(i, i + 1)[0]) for i in here.tolist()])
        )
        looking = looking[
            rng.random(len(looking)) * ceiling[looking] >= _chance(gap + shared[looking])
        ]
        at[looking] += 1
    return at


def _chance(u: Floats) -> Floats:
    """P(Laplace(1) < u)."""
    return _LAPLACE.tails(u)[1]

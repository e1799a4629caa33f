"""The chance of a good item as the universe grows: K items in all, most of them unlisted and of score zero.

Symbols: good = within `distance` of the best raw score; d listed items; q = ε/2·f/Δ_eff, as in `universe`.
Invariants: up to ten million unlisted items every figure is that of the law itself. Far beyond, noisy max still
is (it depends on K through log K), and large margin lies between two bounds: what its tests decide among the
listed ranks stays, and further tests hardly ever pass.
Source: the range-dependence of Chaudhuri, Hsu & Song 2014, Sec 2.2, 3.3; the bounds are ours.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import logsumexp

from dpviz.base.arrays import Floats, Ints
from dpviz.base.noise import NOISES
from dpviz.base.parameters import check_number
from dpviz.base.progress import Progress, portion, silent
from dpviz.base.scores import Scores, differences
from dpviz.margin.large_margin import LargeMargin
from dpviz.margin.one_item import TopOneLaw, below_best, check_zeros
from dpviz.margin.rules import Rule
from dpviz.numerics.group_race import winner

__all__ = ["MOST_UNLISTED", "UniverseCurve", "far_curve", "half_way", "universe_curve", "universe_sizes"]

MOST_UNLISTED = 10_000_000
_TILT = 1 / ((1 - 0.25**2) * (1 - 0.5**2))  # E[e^(Z−G)] for scales ¼ and ½; its ½ and the 2 of T_1 make one
_LARGEST_LOG = 700.0
_SIZES_A_DECADE = 4


@dataclass(frozen=True, eq=False)
class UniverseCurve:
    """P(a good item) lies between `low` and `high` for a universe of 10^`log10_size` items."""

    log10_size: Floats
    low: Floats
    high: Floats


def universe_sizes(d: int) -> Ints:
    """Sizes from d to d + 10,000,000, even in proportion."""
    points = 2 + int(_SIZES_A_DECADE * math.log10((d + MOST_UNLISTED) / d))
    return np.unique(np.rint(np.geomspace(d, d + MOST_UNLISTED, points)).astype(np.int64))


def universe_curve(
    rule: Rule,
    scores: Scores,
    epsilon: float,
    delta: float,
    distance: float,
    sizes: Ints,
    progress: Progress = silent,
) -> tuple[UniverseCurve, TopOneLaw]:
    """The exact chance of a good item at each universe size (at least d, ascending), and the law at the last.

    >>> from dpviz.margin.rules import RULES
    >>> curve, law = universe_curve(RULES["gumbel"], Scores([20.0, 0.0]), 1.0, 1e-6, 0.0, np.array([2, 10_000]))
    >>> curve.low.round(4).tolist()
    [1.0, 0.6878]
    """
    check_zeros(scores, int(sizes[-1]) - scores.d)
    chance = np.empty(len(sizes))
    for i, size in enumerate(sizes.tolist()):
        part = portion(progress, i / len(sizes), (i + 1) / len(sizes))
        law = rule.law(scores, epsilon, delta, zeros=size - scores.d, progress=part)
        chance[i] = law.near_best(distance)
    return UniverseCurve(np.log10(sizes), chance, chance), law


def half_way(scores: Scores, epsilon: float, distance: float) -> float | None:
    """log10 of the number of unlisted items at which the exponential mechanism chooses a good item half of the time.

    None where there is no such number: if it does so less often to begin with, or unlisted items are good too.

    >>> round(half_way(Scores([300.0, 0.0]), 1.0, 0.0), 2)
    65.14
    """
    best = float(scores.values.max())
    q = epsilon / 2 * differences(scores.values, best, scores.effective_sensitivity)
    good = scores.values >= best - distance
    if scores.values.max() <= distance:
        return None
    chosen = float(logsumexp(q[good]))
    others = float(logsumexp(q[~good])) if not good.all() else -math.inf
    zero = epsilon / 2 * (-best / scores.effective_sensitivity)
    return None if others >= chosen else (chosen - zero + math.log1p(-math.exp(others - chosen))) / math.log(10)


def far_curve(
    rule: Rule, law: TopOneLaw, epsilon: float, delta: float, distance: float, log10_zeros: Floats
) -> UniverseCurve:
    """As far as anyone likes beyond `law`, the rule's own with fewer unlisted items, at 10^`log10_zeros` of them.

    >>> from dpviz.margin.rules import RULES
    >>> law = RULES["gumbel"].law(Scores([300.0, 0.0]), 1.0, 1e-6, zeros=8)
    >>> far_curve(RULES["gumbel"], law, 1.0, 1e-6, 0.0, np.array([65.0, 66.0])).low.round(3).tolist()
    [0.582, 0.122]
    """
    distance = check_number("distance", distance, low=0.0)
    now = law.near_best(distance)
    if law.scores.values.max() - distance <= 0:
        chance = np.full(len(log10_zeros), now)  # every unlisted item is good too
    elif rule.noise is not None:
        of = law.scores
        chance = np.array([_noisy_max_chance(of, epsilon, rule.noise, distance, x) for x in log10_zeros.tolist()])
    elif law.rank_law is not None:
        return _large_margin_bounds(law, epsilon, delta, distance, log10_zeros)
    else:
        chance = np.full(len(log10_zeros), now)
    return UniverseCurve(log10_zeros, chance, chance)


def _large_margin_bounds(
    law: TopOneLaw, epsilon: float, delta: float, distance: float, log10_zeros: Floats
) -> UniverseCurve:
    """Bounds for large margin with at least the zeros of `law`.

    g(z), the chance of a good item among the listed ones and z zeros, falls with z. Whatever is decided within
    `law` stays; of the chance q that no test of it passes, at most u_K can go to tests from K on, the rest goes to
    g(z). q is unknown, but beyond − u_d ≤ q ≤ beyond. As the Laplace CDF is at most e^x/2, test r passes with a
    chance of at most E[e^(Z−G)]/2·e^(ε(s_1−T_r)/12) in units of 12/ε, and T_r ≥ T_1 + (12/ε)·log(r^2.5/2).
    """
    s, zero = below_best(law.scores)
    best, d = -zero, law.scores.d
    weight = epsilon / 6 * s
    ranked = law.scores.values[law.scores.order]
    good = ranked >= ranked[0] - distance
    log_good, log_listed = float(logsumexp(weight[good])), float(logsumexp(weight))

    def among(log_zeros: Floats) -> Floats:
        return np.exp(log_good - np.logaddexp(log_listed, log_zeros - epsilon / 6 * best))

    first = float(LargeMargin(epsilon=epsilon, delta=delta).margins(2)[0])
    constant = _TILT * math.exp(min(epsilon * (best - first) / 12, _LARGEST_LOG))
    from_listed, from_here = (min(1.0, constant * (k - 1) ** -1.5 / 1.5) for k in (d, d + law.zeros))
    now, beyond = law.near_best(distance), law.beyond if law.zeros else float(law.rank_law[-1])  # type: ignore[index]
    fall = among(np.log([max(law.zeros, 1e-300)])) - among(log10_zeros * math.log(10))
    low = np.clip(now - beyond * fall, 0.0, 1.0)
    high = np.clip(now - max(0.0, beyond - from_listed) * fall + from_here, low, now)
    return UniverseCurve(log10_zeros, low, high)


def _noisy_max_chance(scores: Scores, epsilon: float, noise: str, distance: float, log10_size: float) -> float:
    """P(good) of noisy max with 10^log10_size unlisted zeros: the listed ones no longer count in their number."""
    level, size = np.unique(np.append(scores.values, 0.0), return_counts=True)
    log_size = np.log(np.maximum(size - (level == 0), 1e-300))
    log_size[level == 0] = np.logaddexp(log_size[level == 0], log10_size * math.log(10))
    q = epsilon / 2 * differences(level, float(level[-1]), scores.effective_sensitivity)
    won = winner(NOISES[noise], q, log_size)
    return min(1.0, float(won.probability[level >= scores.values.max() - distance].sum()))

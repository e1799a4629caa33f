"""The chance of a good item as the universe grows: K items in all, most of them unlisted and of score zero.

Symbols: good = within `distance` of the best raw score; d listed items; q = ε/2·f/Δ_eff, as in `universe`.
Invariants: up to ten million unlisted items every figure is that of the law itself. Far beyond, noisy max still
is (it depends on K through log K), and large margin lies between two bounds: with one noise for all K, ℓ and so
the chance of a bad item can only grow with K, and while ℓ stays within the listed ranks nothing changes.
Source: the range-dependence of Chaudhuri, Hsu & Song 2014, Sec 2.2, 3.3; the bounds are ours.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import logsumexp

from dpviz.arrays import Floats, Ints
from dpviz.kernels.winner import winner
from dpviz.mechanisms.top_one import TopOneLaw, check_zeros
from dpviz.noise import NOISES
from dpviz.parameters import check_number
from dpviz.progress import Progress, portion, silent
from dpviz.scores import Scores
from dpviz.top_one_rules import Rule

__all__ = ["MOST_UNLISTED", "UniverseCurve", "far_curve", "half_way", "universe_curve", "universe_sizes"]

MOST_UNLISTED = 10_000_000
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

    >>> from dpviz.top_one_rules import RULES
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
    q = epsilon / 2 * (scores.values / scores.effective_sensitivity)
    good = scores.values >= scores.values.max() - distance
    if scores.values.max() <= distance:
        return None
    chosen = float(logsumexp(q[good]))
    others = float(logsumexp(q[~good])) if not good.all() else -math.inf
    return None if others >= chosen else (chosen + math.log1p(-math.exp(others - chosen))) / math.log(10)


def far_curve(rule: Rule, law: TopOneLaw, epsilon: float, distance: float, log10_size: Floats) -> UniverseCurve:
    """As far as anyone likes beyond `law`, the rule's own for at most ten million unlisted items.

    >>> from dpviz.top_one_rules import RULES
    >>> law = RULES["gumbel"].law(Scores([300.0, 0.0]), 1.0, 1e-6, zeros=8)
    >>> far_curve(RULES["gumbel"], law, 1.0, 0.0, np.array([65.0, 66.0])).low.round(3).tolist()
    [0.582, 0.122]
    """
    distance = check_number("distance", distance, low=0.0)
    now = law.near_best(distance)
    if law.scores.values.max() - distance <= 0:
        chance = np.full(len(log10_size), now)  # every unlisted item is good too
    elif rule.noise is not None:
        of = law.scores
        chance = np.array([_noisy_max_chance(of, epsilon, rule.noise, distance, x) for x in log10_size.tolist()])
    else:
        lowest = max(0.0, now - law.beyond)
        return UniverseCurve(log10_size, np.full(len(log10_size), lowest), np.full(len(log10_size), now))
    return UniverseCurve(log10_size, chance, chance)


def _noisy_max_chance(scores: Scores, epsilon: float, noise: str, distance: float, log10_size: float) -> float:
    """P(good) of noisy max with 10^log10_size unlisted zeros: the listed ones no longer count in their number."""
    level, size = np.unique(np.append(scores.values, 0.0), return_counts=True)
    log_size = np.log(np.maximum(size - (level == 0), 1e-300))
    log_size[level == 0] = np.logaddexp(log_size[level == 0], log10_size * math.log(10))
    won = winner(NOISES[noise], epsilon / 2 * (level / scores.effective_sensitivity), log_size)
    return min(1.0, float(won.probability[level >= scores.values.max() - distance].sum()))

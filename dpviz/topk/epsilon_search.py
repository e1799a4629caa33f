"""The smallest ε at which a figure of merit reaches a goal.

For lists of exactly k, P(within(a,b)) never falls as ε grows, nor did P(at least m hits) in any
trial: log ε is bisected. Inclusion and figures of shorter lists may fall again. Their first
crossing is sought upwards, at ε a factor of `RESOLUTION` apart and at peaks between.
Invariants: the ε returned meets the goal, its error bound or interval included; the next ε below by
the relative `tolerance` does not.
"""

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np
import scipy

from dpviz.base import (
    ParameterError,
    Progress,
    Scores,
    check_integer,
    check_number,
    check_scores,
    ignore_progress,
    round_down,
)
from dpviz.base.former_names import former_arguments
from dpviz.base.text_format import round_to_fifteen_digits
from dpviz.numerics.log_binomials import log_binomial
from dpviz.topk.distribution import TopKDistribution
from dpviz.topk.goal import Goal
from dpviz.topk.mechanism import TopKMechanism, check_top_k_mechanism

LARGEST_EPSILON = 1e5
SMALLEST_EPSILON = 1e-6
RESOLUTION = 1.2
_PEAK = 12  # looks at a peak
_STEPS = 80
_VANISHING = 1e-12  # a chance, or what is missing of 1
_LEAST = sys.float_info.min
_ROUNDS = 1000  # far more than any search takes


Looked = Callable[[int, TopKDistribution], None]
"""looked(at, law): what is told of each law that a search looks at, on the vector of index `at`."""


@former_arguments(event="figure")
def smallest_epsilon(
    m: TopKMechanism,
    s: Scores | Sequence[Scores],
    *,
    probability: float,
    figure: str = "top",
    item: int | None = None,
    at_least: int | None = None,
    limit: float = LARGEST_EPSILON,
    tolerance: float = 1e-6,
    progress: Progress = ignore_progress,
    looked: Looked = lambda at, law: None,
) -> float:
    """The smallest ε at which a mechanism reaches a goal on some scores: never one that misses it.

    With several vectors the goal must hold on each of them. One item's chance may fall as ε grows,
    and so may any figure of shorter lists. Then the search returns the first ε that it finds, and
    may miss one in a range narrower than a factor of 1.2. If the law is estimated, the low end of
    the 95 % interval has to reach the goal.

    Parameters
    ----------
    m
        The mechanism; its own ε is ignored.
    s
        The scores to choose from, more than k; or several vectors, such as those of past periods.
    probability
        The value that the figure should reach, above 0 and below 1.
    figure
        "top", "optimal", "great" or "good", "share" for the expected share of the true top k,
        "hits" for the chance that `at_least` of the chosen score at least the k-th largest score,
        or "inclusion" for the chance that `item` comes out.
    item
        The index of an item, with "inclusion" alone.
    at_least
        Number of hits, from 1 to k, with "hits" alone.
    limit
        The largest ε to look at.
    tolerance
        The relative precision of ε.
    progress
        Told the fraction done; may raise `Cancelled`.
    looked
        Called with the index of the vector and each law that the search computes.

    Returns
    -------
    float
        ε, the total for one release.

    Raises
    ------
    ParameterError
        If no ε up to `limit` reaches the goal, or the goal makes no sense on these scores. Also if
        the mechanism needs names known beforehand and they were not.

    Examples
    --------
    >>> from dpviz import Canonical
    >>> epsilon = smallest_epsilon(Canonical(epsilon=1.0, k=1), Scores([2.0, 0.0]), probability=0.9)
    >>> round(epsilon, 3) == round(2 * math.log(9), 3)
    True
    """
    goal = Goal(probability=probability, event=figure, item=item, at_least=at_least)
    check_top_k_mechanism(m)
    several = isinstance(s, Sequence) and all(isinstance(one, Scores) for one in s)
    vectors = list(s) if several else [check_scores(s)]  # type: ignore[arg-type]
    if not vectors:
        raise ParameterError("the number of score vectors", 0, "at least 1")
    limit = check_number("limit", limit, low=SMALLEST_EPSILON, above=True)
    tolerance = check_number("tolerance", tolerance, low=1e-12, high=1.0)
    for scores in vectors:
        _check(m, scores, goal)
    known: dict[tuple[int, float], float] = {}
    empty: dict[float, bool] = {}  # whether too few lists hold anything for the goal

    def surplus(epsilon: float, of: Sequence[int]) -> float:
        for at in of:
            if (at, epsilon) not in known:
                law = m.replace(epsilon=epsilon).distribution(vectors[at])
                known[at, epsilon] = goal.certain_surplus(law)
                if m.shorter:
                    empty[epsilon] = (
                        empty.get(epsilon, False) or 1 - law.length[0] < probability / 2
                    )
                looked(at, law)
                progress(1 - 1 / min(len(known), _STEPS))
        return min(known[at, epsilon] for at in of)

    every, epsilon = range(len(vectors)), 0.0
    if goal.event == "inclusion" or m.shorter:

        def allowed(epsilon: float) -> float:
            try:
                return surplus(epsilon, every)
            except ParameterError as err:
                if err.parameter != "delta":
                    raise
                empty[epsilon] = True  # a δ that is too large for so small an ε
                return -1.0

        low, high = _first_crossing(allowed, limit, goal, empty)
        progress(1.0)
        return high if low == high else _narrow(allowed, low, high, goal, tolerance)
    for of in [*([at] for at in every), every]:  # all again, in case a figure fell past a crossing
        if not epsilon or surplus(epsilon, of) < 0:
            epsilon = _searched(partial(surplus, of=of), epsilon, limit, goal, tolerance)
    progress(1.0)
    return epsilon


def _check(m: TopKMechanism, s: Scores, goal: Goal) -> None:
    """Refuse a goal that makes no sense for this mechanism on these scores."""
    if m.states_noise:
        allowed = "one whose ε can vary: here the noise is stated and ε follows from it"
        raise ParameterError("mechanism", m.name, allowed, "unreachable")
    if not m.guarantee_holds(s.names_known):
        raise ParameterError(
            "mechanism",
            m.name,
            "one that needs no list of all possible items, as there is none",
            "unreachable",
        )
    if goal.item is not None:
        check_integer("item", goal.item, low=0, high=s.d - 1)
    m.check_scores(s)
    m = m.fit_to_scores(s)
    if goal.at_least is not None:
        check_integer("at_least", goal.at_least, low=1, high=m.k)
    a, b = s.tie_counts(m.k)  # if scores tie at rank k, TOP is one of many equal choices
    best = math.exp(-float(log_binomial(b - a, min(m.k, b) - a)))
    if goal.event == "top" and best < goal.probability:
        raise ParameterError(
            "the chance of exactly the top k",
            goal.probability,
            f"at most {round_down(round_to_fifteen_digits(best)):g}: {b - a} items tie for places {a + 1} to"
            f" {b}, and no ε prefers one choice among them. Use the figure optimal, where any of"
            " them counts",
            "unreachable",
        )


def _searched(
    surplus: Callable[[float], float], missed: float, limit: float, goal: Goal, tolerance: float
) -> float:
    """The smallest ε, above `missed` if that is not 0, out from ε = 1 in factors of 4."""
    high = missed or min(1.0, limit)
    if missed or surplus(high) < 0:
        while high < limit:
            low, high = high, min(high * 4, limit)
            if surplus(high) >= 0:
                return _narrow(surplus, low, high, goal, tolerance)
        raise _unreached(goal, limit)
    while high > SMALLEST_EPSILON:
        low = max(high / 4, SMALLEST_EPSILON)
        if surplus(low) < 0:
            return _narrow(surplus, low, high, goal, tolerance)
        high = low
    return high  # met at any ε


def _first_crossing(
    surplus: Callable[[float], float], limit: float, goal: Goal, empty: Mapping[float, bool]
) -> tuple[float, float]:
    """low < high around the first crossing, or the smallest ε twice if that will do."""
    points = math.ceil(math.log(limit / SMALLEST_EPSILON) / math.log(RESOLUTION)) + 1
    grid = np.geomspace(SMALLEST_EPSILON, limit, points).tolist()
    first, end = 0, points
    while end - first > 1:  # the last that is too often empty, if any
        middle = (first + end) // 2
        surplus(grid[middle])
        first, end = (middle, end) if empty.get(grid[middle]) else (first, middle)
    before: list[tuple[float, float]] = []
    for epsilon in grid[first:]:
        before = [*before[-2:], (epsilon, surplus(epsilon))]
        if before[-1][1] >= 0:
            return before[max(len(before) - 2, 0)][0], epsilon
        if len(before) == 3 and (peak := _peak(surplus, before)):
            return before[0][0], peak
    raise _unreached(
        goal, limit, f" (of {len(grid) - first} looked at, as it need not rise with ε)"
    )


def _peak(surplus: Callable[[float], float], around: Sequence[tuple[float, float]]) -> float | None:
    """An ε that meets the goal between three that miss it, if the middle one is near enough."""
    (a, left), (_, best), (b, right) = around
    # a parabola reaches an eighth of the last term
    if best < max(left, right) or best + 2 * (2 * best - left - right) < 0:
        return None
    for _ in range(_PEAK):
        inner = [math.exp(math.log(a) + part * math.log(b / a)) for part in (0.382, 0.618)]
        told = [surplus(epsilon) for epsilon in inner]
        if max(told) >= 0:
            return inner[told.index(max(told))]
        a, b = (a, inner[1]) if told[0] > told[1] else (inner[0], b)
    return None


def _unreached(goal: Goal, limit: float, more: str = "") -> ParameterError:
    return ParameterError(
        "probability",
        goal.probability,
        f"one that some ε up to {limit:,g} reaches{more}",
        "unreachable",
    )


def _narrow(
    surplus: Callable[[float], float], low: float, high: float, goal: Goal, tolerance: float
) -> float:
    """The high side of the crossing, once both sides are within the relative tolerance."""
    met = [high]

    def log_odds_above(epsilon: float) -> float:
        epsilon = float(epsilon)  # not numpy's
        above, wanted = surplus(epsilon), goal.probability
        p = min(max(above + wanted, _VANISHING), 1 - _VANISHING)
        log_odds = float(scipy.special.logit(p) - scipy.special.logit(wanted))
        if above < 0:
            return min(log_odds, -_LEAST)
        met.append(epsilon)
        return max(log_odds, _LEAST)  # a goal just met is no end of the search

    scipy.optimize.toms748(
        log_odds_above,
        low,
        high,
        xtol=_LEAST,
        rtol=tolerance / (1 + tolerance),
        maxiter=_ROUNDS,
    )
    return min(met)

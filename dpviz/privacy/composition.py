"""The cost of several releases together, in ε at one δ, by each way that is proved for them.

Ways: basic (Σε, Σδ); pure (from the ε alone); by ρ (Σρ, turned into ε at δ); own loss (of gaussian
and laplace noise, convolved with the others' ε); bounded range (n alike, each one exponential
mechanism, fixed in advance: it is shown and never taken).
Invariant: δ is that of all together; the releases' own δ is taken off it before a way uses it.
Sources: Dwork & Roth 2014, Thm 3.16; Kairouz, Oh & Viswanath 2015, Thm 3.3; Bun & Steinke 2016,
Lemmas 1.7, 8.2 and 8.8 (δ-approximate ρ); Balle & Wang 2018, Thm 8 and Dong, Roth & Su 2022, Cor
3.3 (gaussian noise); Dong, Durfee & Rogers 2020, Thm 2; TV of ρ by Pinsker and Bretagnolle & Huber.
"""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from typing import Any

from dpviz.base import (
    Mechanism,
    ParameterError,
    check_integer,
    check_number,
    check_open_interval,
    check_several,
    mechanism_creation_hint,
)
from dpviz.privacy.accounting import ConvolvedLosses
from dpviz.privacy.composition_result import (
    FIXED_IN_ADVANCE,
    Composition,
    CompositionWay,
    Total,
)
from dpviz.privacy.privacy_conversions import (
    bounded_range_epsilon,
    pure_composition_delta,
    pure_composition_epsilon,
    pure_to_zcdp,
    zcdp_epsilon,
    zcdp_total_variation_bound,
)

_LIST = "a list such as [(mechanism, 12), other_mechanism]"
_OWN = "own loss"
_MOST_FIXED = 1000  # its time grows with their square
_WAYS = "basic", "pure", "rho", _OWN, FIXED_IN_ADVANCE
_AT_ZERO = "It says more than basic composition only at a δ above 0."
_NOT_CONVOLVED = (
    "At so small a δ, or for so many releases, losses are not convolved in floating point."
)


@dataclass(frozen=True)
class _Release:
    epsilon: float
    delta: float
    rho: float  # beside δ
    beside: float  # δ beside ρ
    whole: bool  # one exponential mechanism
    noisy: tuple[int, float] | None = None  # scores with laplace noise that move, and how far
    shift: float | None = None  # of gaussian noise, beside that δ too


def compose(
    releases: Iterable[Any],
    *,
    delta: float = 0.0,
    contributions: int | None = None,
    monotonic: bool = False,
) -> Composition:
    """Add up the cost of several releases.

    A release without a ρ of its own counts as ε²/2.

    Parameters
    ----------
    releases
        One or more mechanisms, or pairs (ε, δ) of anything else, such as a rule's total; either
        also as a pair with its number of repetitions.
    delta
        δ of all of them together, from 0 to below 1; the releases' own δ is taken off first.
    contributions
        The most items of one person in a release, for the own loss of laplace noise; None for any.
    monotonic
        Whether people are added or removed; else one is replaced by another.

    Returns
    -------
    Composition
        The total ε by each way that is proved.

    Raises
    ------
    ParameterError
        For no releases, and for a rule among candidates, whose price depends on theirs.

    Examples
    --------
    >>> from dpviz import Canonical
    >>> monthly, yearly = Canonical(epsilon=0.2, k=10), Canonical(epsilon=0.5, k=100)
    >>> [(way.name, round(way.epsilon, 3)) for way in compose([(monthly, 30)], delta=1e-6).ways]
    [('basic', 6.0), ('pure', 5.01), ('rho', 2.673), ('bounded range', 2.459)]
    >>> print(compose([(monthly, 12), yearly], delta=1e-6).total)
    ε = 2.038 at δ = 1e-06
    """
    return _composed(releases, delta, contributions, monotonic, _WAYS)


def smallest_total(
    releases: Iterable[Any],
    *,
    delta: float = 0.0,
    contributions: int | None = None,
    monotonic: bool = False,
) -> Total | None:
    """`compose(...).total`, without the work for ways that are only shown."""
    return _composed(releases, delta, contributions, monotonic, _WAYS[:-1]).total


def _composed(
    releases: Iterable[Any],
    delta: float,
    contributions: int | None,
    monotonic: bool,
    names: Iterable[str],
) -> Composition:
    delta = check_number("delta", delta, low=0.0, high=1.0, below=True)
    plan = _plan(releases, contributions, monotonic)
    ways = tuple(way for name in names if (way := _way(name, plan, delta)) is not None)
    return Composition(plan.total(), delta, _sum(plan, "rho"), ways)


def right_guess_bound(
    releases: Iterable[Any], *, contributions: int | None = None, monotonic: bool = False
) -> float:
    """The most often that an attacker who knows all else guesses right about one person."""
    plan = _plan(releases, contributions, monotonic)
    rho, own = _sum(plan, "rho"), _own_losses(plan)
    by_rho = zcdp_total_variation_bound(rho)
    known = by_rho if own is None else min(by_rho, own.total_variation)
    variation, pure = known + _sum(plan, "beside"), _pure_ones(plan)
    if math.inf not in pure:
        variation = min(variation, pure_composition_delta(0.0, pure) + _sum(plan, "delta"))
    return (1 + min(1.0, variation)) / 2


def _plan(releases: Iterable[Any], contributions: int | None, monotonic: bool) -> Counter[_Release]:
    if contributions is not None:
        contributions = check_integer("contributions", contributions, low=1)
    plan = Counter[_Release]()
    for release in check_several("releases", releases, _LIST):
        one, times = tuple(release) if isinstance(release, list) else release, 1
        if isinstance(one, tuple) and len(one) == 2 and not isinstance(one[0], Real):
            one, times = one[0], check_integer("the times of a release", one[1], low=1)
        plan[_release(one, contributions, monotonic)] += times
    if not plan:
        raise ParameterError("the number of releases", 0, "at least 1")
    return plan


def _way(name: str, plan: Counter[_Release], delta: float) -> CompositionWay | None:
    spent = _sum(plan, "beside" if name in {"rho", _OWN} else "delta")
    if spent > delta:
        return CompositionWay(name, None, f"Their own δ adds up to {spent:g}, above {delta:g}.")
    if name not in {"rho", _OWN} and math.inf in _pure_ones(plan):
        return CompositionWay(name, None, "For one of them no ε holds at its own δ.")
    if name == "basic":
        return CompositionWay(name, Total(_sum(plan, "epsilon"), spent, name))
    found = (
        _by_range(plan, delta) if name == FIXED_IN_ADVANCE else _by_delta(name, plan, delta, spent)
    )
    if isinstance(found, float):
        return CompositionWay(name, Total(found, delta, name))
    return None if found is None else CompositionWay(name, None, found)


def _by_delta(name: str, plan: Counter[_Release], delta: float, spent: float) -> float | str | None:
    """ε by a way that turns δ into it, or why it does not hold; None without own noise."""
    own, left = _own_losses(plan) if name == _OWN else None, delta - spent
    if name == _OWN and own is None:
        return None
    if not left and delta:
        return "The δ of single releases leaves none to turn into ε."
    if not left:
        return "Turning ρ into ε needs a δ above 0." if name == "rho" else _AT_ZERO
    if name == "pure":
        return pure_composition_epsilon(left, _pure_ones(plan))
    if name == "rho" or own is None:
        return zcdp_epsilon(_sum(plan, "rho"), left)
    epsilon = own.epsilon(left)
    return _NOT_CONVOLVED if epsilon is None else epsilon


def _by_range(plan: Counter[_Release], delta: float) -> float | str:
    if not all(release.whole and not release.delta for release in plan):
        return "Not every release is one exponential mechanism."
    if len(epsilons := {release.epsilon for release in plan}) > 1:
        return "The releases do not all have the same ε."
    if not delta:
        return _AT_ZERO
    if plan.total() > _MOST_FIXED:
        return f"It is worked out for at most {_MOST_FIXED:,} releases."
    return bounded_range_epsilon(delta, epsilons.pop(), plan.total())


def delta_of_one(delta: float, releases: int, share: float = 0.5) -> float:
    """δ of each of some releases that leaves a share of the total δ to turn ρ into ε.

    Parameters
    ----------
    delta
        δ of all of them together.
    releases
        The number of releases.
    share
        The part of δ that single releases may use, from 0 to 1.

    Returns
    -------
    float
        The share of δ over the number of releases.

    Examples
    --------
    >>> delta_of_one(1e-6, 50)
    1e-08
    """
    delta = check_open_interval("delta", delta)
    share = check_number("share", share, low=0.0, high=1.0)
    return share * delta / check_integer("releases", releases, low=1)


def _release(release: Any, contributions: int | None, monotonic: bool) -> _Release:
    if isinstance(release, Mechanism) and hasattr(release, "epsilon"):
        epsilon, delta = release.epsilon, release.delta_spent
        rho = pure_to_zcdp(epsilon) if release.zcdp is None else release.zcdp
        return _Release(
            epsilon,
            delta,
            rho,
            release.zcdp_delta,
            whole=getattr(release, "exponential_rounds", None) == 1,
            noisy=release.laplace_score_shifts(contributions, monotonic),
            shift=release.gaussian_shift,
        )
    if not isinstance(release, tuple) or len(release) != 2:
        allowed = "a mechanism with an ε of its own" + mechanism_creation_hint(release)
        raise ParameterError("a release", release, f"{allowed}, or a pair (ε, δ) in {_LIST}")
    epsilon = check_number("the epsilon of a release", release[0], low=0.0)
    if isinstance(release[1], Mechanism):
        raise ParameterError(
            "a release", release, "a pair with the mechanism first: (mechanism, 12)"
        )
    if isinstance(release[1], Real) and (times := float(release[1])) >= 1:
        allowed = f"a pair (ε, δ) with δ below 1; for {times:g} times ε write ((ε, 0), {times:g})"
        raise ParameterError("a release", release, allowed)
    delta = check_number("the delta of a release", release[1], low=0.0, high=1.0)
    return _Release(epsilon, delta, pure_to_zcdp(epsilon), delta, whole=False)


def _sum(plan: Counter[_Release], figure: str) -> float:
    """Σ of a figure in decimals, exact to the last digit typed."""
    exact = (Decimal(repr(float(getattr(one, figure)))) * times for one, times in plan.items())
    return float(sum(exact))


def _pure_ones(plan: Counter[_Release]) -> Counter[float]:
    epsilons = Counter[float]()
    for release, times in plan.items():
        epsilons[release.epsilon] += times
    return epsilons


def _own_losses(plan: Counter[_Release]) -> ConvolvedLosses | None:
    noisy, rest, squares = Counter[float](), Counter[_Release](), 0.0
    for release, times in plan.items():
        if release.shift is not None:
            squares += times * release.shift**2
        elif release.noisy:
            noisy[release.noisy[1]] += release.noisy[0] * times
        else:
            rest[release] += times
    if noisy or squares:
        return ConvolvedLosses(noisy, _pure_ones(rest), math.sqrt(squares))
    return None

"""Races for the largest and the k largest noisy values: integrals over the deciding value z.

Symbols: levels q (rationals), m members at a level; F, S, f at z − q_i. With z the largest of all,
P(level i wins) = ∫ m_i f_i F_i^(m_i − 1) Π_{j≠i} F_j^(m_j) dz; with z the largest left out of the k
largest, P(Y) = ∫ Π_{i∈Y} S_i d[Π_{i∉Y} F_i] (mechanisms.md 4 and 6).
Invariants: written from the definitions; levels stay rationals, so no size of score costs a digit.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import accumulate
from math import prod

from flint import arb, fmpq

from tests.oracle.balls import Ball, Integrand, integrate, integrate_unimodal, interval, precise
from tests.oracle.noise import KINKED, START_AT_LEVEL, TAILS

_NEGLIGIBLE = 57  # bits: what is left out at either end, and the error of a panel


Build = Callable[[list[tuple[Ball, Ball, Ball]]], list[Ball]]


def _pieces(noise: str, levels: Sequence[fmpq], build: Build) -> Callable[[arb], Integrand]:
    """`build` gets (F, S, f) of every level at a point, each on its branch between two kinks."""
    tails, at = TAILS[noise], [arb(q) for q in levels]

    def pieces(middle: arb) -> Integrand:
        right = [bool(middle > q) for q in at]
        return lambda z: build([tails(z - q, side) for q, side in zip(at, right, strict=True)])

    return pieces


def _bits(levels: Sequence[fmpq], members: Sequence[int]) -> int:
    spread = max(levels) - min(levels)
    return 128 + (abs(int(spread)) + 1).bit_length() + max(members).bit_length()


def _between(kinks: Sequence[fmpq], noise: str, low: arb, high: arb) -> list[arb]:
    inside = sorted(set(kinks)) if noise in KINKED else []
    return [low, *(arb(q) for q in inside if low < q and arb(q) < high), high]


def _all_but_one(values: Sequence[Ball]) -> list[Ball]:
    """Π_{j≠i} of the values, for every i."""
    below = list(accumulate(values[:-1], lambda x, y: x * y, initial=arb(1)))
    above = list(accumulate(values[:0:-1], lambda x, y: x * y, initial=arb(1)))[::-1]
    return [x * y for x, y in zip(below, above, strict=True)]


def winners(noise: str, levels: Sequence[fmpq], members: Sequence[int]) -> list[arb]:
    """P(the largest noisy value is at that level), for every level; equal ones may be apart."""
    merged: Counter[fmpq] = Counter()
    for q, m in zip(levels, members, strict=True):
        merged[q] += m
    with precise(_bits(levels, list(merged.values()))):
        shift = max(merged)
        shifted = [q - shift for q in merged]
        if noise == "gumbel":
            weight = [m * arb(q).exp() for q, m in zip(shifted, merged.values(), strict=True)]
            total = sum(weight, arb(0))
            each = [w / total for w in weight]
        else:
            each = _winners(noise, shifted, list(merged.values()))
        chance = dict(zip(merged, each, strict=True))
        return [chance[q] * m / merged[q] for q, m in zip(levels, members, strict=True)]


def _winners(noise: str, levels: list[fmpq], members: list[int]) -> list[arb]:
    tails, at = TAILS[noise], [arb(q) for q in levels]
    starts, negligible = noise in START_AT_LEVEL, arb(2) ** -_NEGLIGIBLE

    def all_below(z: arb) -> arb:
        each = zip(at, members, strict=True)
        return prod((tails(z - q, bool(z > q))[0] ** m for q, m in each), start=arb(1))

    def any_above(z: arb) -> arb:
        each = zip(at, members, strict=True)
        return sum((m * tails(z - q, bool(z > q))[1] for q, m in each), arb(0))

    low = arb(0)
    while not starts and not all_below(low) < negligible:
        low -= 4
    lowest = low
    while all_below(low + 1) < negligible:  # many members win far above their level
        low += 1
    high = low + 4
    while not any_above(high) < negligible:
        high += 4
    below = arb(0) if starts and not low > lowest else all_below(low)
    outside = below + any_above(high)

    def build(parts: list[tuple[Ball, Ball, Ball]]) -> list[Ball]:
        others = _all_but_one([cdf**m for (cdf, _, _), m in zip(parts, members, strict=True)])
        return [
            m * density * cdf ** (m - 1) * rest
            for (cdf, _, density), m, rest in zip(parts, members, others, strict=True)
        ]

    cuts = _between(levels, noise, low, high)
    found = integrate(_pieces(noise, levels, build), cuts, negligible)
    return [p + interval(0, outside.upper()) for p in found]


def log_winner(noise: str, levels: Sequence[fmpq], members: Sequence[int], own: int) -> arb:
    """log P(the largest noisy value is one of the group with index `own`), right relative to P."""
    with precise(_bits(levels, members)):
        shift = max(levels)
        level = levels[own] - shift
        merged: Counter[fmpq] = Counter()
        for q, m in zip(levels, members, strict=True):
            merged[q - shift] += m
        if noise == "gumbel":
            total = sum((m * arb(q).exp() for q, m in merged.items()), arb(0))
            return arb(level) + arb(members[own]).log() - total.log()
        at = list(merged)
        power = [merged[q] - (q == level) for q in at]
        place = at.index(level)

        def build(parts: list[tuple[Ball, Ball, Ball]]) -> list[Ball]:
            others = (cdf**m for (cdf, _, _), m in zip(parts, power, strict=True) if m)
            return [prod(others, start=parts[place][2])]

        return arb(members[own]).log() + _one_at_z(noise, at, at, build, sum(members)).log()


def _one_at_z(noise: str, levels: Sequence[fmpq], out: Sequence[fmpq], build: Build, n: int) -> arb:
    """∫ of a log-concave function that is 0 below the highest of `out` if noise starts there."""
    starts = noise in START_AT_LEVEL
    low = arb(max(out)) if starts else arb(min(levels)) - 8
    high = arb(max(levels)) + arb(n).log() + 8
    kinks = [arb(q) for q in sorted(levels)] if noise in KINKED else []
    return integrate_unimodal(_pieces(noise, levels, build), low, high, kinks, starts=starts)


def largest_sets(
    noise: str,
    levels: Sequence[fmpq],
    k: int,
    events: Sequence[tuple[int, int]],
    ranks: Sequence[int],
) -> tuple[list[arb], list[arb]]:
    """within(a, b) for every event, and P(rank is in) for every 0-based rank; `levels` descend."""
    d = len(levels)
    levels = [q - levels[k] for q in levels]
    with precise(_bits(levels, [d])):
        tails, at = TAILS[noise], [arb(q) for q in levels]
        starts, negligible = noise in START_AT_LEVEL, arb(2) ** -_NEGLIGIBLE

        def fall_below(z: arb) -> arb:  # z is lower only if one of the first k + 1 is
            return sum((tails(z - q, bool(z > q))[0] for q in at[: k + 1]), arb(0))

        def rise_above(z: arb) -> arb:  # z is higher only if one of the others is
            return sum((tails(z - q, bool(z > q))[1] for q in at[k:]), arb(0))

        low, high = arb(0), arb(4)
        while not starts and not fall_below(low) < negligible:
            low -= 4
        while not rise_above(high) < negligible:
            high += 4
        outside = (arb(0) if starts else fall_below(low)) + rise_above(high)

        def build(parts: list[tuple[Ball, Ball, Ball]]) -> list[Ball]:
            return [
                *(_within(parts, k, a, b) for a, b in events),
                *(_included(parts, k, r) for r in ranks),
            ]

        cuts = _between(levels, noise, low, high)
        found = integrate(_pieces(noise, levels, build), cuts, negligible)
        found = [p + interval(0, outside.upper()) for p in found]
        return found[: len(events)], found[len(events) :]


Pair = tuple[list[Ball], list[Ball]]


def _exceeding(parts: Sequence[tuple[Ball, Ball, Ball]], most: int) -> Pair:
    """P(exactly n lie above z), n = 0..most, and its derivative in the F alone."""
    chance, moving = [arb(1)] + [arb(0)] * most, [arb(0)] * (most + 1)
    for cdf, sf, density in parts:
        moving = [
            moving[n] * cdf + chance[n] * density + (moving[n - 1] * sf if n else 0)
            for n in range(most + 1)
        ]
        chance = [chance[n] * cdf + (chance[n - 1] * sf if n else 0) for n in range(most + 1)]
    return chance, moving


def _within(parts: Sequence[tuple[Ball, Ball, Ball]], k: int, a: int, b: int) -> Ball:
    chance, moving = _exceeding(parts[a:b], k - a)
    beyond, beyond_moving = _exceeding(parts[b:], 0)
    chosen = prod((sf for _, sf, _ in parts[:a]), start=arb(1))
    return chosen * (moving[-1] * beyond[0] + chance[-1] * beyond_moving[0])


def _included(parts: Sequence[tuple[Ball, Ball, Ball]], k: int, rank: int) -> Ball:
    _, moving = _exceeding([*parts[:rank], *parts[rank + 1 :]], k - 1)
    return parts[rank][1] * moving[-1]


def log_exact_set(noise: str, levels: Sequence[fmpq], chosen: Sequence[int]) -> arb:
    """log P(the k largest are those chosen): a sum over which one left out is at z."""
    inside = [levels[i] for i in chosen]
    outside = [q for i, q in enumerate(levels) if i not in set(chosen)]
    with precise(_bits(levels, [len(levels)])):
        shift = max(outside)
        into = Counter(q - shift for q in inside)
        out = Counter(q - shift for q in outside)
        at = sorted({*into, *out})
        total = arb(0)
        for level, times in out.items():
            place = at.index(level)

            def build(
                parts: list[tuple[Ball, Ball, Ball]], place: int = place, level: fmpq = level
            ) -> list[Ball]:
                value = parts[place][2]
                for q, (cdf, sf, _) in zip(at, parts, strict=True):
                    value = value * cdf ** (out[q] - (q == level)) * sf ** into[q]
                return [value]

            total += times * _one_at_z(noise, at, list(out), build, len(levels))
        return total.log()


def exact_top(noise: str, levels: Sequence[fmpq], k: int) -> arb:
    """P(the k largest are the first k); beyond z at most Π S_i(z), below z at most Π F_i(z)."""
    levels = [q - levels[k] for q in levels]
    first, others = Counter(levels[:k]), Counter(levels[k:])
    at = sorted({*first, *others})
    balls = [arb(q) for q in at]
    with precise(_bits(levels, [len(levels)])):
        negligible = arb(2) ** -_NEGLIGIBLE

        def all_of(z: arb, counts: Counter[fmpq], part: int) -> arb:
            tails = (
                (TAILS[noise](z - q, bool(z > q))[part], counts[key])
                for q, key in zip(balls, at, strict=True)
            )
            return prod((tail**m for tail, m in tails if m), start=arb(1))

        low, high = arb(0), arb(1) / 8
        while noise not in START_AT_LEVEL and not all_of(low, others, 0) < negligible:
            low -= 1
        while not all_of(high, first, 1) < negligible:
            high += arb(1) / 8
        while all_of(low + arb(1) / 8, others, 0) < negligible:
            low += arb(1) / 8
        outside = all_of(high, first, 1) + all_of(low, others, 0)

        def build(parts: list[tuple[Ball, Ball, Ball]]) -> list[Ball]:
            value, moving, chosen = arb(1), arb(0), arb(1)
            for q, (cdf, sf, density) in zip(at, parts, strict=True):
                if m := others[q]:
                    most = cdf ** (m - 1)
                    value, moving = value * most * cdf, (moving * cdf + value * m * density) * most
                if m := first[q]:
                    chosen = chosen * sf**m
            return [chosen * moving]

        found = integrate(_pieces(noise, at, build), _between(at, noise, low, high), negligible)
        return found[0] + interval(0, outside.upper())

"""The oracle's own integrals against closed forms, Arb's integrator, and each other."""

from itertools import combinations, pairwise

import pytest
from flint import acb, arb, fmpq

from tests.oracle.balls import integrate, precise
from tests.oracle.noise import TAILS
from tests.oracle.races import exact_top, largest_sets, log_exact_set, winners


def _integral_by_arb(noise: str, levels: list[fmpq], own: int) -> arb:
    """P(level `own` wins), by `acb.integral` between the kinks."""
    tails = TAILS[noise]
    cuts = [-60 + min(levels), *sorted(levels), 60 + max(levels)]
    total = arb(0)
    for low, high in pairwise(cuts):
        middle = fmpq(low + high) / 2

        def density(z: acb, _: bool, middle: fmpq = middle) -> acb:
            value = tails(z - levels[own], middle > levels[own])[2]
            for i, q in enumerate(levels):
                value = value * (tails(z - q, middle > q)[0] if i != own else 1)
            return value

        total += acb.integral(density, acb(low), acb(high)).real
    return total


@pytest.mark.parametrize("noise", TAILS)
def test_race_is_what_arb_integrates(noise: str) -> None:
    levels = [fmpq(7, 3), fmpq(1), fmpq(-2, 7)]
    with precise(90):
        for own, p in enumerate(winners(noise, levels, [1, 1, 1])):
            assert p.rad() < 1e-14
            assert p.overlaps(_integral_by_arb(noise, levels, own) + arb(0, 1e-20))


@pytest.mark.parametrize("noise", TAILS)
def test_sets_add_up_to_within_and_inclusion(noise: str) -> None:
    levels, k = [fmpq(3), fmpq(2), fmpq(2), fmpq(1, 2), fmpq(0)], 2
    sets = {ranks: log_exact_set(noise, levels, ranks).exp() for ranks in combinations(range(5), k)}
    assert sum(sets.values(), arb(0)).overlaps(arb(1))
    assert exact_top(noise, levels, k).overlaps(sets[0, 1])
    events = [(2, 2), (1, 4), (0, 3), (0, 5)]
    within, inclusion = largest_sets(noise, levels, k, events, range(5))
    for (a, b), p in zip(events, within, strict=True):
        kept = (q for y, q in sets.items() if set(range(a)) <= set(y) and max(y) < b)
        assert p.overlaps(sum(kept, arb(0)))
    for rank, p in enumerate(inclusion):
        assert p.overlaps(sum((q for y, q in sets.items() if rank in y), arb(0)))


def test_a_panel_error_is_in_the_radius() -> None:
    with precise(128):
        (rough,) = integrate(
            lambda middle: lambda z: [(-z * z).exp()], [arb(-3), arb(3)], arb(1) / 100
        )
        truth = arb.const_sqrt_pi() * arb(3).erf()
    assert rough.contains(truth)
    assert 1e-9 < float(rough.rad()) < 1

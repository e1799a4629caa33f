"""The oracle's integrals against closed forms, Arb's integrator and each other."""

import math
from itertools import combinations, pairwise

import pytest
from flint import acb, arb, fmpq

from tests.oracle.balls import integrate, integrate_unimodal, precise
from tests.oracle.noise import TAILS
from tests.oracle.races import exact_set, exact_top, largest_sets, winners


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
@pytest.mark.parametrize("gap", [fmpq(0), fmpq(1, 3), fmpq(40)])
def test_two_levels_have_their_closed_form(noise: str, gap: fmpq) -> None:
    g = arb(gap)
    with precise(128):
        worse = {
            "gumbel": 1 / (1 + g.exp()),
            "exponential": (-g).exp() / 2,
            "laplace": (-g).exp() * (2 + g) / 4,
            "logistic": (g.exp() * (g - 1) + 1) / (g.exp() - 1) ** 2 if gap else arb(1) / 2,
            "half_logistic": None,
        }[noise]
    better, other = winners(noise, [gap, fmpq(0)], [1, 1])
    assert (better + other).contains(1)
    if worse is not None:
        assert other.overlaps(worse)


@pytest.mark.parametrize("noise", TAILS)
def test_sets_add_up_to_within_and_inclusion(noise: str) -> None:
    levels, k = [fmpq(3), fmpq(2), fmpq(2), fmpq(1, 2), fmpq(0)], 2
    sets = {ranks: exact_set(noise, levels, ranks) for ranks in combinations(range(5), k)}
    assert sum(sets.values(), arb(0)).overlaps(arb(1))
    assert exact_top(noise, levels, k).overlaps(sets[0, 1])
    events = [(2, 2), (1, 4), (0, 3), (0, 5)]
    within, inclusion = largest_sets(noise, levels, k, events, range(5))
    for (a, b), p in zip(events, within, strict=True):
        kept = (q for y, q in sets.items() if set(range(a)) <= set(y) and max(y) < b)
        assert p.overlaps(sum(kept, arb(0)))
    for rank, p in enumerate(inclusion):
        assert p.overlaps(sum((q for y, q in sets.items() if rank in y), arb(0)))


def test_polynomials_of_permute_and_flip() -> None:
    """P(r) = p_r ∫_0^1 Π_{i≠r}(1 − t p_i) dt at p = (1, ½, ¼)."""
    levels = [fmpq(0), fmpq(-1), fmpq(-2)]
    with precise(128):
        p = [arb(q).exp() for q in levels]
        one = 1 - (p[1] + p[2]) / 2 + p[1] * p[2] / 3
    assert winners("exponential", levels, [1, 1, 1])[0].overlaps(one)


def test_a_panel_error_is_in_the_radius() -> None:
    """However few nodes are used, the ball holds the truth and is no point."""
    with precise(128):
        ends, tolerance = [arb(-3), arb(3)], arb(1) / 100
        (rough,) = integrate(lambda middle: lambda z: [(-z * z).exp()], ends, tolerance)
        truth = arb.const_sqrt_pi() * arb(3).erf()
    assert rough.contains(truth)
    assert 1e-9 < float(rough.rad()) < 1


def test_unimodal_integrals_keep_their_digits_however_small() -> None:
    with precise(128):
        far = integrate_unimodal(
            lambda middle: lambda z: [(-z * z / 2 - 10**6).exp()], arb(-50), arb(90), []
        )
        truth = (2 * arb.pi()).sqrt() * arb(-(10**6)).exp()
    assert far.overlaps(truth)
    assert far.rel_accuracy_bits() > 40
    assert math.isclose(float(far.log()), -(10**6) + math.log(2 * math.pi) / 2)

"""Enclosures of the exact draw against ball arithmetic: each holds the truth."""

import math
import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate

import pytest
from flint import arb, fmpq

from dpviz import Canonical, Scores
from dpviz.numerics.enclosures import Enclosure, enclose_exponential
from dpviz.topk.exact_sampler import ExactClasses, ExactSampler
from tests.oracle.balls import precise

BITS = 600  # of the balls: far more than of what they judge


def ball(q: Fraction) -> arb:
    return arb(fmpq(q.numerator, q.denominator))


def ends(of: Enclosure) -> tuple[arb, arb]:
    return arb(of.low) * arb(2) ** of.power, arb(of.high) * arb(2) ** of.power


def exponents() -> Iterator[Fraction]:
    """Rationals of every size and sign, and those next to where bits change."""
    draw = random.Random(5)
    yield from (
        Fraction(0),
        Fraction(1),
        Fraction(-1),
        Fraction(-1, 3),
        Fraction(255, 256),
        Fraction(-257, 256),
    )
    for _ in range(300):
        size = 10 ** draw.uniform(-30, 6)
        yield Fraction(
            draw.choice((-1, 1)) * draw.randrange(1, 10**12), draw.randrange(1, 10**12)
        ) * Fraction(size)


@pytest.mark.parametrize("bits", [8, 64, 128, 300])
def test_an_exponential_lies_between_its_ends_which_are_close(bits: int) -> None:
    for q in exponents():
        enclosure = enclose_exponential(q, bits)
        with precise(BITS + 64):
            low, high = ends(enclosure)
            truth = ball(q).exp()
            assert low <= truth <= high
            assert (high - low) / truth < arb(2) ** (4 - bits)


def cases() -> Iterator[tuple[tuple[int, ...], int, Fraction, Fraction]]:
    draw = random.Random(11)
    for _ in range(40):
        d = draw.randrange(3, 60)
        counts = sorted(
            (draw.randrange(10 ** draw.randrange(1, 5)) for _ in range(d)), reverse=True
        )
        gain = Fraction(draw.randrange(1, 1000), draw.choice((10, 1000, 100_000)))
        yield (
            tuple(counts),
            draw.randrange(1, d),
            gain,
            draw.choice((Fraction(0), Fraction(1), Fraction(3, 10))),
        )


def weight(classes: ExactClasses, h: int, t: int) -> arb:
    """|C(h,t)|·exp of its level, from the definition: f_k is the level of the exact top k."""
    f, k = classes.counts, classes.k
    size = 1 if t == k else math.comb(t - h - 2, k - 1 - h)
    level = classes.gain * (
        classes.gamma * (f[t - 1] - f[k - 1]) - (1 - classes.gamma) * (f[h] - f[k - 1])
    )
    return arb(size) * ball(level).exp()


@pytest.mark.parametrize("depth", [1, 5, 40, 80, 1280])
def test_omitted_weight_stays_within_the_stated_and_allowed_bound(depth: int) -> None:
    for each in cases():
        classes = ExactClasses(*each)
        d, k = len(classes.counts), classes.k
        heavy_h, heavy_t, rest = classes.heavy_classes_and_rest(depth)
        kept = set(zip(heavy_h.tolist(), heavy_t.tolist(), strict=True))
        assert len(kept) == len(heavy_h)
        with precise(BITS):
            all_of_them = {
                (h, t): weight(classes, h, t) for h in range(k) for t in range(k + 1, d + 1)
            }
            all_of_them[k - 1, k] = weight(classes, k - 1, k)
            assert kept <= set(all_of_them)
            left = sum((w for c, w in all_of_them.items() if c not in kept), arb(0))
            assert left <= ends(rest)[1]
            assert ends(rest)[1] <= sum(all_of_them.values(), arb(0)) / arb(2) ** depth
            for (h, t), found in zip(
                zip(heavy_h.tolist(), heavy_t.tolist(), strict=True),
                classes.class_weights(heavy_h, heavy_t, 90),
                strict=True,
            ):
                low, high = ends(found)
                assert low <= all_of_them[h, t] <= high


def test_every_decision_is_that_of_the_true_ends() -> None:
    """All U of ten bits: where a class is named, the whole interval of U lies in it."""
    counts = Scores([7, 5, 5, 4, 2, 1, 0], monotonic=True)
    draw = ExactSampler(Canonical(epsilon=0.7, k=3, gamma=0.3), counts)
    level, named = draw._level(0), 0
    with precise(BITS):
        weights = [
            weight(draw._classes, h, t)
            for h, t in zip(level.h.tolist(), level.t.tolist(), strict=True)
        ]
        true = [arb(0), *accumulate(weights)]
        for u in range(1024):
            place = level.find_class(u, 10)
            if place is not None:
                named += 1
                assert true[place] <= true[-1] * u / 1024
                assert true[-1] * (u + 1) / 1024 <= true[place + 1]
    assert named > 1024 - 2 * len(weights)

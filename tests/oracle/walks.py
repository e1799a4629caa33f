"""Laws of walks along a list under one shared noise: sparse vector, large margin, percentile sparse
vector.

Symbols: z = the shared noise with its density, given which the tests along the list are
independent, each passed with a Laplace tail. Every law is one integral over z of products along the
list (mechanisms.md 8–10).
Invariants: written from the definitions; margins stay rationals; kinks where a tail or the density
has one.
"""

from collections.abc import Callable, Sequence

from flint import arb

from dpviz import AdaptiveSparseVector, LargeMargin, PercentileSparseVector, Scores, SparseVector
from tests.oracle.balls import Ball, Integrand, exact, integrate, interval, precise

_NEGLIGIBLE = 57


def _exp_tail(u: Ball, right: bool) -> tuple[Ball, Ball]:
    """(P(X ≥ u), P(X < u)) of a standard Laplace X, u on that side of 0."""
    half = (-u if right else u).exp() / 2
    return (half, 1 - half) if right else (1 - half, half)


Density = Callable[[Ball, bool], Ball]
Reach = Callable[[int], arb]


def _over(
    density: Density,
    reach: Reach,
    offsets: Sequence[tuple[arb, arb]],
    build: Callable[[list[tuple[Ball, Ball]]], list[Ball]],
    unit: float,
    bits: int,
) -> list[arb]:
    """∫ density(z)·build(tails at (z + offset)·rate) dz, up to noise of probability 2^(−bits)."""
    end = reach(bits)
    kinks = [-offset for offset, _ in offsets]
    inside = _ascending([arb(0), *(kink for kink in kinks if -end < kink < end)])

    def pieces(middle: arb) -> Integrand:
        sides = [bool(middle > kink) for kink in kinks]
        positive = bool(middle > 0)

        def at(z: Ball) -> list[Ball]:
            tails = [
                _exp_tail((z + o) * r, side) for (o, r), side in zip(offsets, sides, strict=True)
            ]
            weight = density(z, positive)
            return [weight * value for value in build(tails)]

        return at

    negligible = arb(2) ** -bits
    found = integrate(pieces, [-end, *inside, end], negligible / arb(max(unit, 1e-300)), unit)
    return [p + interval(0, negligible) for p in found]


def _ascending(kinks: list[arb]) -> list[arb]:
    """Distinct kinks in order; balls that overlap are one kink."""
    found: list[arb] = []
    for kink in sorted(kinks, key=lambda ball: ball.mid().fmpq()):
        if not found or found[-1] < kink:
            found.append(kink)
    return found


def _laplace(rate: arb) -> tuple[Density, Reach]:
    """The density of Lap(1/rate), and how far it reaches."""
    return (
        lambda z, right: rate / 2 * (-rate * z if right else rate * z).exp(),
        lambda bits: (arb(bits) * arb(2).log() / rate).upper(),
    )


def rates(m: SparseVector | AdaptiveSparseVector) -> tuple[arb, arb]:
    """(ε0, rate of the noise of the cheapest answer), from the split of ε (mechanisms.md 8)."""
    if not isinstance(m.split, str):
        return arb(exact(m.split[0])), arb(exact(m.split[1]))
    c, epsilon = 1 if m.monotonic else 2, arb(exact(m.epsilon))
    others = (arb(c * m.k).log() * 2 / 3).exp() if m.split == "optimal" else arb(1)
    first, answers = epsilon / (1 + others), m.k if isinstance(m, SparseVector) else 2 * m.k
    return first, (epsilon - first) / (c * answers)


def answer_strings(
    m: SparseVector | AdaptiveSparseVector, s: Scores, bits: int = _NEGLIGIBLE
) -> dict[str, arb]:
    """P(answer string), for every string: T or _ (plain), H, M or _ (adaptive)."""
    with precise(192 + bits):
        unit = exact(s.sensitivity)
        margins = [(exact(value) - exact(m.threshold)) / unit for value in s.values.tolist()]
        first, answer = rates(m)
        adaptive = isinstance(m, AdaptiveSparseVector)
        sigma = 2 * arb(2).sqrt() / answer
        # f + ξ ≥ T + η (+ σ) ⇔ ξ ≥ η − m (+ σ)
        tests = [(sigma, answer, 1), (arb(0), 2 * answer, 2)] if adaptive else [(arb(0), answer, 1)]
        letters, budget = ("HM", 2 * m.k) if adaptive else ("T", m.k)
        dearest = max(cost for *_, cost in tests)
        offsets = [(shift - arb(margin), rate) for margin in margins for shift, rate, _ in tests]
        n = len(margins)
        finished: list[str] = []

        def build(tails: list[tuple[Ball, Ball]]) -> list[Ball]:
            finished.clear()
            found: list[Ball] = []
            waiting: list[tuple[str, int, Ball]] = [("", 0, arb(1))]
            while waiting:
                text, spent, rest = waiting.pop()
                if len(text) == n or spent + dearest > budget:
                    finished.append(text)
                    found.append(rest)
                    continue
                for j, (*_, cost) in enumerate(tests):
                    passes, misses = tails[len(text) * len(tests) + j]
                    waiting.append((text + letters[j], spent + cost, rest * passes))
                    rest = rest * misses
                waiting.append((text + "_", spent, rest))
            return found

        density, reach = _laplace(first)
        unit_length = 1 / (float(first) + n * 2 * float(answer))
        found = _over(density, reach, offsets, build, unit_length, bits)
        return dict(zip(finished, found, strict=True))


def first_pass(gaps: Sequence[arb], density: Density, reach: Reach, rate: arb) -> list[arb]:
    """P(test r is the first passed), and P(none): passed where Lap(1/rate) < gap_r + z."""

    def build(tails: list[tuple[Ball, Ball]]) -> list[Ball]:
        left: Ball = arb(1)
        found = []
        for misses, passes in tails:
            found.append(left * passes)
            left = left * misses
        return [*found, left]

    unit = 2 / float(rate) / max(len(gaps), 1) ** 0.5
    return _over(density, reach, [(gap, rate) for gap in gaps], build, unit, _NEGLIGIBLE)


def large_margin(m: LargeMargin, s: Scores) -> tuple[list[arb], list[arb]]:
    """(P(ℓ = 1), …, P(ℓ = d)) and the item law by rank (mechanisms.md 9)."""
    with precise(256):
        unit = exact(s.sensitivity)
        values = sorted((exact(value) / unit for value in s.values.tolist()), reverse=True)
        e, delta = arb(exact(m.epsilon)), arb(exact(m.delta))

        def needed(r: int) -> arb:
            t = 6 * (1 + (3 * r / delta).log() / e)
            fixed = 3 * (3 / (2 * delta)).log() + 6 * (3 / delta).log()
            return (fixed + 12 * (arb(3 * r * (r + 1)) / delta).log()) / e + t

        gaps = [arb(values[0] - values[r]) - needed(r) for r in range(1, len(values))]
        b1, b2 = 3 / e, 6 / e

        def density(w: Ball, right: bool) -> Ball:
            u = -w if right else w
            return (b2 * (u / b2).exp() - b1 * (u / b1).exp()) / (2 * (b2 * b2 - b1 * b1))

        # P(|Z − G| > w) ≤ P(|Z| > w/3) + P(|G| > 2w/3) = 2e^(−εw/9)
        def reach(bits: int) -> arb:
            return (arb(bits + 1) * arb(2).log() * 9 / e).upper()

        rank_law = first_pass(gaps, density, reach, e / 12)
        weights = [(e * arb(value - values[0]) / 6).exp() for value in values]
        chosen = [arb(0)] * len(values)
        total = arb(0)
        for front, p in enumerate(rank_law):
            total += weights[front]
            for i in range(front + 1):
                chosen[i] += p * weights[i] / total
        return rank_law, chosen


def percentile(m: PercentileSparseVector, chances: Sequence[float]) -> list[arb]:
    """P(the first answer is query i), and P(none is), from exact chances."""
    with precise(256):

        def log_odds(p: float) -> arb:
            return (arb(exact(p)) / (1 - arb(exact(p)))).log()

        rate = arb(exact(m.epsilon)) / (4 * 2 * arb(exact(m.candidate_epsilon)))
        gaps = [log_odds(p) - log_odds(m.percentile) for p in chances]
        density, reach = _laplace(2 * rate)
        return first_pass(gaps, density, reach, rate)

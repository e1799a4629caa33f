"""Laws with closed forms, or one log-concave integral: candidates, noisy max with gap, distance to
instability.

Symbols: Q = a uniform candidate run once; a level has mass p under Q and mass A strictly above it;
J runs are made. P(best is at the level) = E[(1 − A)^J] − E[(1 − A − p)^J], shared among the level's
runs in proportion.
Invariants: exact rationals as far as the definition allows (mechanisms.md 8–10), balls beyond.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence

from flint import arb, fmpq

from dpviz import (
    DistanceToInstability,
    KnownThreshold,
    NegativeBinomialRepeats,
    NoisyTopKWithGap,
    PoissonRepeats,
    RandomStopping,
    Scores,
)
from tests.oracle.balls import exact, precise
from tests.oracle.races import log_winner

Pool = Sequence[Sequence[float]]  # the run scores of each candidate
Repeats = RandomStopping | NegativeBinomialRepeats | PoissonRepeats


def _masses(pool: Pool) -> list[dict[fmpq, fmpq]]:
    """For each candidate the mass under Q of every score it has."""
    found = []
    for runs in pool:
        mass: dict[fmpq, fmpq] = defaultdict(lambda: fmpq(0))
        for score in runs:
            mass[exact(score)] += fmpq(1, len(runs) * len(pool))
        found.append(dict(mass))
    return found


def known_threshold(rule: KnownThreshold, pool: Pool) -> tuple[list[arb], arb]:
    """(P(the run is of candidate k), P(⊥))."""
    with precise(256):
        threshold, stop, limit = exact(rule.threshold), exact(rule.stop), rule.limit
        masses = _masses(pool)
        passing = [sum((p for z, p in m.items() if z >= threshold), fmpq(0)) for m in masses]
        all_pass = sum(passing, fmpq(0))
        again = (1 - all_pass) * (1 - stop)
        runs = (1 - arb(again) ** limit) / (1 - arb(again))
        return [p * runs for p in passing], 1 - all_pass * runs


def _none_hit(rule: Repeats) -> Callable[[fmpq], arb]:
    """a → E[(1 − a)^J]."""
    if isinstance(rule, PoissonRepeats):
        return lambda a: (-arb(exact(rule.mean) * a)).exp()
    stop = exact(rule.stop)
    if isinstance(rule, NegativeBinomialRepeats):
        shape = exact(rule.shape)

        def truncated(a: fmpq) -> arb:
            # E[u^J] = ((1 − (1−γ)u)^(−η) − 1)/(γ^(−η) − 1), by logs where η = 0
            log_base, log_stop = arb(stop + (1 - stop) * a).log(), arb(stop).log()
            if shape == 0:
                return log_base / log_stop
            return (-shape * log_base).expm1() / (-shape * log_stop).expm1()

        return truncated
    limit = rule.limit

    def geometric(a: fmpq) -> arb:
        miss, on = 1 - a, arb((1 - stop) * (1 - a))
        ended = arb(1) if limit is None else 1 - on**limit
        # Σ_{n ≤ T} γ(1−γ)^(n−1)(1−a)^n, and (1−γ)^T(1−a)^T for runs that reach the limit
        return arb(stop * miss) * ended / (1 - on) + (0 if limit is None else on**limit)

    return geometric


def best_of(rule: Repeats, pool: Pool) -> tuple[list[arb], arb]:
    """(P(the run is of candidate k), P(⊥))."""
    with precise(256):
        masses = _masses(pool)
        levels = sorted({z for mass in masses for z in mass}, reverse=True)
        none_hit = _none_hit(rule)
        chosen, above = [arb(0)] * len(pool), fmpq(0)
        for z in levels:
            p = sum((mass.get(z, fmpq(0)) for mass in masses), fmpq(0))
            chance = none_hit(above) - none_hit(above + p)
            shares = [mass.get(z, fmpq(0)) / p for mass in masses]
            chosen = [c + chance * share for c, share in zip(chosen, shares, strict=True)]
            above += p
        return chosen, none_hit(fmpq(1))


def gap_survival(m: NoisyTopKWithGap, s: Scores, item: int, gap: float) -> arb:
    """P(item wins with a gap above `gap`), k = 1: it wins with its score lowered by that."""
    scale = (1 if s.monotonic else 2) * exact(s.sensitivity) / exact(m.epsilon)
    levels = [exact(value) / scale for value in s.values.tolist()]
    levels[item] -= exact(gap) / scale
    return log_winner("laplace", levels, [1] * len(levels), item).exp()


def instability(m: DistanceToInstability, s: Scores) -> arb:
    """P(the best is released): gap + Lap(D/ε) > D + (D/ε)·log(1/(2δ))."""
    with precise(256):
        first, second, *_ = sorted((exact(value) for value in s.values.tolist()), reverse=True)
        moved = exact(s.sensitivity) * (1 if s.monotonic else 2)
        lead = (arb(first - second) / moved - 1) * exact(m.epsilon)
        need = lead + (2 * arb(exact(m.delta))).log()
        return 1 - (-need).exp() / 2 if need > 0 else need.exp() / 2

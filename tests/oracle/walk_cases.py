"""Cases of the laws beyond top k by (law, seed, number), beside the truth."""

from collections.abc import Callable, Iterator

import numpy as np
from flint import arb
from numpy.random import Generator

from dpviz import (
    AdaptiveSparseVector,
    CandidatePool,
    DistanceToInstability,
    KnownThreshold,
    LargeMargin,
    NegativeBinomialRepeats,
    NoisyTopKWithGap,
    PercentileSparseVector,
    PoissonRepeats,
    RandomStopping,
    Scores,
    SparseVector,
)
from dpviz.base import Floats
from tests.oracle import choices, walks
from tests.oracle.balls import exact
from tests.oracle.compare import Gap, gap

Threshold = SparseVector | AdaptiveSparseVector


def threshold_case(adaptive: bool, rng: Generator) -> tuple[Threshold, Scores]:
    """A sparse vector for a few queries."""
    n, k, monotonic = int(rng.integers(1, 5)), int(rng.integers(1, 3)), bool(rng.integers(2))
    normal = np.round(rng.normal(0, 20, n), 2)
    values = rng.choice([normal, rng.integers(-2, 3, n) * 10.0 ** rng.integers(0, 3)])
    sensitivity = float(rng.choice([0.5, 1.0, 2.0]))
    s = Scores(np.append(values, 0.0), sensitivity=sensitivity, monotonic=monotonic)
    m = (AdaptiveSparseVector if adaptive else SparseVector)(
        epsilon=float(10 ** rng.uniform(-2, 2)),
        k=min(k, n),
        threshold=float(rng.choice([0.0, 5.5])),
        split=str(rng.choice(["even", "optimal"])),
        monotonic=monotonic,
    )
    return m, s


def threshold_gaps(m: Threshold, s: Scores) -> Iterator[Gap]:
    """Chances to answer and be asked, the laws of answers and units, and the mean precision."""
    law = walks.answer_strings(m, s)
    dist, case = m.distribution(s), (m, s.values.tolist(), s.sensitivity)
    cost = {test.letter: test.cost for test in m.branches()}
    high = [exact(value) >= exact(m.threshold) for value in s.values.tolist()]

    def checked(figure: str, told: Floats, keep: Callable[[str, int], bool]) -> Iterator[Gap]:
        for i, value in enumerate(told.tolist()):
            true = sum((p for text, p in law.items() if keep(text, i)), arb(0))
            yield gap(f"{figure} {i}", value, true, dist.error, case)

    def answers(text: str) -> int:
        return len(text) - text.count("_")

    def units(text: str) -> int:
        return sum(cost.get(letter, 0) for letter in text)

    yield from checked("answered", dist.answer_probabilities, lambda y, i: y[i : i + 1] not in "_")
    yield from checked("reached", dist.reach_probabilities, lambda y, i: len(y) > i)
    yield from checked("count", dist.answer_count_probabilities, lambda y, i: answers(y) == i)
    yield from checked("units", dist.used_units_law, lambda y, i: units(y) == i)
    some = sum((p for text, p in law.items() if answers(text)), arb(0))
    if dist.precision is not None and some > 1e-3:
        true = arb(0)
        for text, p in law.items():
            if answers(text):
                right = sum(high[i] for i, a in enumerate(text) if a != "_")
                true += p * right / answers(text)
        yield gap("precision", dist.precision, true / some, 2 * dist.error / float(some), case)


def string_gaps(m: Threshold, s: Scores) -> Iterator[Gap]:
    """Answer strings, said to be right to about 1e-12 of each."""
    told, law = m.answer_strings(s), walks.answer_strings(m, s, bits=100)
    assert set(told) == set(law)
    case = (m, s.values.tolist(), s.sensitivity)
    for text, p in law.items():
        if p > 1e-14:
            yield gap(f"P({text})", told[text], p, 2e-12 * float(p), case)


def _threshold(adaptive: bool) -> Callable[[Generator], Iterator[Gap]]:
    return lambda rng: threshold_gaps(*threshold_case(adaptive, rng))


def _large_margin(rng: Generator) -> Iterator[Gap]:
    d = int(rng.choice([2, 3, 8, 30]))
    epsilon, delta = float(10 ** rng.uniform(-2, 1.5)), float(10 ** rng.uniform(-8, -1))
    lead = rng.choice([0.0, 100.0, 400.0, 1e4]) / epsilon
    values = (np.arange(d) < rng.integers(1, d + 1)) * lead + rng.exponential(2.0, d)
    s = Scores(rng.permutation(values), sensitivity=float(rng.choice([0.5, 1.0, 2.0])))
    yield from margin_gaps(LargeMargin(epsilon=epsilon, delta=delta), s)


def margin_gaps(m: LargeMargin, s: Scores) -> Iterator[Gap]:
    """The laws of large margin over ranks and over items."""
    law, case = m.distribution(s), (m, s.values.tolist(), s.sensitivity)
    ranks, items = walks.large_margin(m, s)
    assert law.rank_law is not None
    for told, p in zip(law.rank_law, ranks, strict=True):
        yield gap("rank law", told, p, law.error, case)
    for told, p in zip(law.inclusion[s.order], items, strict=True):
        yield gap("item", told, p, law.error, case)


def _percentile(rng: Generator) -> Iterator[Gap]:
    chances = rng.uniform(0.01, 0.99, int(rng.integers(1, 8))).tolist()
    m = PercentileSparseVector(
        percentile=float(rng.uniform(0.1, 0.9)),
        epsilon=float(10 ** rng.uniform(-1, 2)),
        candidate_epsilon=float(10 ** rng.uniform(-2, 0)),
    )
    law, case = m.distribution(chances), (m, chances)
    for told, p in zip([*law.stop.tolist(), law.none], walks.percentile(m, chances), strict=True):
        yield gap("stop", told, p, law.error, case)


def _pool(rng: Generator) -> list[list[float]]:
    sizes = rng.integers(1, 9, int(rng.integers(1, 6)))
    return [rng.integers(0, 6, size).astype(float).tolist() for size in sizes]


def _rule(make: Callable[[Generator], object]) -> Callable[[Generator], Iterator[Gap]]:
    def gaps(rng: Generator) -> Iterator[Gap]:
        rule, pool = make(rng), _pool(rng)
        known = isinstance(rule, KnownThreshold)
        law = rule.distribution(CandidatePool(pool))  # type: ignore[attr-defined]
        chosen, bottom = (choices.known_threshold if known else choices.best_of)(rule, pool)  # type: ignore[operator]
        for told, p in zip([*law.candidate.tolist(), law.bottom], [*chosen, bottom], strict=True):
            yield gap("candidate", told, p, law.error, (rule, pool))

    return gaps


def _stop(rng: Generator) -> float:
    return float(10 ** rng.uniform(-4, -0.01))


def _noisy_max(rng: Generator) -> Iterator[Gap]:
    d, sensitivity = int(rng.choice([2, 3, 6, 12])), float(rng.choice([0.5, 2]))
    values = np.round(rng.normal(0, 10, d), 1)
    s = Scores(values, monotonic=bool(rng.integers(2)), sensitivity=sensitivity)
    m = NoisyTopKWithGap(epsilon=float(10 ** rng.uniform(-2, 1)), k=1)
    for item in range(min(d, 3)):
        for lowered in (0.0, float(rng.exponential(20.0))):
            yield survival_gap(m, s, item, lowered)


def survival_gap(m: NoisyTopKWithGap, s: Scores, item: int, lowered: float) -> Gap:
    """The chance that an item wins with a gap, right relative to itself."""
    true, told = choices.gap_survival(m, s, item, lowered), m.gap_survival(s, item, lowered)
    case = (m, s.values.tolist(), s.sensitivity, s.monotonic, item, lowered)
    return gap("gap survival", told, true, 1e-10 * min(1.0, float(true)) + 1e-290, case)


def _instability(rng: Generator) -> Iterator[Gap]:
    s = Scores(np.round(rng.normal(0, 30, 4), 1), monotonic=bool(rng.integers(2)))
    delta = float(10 ** rng.uniform(-8, -0.4))
    m = DistanceToInstability(epsilon=float(10 ** rng.uniform(-2, 1)), delta=delta)
    yield from instability_gaps(m, s)


def instability_gaps(m: DistanceToInstability, s: Scores) -> Iterator[Gap]:
    """The chance that the best comes out, and that nothing does."""
    law, true, case = m.distribution(s), choices.instability(m, s), (m, s.values.tolist())
    yield gap("released", float(law.inclusion.max()), true, law.error, case)
    yield gap("fail", law.fail, 1 - true, law.error, case)


WALKS: dict[str, Callable[[Generator], Iterator[Gap]]] = {
    "sparse vector": _threshold(False),
    "adaptive sparse vector": _threshold(True),
    "large margin": _large_margin,
    "percentile sparse vector": _percentile,
}
CHOICES: dict[str, Callable[[Generator], Iterator[Gap]]] = {
    "known threshold": _rule(
        lambda rng: KnownThreshold(
            threshold=float(rng.integers(1, 6)),
            stop=_stop(rng),
            epsilon0=float(rng.uniform(0.01, 1)),
        )
    ),
    "random stopping": _rule(lambda rng: RandomStopping(stop=_stop(rng))),
    "random stopping, limited": _rule(
        lambda rng: RandomStopping(stop=_stop(rng), limit=int(rng.integers(1, 200)))
    ),
    "negative binomial": _rule(
        lambda rng: NegativeBinomialRepeats(
            shape=float(rng.choice([0.0, rng.uniform(-0.9, 5)])), stop=_stop(rng)
        )
    ),
    "poisson": _rule(lambda rng: PoissonRepeats(mean=float(10 ** rng.uniform(0, 4)))),
    "noisy max with gap": _noisy_max,
    "distance to instability": _instability,
}


def walk_gaps(law: str, count: int, *, seed: int) -> Iterator[Gap]:
    """The gaps of `answer_count_probabilities` cases of a law of WALKS or CHOICES."""
    for number in range(count):
        yield from {**WALKS, **CHOICES}[law](np.random.default_rng([seed, number, *law.encode()]))

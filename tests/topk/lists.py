"""Lists of at most k names by brute force, and neighbours with other names; no code of dpviz."""

import itertools
import math
from collections.abc import Iterator, Mapping

import numpy as np
from numpy.polynomial.legendre import leggauss
from scipy import stats

from dpviz import Scores, TopKMechanism
from tests.meters import smallest_delta

Counts = Mapping[str, int]
Answers = dict[frozenset[str], float]

_X, _W = leggauss(60)


def limited_domain(
    counts: Counts,
    k: int,
    most: int,
    epsilon: float,
    delta: float,
    c: int | None,
    *,
    replaced: bool = False,
) -> Answers:
    """Durfee & Rogers' list, name after name, by weights e^(e·count), ⊥'s among them."""
    e = epsilon / (2 * k if replaced else k)
    names = sorted((n for n in counts if counts[n] > 0), key=lambda n: (-counts[n], n))
    after = counts[names[most]] if len(names) > most else 0
    few = most if c is None else min(c, most)
    bottom = e * (after + (2 if replaced else 1)) + math.log(few / delta)
    log_weight = {name: e * counts[name] for name in names[:most]}
    answers: Answers = {}

    def go(chosen: frozenset[str], p: float) -> None:
        rest = [name for name in log_weight if name not in chosen] if len(chosen) < k else []
        best = max(
            [bottom, *(log_weight[name] for name in rest)]
        )  # or weights pass 1e308, or are 0
        weight = {name: math.exp(log_weight[name] - best) for name in rest}
        total = math.exp(bottom - best) + sum(weight.values())
        ends = math.exp(bottom - best) / total if len(chosen) < k else 1.0
        answers[chosen] = answers.get(chosen, 0.0) + p * ends
        for name in rest:
            go(chosen | {name}, p * weight[name] / total)

    go(frozenset(), 1.0)
    return answers


def threshold_counts(counts: Counts, k: int, noise: str, scale: float, tau: float) -> Answers:
    """The k largest of noisy counts above τ: those of a set above a cut-off, the others below."""
    names = [name for name in counts if counts[name] > 0]
    law = stats.laplace(scale=scale) if noise == "laplace" else stats.norm(scale=scale)
    around = scale * np.array([-32, -16, -8, -5, -3, -2, -1, -0.5, 0, 0.5, 1, 2, 3, 5, 8, 16, 40])
    edges = np.unique(
        np.concatenate([around + middle for middle in (tau, *map(counts.get, names))])
    )  # type: ignore[operator]
    edges = edges[edges >= tau]
    half, middle = np.diff(edges) / 2, (edges[1:] + edges[:-1]) / 2
    z, w = (middle[:, None] + half[:, None] * _X).ravel(), (half[:, None] * _W).ravel()
    passing = {name: law.sf(z - counts[name]) for name in names}
    slope = {name: law.pdf(z - counts[name]) for name in names}
    at = {name: float(law.sf(tau - counts[name])) for name in names}
    answers: Answers = {}
    for size in range(min(k, len(names)) + 1):
        for chosen in itertools.combinations(names, size):
            out = [name for name in names if name not in chosen]
            p = math.prod(at[name] for name in chosen) * math.prod(1 - at[name] for name in out)
            if size == k and out:
                inside = np.prod([passing[name] for name in chosen], axis=0)
                for last_one in out:
                    others = [1 - passing[name] for name in out if name != last_one]
                    p += float(w @ (inside * slope[last_one] * np.prod(others, axis=0)))
            answers[frozenset(chosen)] = p
    return answers


def scores_of(
    counts: Counts, *, c: int | None, replaced: bool = False, names: list[str] | None = None
) -> Scores:
    """The counts as scores of these names, 0 where one does not occur."""
    names = sorted(counts) if names is None else names
    values = [float(counts.get(name, 0)) for name in names]
    return Scores(values, labels=names, monotonic=not replaced, contributions=c, names_known=False)


def law_told(m: TopKMechanism, s: Scores) -> Answers:
    """The law that a mechanism tells, answer by answer, by name."""
    dist = m.distribution(s)
    items = [item for item in range(s.d) if s.values[item] > 0]
    answers = (answer for size in range(m.k + 1) for answer in itertools.combinations(items, size))
    return {
        frozenset(s.label(i) for i in answer): math.exp(dist.log_probability(answer))
        for answer in answers
    }


def delta_between(m: TopKMechanism, one: Scores, other: Scores) -> float:
    """The smallest δ at the mechanism's ε between two worlds, both ways."""
    return smallest_delta(law_told(m, one), law_told(m, other), m.epsilon)


def pairs(
    rng: np.random.Generator, c: int, *, replaced: bool, most: int = 6
) -> Iterator[tuple[Counts, Counts]]:
    """Neighbours: a person comes, goes or is replaced, new and vanishing names among hers."""
    while True:
        d, base = int(rng.integers(2, most + 1)), int(rng.choice([1, 2, 4, 10]))
        counts = {f"i{j}": int(rng.integers(1, base + 2)) for j in range(d)}
        other, names = dict(counts), [f"i{j}" for j in range(d + 2)]
        for name in rng.choice(names, size=min(c, len(names)), replace=False):
            other[str(name)] = other.get(str(name), 0) + 1
        gone = [name for name in counts if counts[name] == other[name]] if replaced else []
        for name in rng.choice(gone, size=min(c, len(gone)), replace=False) if gone else []:
            other[str(name)] -= 1
        yield counts, {name: count for name, count in other.items() if count}

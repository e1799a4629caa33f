"""Brute force for sparse vectors: every answer string, by quadrature over the threshold's noise."""

import itertools
import math
from collections.abc import Callable, Sequence

import numpy as np
from scipy import integrate

from dpviz.gaps.sparse.mechanism import ThresholdMechanism

Chances = Callable[[float, float], Sequence[float]]
"""(threshold noise z, margin m) -> P(answered by each branch)."""


def survival(u: float) -> float:
    """P(standard Laplace ≥ u)."""
    return 1 - math.exp(u) / 2 if u < 0 else math.exp(-u) / 2


def plain_chances(m: ThresholdMechanism) -> Chances:
    """Algorithm 1: a query passes with noise of rate ε1."""
    return lambda z, margin: [survival(m.epsilon1 * (z - margin))]


def adaptive_chances(m: ThresholdMechanism) -> Chances:
    """Algorithm 4: against the threshold raised by σ, then against itself with twice the rate.

    With more branches each has twice the rate of the one before, and σ in its own deviations.
    """

    def chances(z: float, margin: float) -> Sequence[float]:
        left, found = 1.0, []
        for j, sigma in enumerate(starts(m)):
            found.append(left * survival(m.epsilon1 * 2**j * (z + sigma - margin)))
            left -= found[-1]
        return found

    return chances


def starts(m: ThresholdMechanism) -> list[float]:
    """σ of every branch; 0 for the last."""
    deviations, last = getattr(m, "deviations", 0.0), len(letters_of(m)) - 1
    return [deviations * math.sqrt(2) / (m.epsilon1 * 2**j) for j in range(last)] + [0.0]


def letters_of(m: ThresholdMechanism) -> str:
    """One letter a branch."""
    return "".join(branch.letter for branch in m.branches())


def all_strings(letters: str, costs: Sequence[int], units: int, n: int) -> list[str]:
    """Every string that a run can end with, by trying all."""
    found, cost = set(), {"_": 0, **dict(zip(letters, costs, strict=True))}
    for text in itertools.product(cost, repeat=n):
        used = list(itertools.accumulate(cost[letter] for letter in text))
        length = sum(spent <= units - max(costs) for spent in used[:-1]) + 1
        found.add("".join(text[:length]))
    return sorted(found)


def brute_law(
    m: ThresholdMechanism,
    margins: Sequence[float],
    chances: Chances,
    *,
    noisy_threshold: bool = True,
) -> dict[str, float]:
    """P(string) by one adaptive integral each; without threshold noise by the product alone."""
    costs = [2**j for j in range(len(letters_of(m)))]
    units = m.k * max(costs)
    offsets = [sign * sigma for sigma in starts(m) for sign in (1, -1)]
    inner = sorted({0.0, *(margin - offset for margin in margins for offset in offsets)})
    cuts = [inner[0] - 45 / m.epsilon0, *inner, inner[-1] + 45 / m.epsilon0]
    strings, n = all_strings(letters_of(m), costs, units, len(margins)), len(margins)
    letters = letters_of(m) + "_ "  # where a string has ended stands a space, which is certain
    column = np.array([[letters.index(c) for c in s.ljust(n)] for s in strings])

    def product(z: float) -> np.ndarray:
        table = [[*chances(z, margin)] for margin in margins]
        rows = np.array([[*row, 1 - sum(row), 1.0] for row in table])
        return rows[np.arange(n), column].prod(axis=1)

    if not noisy_threshold:
        return dict(zip(strings, product(0.0), strict=True))

    def density(z: float) -> np.ndarray:
        return product(z) * m.epsilon0 / 2 * math.exp(-m.epsilon0 * abs(z))

    total = sum(
        integrate.quad_vec(density, a, b, epsabs=1e-14, epsrel=1e-11)[0]
        for a, b in itertools.pairwise(cuts)
        if b > a
    )
    return dict(zip(strings, total, strict=True))


def by_query(law: dict[str, float], n: int, letter: str | None = None) -> np.ndarray:
    """P(query answered), by the branch of that letter if one is named."""
    found = np.zeros(n)
    for text, probability in law.items():
        for i, here in enumerate(text):
            found[i] += probability * (here == letter if letter else here != "_")
    return found

"""Cases by (seed, number): scores of every awkward shape, and mechanisms of every kind."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from dpviz import Canonical, JointExponential, OneShot, Peeling, Scores, TopKMechanism
from tests.oracle.noise import TAILS

_MOST_ANSWERS = 3_000

Shape = Callable[[Generator, int], np.ndarray]
ORDINARY: dict[str, Shape] = {
    "normal": lambda rng, d: np.round(rng.normal(0, 5, d), 3),
    "ties": lambda rng, d: rng.integers(0, 3, d).astype(float),
    "equal": lambda rng, d: np.zeros(d),
    "nearly tied": lambda rng, d: np.cumsum(rng.choice([1e-12, 1e-9, 1e-6, 1e-3, 0.1, 3.0], d)),
    "zipf": lambda rng, d: np.floor(rng.choice([50.0, 1e3]) / np.arange(1, d + 1)),
    "cliff": lambda rng, d: (
        (np.arange(d) < d // 2) * rng.choice([1.0, 30.0, 1e3]) + np.arange(d) * 1e-3
    ),
    "outliers": lambda rng, d: rng.normal(0, 2, d) + 1e6 * (rng.random(d) < 0.3),
}
LARGE: dict[str, Shape] = {
    "far from 0": lambda rng, d: 10.0 ** rng.integers(6, 16) + rng.integers(-4, 5, d),
    "counts": lambda rng, d: np.round(10.0 ** rng.uniform(0, 15, d)),
    "two sides": lambda rng, d: (
        rng.choice([-1.0, 1.0], d) * 10.0 ** rng.integers(3, 16) + rng.integers(-4, 5, d)
    ),
    "measured": lambda rng, d: 10.0 ** rng.integers(3, 12) * (1 + 1e-9 * rng.normal(0, 1, d)),
}


def _canonical(
    epsilon: float, k: int, noise: str, rng: Generator, any_gamma: bool
) -> TopKMechanism:
    gamma = rng.uniform(0, 1) if any_gamma else rng.choice([0.0, 0.25, 0.5, 0.75, 1.0])
    return Canonical(epsilon=epsilon, k=k, noise=noise, gamma=float(gamma))


LAWS: dict[str, Callable[[float, int, str, Generator, bool], TopKMechanism]] = {
    "canonical": _canonical,
    "rounded": lambda epsilon, k, noise, rng, large: Canonical(
        epsilon=epsilon, k=k, noise=noise, rounded=True
    ),
    "one-shot": lambda epsilon, k, noise, rng, large: OneShot(epsilon=epsilon, k=k, noise=noise),
    "peeling": lambda epsilon, k, noise, rng, large: Peeling(epsilon=epsilon, k=k, noise=noise),
    "joint": lambda epsilon, k, over, rng, large: JointExponential(epsilon=epsilon, k=k, over=over),
}


@dataclass(frozen=True)
class TopKCase:
    """One mechanism on one score vector."""

    law: str
    variant: str  # the noise, or what joint selection is over
    shape: str
    mechanism: TopKMechanism
    scores: Scores


def top_k_cases(
    law: str, variant: str, count: int, *, seed: int = 0, large: bool = False, most_items: int = 40
) -> Iterator[TopKCase]:
    """`count` cases of one law and noise, of 2 to `most_items` items."""
    shapes = LARGE if large else ORDINARY
    for number in range(count):
        rng = np.random.default_rng([seed, number, int(large), *f"{law} {variant}".encode()])
        enumerated = law == "joint" or (law == "peeling" and variant != "gumbel")
        many = (
            (2, 3, 4, 5, 6, 8, 12, 20, 40)
            if law in ("canonical", "rounded")
            else (2, 3, 5, 6, 8, 12)
        )
        sizes = (2, 3, 4, 5, 6) if enumerated else many
        d = int(rng.choice([size for size in sizes if size <= most_items]))
        k = int(rng.integers(1, min(d, 6)))
        if law == "joint":
            count_answers = math.comb if variant == "sets" else math.perm
            while count_answers(d, k) > _MOST_ANSWERS:
                k -= 1
        shape = list(shapes)[number % len(shapes)]
        sensitivity = float(rng.choice([0.1, 0.7, 1.0, 3.0] if large else [0.5, 1.0, 2.0]))
        values = rng.permutation(shapes[shape](rng, d))
        if law == "rounded":  # nearer to a whole person the last digit would decide
            values = np.round(values, 2)
        scores = Scores(values, sensitivity=sensitivity, monotonic=bool(rng.integers(2)))
        epsilon = float(10 ** rng.uniform(-3, 3))
        yield TopKCase(law, variant, shape, LAWS[law](epsilon, k, variant, rng, large), scores)


VARIANTS = {law: ("sets", "sequences") if law == "joint" else tuple(TAILS) for law in LAWS}

"""Random scores and parameters: `try_one(rng)` ends in one sentence or in a law that adds up.

`python -m tests.fuzz CASES SEED` stops at the first case that does not.
"""

import math
import sys
import warnings
from collections import Counter
from typing import Any

import numpy as np
from numpy.random import Generator

from dpviz import TOP_K, ParameterError, Scores, TopKMechanism
from dpviz.base.parameters import Parameter, declared_parameters

ODD: list[Any] = [
    *(math.nan, math.inf, -math.inf, True, None, "7", "", 1j, [1]),
    *(10**400, -0.0, 5e-324, np.float32(0.1)),
]
SCALES = [1e-300, 1e-12, 1.0, 50.0, 1e6, 1e15, 1e300]


def values(rng: Generator) -> Any:
    """Scores of every shape, now and then with something in them that is no score."""
    d = int(rng.choice([0, 1, 2, 3, 5, 8, 12, 40, 150]))
    scale = float(rng.choice(SCALES))
    shapes = [
        rng.normal(size=d) * scale,
        rng.integers(0, 4, d),
        np.full(d, 7.0),
        rng.pareto(0.5, d) * 10,
        rng.choice([-scale, 0.0, scale], d),
        1e9 + rng.integers(0, 3, d),
    ]
    made: list[Any] = shapes[int(rng.integers(len(shapes)))].tolist()
    if d and rng.random() < 0.1:
        made[int(rng.integers(d))] = ODD[int(rng.integers(len(ODD)))]
    flat = not any(isinstance(v, list) for v in made)
    return np.array(made) if rng.random() < 0.3 and flat else made


def parameter_value(declared: Parameter, rng: Generator) -> Any:
    """A value for one declared parameter; one in twenty is odd."""
    if rng.random() < 0.05:
        return ODD[int(rng.integers(len(ODD)))]
    if declared.choices is not None:
        return str(rng.choice(list(declared.choices)))
    if declared.name == "k":
        return int(rng.choice([1, 1, 2, 3, 5, 11, 39]))
    if declared.name == "epsilon":
        return float(10 ** rng.uniform(-6, 4))
    low, high = declared.low or 0.0, declared.high if declared.high is not None else 10.0
    return float(rng.choice([low, high, rng.uniform(low, high)]))


def check(m: TopKMechanism, s: Scores, rng: Generator) -> None:
    """What must hold of any law."""
    dist = m.distribution(s, samples=20)
    figures = [dist.top, dist.optimal, dist.great, dist.good, dist.share]
    assert all(math.isfinite(f) and 0.0 <= f <= 1.0 for f in figures), figures
    slack = 1e-9 + 4 * min(dist.error, 1e-6)
    assert dist.top <= min(dist.optimal, dist.great) + slack
    assert dist.great <= dist.good + slack
    assert abs(dist.within(0, s.d) - 1.0) <= slack
    inclusion = dist.inclusion
    assert np.isfinite(inclusion).all()
    assert inclusion.min() >= 0.0
    assert inclusion.max() <= 1.0
    assert abs(inclusion.sum() - m.k) <= 1e-7
    if dist.method == "exact":
        assert dist.error <= 1e-8
    grid = dist.grid(12, 15)
    assert 0.999 - 1e-7 <= grid.covered_mass <= 1.0 + 1e-7
    if s.d <= 12:
        assert abs(dist.probability.sum() - 1.0) <= 1e-8
        assert dist.missing <= 1e-9
    rows = m.sample(s, 3, rng=rng)
    assert rows.shape == (3, m.k)
    assert (np.diff(rows, axis=1) > 0).all()
    assert np.isfinite(dist.log_probability(rows[0])) or dist.method == "estimated"


def try_one(rng: Generator) -> str:
    """One case; what became of it: "law" or "refused"."""
    name = str(rng.choice(list(TOP_K)))
    stated = rng.random() < 0.1  # noise in place of ε, where a mechanism takes it
    told = {
        p.name: parameter_value(p, rng)
        for p in declared_parameters(TOP_K[name])
        if p.default is not None or p.name == "k" or (p.name == "epsilon") != stated
    }
    given, odd = values(rng), rng.random() < 0.03
    sensitivity = ODD[int(rng.integers(len(ODD)))] if odd else float(10 ** rng.uniform(-3, 3))
    person = {"sensitivity": sensitivity, "monotonic": bool(rng.integers(2))}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            check(TOP_K[name](**told), Scores(given, **person), rng)
        except ParameterError as err:
            sentence = str(err)
            assert sentence.endswith(".")
            assert "\n" not in sentence
            assert len(sentence) < 400
            return "refused"
        except Exception as err:
            raise AssertionError(f"{name} {told} on {given!r}, {person}") from err
    return "law"


if __name__ == "__main__":
    outcomes: Counter[str] = Counter()
    cases, seed = map(int, sys.argv[1:])
    for case in range(cases):
        outcomes[try_one(np.random.default_rng([seed, case]))] += 1
    sys.stdout.write(f"{dict(outcomes)}\n")

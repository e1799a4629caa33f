"""Processor seconds for the large margin law on hard vectors: python
tests/benchmarks/bench_margin.py
"""

import time

import numpy as np

from dpviz.base.scores import Scores
from dpviz.margin.large_margin import LargeMargin

D = 1_000_000


def vectors(mechanism: LargeMargin) -> dict[str, tuple[np.ndarray, int]]:
    """Name → scores and unlisted zeros; "on the margin" follows T_r everywhere, the slowest for a
    plain walk.
    """
    rng = np.random.default_rng(0)
    margin = np.append(0.0, mechanism.required_margins(D))
    return {
        "one item, a million zeros": (np.append(1000.0, np.zeros(D - 1)), 0),
        "on the margin": (margin[-1] - margin, 0),
        "linear": (np.linspace(800.0, 0.0, D), 0),
        "on the margin, falling": (1000 - margin + 200 - np.linspace(0, 400, D), 0),
        "uniform": (rng.uniform(0, 1000, D), 0),
        "counts": (rng.poisson(3, D).astype(float), 0),
        "power law": (1e6 / np.arange(1, D + 1), 0),
        "ten million unlisted zeros": (np.array([120.0, 118, 90, 40, 10, 3]), 10_000_000),
    }


def main() -> None:
    mechanism = LargeMargin(epsilon=1.0, delta=1e-6)
    for name, (values, zeros) in vectors(mechanism).items():
        scores = Scores(values)
        begin = time.process_time()
        law = mechanism.distribution(scores, zeros=zeros)
        seconds = time.process_time() - begin
        off = abs(float(law.inclusion.sum()) + law.zero_mass - 1)
        print(f"{name:28} {seconds:6.2f} s   error ≤ {law.error:.1e}   sum off by {off:.0e}")


if __name__ == "__main__":
    main()

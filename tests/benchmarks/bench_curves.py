"""Curves of TOP, GREAT and GOOD against ε, and the smallest ε for a goal, for four mechanisms.

    python -m tests.benchmarks.bench_curves DATA

DATA is a folder with patent.csv (4,096 counts) and netflix.csv (17,770), one count a line.
"""

import argparse
import time
from pathlib import Path

import numpy as np

from dpviz import Canonical, OneShot, Peeling, Scores, TopKMechanism, smallest_epsilon
from dpviz.topk.adaptive_curves import utility_curves


def mechanisms(k: int) -> list[TopKMechanism]:
    """Four that are compared most."""
    return [
        Canonical(epsilon=1.0, k=k),
        Canonical(epsilon=1.0, k=k, gamma=1.0),
        Peeling(epsilon=1.0, k=k),
        OneShot(epsilon=1.0, k=k, noise="exponential"),
    ]


def main() -> None:
    """Print a row for each mechanism and vector."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with patent.csv and netflix.csv")
    folder = parser.parse_args().data
    for name, k, high in (("patent", 100, 100.0), ("netflix", 1000, 1000.0)):
        file = folder / f"{name}.csv"
        if not file.exists():
            print(f"{file} is not there: left out")
            continue
        scores = Scores(np.loadtxt(file), monotonic=True)
        print(f"\n{name}: d={scores.d:,}, k={k:,}; curves from ε = 0.01 to {high:g}")
        total = 0.0
        for m in mechanisms(k):
            start = time.perf_counter()
            curves = utility_curves(m, scores, low=0.01, high=high)
            took = time.perf_counter() - start
            total += took
            start = time.perf_counter()
            needed = smallest_epsilon(m, scores, probability=0.9, figure="great")
            solved = time.perf_counter() - start
            error = max(curve.error for curve in curves)
            print(
                f"{m.key:<60} {took:6.2f} s, {len(curves[0].x):3} points, error {error:.0e}; "
                f"90 % GREAT at ε = {needed:.4g} in {solved:.2f} s"
            )
        print(f"all curves together: {total:.1f} s")


if __name__ == "__main__":
    main()

"""Sparse vectors and free gaps at size: 10,000 queries with k = 25, and 20,000 runs of the
measurement experiment.

    python tests/benchmarks/bench_gaps.py [DATA]

DATA is a folder that holds kosarak.csv (counts, one a line); without it made-up vectors are
measured alone. "law" is the distribution with all that is ready at once, "count" the number
answered and the precision. The stated error is beside each. Times are of the process, so that a
busy machine matters less.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from dpviz import Scores
from dpviz.gaps.gap_experiment import top_k_experiment
from dpviz.gaps.sparse.sparse_vector import AdaptiveSparseVector, SparseVector

N, K = 10_000, 25


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """The result, and seconds of processor time."""
    start = time.process_time()
    result = work()
    return result, time.process_time() - start


def inputs(data: Path | None) -> dict[str, np.ndarray]:
    """Query values, in the order asked."""
    rng = np.random.default_rng(0)
    zipf = 1e5 / np.arange(1, N + 1.0)
    found = {
        "zipf, falling": zipf,
        "zipf, shuffled": rng.permutation(zipf),
        "log-normal": np.exp(rng.normal(3, 2, N)),
        "uniform 0-1000": rng.uniform(0, 1000, N),
        "whole numbers 0-99": rng.integers(0, 100, N).astype(float),
    }
    if data is not None:
        counts = np.loadtxt(data / "kosarak.csv")
        found["kosarak"] = counts[:N]
        found["kosarak, shuffled"] = rng.permutation(counts)[:N]
    return found


def laws(data: Path | None) -> None:
    """Both laws on every input, threshold at the 95 % quantile."""
    print(
        f"n = {N}, k = {K}, ε = 1, threshold at the 95 % quantile: seconds for law + count, stated"
        " error"
    )
    for name, values in inputs(data).items():
        for monotonic in (False, True):
            s = Scores(values, monotonic=monotonic)
            cells = []
            for cls in (SparseVector, AdaptiveSparseVector):
                m = cls(
                    epsilon=1.0,
                    k=K,
                    threshold=float(np.quantile(values, 0.95)),
                    monotonic=monotonic,
                )
                dist, law = timed(lambda m=m, s=s: m.distribution(s))
                _, count = timed(lambda dist=dist: (dist.count, dist.precision))
                cells.append(f"{m.name} {law:.2f} + {count:.2f} ({dist.error:.0e})")
            print(
                f"  {name:20} {'monotonic' if monotonic else 'general':9}  " + "   ".join(cells),
                flush=True,
            )


def experiments(data: Path | None) -> None:
    """20,000 runs each."""
    print(
        "measurement experiment, 20,000 runs: seconds, ratio of the errors (95 % interval), formula"
    )
    for name, values in inputs(data).items():
        for k, epsilon in ((5, 0.1), (25, 1.0), (100, 1.0)):
            s = Scores(values, monotonic=True)
            found, seconds = timed(
                lambda s=s, k=k, epsilon=epsilon: top_k_experiment(s, epsilon=epsilon, k=k)
            )
            r = found.ratio
            print(
                f"  {name:20} k={k:3} ε={epsilon:g}: {seconds:.2f}  "
                f"{r.value:.3f} ({r.low:.3f}, {r.high:.3f})  {found.formula:.3f}",
                flush=True,
            )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, nargs="?", help="folder with kosarak.csv")
    arguments = parser.parse_args()
    laws(arguments.data)
    experiments(arguments.data)

"""Laws of mechanisms at full size: their figures of merit, grids, inclusion, draws and curves.

    python -m tests.benchmarks.bench_laws DATA

DATA is a folder that holds netflix.csv (17,770 counts, one a line); without it a made-up long tail
of that size stands in. Milliseconds of processor time on one thread, medians of three runs; memory
is what Python and numpy allocated at the peak (tracemalloc).
"""

import argparse
import os
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np
from scipy.special import gammaln

from dpviz import (
    NOISES,
    Canonical,
    LimitedDomain,
    OneShot,
    Peeling,
    Scores,
    ThresholdCounts,
    TopKMechanism,
    smallest_epsilon,
)
from dpviz.topk.adaptive_curves import utility_curves

FIGURES = ("top", "great", "good", "grid", "inclusion", "draws")


def taken(work: Callable[[], object]) -> float:
    """Milliseconds of processor time: the median of three runs."""
    times = []
    for _ in range(3):
        start = time.process_time()
        work()
        times.append(1000 * (time.process_time() - start))
    return float(np.median(times))


def peak(work: Callable[[], object]) -> float:
    """Peak of what was allocated, in MB."""
    tracemalloc.start()
    work()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most / 1e6


def full_table(x: np.ndarray, k: int, epsilon: float) -> tuple[np.ndarray, np.ndarray]:
    """Every class of the k×(d−k) table in plain vectorised numpy, and the exact top-k beside it."""
    d = len(x)
    h, t = np.arange(k)[:, None], np.arange(k + 1, d + 1)[None, :]
    log_factorial = gammaln(np.arange(d + 1) + 1.0)  # a table: the fastest that plain numpy has
    log_size = log_factorial[t - h - 2] - log_factorial[k - 1 - h] - log_factorial[t - k - 1]
    log_weight = log_size - epsilon / 4 * (x[h] - x[t - 1])
    largest = max(log_weight.max(), 0.0)
    weight, top = np.exp(log_weight - largest), np.exp(-largest)
    total = weight.sum() + top
    return weight / total, top / total


def show_class_laws(scores: Scores, k: int) -> None:
    """The pruned law of canonical against the full table, and its cost by size."""
    print(f"{'d':>9}{'k':>6}{'ε':>6}{'kept':>9}{'ms':>8}{'MB':>7}{'missing':>9}{'table ms':>10}")
    tails = (Scores(np.round(1e5 * np.arange(1, d + 1) ** -0.7)) for d in (10_000, 1_000_000))
    sizes = [(scores, k, epsilon) for epsilon in (0.05, 0.1, 0.4, 1.0)]
    sizes += [(tail, few, 0.5) for tail in tails for few in (100, 900)]
    for of, few, epsilon in sizes:
        m = Canonical(epsilon=epsilon, k=few)
        law = m.distribution(of)
        row = f"{of.d:9,}{few:6,}{epsilon:6g}{len(law.h):9,}"
        row += f"{taken(lambda m=m, of=of: m.distribution(of).probability):8.1f}"
        row += f"{peak(lambda m=m, of=of: m.distribution(of).probability):7.1f}{law.missing:9.1e}"
        if of is scores:
            row += f"{taken(lambda e=epsilon: full_table(scores.ranked, k, e)):10.0f}"
        print(row, flush=True)


def measured_mechanisms(k: int) -> Iterator[TopKMechanism]:
    """Every noise of canonical and one-shot, and those that need no list of names."""
    for epsilon in (1.0, 10.0, 60.0, 300.0):
        for noise in NOISES:
            yield Canonical(epsilon=epsilon, k=k, noise=noise)
            yield OneShot(epsilon=epsilon, k=k, noise=noise)
        yield LimitedDomain(epsilon=epsilon, k=k, delta=1e-6)
        for noise in ("laplace", "gaussian"):
            yield ThresholdCounts(epsilon=epsilon, k=k, delta=1e-6, noise=noise)


def show_figures(title: str, scores: Scores, k: int) -> None:
    """A row for every mechanism, noise and budget."""
    print(
        f"\n{title}: d={scores.d:,}, k={k:,}\n{''.join(f'{name:>10}' for name in FIGURES)}  error"
    )
    for m in measured_mechanisms(k):
        of = (
            scores if m.needs_names else Scores(scores.values, contributions=100, names_known=False)
        )
        law = m.distribution(of)
        figures = [taken(lambda e=e, law=law: law.event_probability(e)) for e in FIGURES[:3]]
        figures.append(taken(lambda law=law: law.grid(80, 80)))
        figures.append(taken(lambda m=m, of=of: m.distribution(of).inclusion))
        figures.append(taken(lambda m=m, of=of: m.sample(of, 1000, rng=np.random.default_rng(0))))
        print(f"{''.join(f'{v:10.0f}' for v in figures)}  {law.error:.1e}  {m.key}", flush=True)


def show_curves(scores: Scores, k: int) -> None:
    """Curves of TOP, GREAT and GOOD against ε, and the smallest ε for a goal."""
    print(f"\n{'curves ms':>10}{'points':>8}{'error':>9}{'goal ms':>10}")
    for m in (
        Canonical(epsilon=1.0, k=k),
        Canonical(epsilon=1.0, k=k, gamma=1.0),
        Peeling(epsilon=1.0, k=k),
        OneShot(epsilon=1.0, k=k, noise="exponential"),
    ):
        curves = utility_curves(m, scores, low=0.01, high=1000.0)
        drawn = taken(lambda m=m: utility_curves(m, scores, low=0.01, high=1000.0))
        solved = taken(lambda m=m: smallest_epsilon(m, scores, probability=0.9, figure="great"))
        error = max(curve.error for curve in curves)
        print(f"{drawn:10.0f}{len(curves[0].x):8}{error:9.0e}{solved:10.0f}  {m.key}", flush=True)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="?", type=Path, default=Path("data"))
    file = parser.parse_args().data / "netflix.csv"
    values = np.loadtxt(file) if file.exists() else np.floor(2e5 / np.arange(1, 17771) ** 0.7)
    ties = np.random.default_rng(0).uniform(0, 1e-3, len(values))
    counts = Scores(values, monotonic=True)
    show_class_laws(counts, 1000)
    show_figures("counts as they are", counts, 1000)
    show_figures("without ties", Scores(values + ties, monotonic=True), 1000)
    show_curves(counts, 1000)


if __name__ == "__main__":
    main()

"""The canonical law at full size: pruned against the whole table, every noise, and sizes.

    python -m tests.benchmarks.bench_canonical DATA

DATA is a folder that holds netflix.csv (17,770 counts, one a line); without it the made-up vectors
of the last table are measured alone. Times are medians of several runs in one process, so ratios
hold whatever the machine; memory is what Python and numpy allocated at the peak (tracemalloc).
"""

import argparse
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy.special import gammaln

from dpviz import NOISES, Canonical, Scores


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


def seconds(work: Callable[[], object], repeats: int) -> float:
    """Median time of one run."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return float(np.median(times))


def peak(work: Callable[[], object]) -> float:
    """Peak of what was allocated, in MB."""
    tracemalloc.start()
    work()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most / 1e6


def against_the_table(scores: Scores, k: int) -> None:
    """Pruned law against the full table, in one process."""
    print(
        f"\nClass law, gumbel, d={scores.d:,}, k={k:,}: pruned against the full table of"
        f" {k * (scores.d - k) + 1:,}"
    )
    print(
        f"{'epsilon':>8} {'classes':>8} {'pruned ms':>10} {'table ms':>9} {'ratio':>6} {'MB':>6}"
        f" {'missing':>9}"
    )
    ratios = []
    for epsilon in (0.05, 0.1, 0.4, 1.0):
        m = Canonical(epsilon=epsilon, k=k)
        dist = m.distribution(scores)
        fast = seconds(lambda m=m: m.distribution(scores).probability, 9)
        slow = seconds(lambda epsilon=epsilon: full_table(scores.ranked, k, epsilon), 3)
        memory = peak(lambda m=m: m.distribution(scores).probability)
        ratios.append(slow / fast)
        print(
            f"{epsilon:8g} {len(dist.h):8,} {fast * 1e3:10.1f} {slow * 1e3:9.0f} {slow / fast:6.0f}"
            f" {memory:6.1f} {dist.missing:9.1e}"
        )
    print(f"median ratio {np.median(ratios):.0f}, smallest {min(ratios):.0f}")


def every_noise(scores: Scores, k: int) -> None:
    """The class law with each noise family, and draws from it."""
    print(
        f"\nClass law by noise, d={scores.d:,}, k={k:,}: ms (error bound); last 1,000 draws"
        " at ε=0.4"
    )
    epsilons = (0.05, 0.1, 0.4, 1.0)
    print(f"{'noise':>14} " + " ".join(f"{f'ε={e:g}':>17}" for e in epsilons) + f" {'draws ms':>9}")
    for noise in NOISES:
        row = []
        for epsilon in epsilons:
            m = Canonical(epsilon=epsilon, k=k, noise=noise)
            time_taken = seconds(lambda m=m: m.distribution(scores).probability, 5)
            row.append(f"{time_taken * 1e3:7.1f} ({m.distribution(scores).error:.0e})")
        m = Canonical(epsilon=0.4, k=k, noise=noise)
        draws = seconds(lambda m=m: m.sample(scores, 1000, rng=np.random.default_rng(1)), 3)
        cells = " ".join(f"{cell:>17}" for cell in row)
        print(f"{noise:>14} {cells} {draws * 1e3:9.1f}")


def over_sizes() -> None:
    """Cost over d and k on a made-up long tail: that of the classes that carry the mass."""
    print("\nCost over d and k (counts with a power-law tail, ε=0.5, gumbel)")
    print(f"{'d':>9} {'k':>5} {'all classes':>14} {'kept':>8} {'ms':>8}")
    for d, ks in ((1_000, [100]), (10_000, [100]), (100_000, [100]), (1_000_000, [100, 900])):
        counts = np.round(1e5 * np.arange(1, d + 1) ** -0.7)
        scores = Scores(counts, monotonic=True)
        scores.rescaled_scores_and_sensitivity  # noqa: B018 - sorting is done once a score vector, not once a law
        for k in ks:
            m = Canonical(epsilon=0.5, k=k)
            kept = len(m.distribution(scores).h)
            time_taken = seconds(lambda m=m, scores=scores: m.distribution(scores).probability, 5)
            print(f"{d:9,} {k:5} {1 + k * (d - k):14,} {kept:8,} {time_taken * 1e3:8.1f}")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="?", type=Path, help="folder with netflix.csv")
    folder = parser.parse_args().data
    if folder is not None and (folder / "netflix.csv").exists():
        scores = Scores(np.loadtxt(folder / "netflix.csv"), monotonic=True)
        scores.rescaled_scores_and_sensitivity  # noqa: B018
        against_the_table(scores, 1000)
        every_noise(scores, 1000)
    else:
        print(f"netflix.csv is not in {folder}: its tables are left out.")
    over_sizes()


if __name__ == "__main__":
    main()

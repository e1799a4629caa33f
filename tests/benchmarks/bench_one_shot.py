"""One-shot at full size: figures of merit, binned law, inclusion, draws; and top-1 laws.

    python tests/benchmarks/bench_one_shot.py DATA

DATA is a folder that holds netflix.csv (17,770 counts, one a line); without it a made-up vector of
the same size stands in. Milliseconds of processor time, one run each; memory is what Python and
numpy allocated at the peak (tracemalloc). `miss` is |Σ inclusion − k|.
"""

import argparse
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np

from dpviz import NOISES, OneShot, Scores
from dpviz.numerics.item_race import item_win_probabilities


def timed(work: Callable[[], object]) -> float:
    """Milliseconds that `work` takes."""
    start = time.process_time()
    work()
    return 1000 * (time.process_time() - start)


def one_shot(title: str, scores: Scores, k: int) -> None:
    """A row for every noise and budget."""
    print(f"\n{title}: d={scores.d}, k={k}")
    names = ("top", "great", "good", "grid", "incl", "draws")
    print(f"{'noise':14}{'ε':>5}{''.join(f'{name:>7}' for name in names)}  error    miss")
    for noise in NOISES:
        for epsilon in (1.0, 10.0, 60.0, 300.0):
            m = OneShot(epsilon=epsilon, k=k, noise=noise)
            dist = m.distribution(scores)
            figures = [timed(lambda d=dist, e=e: d.event_probability(e)) for e in names[:3]]
            figures.append(timed(lambda d=dist: d.grid(80, 80)))
            figures.append(timed(lambda d=dist: d.inclusion))
            figures.append(timed(lambda m=m: m.sample(scores, 1000, rng=np.random.default_rng(0))))
            row = "".join(f"{v:7.0f}" for v in figures)
            miss = abs(dist.inclusion.sum() - k)
            print(f"{noise:14}{epsilon:5g}{row}  {dist.error:.1e}  {miss:.1e}", flush=True)


def memory(scores: Scores, k: int) -> None:
    """The peak of everything on the widest law."""
    tracemalloc.start()
    dist = OneShot(epsilon=1.0, k=k, noise="laplace").distribution(scores)
    _ = dist.top, dist.grid(80, 80), dist.inclusion
    print(f"\npeak memory, laplace at ε=1: {tracemalloc.get_traced_memory()[1] / 1e6:.0f} MB")
    tracemalloc.stop()


def largest() -> None:
    """Top-1 laws by size."""
    print(f"\n{'top-1':14}{'d=17,770':>10}{'d=1,000,000':>13}")
    for noise in NOISES:
        row = []
        for d in (17_770, 1_000_000):
            q = np.sort(np.random.default_rng(d).normal(0, 3, d))[::-1]
            row.append(timed(lambda n=noise, q=q: item_win_probabilities(NOISES[n], q)))
        print(f"{noise:14}{row[0]:10.1f}{row[1]:13.1f}")


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="?", type=Path)
    folder = parser.parse_args().data
    rng = np.random.default_rng(0)
    values = (
        np.round(100_000 / np.arange(1, 17_771) ** 0.8)
        if folder is None
        else np.loadtxt(folder / "netflix.csv")
    )
    counts = Scores(values, monotonic=True)
    apart = Scores(values + rng.uniform(0, 1e-3, len(values)), monotonic=True)
    one_shot("with ties", counts, 1000)
    one_shot("without ties", apart, 1000)
    one_shot("the best 4,096", Scores(np.sort(values)[::-1][:4096], monotonic=True), 100)
    memory(apart, 1000)
    largest()


if __name__ == "__main__":
    main()

"""Names not known: limited domain and threshold counts against one-shot with gumbel noise, in one run.

    python -m tests.benchmarks.bench_names DATA

DATA is a folder that holds netflix.csv (17,770 counts, one a line); without it a made-up vector of the same size stands
in. Milliseconds of processor time of law, TOP, GREAT, GOOD, hits and every item's chance together, the median of
rounds in alternation, and the ratio to one-shot's.
"""

import argparse
import time
from pathlib import Path

import numpy as np

from dpviz import LimitedDomain, OneShot, Scores, ThresholdCounts, TopKMechanism

ROUNDS = 9


def figures(m: TopKMechanism, scores: Scores) -> float:
    """Milliseconds that the figures of a law take."""
    start = time.process_time()
    dist = m.distribution(scores)
    _ = dist.events(["top", "great", "good"]), dist.hits, dist.inclusion
    return 1000 * (time.process_time() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", type=Path, default=Path("data"))
    path = parser.parse_args().data / "netflix.csv"
    values = np.loadtxt(path) if path.exists() else np.floor(2e5 / np.arange(1, 17771) ** 0.7)
    scores = Scores(values, monotonic=True, contributions=100, names_known=False)
    print(f"{'':14}{'ε':>6}{'one-shot':>10}{'ms':>8}{'ratio':>8}")
    for epsilon in (1.1, 5.0, 30.0):
        of: dict[str, TopKMechanism] = {
            "limited": LimitedDomain(epsilon=epsilon, k=1000, delta=1e-6),
            "laplace": ThresholdCounts(epsilon=epsilon, k=1000, delta=1e-6),
            "gaussian": ThresholdCounts(epsilon=epsilon, k=1000, delta=1e-6, noise="gaussian"),
        }
        known = OneShot(epsilon=epsilon, k=1000)
        taken = {name: [(figures(known, scores), figures(m, scores)) for _ in range(ROUNDS)] for name, m in of.items()}
        for name, pairs in taken.items():
            one, other = np.median(np.array(pairs), axis=0)
            print(f"{name:14}{epsilon:6g}{one:10.0f}{other:8.0f}{other / one:8.2f}", flush=True)


if __name__ == "__main__":
    main()

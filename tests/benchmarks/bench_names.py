"""Names not known: limited domain and threshold counts beside one-shot with gumbel noise.

    python -m tests.benchmarks.bench_names DATA

DATA is a folder that holds netflix.csv (17,770 counts, one a line); without it a made-up vector of
the same size stands in. Milliseconds of processor time of every figure that a run of Explore
computes, on one thread: medians of rounds in alternation, and of the rounds' ratios to one-shot's.
"""

import argparse
import os
import time
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np

from dpviz import LimitedDomain, OneShot, Scores, ThresholdCounts, TopKMechanism
from dpviz.studies.mechanism_studies import LawStudy

ROUNDS = 9
EPSILONS = (1.1, 5.0, 30.0)


def taken(m: TopKMechanism, scores: Scores) -> float:
    """Milliseconds of processor time."""
    start = time.process_time()
    LawStudy(mechanism=m, scores=scores).compute()
    return 1000 * (time.process_time() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", type=Path, default=Path("data"))
    path = parser.parse_args().data / "netflix.csv"
    values = np.loadtxt(path) if path.exists() else np.floor(2e5 / np.arange(1, 17771) ** 0.7)
    scores = Scores(values, monotonic=True, contributions=100, names_known=False)
    print(f"{'':10}{'ε':>6}{'one-shot':>10}{'ms':>8}{'ratio':>8}")
    for epsilon in EPSILONS:
        of: dict[str, TopKMechanism] = {
            "limited": LimitedDomain(epsilon=epsilon, k=1000, delta=1e-6),
            "laplace": ThresholdCounts(epsilon=epsilon, k=1000, delta=1e-6),
            "gaussian": ThresholdCounts(epsilon=epsilon, k=1000, delta=1e-6, noise="gaussian"),
        }
        known = OneShot(epsilon=epsilon, k=1000)
        for name, m in of.items():
            rounds = np.array([(taken(known, scores), taken(m, scores)) for _ in range(ROUNDS)])
            one, other = np.median(rounds, axis=0)
            ratio = np.median(rounds[:, 1] / rounds[:, 0])
            print(f"{name:10}{epsilon:6g}{one:10.0f}{other:8.0f}{ratio:8.2f}", flush=True)


if __name__ == "__main__":
    main()

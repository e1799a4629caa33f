"""Names not known: limited domain and threshold counts against one-shot with gumbel noise, in one
run.

    python -m tests.benchmarks.bench_names DATA

DATA is a folder that holds netflix.csv (17,770 counts, one a line); without it a made-up vector of
the same size stands in. Milliseconds of processor time, on one thread, of every figure that a run
of Explore computes, and of the law with the hits expected alone: medians of rounds in alternation,
and the median of the rounds' ratios to one-shot's. The aim is a ratio of 1.25 at most for limited
domain, at every ε.
"""

import argparse
import os
import time
from collections.abc import Callable
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np

from dpviz import LimitedDomain, OneShot, Scores, ThresholdCounts, TopKMechanism
from dpviz.studies.mechanism_studies import LawStudy

ROUNDS = 9
EPSILONS = (1.1, 3.0, 5.0, 8.0, 30.0)


def explored(m: TopKMechanism, scores: Scores) -> object:
    """Every figure of a run of Explore."""
    return LawStudy(mechanism=m, scores=scores).compute()


def hits_alone(m: TopKMechanism, scores: Scores) -> object:
    """The law, and how many are right on average."""
    return m.distribution(scores).expected_hits


def taken(
    work: Callable[[TopKMechanism, Scores], object], m: TopKMechanism, scores: Scores
) -> float:
    """Milliseconds of processor time."""
    start = time.process_time()
    work(m, scores)
    return 1000 * (time.process_time() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", type=Path, default=Path("data"))
    path = parser.parse_args().data / "netflix.csv"
    values = np.loadtxt(path) if path.exists() else np.floor(2e5 / np.arange(1, 17771) ** 0.7)
    scores = Scores(values, monotonic=True, contributions=100, names_known=False)
    print(f"{'':10}{'figures':>14}{'ε':>6}{'one-shot':>10}{'ms':>8}{'ratio':>8}")
    for epsilon in EPSILONS:
        of: dict[str, TopKMechanism] = {
            "limited": LimitedDomain(epsilon=epsilon, k=1000, delta=1e-6),
            "laplace": ThresholdCounts(epsilon=epsilon, k=1000, delta=1e-6),
            "gaussian": ThresholdCounts(epsilon=epsilon, k=1000, delta=1e-6, noise="gaussian"),
        }
        known = OneShot(epsilon=epsilon, k=1000)
        for name, m in of.items():
            for work in (explored, hits_alone):
                rounds = np.array(
                    [(taken(work, known, scores), taken(work, m, scores)) for _ in range(ROUNDS)]
                )
                one, other = np.median(rounds, axis=0)
                ratio = np.median(rounds[:, 1] / rounds[:, 0])
                print(
                    f"{name:10}{work.__name__:>14}{epsilon:6g}{one:10.0f}{other:8.0f}{ratio:8.2f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()

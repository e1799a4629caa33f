"""The privacy loss at full size: one more person in every other rank, by mechanism, with its time.

    python tests/benchmarks/bench_privacy.py DATA

DATA is a folder that holds netflix.csv (17,770 counts, one a line). Times are medians of several runs in one
process.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from dpviz import Canonical, PrivacyLoss, Scores, privacy_loss


def timed(work: Callable[[], PrivacyLoss], repeats: int) -> tuple[PrivacyLoss, float]:
    """What the work gives, and the median time of one run in seconds."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        loss = work()
        times.append(time.perf_counter() - start)
    return loss, float(np.median(times))


def every_other_rank(scores: Scores) -> Scores:
    """One more person in ranks 1, 3, 5, …"""
    values = scores.values.copy()
    values[scores.order[::2]] += 1
    return Scores(values, monotonic=True)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder with netflix.csv")
    scores = Scores(np.loadtxt(parser.parse_args().data / "netflix.csv"), monotonic=True)
    other = every_other_rank(scores)
    print(f"{'mechanism':<50} {'method':>8} {'largest':>9} {'δ(ε/4)':>8} {'back':>8} {'KL':>9} {'values':>6} {'s':>7}")
    for k in (10, 100, 1000):
        for epsilon in (0.1, 0.4, 1.0):
            mechanism = Canonical(epsilon=epsilon, k=k)
            loss, seconds = timed(lambda m=mechanism: privacy_loss(m, scores, other), 5)
            print(
                f"{mechanism.key:<50} {loss.method:>8} {loss.largest:9.6f} {loss.delta(epsilon / 4):8.4f} "
                f"{loss.reversed.delta(epsilon / 4):8.4f} {loss.mean:9.6f} {len(loss.values):6} {seconds:7.3f}"
            )


if __name__ == "__main__":
    main()

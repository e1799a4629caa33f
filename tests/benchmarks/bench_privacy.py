"""The privacy loss at full size: one more person in every other rank, by mechanism, with its time.

    python tests/benchmarks/bench_privacy.py DATA

DATA is a folder that holds netflix.csv (17,770 counts, one a line). Times are medians of several
runs in one process.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from dpviz import (
    Canonical,
    JointExponential,
    OneShot,
    PrivacyLoss,
    Scores,
    TopKMechanism,
    privacy_loss,
    worst_neighbour,
)


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
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path, help="folder with netflix.csv")
    scores = Scores(np.loadtxt(parser.parse_args().data / "netflix.csv"), monotonic=True)
    other = every_other_rank(scores)
    print(
        f"{'mechanism':<50} {'method':>8} {'largest':>9} {'δ(ε/4)':>8} {'back':>8} {'KL':>9}"
        f" {'values':>6} {'s':>7}"
    )
    for k in (10, 100, 1000):
        for epsilon in (0.1, 0.4, 1.0):
            show(Canonical(epsilon=epsilon, k=k), scores, other, 5)
    for noise in ("exponential", "laplace", "logistic", "half_logistic"):
        show(Canonical(epsilon=0.4, k=1000, noise=noise), scores, other, 1)
    for mechanism in (JointExponential(epsilon=0.4, k=100), OneShot(epsilon=0.4, k=1000)):
        show(mechanism, scores, other, 1)
    for at in (None, 0.1):
        start = time.perf_counter()
        neighbour, loss = worst_neighbour(Canonical(epsilon=0.4, k=1000), scores, at=at)
        moved = int(np.count_nonzero(neighbour.values - scores.values))
        told = max(loss.delta(0.1), loss.reversed.delta(0.1))
        print(
            f"worst by {at or 'largest loss'}: {loss.largest:.6f}, δ(0.1) {told:.4f}, {moved} items"
            f" move, {time.perf_counter() - start:.1f} s"
        )


def show(mechanism: TopKMechanism, scores: Scores, other: Scores, repeats: int) -> None:
    """One row of the table."""
    epsilon = mechanism.epsilon
    loss, seconds = timed(lambda: privacy_loss(mechanism, scores, other), repeats)
    print(
        f"{mechanism.key:<50} {loss.method:>8} {loss.largest:9.6f} {loss.delta(epsilon / 4):8.4f}"
        f" {loss.reversed.delta(epsilon / 4):8.4f} {loss.mean:9.6f} {len(loss.values):6}"
        f" {seconds:7.3f}"
    )


if __name__ == "__main__":
    main()

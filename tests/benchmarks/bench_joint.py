"""How long joint selection takes on real score vectors, each time beside one of the same run.

python tests/benchmarks/bench_joint.py DATA_FOLDER        the folder holds one count a line: netflix.csv, patent.csv
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from dpviz import JointExponential, Scores


def timed(work: Callable[[], Any], repeat: int = 3) -> tuple[float, Any]:
    """Best of a few runs, in seconds, and the last answer."""
    best, answer = np.inf, None
    for _ in range(repeat):
        start = time.perf_counter()
        answer = work()
        best = min(best, time.perf_counter() - start)
    return best, answer


def draws(values: np.ndarray) -> None:
    """One list of 1,000 from nothing, and each further one, against sorting the scores as often."""
    rng = np.random.default_rng(0)
    m = JointExponential(epsilon=1.0, k=1000, over="sequences")
    first, _ = timed(lambda: m.sample(Scores(values, monotonic=True), 1, rng=rng))
    draw = m.sampler(Scores(values, monotonic=True))
    further, _ = timed(lambda: draw(1, rng), 20)
    lot, _ = timed(lambda: draw(1000, rng))
    sort, _ = timed(lambda: np.sort(values), 20)
    print(
        f"one list of 1,000 of {len(values):,} at ε=1, from nothing: {1000 * first:.0f} ms (goal"
        " 250)"
    )
    print(
        f"  each further one: {1000 * further:.2f} ms (goal 5), {further / sort:.1f} × sorting the"
        " scores once"
    )
    print(
        f"  in lots of 1,000: {lot:.4f} ms each, {further * 1000 / lot:.0f} × faster than one"
        " by one"
    )


def laws(name: str, values: np.ndarray, k: int, epsilons: tuple[float, ...]) -> None:
    """The exact law and its figures, and what an estimate of 1,000 draws costs beside it."""
    scores = Scores(values, monotonic=True)
    for over in ("sets", "sequences"):
        for epsilon in epsilons:
            m = JointExponential(epsilon=epsilon, k=k, over=over)
            made, dist = timed(lambda m=m: m.distribution(scores, samples=100), 1)
            figure, good = timed(
                lambda dist=dist: dist.law.within(max(k // 10, 1), min(k + k // 10, scores.d)), 1
            )
            grid, _ = timed(lambda dist=dist: dist.grid(80, 120), 1)
            drawn, _ = timed(lambda m=m: m.sampler(scores)(1000, np.random.default_rng(1)), 1)
            print(
                f"{name} k={k} ε={epsilon:g} {over}: {dist.method}, made {made:.2f} s, GREAT ="
                f" {good:.3g} in {figure:.2f} s, heatmap {grid:.2f} s; 1,000 draws {drawn:.2f} s,"
                f" {drawn / made:.1f} × the making"
            )


def main() -> int:
    """Run on the folder named."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    if folder is None or not (folder / "netflix.csv").exists():
        print(
            "name the folder that holds netflix.csv and patent.csv: bench_joint.py DATA_FOLDER",
            file=sys.stderr,
        )
        return 2
    netflix = np.loadtxt(folder / "netflix.csv")
    draws(netflix)
    laws("netflix", netflix, 1000, (3.0, 10.0))
    if (folder / "patent.csv").exists():
        laws("patent", np.loadtxt(folder / "patent.csv"), 100, (1.0, 5.0))
    else:
        print("patent.csv is not there: left out")
    return 0


if __name__ == "__main__":
    sys.exit(main())

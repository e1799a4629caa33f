"""What took longest, beside an earlier version, in turn: processor time and their ratio.

    python -m tests.benchmarks.bench_before DATA --before FOLDER

DATA is a folder with netflix.csv (17,770 counts, one a line), FOLDER one in which an earlier
`dpviz/` stands (`git archive COMMIT dpviz | tar x -C FOLDER`). Both print the figure as well, so
that it is seen to be the same.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
BEGIN = """
import sys, time
import numpy as np
from dpviz import Canonical, OneShot, Peeling, Question, Scores, decide, estimate, privacy_loss, worst_neighbour
from dpviz.topk import smallest_epsilon, utility_curves
from dpviz.data.examples import EXAMPLES
def plan(decision):  # an earlier version calls it `need`
    return getattr(decision, "chosen_plan_with_curves", None) or decision.need
scores = Scores(np.loadtxt(sys.argv[1]), monotonic=True)
loans = EXAMPLES["library_loans"].scores()
values = scores.values.copy()
values[scores.order[::2]] += 1
other = Scores(values, monotonic=True)
start = time.process_time()
figure = {}
print(time.process_time() - start, figure)
"""
WORK = {
    "privacy loss, one-shot, k=20": (
        "privacy_loss(OneShot(epsilon=1.0, k=20), scores, other).largest"
    ),
    "privacy loss, one-shot, k=100": (
        "privacy_loss(OneShot(epsilon=1.0, k=100), scores, other).largest"
    ),
    "the same, laplace": (
        "privacy_loss(OneShot(epsilon=1.0, k=100, noise='laplace'), scores, other).largest"
    ),
    "worst neighbour, one-shot, library_loans, k=20": (
        "worst_neighbour(OneShot(epsilon=1.0, k=20), loans)[1].largest"
    ),
    "worst neighbour, canonical, k=1000": (
        "worst_neighbour(Canonical(epsilon=0.4, k=1000), scores)[1].largest"
    ),
    "the same by δ(0.1)": (
        "worst_neighbour(Canonical(epsilon=0.4, k=1000), scores, at=0.1)[1].largest"
    ),
    "Decide, 900 of 1000 in 0.9, four mechanisms": (
        "plan(decide(Question(k=1000, goal='900 of 1000 in 0.9'), scores)).smallest"
    ),
    "curves of TOP, GREAT, GOOD, one-shot, laplace": (
        "utility_curves(OneShot(epsilon=1.0, k=1000, noise='laplace'), "
        "scores, low=1e-5, high=1e5)[1].at(np.array([90.0]))[0]"
    ),
    "the same, exponential": (
        "utility_curves(OneShot(epsilon=1.0, k=1000, noise='exponential'), scores, low=1e-5, "
        "high=1e5)[1].at(np.array([60.0]))[0]"
    ),
    "the same, peeling": (
        "utility_curves(Peeling(epsilon=1.0, k=1000), scores, low=1e-5, high=1e5)[1]"
        ".at(np.array([60.0]))[0]"
    ),
    "the same, canonical": (
        "utility_curves(Canonical(epsilon=1.0, k=1000), scores, low=1e-5, high=1e5)[1]"
        ".at(np.array([0.41]))[0]"
    ),
    "smallest ε for 900 of 1000 in 0.9, one-shot, laplace": (
        "smallest_epsilon(OneShot(epsilon=1.0, k=1000, "
        "noise='laplace'), scores, probability=0.9, figure='hits', at_least=900)"
    ),
    "peeling, laplace, k=1000, ε=60, 10,000 draws": (
        "estimate(Peeling(epsilon=60.0, k=1000, noise='laplace'), scores, "
        "samples=10_000).inclusion.sum()"
    ),
}


def seconds(work: str, data: Path, folder: Path) -> tuple[float, float]:
    """Processor time, and the figure."""
    run = subprocess.run(
        [sys.executable, "-c", BEGIN.format(work), str(data / "netflix.csv")],
        env=os.environ | {"PYTHONPATH": str(folder), "OPENBLAS_NUM_THREADS": "1"},
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    time, figure = run.stdout.split()
    return float(time), float(figure)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with netflix.csv")
    parser.add_argument("--before", type=Path, required=True, help="folder with an earlier dpviz/")
    parser.add_argument("--only", default="", help="what is named so")
    given = parser.parse_args()
    print(f"{'':50}{'before':>9}{'this':>9}{'ratio':>8}  figures")
    for name, work in WORK.items():
        if given.only in name:
            (old, was), (new, now) = (
                seconds(work, given.data, folder) for folder in (given.before, ROOT)
            )
            print(
                f"{name:50}{old:8.2f}s{new:8.2f}s{old / new:7.1f}×  {was:.9g} {now:.9g}", flush=True
            )


if __name__ == "__main__":
    main()

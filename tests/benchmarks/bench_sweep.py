"""A sweep of 5,000 cells against a plain loop over the same laws, in alternation, by processor time.

    python -m tests.benchmarks.bench_sweep [--rounds 5]

The loop builds each mechanism and reads the sweep's five figures with their intervals, which is what a person would
write; a sweep besides keeps to one thread, writes each cell to its file as it ends, and makes the table. Laws that take
longer (one-shot, peeling) weigh that down less.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from dpviz import TOP_K, Scores, Sweep, run_sweep
from dpviz.data import GENERATORS
from dpviz.numerics.one_thread import one_thread
from dpviz.studies import FIGURES
from dpviz.studies.design import Design

DESIGNS = {
    "canonical, gumbel": Design(),
    "canonical, laplace": Design(parameters={"noise": "laplace"}),
    "joint, sets": Design(mechanism="joint"),
    "joint, lists": Design(mechanism="joint", parameters={"over": "sequences"}),
}
EPSILONS = [0.01 * 1.0014**i for i in range(5_000)]


def plain(design: Design, scores: Scores, k: int) -> None:
    """The loop."""
    for epsilon in EPSILONS:
        mechanism = TOP_K[design.mechanism](epsilon=epsilon, k=k, **design.parameters)  # type: ignore[arg-type]
        dist = mechanism.distribution(scores)
        for figure in FIGURES:
            value = dist.share if figure == "share" else getattr(dist, figure)
            dist.bounds(value)


def swept(design: Design, scores: Scores, k: int) -> None:
    """The sweep, with its file."""
    with tempfile.TemporaryDirectory() as folder:
        sweep = Sweep(scores={"scores": scores}, designs=[design], epsilons=EPSILONS, ks=[k])
        run_sweep(sweep, output=Path(folder) / "sweep.csv")


def seconds(run: Callable[[], None]) -> float:
    """Processor time of this process."""
    start = time.process_time()
    run()
    return time.process_time() - start


def main() -> None:
    """Print a row for each design."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--size", type=int, default=200, help="items")
    parser.add_argument("-k", type=int, default=10)
    args = parser.parse_args()
    scores = GENERATORS["zipf"](size=args.size).scores()
    print(
        f"{len(EPSILONS):,} cells, d = {scores.d:,}, k = {args.k}, seconds of processor time, median of {args.rounds}"
    )
    for name, design in DESIGNS.items():
        runs = [lambda run=run, design=design: run(design, scores, args.k) for run in (plain, swept)]
        with one_thread():
            pairs = [[seconds(run) for run in runs] for _ in range(args.rounds)]
        loop, sweep = (statistics.median(each) for each in zip(*pairs, strict=True))
        ratio = statistics.median(b / a for a, b in pairs)
        print(f"{name:<24} loop {loop:6.2f}  sweep {sweep:6.2f}  ratio {ratio:.3f}")


if __name__ == "__main__":
    main()

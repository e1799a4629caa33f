"""A sweep of 5,000 cells against a plain loop over the same laws, in alternation, by processor
time.

    python -m tests.benchmarks.bench_sweep [--rounds 5]
    python -m tests.benchmarks.bench_sweep --workers 1 2 3 4

The loop builds each mechanism and reads the sweep's five figures with their intervals, which is
what a person would write; a sweep besides keeps to one thread, writes each cell to its file as it
ends, and makes the table. Laws that take longer (one-shot, peeling) weigh that down less.

With `--workers` a sweep of 200 cells of one-shot with laplace noise goes through that many
processes, of this project and of joblib, in turn: seconds by the clock, and of processor time with
that of the workers, their start included.
"""

import argparse
import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from dpviz import TOP_K, Scores, Sweep, run_sweep
from dpviz.data import GENERATORS
from dpviz.numerics.blas_threads import single_blas_thread
from dpviz.studies import FIGURES
from dpviz.studies.design import Design
from dpviz.studies.worker_processes import renewable_processes

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


def scaled(workers: int) -> None:
    """Print what a sweep takes on that many processes."""
    epsilons = [1.0 * 1.02**i for i in range(200)]
    design = Design(mechanism="one_shot", parameters={"noise": "laplace"})
    sweep = Sweep(
        scores={"zipf": GENERATORS["zipf"](size=4_096).scores()},
        designs=[design],
        epsilons=epsilons,
        ks=[100],
    )

    def by_joblib() -> None:
        from joblib.externals.loky import get_reusable_executor

        run_sweep(sweep, executor=partial(get_reusable_executor, max_workers=workers))
        get_reusable_executor(max_workers=workers).shutdown(wait=True)

    def by_processes() -> None:
        with renewable_processes(workers) as give:
            run_sweep(sweep, executor=give)

    for name, run in (("processes", by_processes), ("joblib", by_joblib)):
        before, start = spent(), time.perf_counter()
        run()
        wall = time.perf_counter() - start
        print(
            f"{workers} {name:<10} {wall:6.1f} s by the clock, {spent() - before:6.1f} s of"
            " processor",
            flush=True,
        )


def spent() -> float:
    """Processor seconds of this process and of those that ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def main() -> None:
    """Print a row for each design."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--size", type=int, default=200, help="items")
    parser.add_argument("-k", type=int, default=10)
    parser.add_argument("--workers", type=int, nargs="+", default=[])
    args = parser.parse_args()
    for workers in args.workers:
        scaled(workers)
    if args.workers:
        return
    scores = GENERATORS["zipf"](size=args.size).scores()
    print(
        f"{len(EPSILONS):,} cells, d = {scores.d:,}, k = {args.k}, seconds of processor time,"
        f" median of {args.rounds}"
    )
    for name, design in DESIGNS.items():
        runs = [
            lambda run=run, design=design: run(design, scores, args.k) for run in (plain, swept)
        ]
        with single_blas_thread():
            pairs = [[seconds(run) for run in runs] for _ in range(args.rounds)]
        loop, sweep = (statistics.median(each) for each in zip(*pairs, strict=True))
        ratio = statistics.median(b / a for a, b in pairs)
        print(f"{name:<24} loop {loop:6.2f}  sweep {sweep:6.2f}  ratio {ratio:.3f}")


if __name__ == "__main__":
    main()

"""`sweep`: designs × ε × k × score vectors into one table, on the cores of this machine or a cluster."""

import argparse
import logging
import os
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor
from contextlib import contextmanager
from typing import Any

import numpy as np

from dpviz.base.errors import ClusterLost, ParameterError
from dpviz.base.parameters import check_integer, check_number
from dpviz.base.progress import Progress
from dpviz.commands.base import Answer, Command
from dpviz.commands.data import DataOptions
from dpviz.commands.options import value_of
from dpviz.commands.output import BINARY, format_of
from dpviz.commands.request import AT_LEAST, DECLARED, add_request, chosen_designs, wanted_figures
from dpviz.studies import FIGURES, Sweep, run_sweep
from dpviz.studies.processes import terminating, worker_processes

__all__ = ["SWEEP"]

_MOST_POINTS = 10_000
_PATIENCE = 1.0  # seconds that running tasks are given once the sweep is stopped


def _add(parser: argparse.ArgumentParser) -> None:
    work = parser.add_argument_group("how it is computed")
    work.add_argument("--figure", nargs="+", choices=(*FIGURES, "hits"), help="default: all")
    work.add_argument("--at-least", type=int, metavar="M", help=AT_LEAST)
    work.add_argument("-j", "--workers", type=int, metavar="N", help="processes (default: one a core; 1: none beside)")
    work.add_argument("--cluster", metavar="ADDRESS", help="the scheduler of a dask.distributed cluster to compute on")
    add_request(parser, several=True, grid=True)


def _run(args: argparse.Namespace, progress: Progress) -> Answer:
    options = DataOptions.of(args)
    base, vectors = options.base, options.read(progress)
    # A scenario has one ε and one k; a grid may have many.
    epsilons = [base.epsilon] if args.epsilon is None else [e for text in args.epsilon for e in _epsilons(text)]
    ks = [vectors[0].k or base.k] if args.k is None else [value_of(DECLARED["k"], text) for text in args.k]
    sweep = Sweep(
        scores={data.name: data.spec.scores() if data.scores is None else data.scores for data in vectors},
        designs=chosen_designs(args, base),
        epsilons=epsilons,
        ks=ks,
        figures=wanted_figures(args.figure, args.at_least),
        at_least=args.at_least,
        samples=args.samples,
        seed=base.seed if args.seed is None else args.seed,
    )
    format = format_of(args.format, args.output)
    journal = None if format in BINARY else args.output  # which are written at the end, and cannot go on
    again = "" if journal is None else f"; the same command goes on from what is in {journal}"
    try:
        with terminating(), _executor(args, len(sweep.tasks), progress) as (executor, watched):
            table = run_sweep(sweep, executor=executor, output=journal, format=format, progress=watched)
    except KeyboardInterrupt as err:
        raise type(err)(f"Stopped{again}.") from None
    except ClusterLost as err:
        raise ClusterLost(f"The cluster at {args.cluster} was lost{again}.") from err
    notes = [*(note for data in vectors for note in data.notes), *map(str, sweep.left_out)]
    return Answer(table=table, notes=tuple(notes), written=journal is not None)


def _epsilons(text: str) -> list[float]:
    """One ε, or LOW:HIGH:COUNT values with equal ratios."""
    parts = text.split(":")
    if len(parts) == 1:
        return [value_of(DECLARED["epsilon"], text)]
    if len(parts) != 3 or not parts[2].isdecimal():
        raise ParameterError("--epsilon", text, "a number or LOW:HIGH:COUNT")
    low, high = (value_of(DECLARED["epsilon"], part) for part in parts[:2])
    count = check_integer("the count of --epsilon", int(parts[2]), low=2, high=_MOST_POINTS)
    check_number("the upper end of --epsilon", high, low=low, above=True)
    return [float(f"{epsilon:.6g}") for epsilon in np.geomspace(low, high, count)]


@contextmanager
def _executor(args: argparse.Namespace, tasks: int, progress: Progress) -> Iterator[tuple[Executor | None, Progress]]:
    """What computes, and a progress that notices where it is no longer there."""
    if args.cluster is not None:
        if args.workers is not None:
            raise ParameterError("--workers", args.workers, "left out with --cluster, which has its own")
        with _unlogged(), _client(args.cluster) as client:

            def watched(fraction: float) -> None:
                if client.status != "running":  # a result that was on its way then never comes
                    raise ClusterLost
                progress(fraction)

            try:
                yield client.get_executor(), watched
            except Exception as err:
                if isinstance(err, BrokenExecutor) or client.status != "running":
                    raise ClusterLost from err  # whatever a client without its scheduler raises
                if isinstance(err, (ImportError, RuntimeError)):  # what its machines raise that cannot read a task
                    raise ParameterError("--cluster", args.cluster, "one that has this same dpviz installed") from err
                raise
        return
    workers = os.cpu_count() or 1 if args.workers is None else check_integer("workers", args.workers, low=1, high=1024)
    with worker_processes(min(workers, tasks)) as executor:
        yield executor, progress


@contextmanager
def _unlogged() -> Iterator[None]:
    """Nothing is logged: a cluster that is lost fills a screen, and one sentence says it."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)


def _client(address: str) -> Any:
    try:
        import distributed  # noqa: PLC0415 - an extra, and slow to import
    except ImportError as err:
        raise ParameterError(
            "--cluster", address, "left out until distributed is there: pip install 'dpviz[cluster]'"
        ) from err
    try:
        return distributed.Client(address, timeout="10s")  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as err:
        raise ParameterError(
            "--cluster", address, "the address of a running scheduler, such as tcp://host:8786"
        ) from err


SWEEP = Command(
    add=_add,
    run=_run,
    examples=(
        "-m canonical -m peeling -e 0.1:10:41 -k 10 100 --generate zipf --file counts.csv --monotonic -o sweep.csv",
    ),
)

"""`sweep`: a table over mechanisms, ε, k and data, which resumes with -o."""

from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor
from contextlib import contextmanager

import numpy as np

from dpviz.base import (
    ParameterError,
    Progress,
    WorkLost,
    check_integer,
    check_number,
    unknown_names_warning,
)
from dpviz.commands.base import Args, Command, CommandResult, ProgressMeter
from dpviz.commands.cluster import connect_cluster
from dpviz.commands.data_options import DataOptions
from dpviz.commands.options import (
    Option,
    OptionGroup,
    parse_parameter,
    refuse_given_options,
    worker_count,
    workers_option,
)
from dpviz.commands.output import BINARY
from dpviz.commands.request import (
    AT_LEAST,
    DECLARED,
    RequestOptions,
    chosen_designs,
    wanted_figures,
)
from dpviz.studies import FIGURES, Sweep, run_sweep
from dpviz.studies.executors import Gives
from dpviz.studies.sweep_runner import failed_task_text
from dpviz.studies.worker_processes import executor_factory, raise_on_sigterm
from dpviz.topk import TOP_K

_WAIT = 300.0  # seconds


def _run(args: Args, meter: ProgressMeter) -> CommandResult:
    options = DataOptions(args)
    base, vectors = options.base_scenario, options.read_scores(meter)
    # A scenario has one ε and one k; a grid may have many.
    epsilons = (
        [base.epsilon]
        if args.epsilon is None
        else [e for text in args.epsilon for e in _epsilons(text)]
    )
    ks = (
        [vectors[0].k or base.k]
        if args.k is None
        else [parse_parameter(DECLARED["k"], text) for text in args.k]
    )
    sweep = Sweep(
        scores={
            data.name: data.spec.scores() if data.scores is None else data.scores
            for data in vectors
        },
        designs=chosen_designs(args, base),
        epsilons=epsilons,
        ks=ks,
        figures=wanted_figures(args.figure, args.at_least),
        at_least=args.at_least,
        samples=args.samples,
        seed=base.seed if args.seed is None else args.seed,
    )
    # a binary file is written at the end, and cannot go on
    journal = None if args.format in BINARY else args.output
    again = "" if journal is None else f"; the same command continues from {journal}"
    meter.set_cell_total(len(sweep.tasks))
    try:
        with raise_on_sigterm(), _executor(args, len(sweep.tasks), meter) as (executor, watched):
            table = run_sweep(
                sweep, executor=executor, output=journal, format=args.format, progress=watched
            )
    except KeyboardInterrupt as err:
        raise type(err)(f"Stopped{again}.") from None
    except WorkLost as err:
        raise WorkLost(f"{err}{again}.") from err
    except MemoryError as err:
        raise WorkLost(f"There is not enough memory for {failed_task_text(err)}{again}.") from err
    used = dict.fromkeys(design.mechanism for design in sweep.designs)
    needing = [TOP_K.label(name) for name in used if TOP_K[name].needs_names]
    marks = (
        [unknown_names_warning(", ".join(needing))]
        if needing and not all(data.spec.names_known for data in vectors)
        else []
    )
    notes = [
        *(note for data in vectors for note in data.notes),
        *marks,
        *map(str, sweep.excluded_sizes),
    ]
    first, *others = [data.spec.scores_arguments for data in vectors]
    person = first if all(other == first for other in others) else {}
    return CommandResult(
        table=table, notes=tuple(notes), written=journal is not None, person=person
    )


def _epsilons(text: str) -> list[float]:
    """One ε, or LOW:HIGH:COUNT values with equal ratios."""
    parts = text.split(":")
    if len(parts) == 1:
        return [parse_parameter(DECLARED["epsilon"], text)]
    if len(parts) != 3 or not parts[2].isdecimal():
        raise ParameterError("--epsilon", text, "a number or LOW:HIGH:COUNT")
    low, high = (parse_parameter(DECLARED["epsilon"], part) for part in parts[:2])
    count = check_integer("the count of --epsilon", int(parts[2]), low=2, high=10_000)
    check_number("the upper end of --epsilon", high, low=low, above=True)
    return [float(f"{epsilon:.6g}") for epsilon in np.geomspace(low, high, count)]


@contextmanager
def _executor(
    args: Args, tasks: int, meter: ProgressMeter
) -> Iterator[tuple[Executor | Gives | None, Progress]]:
    """Executor of the sweep, and a progress that notices if it is lost."""
    if args.cluster is not None:
        refuse_given_options(args, ["workers"], "with --cluster, which has its own")
        wait = _WAIT if args.wait is None else check_number("--wait", args.wait, low=0.0)
        with connect_cluster(args.cluster, wait, meter) as (executor, watched):
            yield executor, watched
        return
    refuse_given_options(args, ["wait"], "without --cluster")
    try:
        count = min(worker_count(args), tasks)
        with executor_factory(count) as local:
            yield None if count <= 1 else local, meter
    except BrokenExecutor as err:
        raise WorkLost(
            "Worker processes ended again and again, perhaps because memory ran out (fewer"
            " --workers may help)"
        ) from err


COMMAND = Command(
    options=(
        OptionGroup(
            "how it is computed",
            Option(
                "--figure", nargs="+", choices=(*FIGURES, "hits"), help="the figures (default: all)"
            ),
            Option("--at-least", type=int, metavar="M", help=AT_LEAST),
            workers_option("; 1: no extra process"),
            Option(
                "--cluster",
                metavar="ADDRESS",
                help="the scheduler of a dask.distributed cluster to compute on",
            ),
            Option(
                "--wait",
                type=float,
                metavar="SECONDS",
                help=f"the time without a worker after which the sweep ends (default {_WAIT:g})",
            ),
        ),
        RequestOptions(several=True, grid=True),
    ),
    run=_run,
    examples=(
        (
            "-m canonical -m peeling -e 0.1:10:41 -k 10 100 --generate zipf --file counts.csv"
            " --monotonic -o sweep.csv"
        ),
    ),
)

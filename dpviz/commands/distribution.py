"""`distribution`: figures, chances of items and utility classes of one mechanism."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from dpviz.base import Frame, Progress, pd
from dpviz.commands.base import Args, Command, CommandResult
from dpviz.commands.options import Option
from dpviz.commands.request import (
    AT_LEAST,
    Request,
    RequestOptions,
    build_request,
    wanted_figures,
)
from dpviz.studies import Sweep
from dpviz.topk import TopKDistribution


def _run(args: Args, progress: Progress) -> CommandResult:
    request = build_request(args, progress, single_design=True)
    (task,) = single_point_sweep(request, args).tasks
    if args.show == "figures":
        return CommandResult(
            table=task.rows(progress), notes=request.notes, scenario=request.scenario
        )
    # a sweep leaves labels behind, which decide where a limit falls into a tie
    table = _SHOWN[args.show](replace(task, scores=request.scores).distribution(progress))
    return CommandResult(table=table, notes=request.notes, scenario=request.scenario)


def single_point_sweep(request: Request, args: Args) -> Sweep:
    """Grid of a single ε and k, so that figures and random numbers are those of a sweep."""
    scenario = request.scenario
    for mechanism in scenario.mechanisms:
        mechanism.check_scores(request.scores)
    return Sweep(
        scores={request.name: request.scores},
        designs=scenario.designs,
        epsilons=[scenario.epsilon],
        ks=[scenario.k],
        figures=wanted_figures(None, args.at_least),
        at_least=args.at_least,
        samples=args.samples,
        seed=scenario.seed,
    )


def _items(dist: TopKDistribution) -> Frame:
    scores = dist.scores
    low, high = dist.bounds(dist.inclusion)
    columns = {
        "item": [scores.label(i) for i in range(scores.d)],
        "score": scores.values.copy(),
        "rank": scores.rank + 1,
        "value": dist.inclusion,
        "low": low,
        "high": high,
    }
    return pd.DataFrame(columns).assign(method=dist.method, error=dist.error, draws=dist.draws)


def _length(dist: TopKDistribution) -> Frame:
    low, high = dist.bounds(dist.length)
    columns = {"items": np.arange(dist.k + 1), "value": dist.length, "low": low, "high": high}
    return pd.DataFrame(columns).assign(method=dist.method, error=dist.error, draws=dist.draws)


_SHOWN: dict[str, Callable[[TopKDistribution], Frame]] = {
    "items": _items,
    "classes": lambda dist: dist.table(),
    "length": _length,
}

COMMAND = Command(
    options=(
        Option(
            "--show",
            choices=["figures", "items", "classes", "length"],
            default="figures",
            help=(
                "the figures of merit, the chance of every item, the probabilities of the classes"
                " (h, t), or the length of lists that may be short"
            ),
        ),
        Option("--at-least", type=int, metavar="M", help=AT_LEAST),
        RequestOptions(),
    ),
    run=_run,
    examples=(
        "-m canonical -e 1 -k 10 --example help_line",
        "-m peeling --noise laplace --file scores.csv --show items",
    ),
)

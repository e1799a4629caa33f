"""`distribution`, `compare` and `sample`: what mechanisms do to one score vector."""

import argparse
from typing import TYPE_CHECKING, Any

import numpy as np

from dpviz.base.errors import ParameterError
from dpviz.base.parameters import check_integer
from dpviz.base.progress import Progress
from dpviz.commands.base import Answer, Command
from dpviz.commands.options import also
from dpviz.commands.request import AT_LEAST, Request, add_request, requested, wanted_figures
from dpviz.studies import Sweep, Task, run_sweep
from dpviz.topk.one_shot import OneShot

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["COMPARE", "DISTRIBUTION", "SAMPLE", "UNSAFE"]

UNSAFE = (
    "These draws are illustrations: a release must not use a seed that others know, nor plain floating-point noise."
)
_MOST_DRAWN = 50_000_000  # items in all draws together


def _add_distribution(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--show",
        choices=["figures", "items", "classes"],
        default="figures",
        help="the figures of merit, the chance of every item, or the classes (h, t) with their probabilities",
    )
    parser.add_argument("--at-least", type=int, metavar="M", help=AT_LEAST)
    add_request(parser)


def _distribution(args: argparse.Namespace, progress: Progress) -> Answer:
    request = requested(args, progress, one=True)
    (task,) = _as_sweep(request, args).tasks
    if args.show == "figures":
        return Answer(table=task.rows(progress), notes=request.notes, scenario=request.scenario)
    table = _items(task, request, progress) if args.show == "items" else task.distribution(progress).table()
    return Answer(table=table, notes=request.notes, scenario=request.scenario)


def _as_sweep(request: Request, args: argparse.Namespace) -> Sweep:
    """The grid of a single ε and k, so that figures and random numbers are those of a sweep."""
    scenario = request.scenario
    if scenario.k >= request.scores.d:
        scenario.mechanisms[0].check_scores(request.scores)
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


def _items(task: Task, request: Request, progress: Progress) -> "pd.DataFrame":
    import pandas as pd

    dist, scores = task.distribution(progress), request.scores
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


def _add_compare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--at-least", type=int, metavar="M", help=AT_LEAST)
    add_request(parser, several=True)


def _compare(args: argparse.Namespace, progress: Progress) -> Answer:
    import pandas as pd

    request = requested(args, progress)
    sweep = _as_sweep(request, args)
    long = run_sweep(sweep, progress=progress)
    rows = []
    who = request.scenario.k, request.scores.contributions
    for design in dict.fromkeys((d.label_for(*who), d.mechanism, d.text) for d in request.scenario.designs):
        label, mechanism, parameters = design
        own = long[(long["mechanism"] == mechanism) & (long["parameters"] == parameters)].set_index("figure")
        row: dict[str, Any] = {"design": label}
        row |= {name: own[name].iloc[0] for name in ("mechanism", "parameters", "epsilon", "k", "method", "draws")}
        for figure in (goal.name for goal in sweep.goals):
            row[figure] = own.loc[figure, "value"]
            row |= {f"{figure}_{end}": own.loc[figure, end] for end in ("low", "high")}
        rows.append(row)
    return Answer(table=pd.DataFrame(rows), notes=request.notes, scenario=request.scenario)


def _add_sample(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--scores", action="store_true", help="with the noisy scores too, where ε covers them")
    parser.add_argument("-n", "--releases", type=int, default=1, metavar="N", help="how many releases (default 1)")
    also(parser, "--releases", "--size")
    add_request(parser)


def _sample(args: argparse.Namespace, progress: Progress) -> Answer:
    import pandas as pd

    request = requested(args, progress, one=True)
    scenario, scores = request.scenario, request.scores
    size = check_integer("--releases", args.releases, low=0)
    if size * scenario.k > _MOST_DRAWN:
        raise ParameterError("--releases", size, f"at most {_MOST_DRAWN // scenario.k:,} for k = {scenario.k}")
    mechanism, rng = scenario.mechanisms[0], np.random.default_rng(scenario.seed)
    more: dict[str, Any] = {}
    if not args.scores:
        items = mechanism.sample(scores, size, rng=rng)
    elif isinstance(mechanism, OneShot):
        items, noisy = mechanism.sample_with_scores(scores, size, rng=rng)
        more = {"noisy_score": noisy.ravel()}
    else:
        raise ParameterError("--scores", mechanism.name, "left out: one_shot alone releases scores")
    table = pd.DataFrame(
        {
            "draw": np.repeat(np.arange(1, size + 1), scenario.k),
            "item": items.ravel(),
            "label": [scores.label(i) for i in items.ravel().tolist()],
        }
        | more
    )
    return Answer(table=table, notes=(*request.notes, UNSAFE), scenario=scenario)


DISTRIBUTION = Command(
    add=_add_distribution,
    run=_distribution,
    examples=(
        "-m canonical -e 1 -k 10 --example help_line",
        "-m peeling --noise laplace --file scores.csv --show items",
    ),
)
COMPARE = Command(
    add=_add_compare,
    run=_compare,
    examples=("-m canonical -m canonical:gamma=0 -m peeling -m one_shot -k 10",),
)
SAMPLE = Command(
    add=_add_sample,
    run=_sample,
    examples=("-m canonical -k 3 -n 5 --seed 7",),
)

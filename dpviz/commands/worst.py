"""`worst`: who tells most, by a search over neighbours."""

import argparse

import numpy as np

from dpviz.base.progress import Progress, portion
from dpviz.commands.base import Answer, Command
from dpviz.commands.loss import SHOWN, shown_table
from dpviz.commands.request import add_request, requested
from dpviz.privacy.worst import worst_neighbour

__all__ = ["WORST"]


def _add(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the search")
    group.add_argument("--tries", type=int, default=200, metavar="N", help="neighbours to try (default 200)")
    group.add_argument("--at", type=float, metavar="ε", help="search for the largest δ at this ε, not the largest loss")
    parser.add_argument(
        "--show", choices=(*SHOWN, "moved"), default="figures", help="as for loss; or the items that move, by rank"
    )
    add_request(parser)


def _run(args: argparse.Namespace, progress: Progress) -> Answer:
    import pandas as pd

    request = requested(args, progress, one=True)
    scores, scenario = request.scores, request.scenario
    neighbour, loss = worst_neighbour(
        scenario.mechanisms[0],
        scores,
        rng=np.random.default_rng(scenario.seed),
        tries=args.tries,
        at=args.at,
        progress=portion(progress, 0.0, 0.9),
    )
    if args.show == "moved":
        moved = neighbour.values - scores.values
        order = [int(i) for i in scores.order if moved[i]]
        told = {"rank": scores.rank[order] + 1, "item": [scores.label(i) for i in order]}
        table = pd.DataFrame({**told, "score": scores.values[order], "moved": moved[order]})
    else:
        table = shown_table(args.show, loss, scenario, scores, neighbour, portion(progress, 0.9, 1.0))
    note = f"{np.count_nonzero(neighbour.values - scores.values)} of {scores.d} items move; a search finds no proof."
    return Answer(table=table, notes=(*request.notes, note), scenario=scenario)


WORST = Command(
    add=_add,
    run=_run,
    examples=("-m canonical -e 1 -k 2 --example class_trip --show moved",),
)

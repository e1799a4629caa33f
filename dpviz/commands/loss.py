"""`loss`: the privacy loss between two neighbouring data sets."""

import numpy as np

from dpviz.base import Floats, ParameterError, Progress, Scores
from dpviz.commands.base import Args, Command, CommandResult
from dpviz.commands.options import Option, OptionGroup
from dpviz.commands.request import RequestOptions, build_request, find_item_by_label
from dpviz.pages.neighbours.study import neighbours_study

SHOWN = ("figures", "curve", "trade_off", "renyi", "values", "items")


NEIGHBOUR_OPTIONS = OptionGroup(
    "the neighbour",
    Option("--up", nargs="+", default=[], metavar="LABEL", help="items whose score rises by Δ"),
    Option("--down", nargs="+", default=[], metavar="LABEL", help="items whose score falls by Δ"),
)


def parse_unit_step(args: Args, scores: Scores) -> Floats:
    """Moves of each score in units of Δ, shape (d,), as `--up` and `--down` say."""
    if not args.up and not args.down:
        raise ParameterError(
            "--up or --down",
            None,
            "given, with items that one person counts in (or see `worst`)",
            "missing",
        )
    for label in args.up:
        if label in args.down:
            raise ParameterError("--down", label, "other items than those of --up")
    step = np.zeros(scores.d)
    for option, labels, way in (("--up", args.up, 1.0), ("--down", args.down, -1.0)):
        step[[find_item_by_label(label, scores, option) for label in labels]] += way
    return step


def _run(args: Args, progress: Progress) -> CommandResult:
    from dpviz.pages.neighbours.tables import STEPS, TABLES  # noqa: PLC0415 - with plotly, which `--help` can do without

    request = build_request(args, progress, single_design=True)
    study = neighbours_study(
        request.scenario, request.scores, parse_unit_step(args, request.scores)
    )
    study.compute(progress, STEPS.get(args.show, "loss"))
    return CommandResult(
        table=TABLES[args.show](study), notes=request.notes, scenario=request.scenario
    )


COMMAND = Command(
    options=(
        NEIGHBOUR_OPTIONS,
        Option(
            "--show",
            choices=SHOWN,
            default="figures",
            help=(
                "largest and mean loss, δ at each ε, errors of the best test, Rényi divergences,"
                " values of the loss, or chances of items"
            ),
        ),
        RequestOptions(),
    ),
    run=_run,
    examples=("-m canonical -e 1 -k 2 --example class_trip --up Zoo Castle --show curve",),
)

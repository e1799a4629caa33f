"""`worst`: search for the neighbouring data set with the largest privacy loss."""

from dpviz.base import Progress, portion
from dpviz.commands.base import Args, Command, CommandResult
from dpviz.commands.loss import SHOWN
from dpviz.commands.options import Option, OptionGroup
from dpviz.commands.request import RequestOptions, build_request
from dpviz.pages.neighbours.study import worst_neighbours_study


def _run(args: Args, progress: Progress) -> CommandResult:
    from dpviz.pages.neighbours.tables import STEPS, TABLES  # noqa: PLC0415 - with plotly, which `--help` can do without

    request = build_request(args, progress, single_design=True)
    scores, first, rest = request.scores, portion(progress, 0.0, 0.9), portion(progress, 0.9, 1.0)
    study = worst_neighbours_study(request.scenario, scores, args.tries, args.at, first)
    study.compute(rest, STEPS.get(args.show, "loss"))
    worlds = study.two_worlds
    moved = len(worlds.person_items) + len(worlds.replacement_items)
    note = f"{moved} of {scores.d} items change. A search is no proof that nobody is worse."
    return CommandResult(
        table=TABLES[args.show](study), notes=(*request.notes, note), scenario=request.scenario
    )


COMMAND = Command(
    options=(
        OptionGroup(
            "the search",
            Option(
                "--tries",
                type=int,
                default=200,
                metavar="N",
                help="the neighbours to try (default 200); with few items all are tried",
            ),
            Option(
                "--at",
                type=float,
                metavar="ε",
                help="search for the largest δ at this ε, not the largest loss",
            ),
        ),
        Option(
            "--show",
            choices=(*SHOWN, "moved"),
            default="figures",
            help="as for loss, or the items that change, by rank",
        ),
        RequestOptions(),
    ),
    run=_run,
    examples=("-m canonical -e 1 -k 2 --example class_trip --show moved",),
)

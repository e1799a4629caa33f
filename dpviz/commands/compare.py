"""`compare`: several mechanisms side by side."""

from dpviz.base import Progress, iterate_with_progress
from dpviz.commands.base import Args, Command, CommandResult
from dpviz.commands.distribution import single_point_sweep
from dpviz.commands.options import Option
from dpviz.commands.request import AT_LEAST, Request, RequestOptions, build_request
from dpviz.studies import Row, SweepTask


def _run(args: Args, progress: Progress) -> CommandResult:
    request = build_request(args, progress)
    rows = [
        _in_one_row(task, request, part)
        for task, part in iterate_with_progress(single_point_sweep(request, args).tasks, progress)
    ]
    return CommandResult(table=rows, notes=request.notes, scenario=request.scenario)


def _in_one_row(task: SweepTask, request: Request, progress: Progress) -> Row:
    """Law of a design with all of its figures and their bounds, as one row."""
    figures = task.rows(progress)
    row: Row = {
        "design": task.design.label_for_data(request.scenario.k, request.scores.contributions)
    }
    row |= {
        name: figures[0][name]
        for name in ("mechanism", "parameters", "epsilon", "k", "method", "draws")
    }
    for figure in figures:
        row |= {figure["figure"]: figure["value"]}
        row |= {f"{figure['figure']}_{end}": figure[end] for end in ("low", "high")}
    return row


COMMAND = Command(
    options=(
        Option("--at-least", type=int, metavar="M", help=AT_LEAST),
        RequestOptions(several=True),
    ),
    run=_run,
    examples=("-m canonical -m canonical:gamma=0 -m peeling -m one_shot -k 10",),
)

"""`smallest-epsilon`: the smallest ε for a goal, for each mechanism."""

from dpviz.base import ParameterError, Progress
from dpviz.commands.base import Args, Command, CommandResult
from dpviz.commands.options import Option, OptionGroup, parse_share
from dpviz.commands.request import AT_LEAST, RequestOptions, build_request, find_item_by_label
from dpviz.studies.epsilon_table import PROBABILITIES, epsilon_table
from dpviz.topk import EVENTS, LARGEST_EPSILON, TOP_K

SHORT = (
    "GREAT and GOOD also count shorter lists, if they have the best items and none too far down."
)
_FIGURES = (*EVENTS, "share", "hits", "inclusion")


def _run(args: Args, progress: Progress) -> CommandResult:
    request = build_request(args, progress)
    events, probabilities = dict.fromkeys(args.figure), dict.fromkeys(args.probability)
    if ("inclusion" in events) != (args.item is not None):
        raise ParameterError(
            "--item", args.item, "a label for the figure inclusion, and left out otherwise"
        )
    if ("hits" in events) != (args.at_least is not None):
        raise ParameterError(
            "--at-least", args.at_least, "a number for the figure hits, and left out otherwise"
        )
    table = epsilon_table(
        request.scenario.designs,
        request.scores,
        request.scenario.k,
        events=events,
        probabilities=probabilities,
        item=None if args.item is None else find_item_by_label(args.item, request.scores, "--item"),
        at_least=args.at_least,
        limit=args.largest_epsilon,
        progress=progress,
    )
    missed = tuple(dict.fromkeys(reason for reason in table["reason"] if reason))
    short = any(TOP_K[design.mechanism].shorter for design in request.scenario.designs) and {
        *events
    } & {
        "great",
        "good",
    }
    notes = (*request.notes, *missed, *([SHORT] if short else ()))
    return CommandResult(table=table, notes=notes, scenario=request.scenario)


COMMAND = Command(
    options=(
        OptionGroup(
            "the goal",
            Option(
                "--figure",
                nargs="+",
                choices=_FIGURES,
                default=["top"],
                help="the figures (default: top)",
            ),
            Option(
                "-p",
                "--probability",
                nargs="+",
                type=parse_share,
                default=list(PROBABILITIES),
                metavar="P",
                help="the shares of releases, as 0.95 or 95%% (default: 0.5 0.9 0.99)",
            ),
            Option(
                "--item", metavar="LABEL", help="for the figure inclusion: the label of the item"
            ),
            Option("--at-least", type=int, metavar="M", help=AT_LEAST),
            Option(
                "--largest-epsilon",
                type=float,
                default=LARGEST_EPSILON,
                metavar="ε",
                help="the largest ε to try (default: 100,000)",
            ),
        ),
        RequestOptions(several=True, epsilon_default="any, as the smallest is searched"),
    ),
    run=_run,
    examples=(
        "-m canonical -m peeling -k 10 --figure top good -p 0.5 0.95",
        "-m canonical -m one_shot -k 10 --figure hits --at-least 9 -p 0.9",
    ),
)

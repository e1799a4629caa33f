"""`margin`: one item of very many, by large margin and four other mechanisms."""

from dataclasses import replace

from dpviz.base import Progress, Scores, check_integer
from dpviz.commands.base import Args, Command, CommandResult
from dpviz.commands.options import Option, OptionGroup, refuse_given_options
from dpviz.commands.request import RequestOptions, build_request, unknown_names_note
from dpviz.pages.margin.study import (
    MarginSettings,
    MarginStudy,
    margin_parameters,
    read_margin_settings,
)
from dpviz.studies import Scenario


def _run(args: Args, progress: Progress) -> CommandResult:
    from dpviz.pages.margin.view import TABLES, describe_settings  # noqa: PLC0415 - with plotly, which `--help` can do without

    request = build_request(args, progress, own_mechanism=True)
    scenario, settings, told = _settings(args, request.scenario, request.scores)
    study = MarginStudy(scenario=scenario, scores=request.scores, settings=settings)
    study.compute(progress, "curve" if args.show == "universe" else "law")
    notes = (
        *request.notes,
        *unknown_names_note(scenario, request.scores, describe_settings(study)),
        *told,
    )
    return CommandResult(table=TABLES[args.show](study), notes=notes, scenario=scenario)


def _settings(
    args: Args, scenario: Scenario, scores: Scores
) -> tuple[Scenario, MarginSettings, list[str]]:
    """Scenario with the options in its page, the page's settings, and notes on them."""
    if args.universe is not None:
        refuse_given_options(args, ["digits"], "with --universe")
    declared = margin_parameters(scenario, scores)
    said = {
        name: declared.check(name, getattr(args, name))
        for name in ("delta", "digits", "good")
        if getattr(args, name) is not None
    }
    scenario = scenario.replace(page={**scenario.page, **said})
    settings, notes = read_margin_settings(scenario, scores)
    if args.universe is not None:  # a page goes on from some size in digits
        settings = replace(
            settings, universe=check_integer("--universe", args.universe, low=scores.d)
        )
    if args.digits is not None:  # where the scores do not allow it, a mechanism says why
        settings = replace(settings, universe=max(scores.d, 10**args.digits))
    return scenario, settings, notes


COMMAND = Command(
    options=(
        Option(
            "--show",
            choices=("figures", "items", "universe"),
            default="figures",
            help=(
                "the chances of the best and of a good item, by mechanism; of every listed item; or"
                " by the size of the universe"
            ),
        ),
        OptionGroup(
            "large margin",
            Option("--delta", type=float, metavar="δ", help="δ of one release (default 1e-6)"),
            Option(
                "--universe",
                type=int,
                metavar="N",
                help=(
                    "the number of all items; unlisted items have score 0 (default: the example's)"
                ),
            ),
            Option(
                "--digits", type=int, metavar="N", help="the universe as a power of ten, up to 1000"
            ),
            Option(
                "--good",
                type=float,
                metavar="S",
                help="an item at most this far below the best is good",
            ),
        ),
        RequestOptions(without=("mechanism", "k", "samples")),
    ),
    run=_run,
    examples=(
        "-e 0.5 --example chat_openings",
        "-e 1 --delta 1e-3 --universe 100000 --example help_line --show items",
        "-e 1 --example help_line --show universe",
    ),
)

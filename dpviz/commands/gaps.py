"""`gaps`: gaps of noisy top-k and sparse vector, their value, and the answered queries."""

from dpviz.base import ParameterError, Progress, check_choice, check_open_interval
from dpviz.commands.base import Args, Command, CommandResult
from dpviz.commands.options import Option, OptionGroup, refuse_given_options, registry_menu
from dpviz.commands.request import RequestOptions, build_request, unknown_names_note
from dpviz.commands.sample import UNSAFE
from dpviz.gaps import GAPS, ORDERS, SPLITS, THRESHOLD
from dpviz.gaps.noisy_top_k import GAP_NOISES
from dpviz.pages.gaps.study import (
    CUSTOM,
    GAPS_PAGE,
    HALVES,
    GapWorthStudy,
    QueryStudy,
    read_gaps_settings,
)
from dpviz.studies import Scenario

_STEPS = {
    "figures": ("law", "coverage"),
    "release": (),
    "queries": ("law",),
}  # of the queries' study, by what is shown
_SPARSE = ("quantile", "order", "shuffle", "branches", "deviations", "confidence")


def _run(args: Args, progress: Progress) -> CommandResult:
    from dpviz.pages.common import PageSubject  # noqa: PLC0415 - as below
    from dpviz.pages.gaps import sparse, top_k  # noqa: PLC0415 - with plotly, which `--help` can do without
    from dpviz.pages.gaps.view import describe_settings  # noqa: PLC0415

    if args.mechanisms is not None:
        refuse_given_options(args, ["half"], "with --mechanism")
        menu = THRESHOLD if THRESHOLD.knows(args.mechanisms) else GAPS
        if not menu.knows(args.mechanisms):
            check_choice("--mechanism", args.mechanisms, (*GAPS, *THRESHOLD))
        _, fixed = menu.find(args.mechanisms)
        args.half = "sparse_vector" if menu is THRESHOLD else "top_k"
        args.k = args.k or fixed.get("k")
    request = build_request(args, progress, own_mechanism=True)
    scores, scenario = request.scores, _changed(args, request.scenario)
    settings = read_gaps_settings(scenario, scores)
    notes = (
        *request.notes,
        *unknown_names_note(scenario, scores, describe_settings(PageSubject(scenario, scores))),
        *((UNSAFE,) if args.show == "release" else ()),
    )
    if settings.half == "sparse_vector":
        study = QueryStudy(scenario=scenario, scores=scores, settings=settings)
        study.compute(progress, *_STEPS[args.show])
        return CommandResult(table=sparse.TABLES[args.show](study), notes=notes, scenario=scenario)
    refuse_given_options(
        args,
        ("threshold", "split", *_SPARSE),
        "but for --half sparse_vector",
    )
    if args.noise not in (None, "laplace") and scenario.k > 1:
        raise ParameterError("--noise", args.noise, "laplace for -k 2 or more")
    if args.show == "queries":
        raise ParameterError("--show", "queries", "figures or release but for --half sparse_vector")
    worth = GapWorthStudy(scenario=scenario, scores=scores, k=scenario.k)
    table = (
        top_k.release_table(worth)
        if args.show == "release"
        else top_k.figures_table(worth.compute_current_experiment(progress))
    )
    return CommandResult(table=table, notes=notes, scenario=scenario)


def _changed(args: Args, scenario: Scenario) -> Scenario:
    if args.threshold is not None:
        refuse_given_options(args, ["quantile"], "with --threshold")
    names = ("half", "noise", "threshold", *_SPARSE)
    said = {name: getattr(args, name) for name in names if getattr(args, name) is not None}
    if "threshold" in said or "quantile" in said:
        said["by"] = "value" if "threshold" in said else "quantile"
    if args.split is not None:
        said |= (
            {"split": args.split}
            if args.split in SPLITS
            else {"split": CUSTOM, "share": _share(args.split)}
        )
    return scenario.replace(
        page={**scenario.page, **{GAPS_PAGE.prefix + name: value for name, value in said.items()}}
    )


def _share(text: str) -> float:
    try:
        return check_open_interval("--split", float(text))
    except ValueError:
        allowed = f"one of {', '.join(SPLITS)}, or the threshold's share of ε, above 0 and below 1"
        raise ParameterError("--split", text, allowed) from None


COMMAND = Command(
    options=(
        Option(
            "-m",
            "--mechanism",
            dest="mechanisms",
            metavar="NAME",
            help=f"the same by a name. {registry_menu(GAPS)} {registry_menu(THRESHOLD)}",
        ),
        Option("--half", choices=list(HALVES), help="noisy top-k (default), or sparse vector"),
        Option(
            "--show",
            choices=tuple(_STEPS),
            default="figures",
            help=(
                "the value of the gaps and the number of answers; one release; or, for sparse"
                " vector, each query"
            ),
        ),
        Option("--noise", choices=list(GAP_NOISES), help="noise of one item with its gap (k = 1)"),
        OptionGroup(
            "sparse vector",
            Option(
                "--branches",
                type=int,
                metavar="M",
                help="branches of the adaptive one, 2 to 4 (default 2)",
            ),
            Option(
                "--deviations",
                type=float,
                metavar="σ",
                help="the start of its upper branches above the threshold, in standard deviations"
                " of their noise, 0 to 10 (default 2)",
            ),
            Option("--threshold", type=float, metavar="T", help="the threshold in score units"),
            Option(
                "--quantile",
                type=float,
                metavar="Q",
                help="the threshold as a quantile of the scores (default 0.95)",
            ),
            Option(
                "--split",
                metavar="SPLIT",
                help=f"the split of ε between threshold and answers: {', '.join(SPLITS)}"
                " (default optimal), or the threshold's share of ε, above 0 and below 1",
            ),
            Option(
                "--order", choices=list(ORDERS), help="the order of the queries (default given)"
            ),
            Option(
                "--shuffle",
                type=int,
                metavar="N",
                help="the seed of the random order (default 1)",
            ),
            Option(
                "--confidence",
                type=float,
                metavar="C",
                help="the confidence of the lower bounds (default 0.95)",
            ),
        ),
        RequestOptions(without=("mechanism", "samples")),
    ),
    run=_run,
    examples=(
        "-e 1 -k 10 --example song_listeners",
        "-m svt -e 1 -k 3 --example help_line",
        "--half sparse_vector --threshold 100 -k 5 --show queries --example help_line",
        "--half sparse_vector --show release --split 0.3 --seed 7 -k 3",
    ),
)

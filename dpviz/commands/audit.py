"""`audit`: what an implementation's draws prove of its promise, and of its exact law."""

from pathlib import Path

from dpviz.base import Progress, portion
from dpviz.commands.base import Args, Command, CommandResult
from dpviz.commands.loss import NEIGHBOUR_OPTIONS, build_neighbour
from dpviz.commands.options import Option, OptionGroup
from dpviz.commands.request import RequestOptions, build_request
from dpviz.commands.samplers import LIBRARIES, parse_sampler
from dpviz.privacy.bench.agreement import agrees
from dpviz.privacy.bench.audit import audit

_REFUTED = 3


def _run(args: Args, progress: Progress) -> CommandResult:
    from dpviz.export.audit_report import audit_verdict, bench_report  # noqa: PLC0415 - with plotly, which `--help` can do without

    args.samples = args.draws
    request = build_request(args, progress, one=True)
    scores, mechanism = request.scores, request.scenario.mechanisms[0]
    neighbour = build_neighbour(args, scores)
    draw = parse_sampler(args.drawn_by, mechanism)
    named = bool(args.mechanism or args.scenario) or not (
        args.drawn_by not in LIBRARIES
    )  # else nobody said whose law it is to have
    said = {"samples": args.draws, "confidence": args.confidence}
    found = audit(
        draw,
        scores,
        neighbour,
        epsilon=mechanism.epsilon,
        delta=(mechanism.delta_spent if named else 0.0) if args.delta is None else args.delta,
        rho=args.rho,
        rng=request.scenario.seed,
        progress=portion(progress, 0.0, 0.7),
        **said,
    )
    beside = None
    if named and mechanism.has_exact_law(scores):
        law, part = mechanism.distribution(scores), portion(progress, 0.7, 1.0)
        beside = agrees(draw, law, rng=request.scenario.seed + 1, progress=part, **said)
    progress(1.0)
    table = found.frame()
    if beside is not None:
        table = table.assign(
            agrees=beside.holds, p_value=beside.p_value, differs_most=beside.shown_by
        )
    title = f"Audit of {Path(args.drawn_by).name}" + (f": {mechanism.key}" if named else "")
    what = f"{request.name}: {scores.d:,} items. {scores.change}"
    return CommandResult(
        table=table,
        notes=(*request.notes, audit_verdict(found, beside)),
        scenario=request.scenario,
        document=bench_report(title, found, beside, what) if args.format == "html" else None,
        code=_REFUTED
        if args.exit_code and not (found.holds and (beside is None or beside.holds))
        else 0,
    )


COMMAND = Command(
    options=(
        OptionGroup(
            "what is audited",
            Option(
                "--drawn-by",
                default="dpviz",
                metavar="WHO",
                help=(
                    f"{', '.join(LIBRARIES)} (default dpviz), or MODULE:FUNCTION or"
                    " FILE.py:FUNCTION, a function of (scores, size, rng) that gives outputs, a row"
                    " each"
                ),
            ),
            Option(
                "--delta",
                type=float,
                metavar="δ",
                help="claimed beside ε (default: what the mechanism has)",
            ),
            Option("--rho", type=float, metavar="ρ", help="claimed of zero-concentrated DP"),
            Option(
                "--draws",
                type=int,
                default=100_000,
                metavar="N",
                help="in each world (default 100000)",
            ),
            Option(
                "--confidence",
                type=float,
                default=0.99,
                metavar="C",
                help="with which bounds hold (default 0.99)",
            ),
            Option(
                "--exit-code",
                action="store_true",
                help=f"end with {_REFUTED} where a claim or the law is refuted",
            ),
        ),
        NEIGHBOUR_OPTIONS,
        RequestOptions(draws=False),
    ),
    run=_run,
    examples=(
        "-m canonical -e 1 -k 2 --example class_trip --up Zoo",
        (
            "--drawn-by opendp -m one_shot:noise=exponential -e 1 -k 1 --draws 20000 --example"
            " class_trip --up Zoo"
        ),
        "--drawn-by my_module.py:draw -e 1 --rho 0.125 --example class_trip --up Zoo -o audit.html",
    ),
    formats=("csv", "json", "parquet", "xlsx", "html"),
)

"""`audit`: test an implementation's draws against its ε and its exact probabilities."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator

from dpviz.base import ParameterError, Progress, Scores, load_user_function, portion
from dpviz.commands.base import Args, Command, CommandResult
from dpviz.commands.loss import NEIGHBOUR_OPTIONS, parse_unit_step
from dpviz.commands.options import Option, OptionGroup
from dpviz.commands.request import RequestOptions, build_request
from dpviz.privacy.bench.agreement import agrees
from dpviz.privacy.bench.audit import audit
from dpviz.privacy.bench.implementation_draws import Sampler
from dpviz.privacy.neighbours import move_scores
from dpviz.topk import OneShot, TopKMechanism

_REFUTED = 3


def _dpviz(mechanism: TopKMechanism, scores: Scores, size: int, rng: Generator) -> Any:
    return mechanism.sample(scores, size, rng=rng)


def _opendp(mechanism: TopKMechanism, scores: Scores, size: int, rng: Generator) -> Any:
    """OpenDP draws from the system's entropy, one by one; `rng` is not used."""
    from dpviz.export.release.release_tools import select_tool  # noqa: PLC0415 - with all that a release needs

    tool = select_tool(mechanism, scores.contributions)
    if tool.name != "OpenDP":
        raise ParameterError(
            "--mechanism", mechanism.name, "one that OpenDP draws, as one_shot:noise=exponential"
        )
    draw = tool.prepare_draw(mechanism, scores)
    items = np.full((size, mechanism.k), -1)
    for row in items:
        drawn = [item for item, _ in draw()]
        row[: len(drawn)] = drawn
    return items


def _diffprivlib(mechanism: TopKMechanism, scores: Scores, size: int, rng: Generator) -> Any:
    """diffprivlib's Exponential and PermuteAndFlip, which choose one item."""
    try:
        from diffprivlib import mechanisms  # noqa: PLC0415 - optional, and slow to load
    except ImportError as err:
        allowed = f"installed so that it loads (pip install diffprivlib; {err})"
        raise ParameterError("--drawn-by", "diffprivlib", allowed) from None
    kinds = {"gumbel": "Exponential", "exponential": "PermuteAndFlip"}
    if not isinstance(mechanism, OneShot) or mechanism.k > 1 or mechanism.noise not in kinds:
        allowed = f"one that diffprivlib draws: one_shot with k = 1 and noise {' or '.join(kinds)}"
        raise ParameterError("--mechanism", f"{mechanism.name}, k = {mechanism.k}", allowed)
    chooses = getattr(mechanisms, kinds[mechanism.noise])(
        epsilon=mechanism.epsilon,
        sensitivity=scores.sensitivity,
        utility=scores.values.tolist(),
        monotonic=scores.same_direction,
        random_state=int(rng.integers(2**32)),
    )
    return [chooses.randomise() for _ in range(size)]


LIBRARIES: dict[str, Callable[..., Any]] = {
    "dpviz": _dpviz,
    "opendp": _opendp,
    "diffprivlib": _diffprivlib,
}
"""Libraries by name, each a function of (mechanism, scores, size, rng)."""


def _run(args: Args, progress: Progress) -> CommandResult:
    from dpviz.export.audit_report import audit_report_html, audit_verdict  # noqa: PLC0415 - with plotly, which `--help` can do without

    args.samples = args.draws
    request = build_request(args, progress, single_design=True)
    scores, mechanism = request.scores, request.scenario.mechanisms[0]
    neighbour = move_scores(scores, parse_unit_step(args, scores))
    library = LIBRARIES.get(args.drawn_by)
    draw: Sampler = (
        load_user_function("--drawn-by", args.drawn_by)
        if library is None
        else partial(library, mechanism)
    )
    # else nobody said whose law it is to have
    named = bool(args.mechanism or args.scenario) or args.drawn_by in LIBRARIES
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
        document=audit_report_html(title, found, beside, what) if args.format == "html" else None,
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
                metavar="LIBRARY",
                help=(
                    f"{', '.join(LIBRARIES)} (default dpviz), or MODULE:FUNCTION or"
                    " FILE.py:FUNCTION, a function of (scores, size, rng) that returns one"
                    " output per row"
                ),
            ),
            Option(
                "--delta",
                type=float,
                metavar="δ",
                help="the claimed δ (default: that of the mechanism)",
            ),
            Option("--rho", type=float, metavar="ρ", help="the claimed ρ of zero-concentrated DP"),
            Option(
                "--draws",
                type=int,
                default=100_000,
                metavar="N",
                help="draws for each of the two data sets (default 100000)",
            ),
            Option(
                "--confidence",
                type=float,
                default=0.99,
                metavar="C",
                help="the confidence of the bounds (default 0.99)",
            ),
            Option(
                "--exit-code",
                action="store_true",
                help=f"end with code {_REFUTED} if a claim or the law is refuted",
            ),
        ),
        NEIGHBOUR_OPTIONS,
        RequestOptions(without=("samples",)),
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

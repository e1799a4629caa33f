"""`compose`: the total privacy cost of releases, by each proved way of adding up."""

from typing import Any

from dpviz.base import Progress, check_integer, pd
from dpviz.commands.base import Args, Command, CommandResult
from dpviz.commands.options import Option, OptionGroup
from dpviz.commands.request import RequestOptions, build_request
from dpviz.privacy.composition import compose
from dpviz.privacy.privacy_conversions import explain_missing_zcdp

_MOST = 100_000


def _run(args: Args, progress: Progress) -> CommandResult:
    request = build_request(args, progress)
    scenario, person = request.scenario, request.scores
    times = check_integer("--releases", args.releases, low=1, high=_MOST)
    rows = []
    for design, mechanism in zip(scenario.designs, scenario.mechanisms, strict=True):
        total = compose(
            [(mechanism, times)],
            delta=args.delta,
            contributions=person.contributions,
            monotonic=person.monotonic,
        )
        missing = None if total.total else total.find_way("basic").reason
        row: dict[str, Any] = {
            "design": design.label,
            "mechanism": design.mechanism,
            "parameters": design.parameter_text,
            "epsilon": mechanism.epsilon,
            "k": mechanism.k,
            "rho": mechanism.zcdp,
            "releases": times,
            "delta": total.delta,
            **{f"total_{way.name.replace(' ', '_')}": way.epsilon for way in total.ways},
            "reason": explain_missing_zcdp(mechanism) or missing or "",
        }
        rows.append(row)
    progress(1.0)
    note = "Totals are ε at δ. The total by bounded range is only for releases fixed in advance."
    table = pd.DataFrame(rows)
    numbers = [name for name in table.columns if name == "rho" or name.startswith("total_")]
    table = table.astype(dict.fromkeys(numbers, float))
    return CommandResult(table=table, notes=(*request.notes, note), scenario=scenario)


COMMAND = Command(
    options=(
        OptionGroup(
            "the releases",
            Option(
                "-n",
                "--releases",
                type=int,
                default=1,
                metavar="N",
                help="the number of releases of each mechanism (default 1)",
            ),
            Option(
                "--delta",
                type=float,
                default=1e-6,
                metavar="δ",
                help="δ of the totals (default 1e-6)",
            ),
        ),
        RequestOptions(several=True),
    ),
    run=_run,
    examples=(
        "-m canonical -m one_shot:noise=exponential -e 0.2 -k 10 --releases 30 --delta 1e-6",
    ),
)

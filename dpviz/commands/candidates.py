"""`candidates`: choosing among private candidates, as the page Candidates shows it."""

import argparse
from pathlib import Path
from typing import Any

from dpviz.base.errors import ParameterError
from dpviz.base.progress import Progress, portion
from dpviz.candidates import rules
from dpviz.candidates.pool import CandidatePool
from dpviz.candidates.run_tables import candidate_columns, pool_from_runs
from dpviz.candidates.worth import prices
from dpviz.commands.base import Answer, Command
from dpviz.commands.data import content
from dpviz.commands.options import add_parameters, entry, given_parameters, menu, refuse_unused
from dpviz.data.ingest import KINDS, MAX_BYTES, read_table
from dpviz.studies.pages.candidates import (
    CANDIDATES_PAGE,
    LIMITS,
    CandidatesParameters,
    built_in,
    of_rule,
    rule_on,
    suited_threshold,
)
from dpviz.studies.scenario import Scenario

__all__ = ["CANDIDATES"]

_SETTINGS = ("epsilon1", "delta1", "share", "people", "runs")


def _add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--show",
        choices=("figures", "chosen"),
        default="figures",
        help="what each way costs and gives; whose run it is",
    )
    group = parser.add_argument_group("what is computed")
    group.add_argument(
        "--rule",
        action="append",
        metavar="NAME[:P=V,...]",
        help=menu(rules.CANDIDATES) + " Can be given many times (default: the scenario's, else all).",
    )
    group.add_argument("--epsilon1", type=float, metavar="ε", help="the price of one run (default 0.5)")
    group.add_argument("--delta1", type=float, metavar="δ", help="of one run (default 0)")
    group.add_argument("--limit", type=int, metavar="N", help="runs at most (default: what the theorem allows)")
    group.add_argument("--share", type=float, metavar="P", help="of all runs that is good (default 0.05)")
    runs = parser.add_argument_group("where the candidates come from")
    runs.add_argument(
        "--scenario", metavar="FILE", help="saved by the app; its page's settings, where no option says else"
    )
    runs.add_argument("--file", metavar="FILE", help="a table with a candidate and a score in each row, a row a run")
    runs.add_argument("--candidate-column", metavar="COLUMN", help="who ran (default: found out)")
    runs.add_argument("--score-column", metavar="COLUMN", help="the column of scores (default: found out)")
    runs.add_argument("--kind", choices=list(KINDS), help="the kind of file (default: by its ending)")
    runs.add_argument("--people", type=int, metavar="N", help="that the built-in models are trained on (default 600)")
    runs.add_argument("--runs", type=int, metavar="N", help="of each built-in candidate (default 200)")
    runs.add_argument("--seed", type=int, metavar="N", help="of the built-in runs (default 0)")
    add_parameters(parser, "parameters of rules", rules.CANDIDATES)


def _run(args: argparse.Namespace, progress: Progress) -> Answer:
    saved = Scenario() if args.scenario is None else Scenario.from_json(content(args.scenario))
    given = given_parameters(args, rules.CANDIDATES)
    scenario, now, told = _settings(args, saved)
    one = CANDIDATES_PAGE.prefix + "rule" in scenario.page and now.view != "price"  # where the page too shows all
    named = args.rule or ([now.rule] if one else list(rules.CANDIDATES))
    refuse_unused([text.partition(":")[0] for text in named], rules.CANDIDATES, given)
    pool = _pool(args, scenario, now, portion(progress, 0.0, 0.5))
    threshold = suited_threshold(None if args.file is None else pool)
    ways = []
    for text in named:
        name, own = entry(text, rules.CANDIDATES, given)
        ways.append(rule_on(scenario.page, name, threshold, **own))
        told += [*of_rule(name, threshold).values_on(scenario.page)[1].values()]
    notes = tuple(f"{err} The value in the scenario is left out." for err in dict.fromkeys(map(str, told)))
    rest = portion(progress, 0.5, 1.0)
    if args.show == "chosen":
        laws = [(way, way.distribution(pool)) for way in ways]
        rows = [{"rule": way.name, **row} for way, law in laws for row in law.table().to_dict("records")]
        rest(1.0)
        return Answer(table=[{str(name): cell for name, cell in row.items()} for row in rows], notes=notes)
    table = []
    for price in prices(ways, pool, now.epsilon1, now.delta1, now.share, rest):
        row: dict[str, Any] = {"way": price.name, "epsilon": price.epsilon, "delta": price.delta}
        row |= {"score": price.utility.score, "good": price.utility.within, "nothing": price.utility.bottom}
        row |= {"runs": price.utility.runs, "error": price.utility.error}
        table.append(row | {"reason": "" if price.problem is None else str(price.problem)})
    return Answer(table=table, notes=notes)


def _settings(
    args: argparse.Namespace, scenario: Scenario
) -> tuple[Scenario, CandidatesParameters, list[ParameterError]]:
    """The scenario with what the options say in its page, the page's settings, and why others count as not given."""
    said: dict[str, Any] = {}
    for page, names in ((CANDIDATES_PAGE, _SETTINGS), (LIMITS, LIMITS.declared)):
        for name in names:
            value = args.limit if page is LIMITS else getattr(args, name)
            if value is not None:
                said[page.prefix + name] = page.check(name, value)
    seed = scenario.seed if args.seed is None else args.seed
    scenario = scenario.replace(page={**scenario.page, **said}, seed=seed)
    now, refused = CANDIDATES_PAGE.on(scenario.page)
    return scenario, now, [*refused.values(), *LIMITS.values_on(scenario.page)[1].values()]


def _pool(args: argparse.Namespace, scenario: Scenario, now: CandidatesParameters, progress: Progress) -> CandidatePool:
    """The runs of the file, else those of the built-in models."""
    of_file, of_built_in = ("candidate_column", "score_column", "kind"), ("people", "runs", "seed")
    for name in of_file if args.file is None else of_built_in:
        if getattr(args, name) is not None:
            when = "without --file" if args.file is None else "with --file"
            raise ParameterError(f"--{name.replace('_', '-')}", getattr(args, name), f"left out {when}")
    if args.file is None:
        if now.pool != "built_in":
            raise ParameterError("--file", None, "given: this scenario was saved without the table of its candidates")
        return built_in(scenario).make(progress).pool
    table = read_table(Path(args.file).name, content(args.file, MAX_BYTES), kind=args.kind, progress=progress)
    found = candidate_columns(table)
    return pool_from_runs(table, args.candidate_column or found[0], args.score_column or found[1])


CANDIDATES = Command(
    add=_add,
    run=_run,
    examples=(
        "--epsilon1 0.5 --stop 0.05",
        "--rule random_stopping:stop=0.1 --file runs.csv --show chosen",
    ),
)

"""`candidates`: choosing among private candidates, as the page Candidates shows it."""

import argparse
from dataclasses import fields
from pathlib import Path
from typing import Any

from dpviz.base.errors import ParameterError
from dpviz.base.parameters import parameters
from dpviz.base.progress import Progress, portion
from dpviz.candidates import rules
from dpviz.candidates.pool import CandidatePool
from dpviz.candidates.rules import CandidateRule
from dpviz.candidates.run_tables import candidate_columns, pool_from_runs
from dpviz.candidates.trained_runs import logistic_regression_runs
from dpviz.candidates.worth import prices, top_quantile
from dpviz.commands.base import Answer, Command
from dpviz.commands.data import content
from dpviz.commands.options import add_parameters, entry, given_parameters, menu, refuse_unused
from dpviz.data.ingest import KINDS, MAX_BYTES, read_table
from dpviz.studies.scenario import Scenario

__all__ = ["CANDIDATES"]

_THRESHOLD = 0.8  # of the built-in runs
_OWN_SHARE = 0.25  # of one's own runs that reach the threshold where none is named
_USUAL: dict[str, Any] = {"epsilon1": 0.5, "delta1": 0.0, "share": 0.05, "people": 600, "runs": 200}
_PAGE = "pc."  # before the names of the page's parameters in a scenario


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
    scenario = Scenario() if args.scenario is None else Scenario.from_json(content(args.scenario))
    page = {name.removeprefix(_PAGE): value for name, value in scenario.page.items() if name.startswith(_PAGE)}
    pool = _pool(args, page, scenario.seed, portion(progress, 0.0, 0.5))
    page.setdefault("threshold", _THRESHOLD if args.file is None else top_quantile(pool, _OWN_SHARE))
    given = given_parameters(args, rules.CANDIDATES)
    one = "rule" in page and page.get("view") != "price"  # where the page too shows all
    named = args.rule or ([str(page["rule"])] if one else list(rules.CANDIDATES))
    refuse_unused([text.partition(":")[0] for text in named], rules.CANDIDATES, given)
    ways = [_rule(text, given, page, args.limit) for text in named]
    rest = portion(progress, 0.5, 1.0)
    if args.show == "chosen":
        laws = [(way, way.distribution(pool)) for way in ways]
        rows = [{"rule": way.name, **row} for way, law in laws for row in law.table().to_dict("records")]
        rest(1.0)
        return Answer(table=[{str(name): cell for name, cell in row.items()} for row in rows])
    table = []
    epsilon1, delta1, share = (_said(args, page, name) for name in ("epsilon1", "delta1", "share"))
    for price in prices(ways, pool, epsilon1, delta1, share, rest):
        row: dict[str, Any] = {"way": price.name, "epsilon": price.epsilon, "delta": price.delta}
        row |= {"score": price.utility.score, "good": price.utility.within, "nothing": price.utility.bottom}
        row |= {"runs": price.utility.runs, "error": price.utility.error}
        table.append(row | {"reason": "" if price.problem is None else str(price.problem)})
    return Answer(table=table)


Page = dict[str, Any]


def _said(args: argparse.Namespace, page: Page, name: str) -> Any:
    """What the option says, else the page, else what is usual."""
    value = getattr(args, name)
    return page.get(name, _USUAL[name]) if value is None else value


def _pool(args: argparse.Namespace, page: Page, seed: int, progress: Progress) -> CandidatePool:
    """The runs of the file, else those of the built-in models."""
    of_file, built_in = ("candidate_column", "score_column", "kind"), ("people", "runs", "seed")
    for name in of_file if args.file is None else built_in:
        if getattr(args, name) is not None:
            when = "without --file" if args.file is None else "with --file"
            raise ParameterError(f"--{name.replace('_', '-')}", getattr(args, name), f"left out {when}")
    if args.file is None:
        if page.get("pool", "built_in") != "built_in":
            raise ParameterError("--file", None, "given: this scenario was saved without the table of its candidates")
        made = logistic_regression_runs(
            people=_said(args, page, "people"),
            epsilon=_said(args, page, "epsilon1"),
            delta=_said(args, page, "delta1"),
            runs=_said(args, page, "runs"),
            seed=seed if args.seed is None else args.seed,
            progress=progress,
        )
        return made.pool
    table = read_table(Path(args.file).name, content(args.file, MAX_BYTES), kind=args.kind, progress=progress)
    found = candidate_columns(table)
    return pool_from_runs(table, args.candidate_column or found[0], args.score_column or found[1])


def _rule(text: str, given: dict[str, str], page: Page, limit: int | None) -> CandidateRule:
    name, own = entry(text, rules.CANDIDATES, given)
    cls = rules.CANDIDATES[name]
    more = {p.name: page[p.name] for p in parameters(cls) if p.name in page}
    if "limit" in {item.name for item in fields(cls)}:
        more["limit"] = page.get(f"limit.{name}") if limit is None else limit
    return cls(**{**more, **own})


CANDIDATES = Command(
    add=_add,
    run=_run,
    examples=(
        "--epsilon1 0.5 --stop 0.05",
        "--rule random_stopping:stop=0.1 --file runs.csv --show chosen",
    ),
)

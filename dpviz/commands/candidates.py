"""`candidates`: choose among private candidates: the cost and result of each rule."""

from dpviz.base import ParameterError, Progress, portion
from dpviz.candidates import rules
from dpviz.candidates.run_tables import find_candidate_and_score_columns, pool_from_run_table
from dpviz.commands.base import Args, Command, CommandResult
from dpviz.commands.input_files import read_file_table, read_whole_file
from dpviz.commands.options import (
    Option,
    OptionGroup,
    ParameterOptions,
    given_option_values,
    parse_entry,
    refuse_given_options,
    refuse_unused_options,
    registry_menu,
)
from dpviz.data.reading import KINDS
from dpviz.pages.candidates.settings import CANDIDATES_PAGE, LIMITS
from dpviz.pages.candidates.study import PriceStudy, RunsStudy
from dpviz.studies import Scenario
from dpviz.studies.candidate_runs import CandidateRuns


def _run(args: Args, progress: Progress) -> CommandResult:
    from dpviz.pages.candidates.choice_view import candidate_chance_rows, price_quality_rows  # noqa: PLC0415 - with plotly, as for `--help`

    saved = (
        Scenario() if args.scenario is None else Scenario.from_json(read_whole_file(args.scenario))
    )
    given = given_option_values(args, rules.CANDIDATES)
    scenario, refused = _settings(args, saved)
    first, rest = portion(progress, 0.0, 0.5), portion(progress, 0.5, 1.0)
    study = PriceStudy(scenario=scenario, table=_table(args, scenario, first))
    now = study.settings
    # where the page too shows all
    one = CANDIDATES_PAGE.prefix + "rule" in scenario.page and now.view != "price"
    named = args.rule or ([now.rule] if one else list(rules.CANDIDATES))
    parsed = [parse_entry(text, rules.CANDIDATES, given) for text in named]
    refuse_unused_options([name for name, _ in parsed], rules.CANDIDATES, given)
    ways = []
    for name, parameters in parsed:
        ways.append(study.build_rule(name, **parameters))
        refused += study.rule_parameters(name).read_values(scenario.page)[1].values()
    notes = tuple(
        f"{err} The value in the scenario is ignored." for err in dict.fromkeys(map(str, refused))
    )
    study = study.compute(first, "runs").with_rules(*ways)
    if args.show == "chosen":
        return CommandResult(table=candidate_chance_rows(study), notes=notes)
    if args.show == "runs":
        return CommandResult(
            table=[
                {"way": way, "epsilon": epsilon, "log10_runs": runs}
                for way, found in study.runs_needed.items()
                for epsilon, runs in zip(*found, strict=True)
            ],
            notes=notes,
        )
    return CommandResult(table=price_quality_rows(study.compute(rest, "prices")), notes=notes)


def _settings(args: Args, scenario: Scenario) -> tuple[Scenario, list[ParameterError]]:
    """Scenario with the options in its page, and the errors of its other values."""
    settings = [
        (CANDIDATES_PAGE, name, getattr(args, name))
        for name in ("epsilon1", "delta1", "share", "people", "runs")
    ]
    said = {
        page.prefix + name: page.check(name, value)
        for page, name, value in settings + [(LIMITS, name, args.limit) for name in LIMITS.declared]
        if value is not None
    }
    scenario = scenario.replace(
        page={**scenario.page, **said}, seed=scenario.seed if args.seed is None else args.seed
    )
    return scenario, [
        err
        for page in (CANDIDATES_PAGE, LIMITS)
        for err in page.read_values(scenario.page)[1].values()
    ]


def _table(args: Args, scenario: Scenario, progress: Progress) -> CandidateRuns | None:
    """Runs of the file; None for the built-in models."""
    if args.file is None:
        refuse_given_options(args, ["candidate_column", "score_column", "kind"], "without --file")
        if RunsStudy(scenario=scenario).needs_table:
            raise ParameterError(
                "--file", None, "given: this scenario was saved without the table of its candidates"
            )
        return None
    refuse_given_options(args, ["people", "runs", "seed"], "with --file")
    return read_run_file(args.file, args, progress)


def read_run_file(path: str, args: Args, progress: Progress) -> CandidateRuns:
    """Runs of a file, in the named columns, else in those found."""
    table = read_file_table(path, args.kind, progress)
    candidate, score = find_candidate_and_score_columns(table)
    return CandidateRuns(
        pool_from_run_table(table, args.candidate_column or candidate, args.score_column or score),
        path,
    )


COMMAND = Command(
    options=(
        Option(
            "--show",
            choices=("figures", "chosen", "runs"),
            default="figures",
            help="the cost and quality of each way to choose; the chance of each candidate; or the"
            " runs for the best median, also by a search",
        ),
        OptionGroup(
            "what is computed",
            Option(
                "--rule",
                action="append",
                metavar="NAME[:P=V,...]",
                help=registry_menu(rules.CANDIDATES)
                + " Can be given many times (default: the scenario's, else all).",
            ),
            Option("--epsilon1", type=float, metavar="ε", help="ε of one run (default 0.5)"),
            Option("--delta1", type=float, metavar="δ", help="δ of one run (default 0)"),
            Option(
                "--limit",
                type=int,
                metavar="N",
                help="the most runs (default: what the theorem allows)",
            ),
            Option(
                "--share",
                type=float,
                metavar="P",
                help="the share of all runs that counts as good (default 0.05)",
            ),
        ),
        OptionGroup(
            "where the candidates come from",
            Option(
                "--scenario",
                metavar="FILE",
                help="a scenario file of the app; other options change it",
            ),
            Option(
                "--file",
                metavar="FILE",
                help="a table with a candidate and a score in each row, one row per run",
            ),
            Option(
                "--candidate-column",
                metavar="COLUMN",
                help="the column of the candidate (default: detected)",
            ),
            Option(
                "--score-column", metavar="COLUMN", help="the column of scores (default: detected)"
            ),
            Option("--kind", choices=list(KINDS), help="the kind of file (default: by its ending)"),
            Option(
                "--people",
                type=int,
                metavar="N",
                help="people in the training data of the built-in models (default 600)",
            ),
            Option(
                "--runs",
                type=int,
                metavar="N",
                help="runs of each built-in candidate (default 200)",
            ),
            Option(
                "--seed", type=int, metavar="N", help="the seed of the built-in runs (default 0)"
            ),
        ),
        ParameterOptions("parameters of rules", rules.CANDIDATES),
    ),
    run=_run,
    examples=(
        "--epsilon1 0.5 --stop 0.05",
        "--rule random_stopping:stop=0.1 --file runs.csv --show chosen",
    ),
)

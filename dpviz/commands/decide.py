"""`decide`: the verdict on the cheapest plan that meets a goal, and with -o a decision sheet."""

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

from dpviz.base import (
    ParameterError,
    Progress,
    Scores,
    declared_parameters,
    iterate_with_progress,
)
from dpviz.commands.base import Args, Command, CommandResult
from dpviz.commands.data_options import DataOptions
from dpviz.commands.input_files import read_name_list
from dpviz.commands.options import Option, OptionGroup, flag, given_option_values, parse_parameter
from dpviz.commands.request import DECLARED, RequestOptions, build_request
from dpviz.data.counting import count_proposed_log
from dpviz.data.reading.guessing import Proposal
from dpviz.pages.decide.settings import designs_unless_chosen, repair_goal_and_taken_design
from dpviz.studies import Scenario
from dpviz.studies.decision import DECIDED_ON, UNITS, Decision, Question, RecountableLog, decide
from dpviz.studies.decision.publisher_details import (
    PARTICULARS,
    PublisherDetails,
    with_publisher_details,
)
from dpviz.topk import TOP_K

_SAID = (
    "goal", "releases", "period", "decided_on", "delta", "own_share", "counts_in", "most_right", "most_epsilon",
    "smaller", "larger", "also",
)  # fmt: skip
_UNSAID = (
    'State with --decided-on where these scores are from, or the sheet says "not answered".'
    " Do not decide on the data that are to be protected."
)


def _run(args: Args, progress: Progress) -> CommandResult:
    # with plotly, which `--help` can do without
    from dpviz.pages.decide.sentences import basis  # noqa: PLC0415
    from dpviz.pages.decide.view import plans_table  # noqa: PLC0415

    goals = args.goal or [None]
    if len(goals) > 2:
        raise ParameterError("--goal", ", ".join(goals), "given at most twice")
    # which hold is part of the answer
    request = build_request(args, progress, allow_past_periods=True, warn_unheld_epsilon=False)
    log = _log(args, request.scores, progress)
    questions = [_question(args, request.scenario, goal) for goal in goals]
    decisions = [
        decide(
            question,
            (request.scores, *request.others),
            log=log,
            digest=args.digest,
            samples=args.samples,
            progress=part,
        )
        for question, part in iterate_with_progress(questions, progress)
    ]
    notes = (
        *request.notes,
        *(basis.period_item_difference_sentence(request.scores, past) for past in request.others),
        *(note for decision in decisions for note in _notes(decision)),
    )
    if questions[0].decided_on is None:
        notes += (_UNSAID,)
    given, kept = vars(args), PARTICULARS.read_values(request.scenario.page)[0]
    said = {name: value for name, value in kept.items() if value} | {
        name.removeprefix(PARTICULARS.prefix): given[name]
        for name in PARTICULARS.prefixed_names
        if given[name] is not None
    }
    decisions = [with_publisher_details(decision, **said) for decision in decisions]
    return CommandResult(
        table=plans_table(decisions),
        notes=tuple(filter(None, notes)),
        scenario=decisions[0].scenario,
        document=_document(decisions, args.format),
    )


def _log(args: Args, scores: Scores, progress: Progress) -> RecountableLog | None:
    """Event log, to be counted again with a cap; None if there is none or it is read only once."""
    paths = [text for name, text in args.data if name == "file"]
    may_be_log = args.item_column or args.items or not scores.names_known
    if paths == ["-"] or len(paths) != 1 or not may_be_log:
        return None
    (path,) = paths
    given = DataOptions(args).propose_file_reading(path, progress).require_answers("command")
    items = None if args.items is None else tuple(read_name_list(args.items))
    return RecountableLog(partial(_scores_of, given, items), path) if given.meaning.log else None


def _scores_of(given: Proposal, items: tuple[str, ...] | None, most: int) -> Scores:
    return count_proposed_log(given, items=items, contributions=most).scores


def _notes(decision: Decision) -> list[str]:
    """Sentences of the answer: verdict, plan, robustness, help and contradictions."""
    # with plotly, which `--help` can do without
    from dpviz.pages.decide.sentences import basis, price, quality  # noqa: PLC0415

    said = [
        price.answer_sentence(decision),
        quality.plan_sentence(decision),
        quality.drift_sentence(decision),
        price.full_participation_sentence(decision),
    ]
    if basis.splits_delta_by_release(decision.mechanism):
        said.append(basis.release_delta_sentence(decision.question))
    if decision.question.uses_default_menu:
        said.append(basis.allowed_mechanisms_sentence(decision.question))
    said += [f"{need.label}: {need.reason}" for need in decision.needs if need.reason]
    return [
        *filter(None, said),
        *price.suggestion_sentences(decision),
        *price.contribution_cap_sentences(decision),
        *basis.answer_warnings_by_topic(decision.question).values(),
    ]


def _question(args: Args, scenario: Scenario, goal: str | None) -> Question:
    changed = {name: getattr(args, name) for name in _SAID if getattr(args, name) is not None} | {
        "goal": goal,
        "also": None if args.also is None else "; ".join(args.also),
    }
    page = {f"decide.{name}": value for name, value in changed.items() if value is not None}
    designs = (
        None
        if (args.mechanism or given_option_values(args, TOP_K))
        else designs_unless_chosen(scenario)
    )
    if args.mechanism:
        page["decide.picked"] = True
        if any("delta=" in text for text in args.mechanism):
            allowed = (
                "without δ: --delta is that of all releases, and --own-share what they share out"
                " of it"
            )
            raise ParameterError("--mechanism", ", ".join(args.mechanism), allowed, "needless")
    if args.taken is not None:
        page["decide.taken"] = args.taken - 1
    if args.epsilon is not None:
        page["decide.fixed"] = True
        scenario = scenario.replace(epsilon=parse_parameter(DECLARED["epsilon"], args.epsilon))
    data = replace(
        scenario.data,
        called=args.called or scenario.data.called,
        unit=args.unit or scenario.data.unit,
    )
    asked = scenario.replace(
        data=data,
        page={**repair_goal_and_taken_design(scenario).page, **page},
        name=args.name or scenario.name,
    )
    return Question.from_scenario(asked, designs=designs)


def _document(decisions: list[Decision], format: str) -> str | None:
    """Sheet in this format; None for the formats of a table."""
    from dpviz.export.decision import decision_json, decision_sheet  # noqa: PLC0415 - as above

    writers = {"html": decision_sheet, "json": decision_json}
    if format not in writers:
        return None
    first, *others = decisions
    return writers[format](
        first, date=datetime.now(UTC).date(), beside=others[0] if others else None
    )


COMMAND = Command(
    options=(
        OptionGroup(
            "the question",
            Option(
                "--goal",
                action="append",
                metavar="TEXT",
                help=(
                    'how good the list must be: "9 of 10 in 0.9", "top in 0.99". The default is at'
                    " least nine tenths of the k right, in 0.9. Twice for two decisions side by"
                    " side"
                ),
            ),
            Option("--name", metavar="TEXT", help="what is published, for the sheet"),
            Option("--called", metavar="TEXT", help="what the data are called, for the sheet"),
            Option("-n", "--releases", type=int, metavar="N", help="how many releases (default 1)"),
            Option(
                "--also",
                action="append",
                metavar="TEXT",
                help=(
                    'other lists about the same people, added to the total: "12 at 0.5" is 12 lists'
                    ' of ε = 0.5 each. "1 at 2 (1e-7)" has a δ too. May be repeated'
                ),
            ),
            Option("--period", metavar="TEXT", help='over what time, such as "a year"'),
            Option(
                "--unit",
                metavar="WORD",
                help=f"whom ε protects: {', '.join(UNITS)} or another word",
            ),
            Option(
                "--counts-in",
                type=int,
                metavar="N",
                help="the most releases in which one person counts (default: all)",
            ),
            Option(
                "--most-right",
                type=int,
                metavar="N",
                help="limit: an attacker guesses right at most N times in 100, from 51 to 99",
            ),
            Option(
                "--most-epsilon",
                type=float,
                metavar="ε",
                help="limit: ε of all releases at --delta",
            ),
            Option(
                "--smaller",
                type=float,
                metavar="F",
                help="real scores may fall to F times these, such as 0.8",
            ),
            Option(
                "--larger",
                type=float,
                metavar="F",
                help="real scores may rise to F times these, such as 1.2",
            ),
            Option(
                "--decided-on",
                choices=list(DECIDED_ON),
                help="where these data are from; further --file are past periods",
            ),
            Option(
                "--delta", type=float, metavar="δ", help="δ of all releases together (default 1e-6)"
            ),
            Option(
                "--own-share",
                type=float,
                metavar="S",
                help=(
                    "share of --delta for the releases' own δ, where their mechanism has one"
                    " (default 0.5)"
                ),
            ),
            Option(
                "--taken",
                type=int,
                metavar="N",
                help="publish with the N-th mechanism (default: the cheapest)",
            ),
            Option(
                "--digest",
                action="store_true",
                help="put a fingerprint (SHA-256) of the data on the sheet",
            ),
        ),
        OptionGroup(
            "more for the sheet (all optional)",
            *(
                Option(flag(p.name), dest=PARTICULARS.prefix + p.name, metavar="TEXT", help=p.help)
                for p in declared_parameters(PublisherDetails)
            ),
        ),
        RequestOptions(several=True, epsilon_default="the smallest that meets the goal"),
    ),
    run=_run,
    examples=(
        '--file counts.csv --monotonic -k 10 --goal "9 of 10 in 0.9" -o sheet.html',
        '--example class_trip --goal "top in 0.9" --releases 12 --period "a year" -o sheet.json',
    ),
    formats=("csv", "json", "html", "parquet", "xlsx"),
)

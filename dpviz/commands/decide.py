"""`decide`: the smallest ε for a goal in words, by mechanism; or the whole decision as a sheet."""

import argparse
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from dpviz.base.errors import ParameterError
from dpviz.base.progress import Progress, each
from dpviz.commands.base import Answer, Command
from dpviz.commands.options import given_parameters, value_of
from dpviz.commands.output import format_of
from dpviz.commands.request import DECLARED, add_request, requested
from dpviz.studies.decision import ALLOWED, DECIDED_ON, UNITS, Decision, Question, decide
from dpviz.studies.pages.decide import fitting
from dpviz.studies.scenario import Scenario
from dpviz.topk.mechanism import TOP_K

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["DECIDE"]

_SAID = ("goal", "releases", "period", "decided_on", "delta")
_TAKEN_FOR_PAST = (
    "These scores are taken for data of the past. Never decide on the data that are to be protected; say --decided-on."
)


def _add(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the question")
    group.add_argument(
        "--goal",
        action="append",
        metavar="TEXT",
        help='how good the list must be: "9 of 10 in 0.9", "top in 0.99" (default: all but a tenth of the k right, '
        "in 0.9); twice for two decisions side by side",
    )
    group.add_argument("--name", metavar="TEXT", help="what is published, for the sheet")
    group.add_argument("--called", metavar="TEXT", help="what the data are called, for the sheet")
    group.add_argument("-n", "--releases", type=int, metavar="N", help="how many releases (default 1)")
    group.add_argument("--period", metavar="TEXT", help='over what time, such as "a year"')
    group.add_argument("--unit", metavar="WORD", help=f"whom ε protects: {', '.join(UNITS)} or another word")
    group.add_argument("--decided-on", choices=list(DECIDED_ON), help="which data these are: never the private ones")
    group.add_argument("--delta", type=float, metavar="δ", help="to state totals at (default 1e-6)")
    group.add_argument(
        "--taken", type=int, metavar="N", help="publish with the N-th mechanism (default: the smallest ε)"
    )
    group.add_argument("--digest", action="store_true", help="put the SHA-256 of the data on the sheet")
    add_request(parser, several=True)


def _run(args: argparse.Namespace, progress: Progress) -> Answer:
    format = format_of(args.format, args.output)
    goals = args.goal or [None]
    if len(goals) > 2:
        raise ParameterError("--goal", ", ".join(goals), "given at most twice")
    request = requested(args, progress)
    questions = [_question(args, request.scenario, goal) for goal in goals]
    scores = request.scores if request.scenario.data.source == "uploaded" else None
    decisions = [
        decide(question, scores, digest=args.digest, samples=args.samples, progress=part)
        for question, part in each(questions, progress)
    ]
    first, beside = decisions[0], decisions[1] if len(decisions) > 1 else None
    notes = request.notes
    if args.decided_on is None and questions[0].decided_on == "past" and args.scenario is None:
        notes += (_TAKEN_FOR_PAST,)
    document = _document(first, beside, format)
    return Answer(table=_table(decisions), notes=notes, scenario=first.scenario, document=document)


def _question(args: argparse.Namespace, scenario: Scenario, goal: str | None) -> Question:
    """That of the scenario file, if there is one, with what the options change."""
    changed = {name: getattr(args, name) for name in _SAID if getattr(args, name) is not None} | {"goal": goal}
    page = {f"decide.{name}": value for name, value in changed.items() if value is not None}
    if args.taken is not None:
        page["decide.taken"] = args.taken - 1
    if args.epsilon is not None:
        page["decide.fixed"] = True
        scenario = scenario.replace(epsilon=value_of(DECLARED["epsilon"], args.epsilon))
    data = replace(scenario.data, called=args.called or scenario.data.called, unit=args.unit or scenario.data.unit)
    named = scenario.replace(data=data, page={**fitting(scenario).page, **page}, name=args.name or scenario.name)
    mechanisms = args.mechanism or args.scenario or given_parameters(args, TOP_K)
    return Question.of(named, designs=None if mechanisms else ALLOWED)


def _document(decision: Decision, beside: Decision | None, format: str) -> str | None:
    """The sheet; None where a table is asked for."""
    if format not in {"html", "json"}:
        return None
    from dpviz.reports.decision import decision_json, decision_sheet  # noqa: PLC0415 - charts, which a table is without

    today = datetime.now(UTC).date()
    write = decision_json if format == "json" else decision_sheet
    return write(decision, date=today, beside=beside)


def _table(decisions: list[Decision]) -> "pd.DataFrame":
    """What each mechanism needs, a row each, the smallest ε first within each goal."""
    import pandas as pd

    rows = [
        {
            "goal": decision.question.goal_text,
            "design": need.label,
            "mechanism": need.design.mechanism,
            "parameters": need.design.text,
            "k": decision.question.k,
            "epsilon": need.epsilon,
            "multiple": need.multiple,
            "turning_point": need.shape.turning,
            "levels_off": need.shape.levels_off,
            "method": need.method,
            "taken": need is decision.need,
            "reason": need.reason,
        }
        for decision in decisions
        for need in sorted(decision.needs, key=lambda need: need.epsilon)
    ]
    return pd.DataFrame(rows).astype({"levels_off": float})


DECIDE = Command(
    add=_add,
    run=_run,
    examples=(
        '--file counts.csv --monotonic -k 10 --goal "9 of 10 in 0.9" -o sheet.html',
        '--example class_trip --goal "top in 0.9" --releases 12 --period "a year" -o sheet.json',
    ),
    formats=("csv", "json", "html", "parquet", "xlsx"),
)

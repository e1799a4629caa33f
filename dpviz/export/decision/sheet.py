"""The decision sheet: one HTML file that explains itself and prints on two A4 pages.

The first page needs no knowledge of ε, the second is the technical annex.
Invariants: no script, nothing fetched, every text escaped; never a score, never a seed, never the
chance of a list or an item that is named; the date is the caller's.
"""

import platform
from collections.abc import Callable, Collection, Iterable
from dataclasses import asdict
from datetime import date as Date
from importlib.metadata import version
from typing import Any
from urllib.parse import urlencode

import dpviz
from dpviz.base import Markup, declared_parameters
from dpviz.charts import percent_upper_bound, shorten_text, upper_bound_text
from dpviz.export.decision.drawings import costs_svg, people_svg
from dpviz.export.decision.release_code import release_code
from dpviz.export.document import render_document
from dpviz.pages.decide import sentences
from dpviz.studies.decision import Decision
from dpviz.studies.decision.publisher_details import (
    SIGNED,
    PublisherDetails,
    read_publisher_details,
    without_publisher_details,
)

_MOST_DESIGNS, _BESIDE_DESIGNS = (
    5,
    3,
)  # rows of the table of needs: two decisions leave less room on the page
_ALONE = ("Their total by each way",)  # what two decisions leave no room for
_LONG = 120  # characters of a name that a person gave


def _published(decision: Decision) -> str:
    contents = sentences.list_contents_phrase(decision.question, decision.d)
    return (
        f"{shorten_text(decision.question.name, _LONG) or 'a list'}: {contents[0].lower()}"
        f"{contents[1:]}; {sentences.release_count_phrase(decision)}"
    )


_Field = tuple[str, Callable[[Decision], str]]
_PLAIN: tuple[_Field, ...] = (
    ("Published", _published),
    ("Who is protected", sentences.protection_sentence),
    ("What may be lost", lambda d: sentences.accepted_cost_phrase(d.question)),
    ("How good it must be", sentences.goal_sentence),
    ("If the data differ", sentences.drift_sentence),
    (
        "Decided on",
        lambda d: f"{shorten_text(sentences.data_label(d), _LONG)}: {d.question.data_origin}",
    ),
    ("Not covered", sentences.uncovered_risks),
)
_TECHNICAL: tuple[_Field, ...] = (
    ("Total of all releases", sentences.smallest_total_phrase),
    ("Their total by each way", sentences.totals_phrase),
    ("Mechanism", lambda d: f"{d.chosen_plan_with_curves.label}. {sentences.mechanism_reason(d)}"),
    (
        "ε of one release",
        lambda d: (
            f"{sentences.format_parameter(d.epsilon)} (smallest for the goal:"
            f" {sentences.format_smallest_epsilon(d.chosen_plan_with_curves.smallest)});"
            f" δ = {upper_bound_text(d.mechanism.delta_spent)}"
        ),
    ),
    ("ρ of one release", sentences.rho_phrase),
    ("Unit of privacy", lambda d: d.question.unit),
    (
        "Neighbouring data",
        lambda d: (
            f"{sentences.neighbouring_relation(d)}; one counts in {sentences.contribution_limit(d)}"
        ),
    ),
    ("Utility", sentences.goal_chance_sentence),
)


def versions() -> dict[str, str]:
    ours = {"dpviz": dpviz.__version__, "python": platform.python_version()}
    return ours | {name: version(name) for name in ("numpy", "scipy")}


def decision_sheet(decision: Decision, *, date: Date, beside: Decision | None = None) -> str:
    """The sheet of a decision as one HTML page; `beside` is another to stand next to it.

    >>> from dpviz.studies.decision import Question, decide
    >>> from dpviz.studies.data_spec import DataSpec
    >>> decision = decide(Question(k=2, data=DataSpec(name="class_trip")))
    >>> page = decision_sheet(decision, date=Date(2026, 5, 4))
    >>> "Decision sheet" in page, "<script" in page
    (True, False)
    """
    title = f"Decision sheet: {shorten_text(decision.question.name, 80) or 'a private list'}"
    columns = {"": decision} if beside is None else {"A: ": decision, "B: ": beside}
    return render_document(
        "sheet",
        title=title,
        stamp=_stamp(decision, date),
        headlines=[letter + sentences.answer_sentence(each) for letter, each in columns.items()],
        plans=[letter + sentences.plan_sentence(each) for letter, each in columns.items()],
        beside=beside is not None,
        plain=_rows(_PLAIN, columns.values()),
        technical=_rows(
            [field for field in _TECHNICAL if beside is None or field[0] not in _ALONE],
            columns.values(),
        ),
        curves=costs_svg(decision, beside),
        unit=decision.question.unit,
        people=[pair for letter, each in columns.items() for pair in _guessers(each, letter)],
        belief=sentences.belief_sentence(decision),
        **_needs(decision, _MOST_DESIGNS if beside is None else _BESIDE_DESIGNS),
        misses=sentences.miss_sentences_without_chances(decision),
        everyone=sentences.full_participation_sentence(decision),
        helps=sentences.help_sentences(decision) if beside is None else (),
        caps=sentences.cap_sentences(decision) if beside is None else (),
        assumptions=_assumptions(decision, beside),
        particulars=_detail_rows(decision, signed=False),
        signed=_detail_rows(decision, signed=True),
        code=release_code(decision),
        link="?" + urlencode(without_publisher_details(decision.scenario).to_query()),
    )


def _detail_rows(decision: Decision, *, signed: bool) -> list[tuple[str, str]]:
    """Each field of the sheet with its answer, or each role with the name above its line."""
    said = asdict(read_publisher_details(decision.scenario))
    most, otherwise = (30, "") if signed else (90, "not answered")  # characters
    return [
        (p.label, shorten_text(said[p.name], most) or otherwise)
        for p in declared_parameters(PublisherDetails)
        if (p.name in SIGNED) is signed
    ]


def _stamp(decision: Decision, date: Date) -> str:
    made_with = ", ".join(f"{name} {number}" for name, number in versions().items())
    digest = f" SHA-256 of the data: {decision.digest}." if decision.digest else ""
    return f"{date.day} {date:%B %Y}. Computed with {made_with}.{digest}"


def _rows(fields: Iterable[_Field], decisions: Collection[Decision]) -> list[tuple[str, list[str]]]:
    return [(name, [field(each) for each in decisions]) for name, field in fields]


def _guessers(decision: Decision, letter: str) -> list[tuple[Markup, str]]:
    """Picture and sentence of the attackers who guess right, after one release and after all."""
    bounds = sentences.guess_bounds(decision.question, decision.one, decision.cost)
    told = [
        (guess, sentences.guess_sentence(guess, letter + after if letter else after.capitalize()))
        for guess, after in bounds
    ]
    return [
        (people_svg(percent_upper_bound(guess), sentence), sentence) for guess, sentence in told
    ]


def _needs(decision: Decision, most: int) -> dict[str, list[Any]]:
    """(taken or not, name, cells, reason) of the plan taken and the cheapest; others in brief."""
    every = sorted(
        sentences.need_rows(decision),
        key=lambda row: row[1] is not decision.chosen_plan_with_curves,
    )
    most -= len(every) > most  # the others take a row
    rows = sorted(every[:most], key=lambda row: row[1].sort_key(decision.question))
    return {
        "needs": [
            (need is decision.chosen_plan_with_curves, need.label, cells, need.reason)
            for _, need, cells in rows
        ],
        "other_needs": [
            f"{need.label}: {need.reason or f'{cells[0]}, {cells[-1]} each'}"
            for _, need, cells in every[most:]
        ],
    }


def _assumptions(decision: Decision, beside: Decision | None) -> tuple[str, ...]:
    first = sentences.assumptions(decision)
    second = () if beside is None else sentences.assumptions(beside)
    return first + tuple(f"B: {each}" for each in second if each not in first)

"""The decision sheet: one HTML file that explains itself and prints on two A4 pages.

First page: what was decided, in words and fields, the curve and the odds. Second page: what other mechanisms need, a
likely miss, what it rests on, the code of the release, the scenario, and lines to sign.
Invariants: no script, nothing fetched, every text escaped; never a score, never a seed; the date is the caller's.
"""

import platform
from collections.abc import Callable
from datetime import date as Date
from importlib.metadata import version
from urllib.parse import urlencode

import dpviz
from dpviz.base import Markup
from dpviz.charts import at_most_of_100, trimmed
from dpviz.reports.decision.drawings import curves_svg, people_svg
from dpviz.reports.decision.particulars import said_of, signed_by
from dpviz.reports.decision.release_code import release_code
from dpviz.reports.document import document
from dpviz.studies.decision import Decision
from dpviz.studies.decision.particulars import without_particulars
from dpviz.views.decide import words

_MOST_DESIGNS, _BESIDE_DESIGNS = 8, 4  # in the table of needs: two decisions leave less room on the page
_ALONE = ("Their total by each way", "Accepted", "Holds on")  # what two decisions leave no room for
_LONG = 120  # characters of a name that a person gave

_FIELDS: tuple[tuple[str, Callable[[Decision], str]], ...] = (
    (
        "Published",
        lambda d: f"{trimmed(d.question.name, _LONG) or 'a list'}: the {d.question.k:,} best of {d.d:,} items",
    ),
    ("Total of all releases", words.smallest_total),
    ("Accepted", lambda d: words.accepted(d.question)),
    ("Goal", words.goal_sentence),
    ("Holds on", lambda d: f"data as different as was said: {words.different(d.question)}. {words.drift_sentence(d)}"),
    ("Mechanism", lambda d: f"{d.need.label}. {words.why(d)}"),
    (
        "ε of one release",
        lambda d: f"{words.number(d.epsilon)} (smallest for the goal: {words.least(d.need.smallest)})",
    ),
    ("δ of one release", lambda d: "0"),
    ("ρ of one release", words.rho),
    ("Unit of privacy", lambda d: d.question.unit),
    ("Neighbouring data", words.neighbours),
    ("Contributions", lambda d: f"one {d.question.unit} counts in {words.contributions(d)}"),
    ("Releases", words.releases),
    ("Their total by each way", words.total),
    ("Utility", words.utility),
    ("Decided on", lambda d: f"{trimmed(words.data_name(d), _LONG)}: {d.question.where_from}"),
)


def versions() -> dict[str, str]:
    """The versions that the figures come from."""
    ours = {"dpviz": dpviz.__version__, "python": platform.python_version()}
    return ours | {name: version(name) for name in ("numpy", "scipy")}


def decision_sheet(decision: Decision, *, date: Date, beside: Decision | None = None) -> str:
    """The sheet of a decision as one HTML page; `beside` is another to stand next to it.

    >>> from dpviz.studies.decision import Question, decide
    >>> from dpviz.studies.data_spec import DataSpec
    >>> page = decision_sheet(decide(Question(k=2, data=DataSpec(name="class_trip"))), date=Date(2026, 5, 4))
    >>> "Decision sheet" in page, "<script" in page
    (True, False)
    """
    title = f"Decision sheet: {trimmed(decision.question.name, 80) or 'a private list'}"
    columns = {"": decision} if beside is None else {"A: ": decision, "B: ": beside}
    return document(
        "sheet",
        title=title,
        stamp=_stamp(decision, date),
        headlines=[letter + words.verdict(each) for letter, each in columns.items()],
        plans=[letter + words.headline(each) for letter, each in columns.items()],
        beside=beside is not None,
        fields=[
            (name, [field(each) for each in columns.values()])
            for name, field in _FIELDS
            if beside is None or name not in _ALONE
        ],
        curves=curves_svg(decision, beside),
        turns=_turns(decision),
        unit=decision.question.unit,
        people=[pair for letter, each in columns.items() for pair in _guessers(each, letter)],
        belief=words.belief_sentence(decision),
        needs=_needs(decision, _MOST_DESIGNS if beside is None else _BESIDE_DESIGNS),
        method=decision.misses.method,
        misses=words.miss_sentences(decision),
        everyone=words.everyone(decision),
        helps=words.help_sentences(decision) if beside is None else (),
        assumptions=_assumptions(decision, beside),
        particulars=said_of(decision),
        signed=signed_by(decision),
        code=release_code(decision),
        link="?" + urlencode(without_particulars(decision.scenario).to_query()),
    )


def _stamp(decision: Decision, date: Date) -> str:
    made_with = ", ".join(f"{name} {number}" for name, number in versions().items())
    digest = f" SHA-256 of the data: {decision.digest}." if decision.digest else ""
    return f"{date.day} {date:%B %Y}. Computed with {made_with}.{digest}"


def _turns(decision: Decision) -> str:
    shape = decision.need.shape
    turns = f"Doubling ε buys most around {words.number(shape.turning)} ({100 * shape.gain:.0f} points of chance)"
    return turns + (f", and less than one point from {words.number(shape.levels_off)} on." if shape.levels_off else ".")


def _guessers(decision: Decision, letter: str) -> list[tuple[Markup, str]]:
    """After one release and after all: the picture of those who guess right, and the sentence for it."""
    pictures = []
    for guess, after in words.guesses(decision.question, decision.one, decision.cost):
        sentence = words.guess_sentence(guess, f"{letter}{after}" if letter else after.capitalize())
        pictures.append((people_svg(at_most_of_100(guess), sentence), sentence))
    return pictures


def _needs(decision: Decision, most: int) -> list[tuple[bool, list[str]]]:
    """Whether it is the one taken, and its cells, for the mechanisms with the smallest totals and the one taken."""
    kept = sorted(words.needs(decision), key=lambda row: row[1] is not decision.need)[:most]
    rows = sorted(kept, key=lambda row: words.need_order(row[1]))
    return [(need is decision.need, [need.label, *cells]) for _, need, cells in rows]


def _assumptions(decision: Decision, beside: Decision | None) -> tuple[str, ...]:
    first = words.assumptions(decision)
    second = () if beside is None else words.assumptions(beside)
    return first + tuple(f"B: {each}" for each in second if each not in first)

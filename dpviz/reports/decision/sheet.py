"""The decision sheet: one HTML file that explains itself and prints on two A4 pages.

First page: what was decided, in words and fields, the curve and the odds. Second page: what other mechanisms need, a
likely miss, what it rests on, the code of the release, the scenario, and lines to sign.
Invariants: no script, nothing fetched, every text escaped; never a score, never a seed; the date is the caller's.
"""

import html
import platform
from collections.abc import Callable, Iterable, Sequence
from datetime import date as Date
from importlib.metadata import version
from importlib.resources import files
from urllib.parse import urlencode

import dpviz
from dpviz.charts.words import trimmed
from dpviz.reports.decision import words
from dpviz.reports.decision.drawings import curves_svg, people_svg
from dpviz.reports.decision.release_code import release_code
from dpviz.studies.decision import DECIDED_ON, Decision

__all__ = ["decision_sheet", "versions"]

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_MOST_DESIGNS, _BESIDE_DESIGNS = 8, 4  # in the table of needs: two decisions leave less room on the page
_LONG = 120  # characters of a name that a person gave

_FIELDS: tuple[tuple[str, Callable[[Decision], str]], ...] = (
    (
        "Published",
        lambda d: f"{trimmed(d.question.name, _LONG) or 'a list'}: the {d.question.k:,} best of {d.d:,} items",
    ),
    ("Goal", words.goal_sentence),
    ("Mechanism", lambda d: f"{d.need.label}. {words.why(d)}"),
    (
        "ε of one release",
        lambda d: f"{words.number(d.epsilon)} (smallest for the goal: {words.least(d.need.epsilon)})",
    ),
    ("δ of one release", lambda d: "0"),
    ("ρ of one release", words.rho),
    ("Unit of privacy", lambda d: d.question.unit),
    ("Neighbouring data", words.neighbours),
    ("Contributions", lambda d: f"one {d.question.unit} counts in {words.contributions(d)}"),
    ("Releases", words.releases),
    ("Their total", words.total),
    ("Utility", words.utility),
    ("Decided on", lambda d: f"{trimmed(words.data_name(d), _LONG)}: {DECIDED_ON[str(d.question.decided_on)]}"),
)


def versions() -> dict[str, str]:
    """The versions that the figures come from."""
    told = {"dpviz": dpviz.__version__, "python": platform.python_version()}
    return told | {name: version(name) for name in ("numpy", "scipy")}


def decision_sheet(decision: Decision, *, date: Date, beside: Decision | None = None) -> str:
    """The sheet of a decision as one HTML page; `beside` is another to stand next to it.

    >>> from dpviz.studies.decision import Question, decide
    >>> from dpviz.studies.data_spec import DataSpec
    >>> page = decision_sheet(decide(Question(k=2, data=DataSpec(name="class_trip"))), date=Date(2026, 5, 4))
    >>> "Decision sheet" in page, "<script" in page
    (True, False)
    """
    title = f"Decision sheet: {trimmed(decision.question.name, 80) or 'a private list'}"
    style = files("dpviz.reports.decision").joinpath("sheet.css").read_text(encoding="utf-8")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light">'
        f"<title>{html.escape(title)}</title><style>{style}</style></head><body><main>"
        f"<header><h1>{html.escape(title)}</h1>{_text(_stamp(decision, date), 'stamp')}"
        f"{_headlines(decision, beside)}</header>"
        f"<section>{_fields(decision, beside)}{_pictures(decision, beside)}{_needs(decision, beside)}</section>"
        f'<section class="second"><div class="columns"><div>{_misses(decision)}</div><div>{_caps(decision)}</div></div>'
        f"{_assumptions(decision, beside)}{_signatures()}{_code(decision, beside)}{_scenario(decision)}</section>"
        "</main></body></html>\n"
    )


def _text(text: str, kind: str = "") -> str:
    return f'<p class="{kind}">{html.escape(text)}</p>' if kind else f"<p>{html.escape(text)}</p>"


def _bullets(items: Iterable[str]) -> str:
    return "<ul>" + "".join(f"<li>{html.escape(item)}</li>" for item in items) + "</ul>"


def _stamp(decision: Decision, date: Date) -> str:
    told = ", ".join(f"{name} {number}" for name, number in versions().items())
    digest = f" SHA-256 of the data: {decision.digest}." if decision.digest else ""
    return f"{date.day} {date:%B %Y}. Computed with {told}.{digest}"


def _headlines(decision: Decision, beside: Decision | None) -> str:
    if beside is None:
        return _text(words.headline(decision), "headline")
    return "".join(
        _text(f"{letter}: {words.headline(each)}", "headline") for letter, each in (("A", decision), ("B", beside))
    )


def _fields(decision: Decision, beside: Decision | None) -> str:
    """The fields as a table, a column a decision; what is the same in both is said once."""
    columns = [decision] if beside is None else [decision, beside]
    head = ""
    if beside is not None:
        head = '<thead><tr><td></td><th scope="col">A</th><th scope="col">B</th></tr></thead>'
    rows = []
    for name, told in _FIELDS:
        cells = [told(each) for each in columns]
        same = len(cells) == 2 and cells[0] == cells[1]
        shown = (
            [f'<td colspan="2">{html.escape(cells[0])}</td>'] if same else [f"<td>{html.escape(c)}</td>" for c in cells]
        )
        rows.append(f'<tr><th scope="row">{html.escape(name)}</th>{"".join(shown)}</tr>')
    return f'<table class="fields">{head}<tbody>{"".join(rows)}</tbody></table>'


def _pictures(decision: Decision, beside: Decision | None) -> str:
    shape = decision.need.shape
    turns = f"Doubling ε buys most around {words.number(shape.turning)} ({100 * shape.gain:.0f} points of chance)" + (
        f", and less than one point from {words.number(shape.levels_off)} on." if shape.levels_off else "."
    )
    which = "" if beside is None else " (A)"
    curves = f"{curves_svg(decision, beside)}{_text(turns)}"
    curve = f"<figure><figcaption>How good against ε{which}</figcaption>{curves}</figure>"
    arrays = []
    for each, letter in ((decision, "A"), (beside, "B")):
        if each is None:
            continue
        own = "" if beside is None else f"{letter}: "
        every = [(each.odds.guess, f"{own}after one release")]
        if each.question.releases > 1:
            every.append((each.total_odds.guess, f"{own}after all {each.question.releases:,}"))
        for guess, after in every:
            told = words.guess_sentence(guess, after[0].upper() + after[1:])
            arrays.append(f"<div>{people_svg(words.at_most_of_100(guess), told)}{_text(told)}</div>")
    people = (
        f"<figure><figcaption>Who can tell that one {html.escape(decision.question.unit)} is in the data</figcaption>"
    )
    people += f'<div class="people">{"".join(arrays)}</div>{_text(words.belief_sentence(decision))}</figure>'
    return f'<div class="columns">{curve}{people}</div>'


def _needs(decision: Decision, beside: Decision | None) -> str:
    """The mechanisms with the smallest ε; the one taken is always among them."""
    most = _MOST_DESIGNS if beside is None else _BESIDE_DESIGNS
    ordered = sorted(decision.needs, key=lambda need: (need is not decision.need, need.epsilon))[:most]
    rows = []
    for need in sorted(ordered, key=lambda need: need.epsilon):
        taken = " class=taken" if need is decision.need else ""
        cells = [
            need.label,
            words.least(need.epsilon),
            f"{need.multiple:.2f}×" if need.reason == "" else "",
            words.number(need.shape.turning),
            words.number(need.shape.levels_off) if need.shape.levels_off else "",
            need.method,
        ]
        rows.append(f"<tr{taken}>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>")
    head = "".join(
        f'<th scope="col">{name}</th>'
        for name in ("Mechanism", "Smallest ε", "of the best", "turns at", "levels off at", "law")
    )
    table = f'<table class="needs"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
    return f'<h2>What each mechanism needs for the goal</h2><div class="wide">{table}</div>'


def _misses(decision: Decision) -> str:
    method = f" ({decision.misses.method})"
    return f"<h2>What a miss looks like{method}</h2>{_bullets(words.miss_sentences(decision))}"


def _caps(decision: Decision) -> str:
    told = words.cap_sentences(decision)
    return f"<h2>What a cap would save, with the same scores</h2>{_bullets(told)}" if told else ""


def _assumptions(decision: Decision, beside: Decision | None) -> str:
    told = words.assumptions(decision)
    if beside is not None:
        told += tuple(f"B: {each}" for each in words.assumptions(beside) if each not in told)
    return f"<h2>What this rests on</h2>{_bullets(told)}"


def _code(decision: Decision, beside: Decision | None) -> str:
    code = release_code(decision)
    which = "" if beside is None else " of A"
    return f"<h2>The release{which}, with {code.tool}</h2><pre><code>{html.escape(code.text)}</code></pre>"


def _scenario(decision: Decision) -> str:
    link = urlencode(decision.scenario.to_query())
    return f'<h2>The scenario, without data</h2><p class="link">{html.escape("?" + link)}</p>'


def _signatures() -> str:
    roles: Sequence[str] = ("Decided by", "Data steward", "Published by")
    lines = "".join(f"<div><span></span>{role}, date</div>" for role in roles)
    return f'<h2>Who decides</h2><div class="sign">{lines}</div>'

"""The plan read from a decision sheet: from its JSON, its script, or the page with that script.

Invariants: a file's fault is one sentence; nothing of it is run; contradictions are refused.
"""

import ast
import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any, Final

from dpviz import __version__
from dpviz.base import check_flag, check_integer, check_number, check_text, first_code_block
from dpviz.data.reading import MAX_ITEMS
from dpviz.export.release.agreement import check_sheet_consistency
from dpviz.export.release.plan import MARK, REVIEW, ReleasePlan, decision_digest
from dpviz.export.release.refusal import Refusal
from dpviz.studies import Design

SCRIPT_NAME: Final = "SHEET"
"""The name of the plan in a script."""

_MOST = 10**9
_VERSIONS = (1, 2, 3, 4)  # what is read here is the same in all
_MAKE_ONE = "dpviz decide -o sheet.json makes one"


def read_sheet(name: str, content: bytes) -> ReleasePlan:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refusal(f"{name} is no decision sheet: {_MAKE_ONE}.") from None
    code = first_code_block(text)
    found = _of_json(text) or _of_script(text) if code is None else _of_script(code)
    if not isinstance(found, dict):
        raise Refusal(f"{name} is no decision sheet that can be read: {_MAKE_ONE}.")
    if "decision" in found:
        if found.get("dpviz") != "decision" or found.get("version") not in _VERSIONS:
            raise Refusal(f"{name} is a sheet of a version that dpviz {__version__} does not know.")
        said = _SheetPart("particulars", found.get("particulars", {})).content.get(REVIEW)
        plan = _plan({**_SheetPart("decision", found["decision"]).content, REVIEW: said})
        script = _of_script(str(found.get("release_code") or ""))
        check_sheet_consistency(found, plan, _plan(script) if isinstance(script, dict) else None)
        said = _SheetPart("sheet", found.get("sheet", {})).content.get("digest")  # in none of old
        if said not in (None, found_digest := decision_digest(found["decision"])):
            raise Refusal(
                f"The sheet's decision has the digest {found_digest[:12]}…, and the sheet says"
                f" {str(said)[:12]!r}. The decision was changed after the sheet was made."
            )
        return replace(plan, decision=said)
    if "dpviz" in found:
        raise Refusal(f"{name} is no decision sheet but another file of dpviz's: {_MAKE_ONE}.")
    return _plan(found)


def _of_json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _of_script(text: str) -> object:
    """The value assigned to `SHEET`; nothing is run."""
    try:
        statements = ast.parse(text).body
        for each in statements:
            if isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == SCRIPT_NAME:
                return ast.literal_eval(each.value)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return None


def _plan(content: object) -> ReleasePlan:
    whole = _SheetPart("decision", content)
    if whole.content.get("publish", True) is not True:
        raise Refusal(
            "The sheet says not to publish: a release needs a decision whose cost is accepted."
        )
    published, protected, mechanism = (
        whole.part(each) for each in ("published", "protected", "mechanism")
    )
    most = protected.get("contributions")
    known = protected.get("items_known")
    name, parameters = mechanism.get("name"), mechanism.part("parameters").content
    design = Design(mechanism=check_text("decision.mechanism.name", name), parameters=parameters)
    plan = ReleasePlan(
        name=check_text("decision.published.name", published.get("name") or ""),
        k=check_integer("decision.published.k", published.get("k"), low=1, high=MAX_ITEMS),
        releases=check_integer(
            "decision.published.releases", published.get("releases"), low=1, high=_MOST
        ),
        unit=check_text("decision.protected.unit_of_privacy", protected.get("unit_of_privacy")),
        sensitivity=check_number(
            "decision.protected.sensitivity", protected.get("sensitivity"), low=0.0, above=True
        ),
        monotonic=check_flag("decision.protected.monotonic", protected.get("monotonic")),
        contributions=None
        if most is None
        else check_integer("decision.protected.contributions", most, low=1, high=_MOST),
        items_known=None if known is None else check_flag("decision.protected.items_known", known),
        design=design,
        epsilon=check_number("decision.epsilon", whole.get("epsilon"), low=0.0, above=True),
        review_date=_day(whole.content.get(REVIEW)),
    )
    plan.mechanism  # noqa: B018 - which checks that it can be built
    mark = whole.content.get(MARK, plan.short_digest)  # older scripts have none
    if mark != plan.short_digest:
        raise Refusal(
            f"The sheet contradicts itself: its plan, with ε = {plan.epsilon!r} for one release,"
            f" has the digest {plan.short_digest}, and the sheet says {mark!r}. It was changed"
            " after it was made."
        )
    return plan


def _day(said: object) -> date | None:
    if said is None:
        return None
    try:
        return date.fromisoformat(str(said))
    except ValueError:
        raise Refusal("The sheet's review date must be a day, written as 2027-05-04.") from None


class _SheetPart:
    def __init__(self, place: str, content: object) -> None:
        if not isinstance(content, Mapping):
            raise Refusal(f"The sheet's {place} must be an object of names and values.")
        self.place, self.content = place, content

    def get(self, name: str) -> Any:
        if name not in self.content:
            raise Refusal(f"The sheet says no {self.place}.{name}.")
        return self.content[name]

    def part(self, name: str) -> "_SheetPart":
        return _SheetPart(f"{self.place}.{name}", self.get(name))

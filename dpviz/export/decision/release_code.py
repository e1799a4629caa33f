"""The Python script on a sheet that makes the release decided on, as the command `release` does.

It holds the plan and hands itself to that command, so one piece of code checks, records and draws.
Invariants: no seed and no score stands in a script; names cannot end the text they stand in.
"""

import textwrap
from dataclasses import dataclass
from typing import Final

from dpviz.base import render_template
from dpviz.charts import count_text, upper_bound_text
from dpviz.export.release import WHEEL_NAME, build_release_plan, select_tool
from dpviz.studies.decision import Decision

_WIDTH: Final = 63  # of a line, so that two columns of code fit the sheet


@dataclass(frozen=True)
class ReleaseCode:
    """A script ("" where the answer is not to publish), the tool that draws, a note on it."""

    text: str
    tool: str
    note: str


def release_code(decision: Decision) -> ReleaseCode:
    plan = build_release_plan(decision)
    tool = select_tool(plan.mechanism, plan.contributions)
    unit, most, m = _inert(plan.unit), plan.contributions, plan.mechanism
    if decision.do_not_publish:
        return ReleaseCode("", tool.name, tool.note)
    beside = f" and δ = {upper_bound_text(m.delta_spent)}" if m.delta_spent else ""
    spent = f"ε = {plan.epsilon!r}{beside} for one {unit}"
    many = f"{'at most ' if m.shorter else ''}{count_text(plan.k, 'item')}"
    items = "--items items.txt" if m.needs_names else ""
    limit = "" if most is None else f"--contributions {most}"
    text = render_template(
        __package__,
        "release.py.txt",
        makes=_wrapped(
            f"Makes one release of {_inert(plan.name) or 'the list'}: {many} with {spent}."
        ),
        install=f"pip install {WHEEL_NAME} {tool.pip_requirement}",
        count=f"dpviz count log.csv --person-column PERSON --item-column ITEM {items} {limit}",
        items=items,
        note=_wrapped(tool.note),
        sheet=_literal(plan.script_values),
    )
    return ReleaseCode(str(text), tool.name, tool.note)


def _inert(text: str) -> str:
    """The words, unable to end the string that they stand in."""
    return "".join(c if c.isprintable() and c not in "\\\"'" else " " for c in text)


def _literal(value: object, margin: str = "") -> str:
    """A value as Python reads it, an entry of a dict a line."""
    if not isinstance(value, dict):
        return repr(value)
    inner = margin + 4 * " "
    lines = [f"{inner}{name!r}: {_literal(entry, inner)},\n" for name, entry in value.items()]
    return f"{{\n{''.join(lines)}{margin}}}"


def _wrapped(text: str) -> str:
    return textwrap.fill(
        " ".join(text.split()), _WIDTH, break_long_words=False, break_on_hyphens=False
    )

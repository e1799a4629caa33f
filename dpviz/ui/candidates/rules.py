"""The rule that chooses, from the registry, with controls made of its declared parameters and its limit T.

Parameters of one name (γ) are one for all rules, so that rules are compared at the same γ.
"""

from collections.abc import Callable
from dataclasses import MISSING, fields
from typing import Any

import streamlit as st

from dpviz.base.errors import ParameterError
from dpviz.base.parameters import Parameter, check_integer, parameters
from dpviz.candidates import CANDIDATES, CandidateRule, limit_for_delta, limit_for_epsilon
from dpviz.candidates.worth import top_quantile
from dpviz.ui.candidates import tables
from dpviz.ui.candidates.pools import price
from dpviz.ui.candidates.run_price import PAGE
from dpviz.ui.shell.controls import heading, on, place
from dpviz.ui.shell.page_parameters import change, choose, log_pair, number_box, refused, value

__all__ = ["FIRST", "GAMMAS", "build", "draw", "first_threshold", "stop_of", "threshold"]

FIRST = "random_stopping"
THRESHOLD = 0.8
GAMMAS = (*(float(f"{m * 10.0**e:.3g}") for e in (-3, -2, -1) for m in (1, 1.5, 2, 3, 4, 5, 7)), 1.0)


def draw(view: str) -> None:
    """The sidebar's section on the rule, as far as the open view uses it."""
    if view == "leaks":
        heading("Random stopping")
        _control(next(declared for declared in parameters(CANDIDATES[FIRST]) if declared.name == "stop"), FIRST)
        return
    heading("Rule")
    names = [FIRST, *(name for name in CANDIDATES if name != FIRST)]
    held = choose("rule", "Rule", names, CANDIDATES.label, label_visibility="collapsed")
    for declared in parameters(CANDIDATES[held]):
        _control(declared, held)
    if _limited(held):
        _limit(held)
    heading("What counts as good")
    number_box(PAGE["share"], PAGE["share"].default, step=0.01)


def _control(declared: Parameter, rule: str) -> None:
    default = _default(declared)

    def check(given: object) -> Any:
        checked = declared.check(given)
        changes: dict[str, Any] = {declared.name: checked}
        build(rule, **changes)
        return checked

    if declared.name == "stop":
        log_pair(declared, default, ("more runs", "fewer runs"), GAMMAS, "γ, exactly", check)
    else:
        number_box(declared, default, check=check)


def _default(declared: Parameter) -> Any:
    return first_threshold() if declared.default is MISSING else declared.default


def first_threshold() -> float:
    """The threshold to begin with: for a table of one's own, one that a quarter of its runs reach."""
    held = tables.uploaded() if value("pool", "") == "uploaded" else None
    return THRESHOLD if held is None else top_quantile(held.pool, 0.25)


def _limited(name: str) -> bool:
    return any(item.name == "limit" for item in fields(CANDIDATES[name]))


def _own_limit(name: str) -> int | None:
    """The limit T that was set for this rule, if any."""
    return value(f"limit.{name}", 0, lambda given: check_integer("limit", given, low=0)) or None


def _limit(name: str) -> None:
    """A switch for a limit of one's own, and its box."""
    held = _own_limit(name)
    key = f"pc.limited.{name}"
    st.toggle(
        "Set the limit T",
        value=held is not None,
        key=place(key, held is not None),
        on_change=on(key, lambda wanted: _set_limit(name, _suggested(name) if wanted else None)),
        help="At most T runs, whatever the coin says. If not set: the smallest that the theorem allows, or "
        "none where it needs none.",
    )
    if held is not None:
        key = f"pc.limit.{name}"
        st.number_input(
            "Limit T, runs at most",
            value=held,
            step=1,
            key=place(key, held),
            on_change=on(key, lambda given: _set_limit(name, given)),
        )


def _suggested(name: str) -> int:
    """A limit that the theorem allows at this γ: the rule's own, else one that adds ε0 = 0.1 (or δ2 = 10⁻⁶)."""
    own = build(name, limit=None)
    given = getattr(own, "limit", None)
    if given:
        return int(given)
    stop = stop_of()
    return limit_for_delta(stop, 1e-6) if price()[1] else limit_for_epsilon(stop, 0.1)


def _set_limit(name: str, limit: int | None) -> None:
    """Set the limit unless the theorem forbids it: then it is told and nothing changes."""
    if limit is not None:
        try:
            build(name, limit=limit).total_epsilon(*price())
        except ParameterError as err:
            change()
            refused(err)
            return
    change(None, **{f"limit.{name}": limit})


def build(name: str, *, limit: int | bool | None = True, **changes: Any) -> CandidateRule:
    """The rule with the page's parameters, some changed; `limit` True means the one that was set.

    Raises `ParameterError` where they do not do for it.
    """
    given: dict[str, Any] = {}
    for declared in parameters(CANDIDATES[name]):
        checks: Callable[[object], Any] = declared.check
        given[declared.name] = value(declared.name, _default(declared), checks)
    if _limited(name):
        given["limit"] = _own_limit(name) if limit is True else limit
    return CANDIDATES[name](**{**given, **changes})


def stop_of() -> float:
    """The page's γ."""
    declared = next(p for p in parameters(CANDIDATES[FIRST]) if p.name == "stop")
    return float(value("stop", declared.default, declared.check))


def threshold() -> float:
    """The page's threshold τ."""
    declared = next(p for p in parameters(CANDIDATES["known_threshold"]) if p.name == "threshold")
    return float(value("threshold", first_threshold(), declared.check))

"""The rule that chooses, from the registry, with controls made of its declared parameters and its limit T.

Parameters of one name (γ) are one for all rules, so that rules are compared at the same γ.
"""

from functools import partial
from typing import Any

import streamlit as st

from dpviz.base.errors import ParameterError
from dpviz.candidates import CANDIDATES, CandidateRule, limit_for_delta, limit_for_epsilon
from dpviz.studies.pages.candidates import suited_threshold
from dpviz.ui.candidates import tables
from dpviz.ui.candidates.parameters import FIRST, LIMITS, PAGE, WHERE, of_rule
from dpviz.ui.candidates.pools import price
from dpviz.ui.shell import state
from dpviz.ui.shell.controls import bound, heading
from dpviz.ui.shell.explain import lines
from dpviz.ui.shell.page_parameters import PageParameters

__all__ = ["build", "draw", "draw_rule", "given", "stop_of", "threshold", "usual_threshold"]

GAMMAS = (*(float(f"{m * 10.0**e:.3g}") for e in (-3, -2, -1) for m in (1, 1.5, 2, 3, 4, 5, 7)), 1.0)


def draw(view: str) -> None:
    """The sidebar's section on the rule, as far as the open view uses it."""
    if view == "leaks":
        heading("Random stopping")
        _control(FIRST, "stop")
        return
    heading("Rule")
    draw_rule(PAGE.menu("rule", "Rule", CANDIDATES.label, label_visibility="collapsed"))
    heading("What counts as good")
    PAGE.number_box("share", step=0.01)


def draw_rule(rule: str) -> None:
    """The parameters of a rule, and its limit where it has one."""
    lines(CANDIDATES, rule)
    for name in given(rule).declared:
        _control(rule, name)
    if rule in LIMITS.declared:
        _limit(rule)


def _control(rule: str, name: str) -> None:
    def check(value: object) -> None:
        changes: dict[str, Any] = {name: value}
        build(rule, **changes)

    if name == "stop":
        given(rule).slider_and_box(name, "γ, exactly", GAMMAS, ("more runs", "fewer runs"), check)
    else:
        given(rule).number_box(name, check=check)


def usual_threshold() -> float:
    """Where a threshold begins: at one that a quarter of one's own uploaded runs reach."""
    own = tables.uploaded() if PAGE.read()[0].pool == "uploaded" else None
    return suited_threshold(None if own is None else own.pool)


def given(rule: str) -> PageParameters[CandidateRule]:
    """The page's parameters of a rule."""
    return of_rule(rule, usual_threshold())


def _own_limit(rule: str) -> int | None:
    """The limit T that was set for this rule, if any."""
    return LIMITS.values()[0][rule] or None


def _limit(rule: str) -> None:
    """A switch for a limit of one's own, and its box."""
    limit = _own_limit(rule)
    edit = partial(_set_limit, rule)
    st.toggle(
        "Set the limit T",
        value=limit is not None,
        help="At most T runs, whatever the coin says. If not set: the smallest that the theorem allows, or "
        "none where it needs none.",
        **bound(f"pc.limited.{rule}", limit is not None, lambda wanted: edit(_suggested(rule) if wanted else None)),
    )
    if limit is not None:
        st.number_input("Limit T, runs at most", value=limit, step=1, **bound(f"pc.limit.{rule}", limit, edit))


def _suggested(name: str) -> int:
    """A limit that the theorem allows at this γ: the rule's own, else one that adds ε0 = 0.1 (or δ2 = 10⁻⁶)."""
    own = getattr(build(name, limit=None), "limit", None)
    if own:
        return int(own)
    stop = stop_of()
    return limit_for_delta(stop, 1e-6) if price()[1] else limit_for_epsilon(stop, 0.1)


def _set_limit(name: str, limit: int | None) -> None:
    """Set the limit unless the theorem forbids it: then it is told and nothing changes."""
    if limit is not None:
        try:
            build(name, limit=limit).total_epsilon(*price())
        except ParameterError as err:
            state.forget()
            state.tell(WHERE, str(err))
            return
    LIMITS.change(**{name: limit})


def build(name: str, *, limit: int | bool | None = True, **changes: Any) -> CandidateRule:
    """The rule with the page's parameters, some changed; `limit` True means the one that was set.

    Raises `ParameterError` where they do not do for it.
    """
    values = given(name).values()[0]
    if name in LIMITS.declared:
        values["limit"] = _own_limit(name) if limit is True else limit
    return CANDIDATES[name](**{**values, **changes})


def stop_of() -> float:
    """The page's γ."""
    return float(given(FIRST).values()[0]["stop"])


def threshold() -> float:
    """The page's threshold τ."""
    return float(given("known_threshold").values()[0]["threshold"])

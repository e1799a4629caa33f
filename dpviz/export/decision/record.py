"""The decision sheet as JSON, for a registry or a script; `schema.json` documents it.

`deployment` has the names and nesting of the deployments registry of the OpenDP community; "unit of
privacy", "bounded" and "unbounded" are the words of NIST SP 800-226. What is spent is exact.
Invariants: never a score, a seed or the name of an item, as the chances of two named lists give the
gap between two scores away; of protected data nothing; what else follows from scores is rounded;
infinities are null, as is what the publisher has not said.
"""

import json
import math
import platform
from dataclasses import asdict
from datetime import date as Date
from typing import Any

import numpy as np
import scipy

import dpviz
from dpviz.export.decision.disclosure import (
    WITHHELD,
    disclosable_item_count,
    disclosable_list_phrase,
    disclosable_scenario,
    may_disclose_data_figures,
)
from dpviz.export.decision.first_page import verdict_without_epsilon
from dpviz.export.decision.release_code import release_code
from dpviz.export.release import decision_digest
from dpviz.pages.decide.sentences import basis, phrases, price, quality
from dpviz.privacy.composition_result import Total
from dpviz.studies.decision import (
    AttackerOdds,
    CapOutcome,
    Decision,
    PlanWithCurves,
    round_epsilon_up,
)
from dpviz.studies.decision.publisher_details import (
    SIGNED,
    PublisherDetails,
    read_publisher_details,
)

VERSION = 4
_CHANCE = 4  # decimals
_OF_DATA = (
    "smallest_epsilon",
    "turning_point",
    "levels_off",
    "drift",
    "lost_below",
    "utility",
    "caps",
)
"""Figures of a decision that follow from the scores."""


def versions() -> dict[str, str]:
    ours = {"dpviz": dpviz.__version__, "python": platform.python_version()}
    return ours | {"numpy": np.__version__, "scipy": scipy.__version__}


def sheet_number_and_digest(decision: Decision) -> dict[str, str]:
    """Number of a sheet, which is the beginning of the digest of its decision."""
    digest = decision_digest(_decision(decision))
    return {"number": digest[:12], "digest": digest}


def decision_json(decision: Decision, *, date: Date, beside: Decision | None = None) -> str:
    record = decision_record(decision, date=date, beside=beside)
    return json.dumps(record, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def decision_record(
    decision: Decision, *, date: Date, beside: Decision | None = None
) -> dict[str, Any]:
    """Everything that the sheet says."""
    code, said = release_code(decision), read_publisher_details(decision.scenario)
    return {
        "dpviz": "decision",
        "version": VERSION,
        "date": date.isoformat(),
        "versions": versions(),
        "sheet": sheet_number_and_digest(decision),
        "deployment": _deployment(decision, said, code.tool, code.note),
        "decision": _decision(decision),
        "beside": None if beside is None else _decision(beside),
        "release_code": code.text,
        "particulars": _details(said, signed=False),
        "signed": _details(said, signed=True),
    }


def _details(said: PublisherDetails, *, signed: bool) -> dict[str, str | None]:
    """Every answer, or every name of a signatory, null where there is none."""
    return {
        name: value or None for name, value in asdict(said).items() if (name in SIGNED) is signed
    }


def _deployment(decision: Decision, said: PublisherDetails, tool: str, note: str) -> dict[str, Any]:
    question, zcdp = decision.question, decision.mechanism.zcdp
    delta = decision.mechanism.delta_spent
    curators = [name.strip() for name in said.curators.split(";") if name.strip()]
    parameters = {"epsilon": decision.epsilon, "delta": delta} | (
        {} if zcdp is None else {"rho": zcdp}
    )
    return {
        "product": {
            "name": question.name or None,
            "data_curators": curators or None,
            "intended_use": said.purpose or None,
            "data_product_type": "Summary statistics",
            "data_product_region": said.region or None,
            "description": f"A list of {disclosable_list_phrase(decision)}, sorted by name.",
            "publication_date": said.publication_date or None,
        },
        "dp_flavor": {
            "name": "Approximate DP" if delta else "Pure DP",
            "input_metric": basis.neighbouring_relation_text(decision),
            "bound_on_input_distance": 1,
            "output_measure": "approximate max divergence" if delta else "max divergence",
            "bound_on_output_distance": decision.epsilon,
            "data_domain": said.data_domain or None,
            "unprotected_quantities": basis.known_items_sentence(decision),
        },
        "privacy_loss": {
            "privacy_unit": question.unit,
            "privacy_unit_description": decision.change,
            "privacy_parameters": parameters,
            "privacy_parameters_description": (
                f"Of one release. All {question.releases:,}: {price.composed_total_phrase(decision)}."
            ),
        },
        "model": {
            "model_name": "Central",
            "release_type": "Many releases" if question.releases > 1 else "One release",
            "release_type_description": phrases.release_count_phrase(decision),
            "access_type": "Non-interactive",
        },
        "accounting": {
            "post_processing": said.post_processing or None,
            "composition": price.totals_phrase(decision),
        },
        "implementation": {
            "pre_processing_eda_hyperparameter_tuning": (
                f"ε was decided on {phrases.data_label(decision)} ({question.data_origin}); one "
                f"{question.unit} counts in {basis.contribution_limit_phrase(question)}."
            ),
            "mechanisms": (
                f"{decision.chosen_plan_with_curves.label} ({decision.mechanism.key}), with"
                f" {tool}. {note}"
            ),
            "justification": (f"{quality.goal_sentence(decision)}. {_reason(decision)}"),
        },
    }


def _reason(decision: Decision) -> str:
    return (
        price.mechanism_reason(decision)
        if may_disclose_data_figures(decision)
        else f"The reason is {WITHHELD}."
    )


def _decision(decision: Decision) -> dict[str, Any]:
    """A decision; of protected data the plan and what follows from it alone."""
    told = _with_figures(decision)
    if may_disclose_data_figures(decision):
        return told
    told["decided_on"]["digest"] = None
    plain = {"mechanisms": [], "helps": [], "verdict": verdict_without_epsilon(decision)}
    return told | dict.fromkeys(_OF_DATA) | plain


def _with_figures(decision: Decision) -> dict[str, Any]:
    question, data, utility = decision.question, decision.question.data, decision.utility
    plan = decision.chosen_plan_with_curves
    return {
        "published": {
            "name": question.name or None,
            "k": question.k,
            "items": disclosable_item_count(decision),
            "releases": question.releases,
            "period": question.period or None,
        },
        "protected": {
            "unit_of_privacy": question.unit,
            "neighbours": basis.neighbouring_relation_text(decision),
            "monotonic": data.monotonic,
            "sensitivity": data.fall_plus_rise_sensitivity,
            "contributions": data.contributions,
            "items_known": data.items_known,
        },
        "decided_on": {
            "data": phrases.data_label(decision),
            "kind": question.decided_on,
            "digest": decision.digest,
        },
        "goal": {
            "text": question.goal_text,
            "event": question.parsed_goal.event,
            "at_least": question.parsed_goal.at_least,
            "probability": question.parsed_goal.probability,
        },
        "mechanism": {
            "label": plan.label,
            "name": plan.design.mechanism,
            "parameters": dict(plan.design.parameters),
            "why": _reason(decision),
        },
        "epsilon": decision.epsilon,
        "delta": decision.mechanism.delta_spent,
        "delta_of_all": question.delta,
        "rho": decision.mechanism.zcdp,
        "smallest_epsilon": None if plan.design.stated_scale else _up(plan.smallest),
        "turning_point": _up(plan.shape.turning),
        "levels_off": _up(plan.shape.levels_off),
        "total": _total(decision.total),
        "account": {
            "releases": decision.account.releases,
            "delta": decision.account.delta,
            "rho": decision.account.rho,
            "ways": {way.name: way.epsilon for way in decision.account.ways},
        },
        "accepted": {
            "most_right_of_100": question.most_right,
            "most_epsilon": question.most_epsilon,
            "fits": decision.is_within_limit,
        },
        "publish": not decision.do_not_publish,
        "verdict": price.answer_sentence(decision),
        "guess_at_most_after_one": decision.odds.guess,
        "guess_at_most_after_all": decision.cost.guess,
        "guess_at_most": decision.cost.guess,
        "everyone": None
        if decision.everyone is None
        else {"total": _total(decision.everyone.total), "guess_at_most": decision.everyone.guess},
        "data_may_be": {
            "smaller": question.smaller,
            "larger": question.larger,
            "periods": question.periods,
        },
        "drift": [
            {"factor": point.factor, "chance": _near(point.chance)} for point in decision.drift
        ],
        "lost_below": _up(decision.lost_below),
        "odds": _odds(decision.odds),
        "total_odds": _odds(decision.total_odds),
        "utility": {
            "chance": _near(utility.chance),
            "low": math.floor(utility.low * 10**_CHANCE) / 10**_CHANCE,
            "high": math.ceil(utility.high * 10**_CHANCE) / 10**_CHANCE,
            "method": utility.method,
            "draws": utility.draws,
            "hits": [_near(chance) for chance in utility.hits],
            "length": None
            if utility.length is None
            else [_near(chance) for chance in utility.length],
            "missed": float(f"{utility.missed:.2g}"),
            "drop_rate": _near(utility.drop_rate),
            "spurious_rate": _near(utility.spurious_rate),
        },
        "misses": None,
        "mechanisms": [_need(need) for need in decision.needs],
        "caps": None if decision.caps is None else [_cap(cap) for cap in decision.caps],
        "helps": list(price.suggestion_sentences(decision)),
        "assumptions": list(basis.assumptions(decision)),
        "scenario": json.loads(disclosable_scenario(decision).to_json()),
    }


def _cap(cap: CapOutcome) -> dict[str, Any]:
    return {
        "at_most": cap.most,
        "label": cap.label,
        "epsilon": cap.epsilon,
        "total": _total(cap.cost.total),
        "guess_at_most": cap.cost.guess,
        "same": cap.same,
    }


def _up(value: float | None) -> float | None:
    """An ε, or a factor, that follows from the scores: rounded up, as the page says it."""
    return round_epsilon_up(value) if value is not None and math.isfinite(value) else None


def _near(chance: float) -> float:
    return round(chance, _CHANCE)


def _total(total: Total | None) -> dict[str, Any] | None:
    return (
        None
        if total is None
        else {"epsilon": total.epsilon, "delta": total.delta, "way": total.way}
    )


def _odds(odds: AttackerOdds) -> dict[str, Any]:
    beliefs = [{"before": before, "at_most": after} for before, after in odds.beliefs]
    return {"epsilon": odds.epsilon, "guess_at_most": odds.guess, "beliefs": beliefs}


def _need(need: PlanWithCurves) -> dict[str, Any]:
    return {
        "label": need.label,
        "name": need.design.mechanism,
        "parameters": dict(need.design.parameters),
        "smallest_epsilon": None if need.design.stated_scale else _up(need.smallest),
        "total": _total(need.total),
        "guess_at_most": need.guess_bound,
        "multiple": need.multiple
        if need.multiple is not None and math.isfinite(need.multiple)
        else None,
        "turning_point": None if need.along is None else _up(need.shape.turning),
        "levels_off": None if need.along is None else _up(need.shape.levels_off),
        "method": need.method or None,
        "reason": need.reason or None,
    }

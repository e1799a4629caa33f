"""The plan on a decision sheet: all that is needed to make its releases, and nothing else.

Invariant: one plan has one digest, as JSON, as a script or as a page, so they share a record.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final

from dpviz.base import check_number
from dpviz.studies import Design
from dpviz.studies.decision import Decision
from dpviz.studies.decision.publisher_details import read_publisher_details
from dpviz.topk import TopKMechanism

REVIEW: Final = "review_date"
"""The review date in a script."""

MARK: Final = "digest"
"""The digest in a script."""

_MARKED = 16  # of its letters


@dataclass(frozen=True, kw_only=True)
class ReleasePlan:
    name: str
    k: int
    releases: int
    unit: str
    sensitivity: float
    monotonic: bool
    contributions: int | None
    items_known: bool | None
    design: Design
    epsilon: float
    review_date: date | None = None
    decision: str | None = field(default=None, compare=False)
    """Digest of the decision on a sheet that has one."""

    @property
    def mechanism(self) -> TopKMechanism:
        return self.design.build(self.epsilon, self.k)

    @property
    def script_values(self) -> dict[str, Any]:
        """The plan as a script has it, with its digest."""
        review = {} if self.review_date is None else {REVIEW: self.review_date.isoformat()}
        return self.plan_without_review_date | review | {MARK: self.short_digest}

    @property
    def plan_without_review_date(self) -> dict[str, Any]:
        """The plan but for the review date: a reviewed sheet is of the same releases."""
        return {
            "published": {"name": self.name or None, "k": self.k, "releases": self.releases},
            "protected": {
                "unit_of_privacy": self.unit,
                "monotonic": self.monotonic,
                "sensitivity": self.sensitivity,
                "contributions": self.contributions,
                "items_known": self.items_known,
            },
            "mechanism": {
                "name": self.design.mechanism,
                "parameters": dict(self.design.parameters),
            },
            "epsilon": self.epsilon,
        }

    @property
    def digest(self) -> str:
        text = json.dumps(
            self.plan_without_review_date, sort_keys=True, ensure_ascii=True, separators=(",", ":")
        )
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def short_digest(self) -> str:
        return self.digest[:_MARKED]


def decision_digest(decision: Mapping[str, Any]) -> str:
    """SHA-256 of a decision as JSON but for its scenario, whichever way its numbers are written."""
    told = {name: value for name, value in decision.items() if name != "scenario"}
    numbers = json.loads(json.dumps(told), parse_int=float)
    return hashlib.sha256(json.dumps(numbers, sort_keys=True).encode()).hexdigest()


def build_release_plan(decision: Decision) -> ReleasePlan:
    question, data = decision.question, decision.question.data
    said = read_publisher_details(decision.scenario).review_date
    return ReleasePlan(
        name=question.name,
        k=question.k,
        releases=question.releases,
        unit=question.unit,
        sensitivity=check_number("sensitivity", data.fall_plus_rise_sensitivity),
        monotonic=bool(data.monotonic),
        contributions=data.contributions,
        items_known=data.items_known,
        design=decision.chosen_plan_with_curves.design,
        epsilon=decision.epsilon,
        review_date=date.fromisoformat(said) if said else None,
    )

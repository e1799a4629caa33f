"""Answers that only the publisher has, for the sheet: page parameters that no figure depends on."""

from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from typing import Any, Final

from dpviz.base import ParameterError, declared_parameters, parameter
from dpviz.studies import DeclaredParameters, Scenario, check_text
from dpviz.studies.decision.decision import Decision

SIGNED: Final = ("decided_by", "data_steward", "published_by")
"""Those who sign, each with a line on the sheet."""


@dataclass(frozen=True, kw_only=True)
class PublisherDetails:
    purpose: str = parameter("", label="Purpose", help="What is it published for, and who uses it?")
    kept_by: str = parameter(
        "", label="Raw counts kept by", help="Who keeps the counts that the list is made from?"
    )
    deleted: str = parameter("", label="Raw counts deleted", help="Who deletes them, and when?")
    review_date: str = parameter(
        "", label="To be reviewed on", help="Until which day does this decision hold?"
    )
    curators: str = parameter(
        "",
        label="Data collected by",
        help="Which organisations hold the data? Semicolons between them.",
    )
    data_domain: str = parameter(
        "", label="Data domain", help="What is one record of the data, such as: a call?"
    )
    region: str = parameter("", label="Region", help="Which region is it about?")
    publication_date: str = parameter(
        "", label="Published on", help="On which day is it first published?"
    )
    post_processing: str = parameter(
        "", label="Post-processing", help="What is done with the list after it is drawn?"
    )
    sheet_version: str = parameter(
        "", label="Sheet version", help="Which version of the sheet is it? Empty: the first."
    )
    replaces: str = parameter(
        "", label="Replaces sheet", help="Which sheet does it replace? Its number and version."
    )
    decided_by: str = parameter("", label="Decided by", help="Who signs for the decision?")
    data_steward: str = parameter("", label="Data steward", help="Who signs for the data?")
    published_by: str = parameter("", label="Published by", help="Who signs for the publication?")


_LABELS = {p.name: p.label for p in declared_parameters(PublisherDetails)}


def _day(label: str, value: object) -> str:
    text = check_text(label, value)
    try:
        return date.fromisoformat(text).isoformat() if text else ""
    except ValueError:
        raise ParameterError(label, value, "a day, written as 2027-05-04") from None


_DAYS = ("review_date", "publication_date")
PARTICULARS: Final = DeclaredParameters(
    PublisherDetails,
    "sheet.",
    checks={
        name: partial(_day if name in _DAYS else check_text, label)
        for name, label in _LABELS.items()
    },
    by_label=True,
)


def read_publisher_details(scenario: Scenario) -> PublisherDetails:
    """The answers in a scenario; an unreadable one counts as open."""
    return PARTICULARS.read_settings(scenario.page)[0]


def with_publisher_details(decision: Decision, **said: Any) -> Decision:
    """The decision with these answers, by name and unchecked; "" removes one.

    >>> from dpviz.studies.decision import Question, decide
    >>> from dpviz.studies.data_spec import DataSpec
    >>> decision = with_publisher_details(decide(Question(k=2, data=DataSpec(name="class_trip"))), purpose="a poster")
    >>> read_publisher_details(decision.scenario).purpose, decision.scenario.page["sheet.purpose"]
    ('a poster', 'a poster')
    """
    checked = {
        PARTICULARS.prefix + name: PARTICULARS.check(name, value) for name, value in said.items()
    }
    page = {
        name: value
        for name, value in {**decision.scenario.page, **checked}.items()
        if name not in checked or value
    }
    return replace(decision, scenario=decision.scenario.replace(page=page))


def without_publisher_details(scenario: Scenario) -> Scenario:
    return scenario.replace(
        page={
            name: v for name, v in scenario.page.items() if name not in PARTICULARS.prefixed_names
        }
    )

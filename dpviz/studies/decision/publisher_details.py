"""Answers that only the publisher has, for the sheet: page parameters that no figure depends on."""

import re
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import partial
from typing import Any, Final

from dpviz.base import ParameterError, check_text, declared_parameters, parameter
from dpviz.studies import DeclaredParameters, Scenario
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
        "",
        label="To be reviewed on",
        help="Until which day does this decision hold, such as 31.12.2027?",
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
    """ISO form of a day in any usual form; of numbers alone the day comes before the month."""
    from dateutil.parser import parse  # noqa: PLC0415 - only a sheet's answers need it

    if not (text := check_text(label, value).strip()):
        return ""
    try:
        if text[:4].isdecimal():  # the year comes first
            return date.fromisoformat(re.sub("[./]", "-", text)).isoformat()
        # what the text lacks is filled in from two different days
        first, second = (
            parse(text, dayfirst=True, default=datetime(year, month, month)).date()  # noqa: DTZ001
            for year, month in ((2000, 1), (2001, 2))
        )
    except (ValueError, OverflowError):
        first, second = date.min, date.max
    if first != second:
        raise ParameterError(label, value, "a day, such as 31.12.2027 or 31 December 2027")
    return first.isoformat()


def day_in_words(day: str) -> str:
    """A day of ISO form in words, which are read as the same day.

    >>> day_in_words("2027-04-03"), day_in_words("")
    ('3 April 2027', '')
    """
    return f"{date.fromisoformat(day):%-d %B %Y}" if day else ""


DAYS: Final = ("review_date", "publication_date")
"""Answers that are days."""
PARTICULARS: Final = DeclaredParameters(
    PublisherDetails,
    "sheet.",
    checks={
        name: partial(_day if name in DAYS else check_text, label)
        for name, label in _LABELS.items()
    },
    by_label=True,
)


def read_publisher_details(scenario: Scenario) -> PublisherDetails:
    """The answers in a scenario; an unreadable one counts as open."""
    return PARTICULARS.read_settings(scenario.page)[0]


def with_publisher_details(decision: Decision, **said: Any) -> Decision:
    """The decision with these answers, by name and unchecked; "" removes one."""
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

"""The publisher's details as the sheet prints them and as its JSON has them."""

from dataclasses import asdict

from dpviz.base import declared_parameters
from dpviz.charts import shorten_text
from dpviz.studies.decision import Decision
from dpviz.studies.decision.publisher_details import (
    SIGNED,
    PublisherDetails,
    read_publisher_details,
)

OPEN = "not answered"
_LONG, _NAME = 90, 30  # characters on the sheet; its JSON has all


def detail_rows(decision: Decision, *, signed: bool) -> list[tuple[str, str]]:
    """Each field of the sheet with its answer, or each role with the name above its line."""
    said = asdict(read_publisher_details(decision.scenario))
    most, otherwise = (_NAME, "") if signed else (_LONG, OPEN)
    return [
        (p.label, shorten_text(said[p.name], most) or otherwise)
        for p in declared_parameters(PublisherDetails)
        if (p.name in SIGNED) is signed
    ]


def details_record(said: PublisherDetails, *, signed: bool) -> dict[str, str | None]:
    """Every answer, or every name of a signatory, null where there is none."""
    return {
        name: value or None for name, value in asdict(said).items() if (name in SIGNED) is signed
    }


def curators(said: PublisherDetails) -> list[str] | None:
    """The collectors of the data, as the registry lists them."""
    return [name.strip() for name in said.curators.split(";") if name.strip()] or None

"""The publisher's details as the sheet prints them and as its JSON has them."""

from dataclasses import asdict
from typing import Any

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


def particulars_rows(decision: Decision) -> list[tuple[str, str]]:
    """Each field of the sheet with its answer, without the signatures."""
    said = asdict(read_publisher_details(decision.scenario))
    return [
        (p.label, shorten_text(said[p.name], _LONG) or OPEN)
        for p in declared_parameters(PublisherDetails)
        if p.name not in SIGNED
    ]


def signature_rows(decision: Decision) -> list[tuple[str, str]]:
    """Each role with the name above its line, "" where it is to be written by hand."""
    said = asdict(read_publisher_details(decision.scenario))
    return [
        (p.label, shorten_text(said[p.name], _NAME))
        for p in declared_parameters(PublisherDetails)
        if p.name in SIGNED
    ]


def particulars_record(said: PublisherDetails) -> dict[str, str | None]:
    """Every answer but the names, null where there is none."""
    return {name: value or None for name, value in asdict(said).items() if name not in SIGNED}


def signatories_record(said: PublisherDetails) -> dict[str, str | None]:
    """The names of the signatories, null where none is said."""
    return {name: asdict(said)[name] or None for name in SIGNED}


def curators(said: PublisherDetails) -> list[str] | None:
    """The collectors of the data, as the registry lists them."""
    names: list[Any] = [name.strip() for name in said.curators.split(";") if name.strip()]
    return names or None

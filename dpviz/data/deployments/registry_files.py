"""Reading of deployments: our own files, a folder, a stranger's file, or a decision sheet's JSON.

A line in a file's list of mechanisms states a parameter: "noise: gaussian", "scale: 10",
"contributions: 10", "change: 30", "threshold: 90" or "names: known".
"""

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from dpviz.base import ParameterError, name_file_in_errors
from dpviz.base.text_format import fold_to_line
from dpviz.data.deployments.deployment import Deployment
from dpviz.data.reading.input_rules import IngestError, quote_value
from dpviz.data.reading.limited_reading import read_in_limited_process

LICENCE: Final = (
    "Facts of the Differential Privacy Deployments Registry of the OpenDP community, MIT licence,"
    " copyright 2025 OpenDP. The words are ours. Each entry names its sources."
)
ENDINGS: Final = (".yaml", ".yml", ".json")
_MOST_BYTES: Final = 1_000_000
_MOST_FILES: Final = 1_000
_LONGEST: Final = 600  # characters of a text
_ADDRESS: Final = re.compile(r"https?://[^\s<>\"']+")
_STATED: Final = re.compile(
    r"^\W*(noise|scale|contributions|change|threshold|names):\s*(\S+)\s*$", re.MULTILINE
)


@cache
def public_deployments() -> tuple[Deployment, ...]:
    """The deployments that come with dpviz, by name."""
    entries = files(__package__).iterdir()
    texts = {one.name: one.read_bytes() for one in entries if one.name.endswith(".yaml")}
    return tuple(sorted(map(read_deployment, texts, texts.values()), key=lambda one: one.name))


def read_deployment_folder(folder: Path | str) -> tuple[Deployment, ...]:
    """Every deployment in a person's folder, read as strangers' files are."""
    path = Path(folder)
    names = sorted(
        one for one in path.glob("*") if one.suffix.lower() in ENDINGS and one.stem != "schema"
    )
    if not 0 < len(names) <= _MOST_FILES:
        allowed = f"a folder with 1 to {_MOST_FILES:,} YAML or JSON files"
        raise ParameterError("--registry", str(folder), allowed)
    read = []
    for one in names:
        with name_file_in_errors(str(one)), one.open("rb") as file:
            read.append(read_deployment_upload(one.name, file.read(_MOST_BYTES + 1)))
    return tuple(read)


def read_deployment_upload(name: str, content: bytes) -> Deployment:
    """Deployment in a stranger's file, read in a limited process."""
    if len(content) > _MOST_BYTES:
        raise IngestError(f"{quote_value(name)} is larger than {_MOST_BYTES // 1_000_000} MB.")
    return read_in_limited_process(name, read_deployment, name, content)


def read_deployment(name: str, content: bytes) -> Deployment:
    """Deployment in a file's content: YAML of the registry's schema, or a decision sheet's JSON.

    >>> text = b"url_slug: a\\ndeployment: {basic: {name: A}, privacy_loss: {privacy_unit: user}}"
    >>> read_deployment("a.yaml", text).unit
    'user'
    """
    import yaml  # noqa: PLC0415 - needed here alone

    try:
        text = content.decode("utf-8-sig")
        told = json.loads(text) if text.lstrip()[:1] == "{" else yaml.safe_load(text)
    except (ValueError, RecursionError, yaml.YAMLError):
        raise IngestError(f"{quote_value(name)} cannot be read as YAML or JSON.") from None
    if not isinstance(told, Mapping) or not isinstance(told.get("deployment"), Mapping):
        raise IngestError(
            f"{quote_value(name)} is neither a deployment of the registry nor a decision sheet."
        )
    try:
        if told.get("dpviz") == "decision":
            return _from_decision(told)
        return _from_registry(name, told)
    except ParameterError as err:
        raise IngestError(f"{quote_value(name)} says what cannot be: {err}") from None


def _from_registry(name: str, told: Mapping[str, Any]) -> Deployment:
    whole, part = _Part(told), _Part(told["deployment"])
    basic, variant, loss = part.part("basic"), part.part("dp_variant"), part.part("privacy_loss")
    parameters, about = loss.part("privacy_parameters"), part.part("administrative")
    mechanisms = part.part("implementation").text("mechanisms") or ""
    stated = _Part(dict(_STATED.findall(mechanisms)))
    epsilon, delta = parameters.number("epsilon"), parameters.number("delta")
    formula = parameters.text("delta") if delta is None else None
    if epsilon is not None and variant.text("variant_name") == "Pure DP" and formula is None:
        delta = delta or 0.0
    items = stated.text("contributions") or ""
    return Deployment(
        slug=whole.line("url_slug") or Path(name).stem,
        name=basic.line("name") or Path(name).stem,
        curators=basic.lines("data_curators"),
        kind=basic.line("data_product_type"),
        date=basic.line("publication_date"),
        description=basic.line("description"),
        unprotected=variant.line("unprotected_quantities"),
        unit=loss.line("privacy_unit"),
        unit_details=loss.line("privacy_unit_details"),
        epsilon=epsilon,
        delta=delta,
        delta_text=formula,
        rho=parameters.number("rho"),
        details=loss.line("privacy_parameters_details"),
        model=part.part("deployment_model").line("model_name"),
        release_type=part.part("deployment_model").line("release_type"),
        mechanisms=_fold(mechanisms.replace("\n", "; ").replace("- ", "").rstrip("; ")),
        noise=stated.line("noise"),
        scale=stated.number("scale"),
        contributions=int(items) if items.isdecimal() else None,
        change=stated.number("change"),
        threshold=stated.number("threshold"),
        names_known={"known": True, "unknown": False}.get(stated.text("names") or ""),
        sources=tuple(_ADDRESS.findall(about.text("sources") or "")),
        notes=about.line("notes"),
    )


def _from_decision(told: Mapping[str, Any]) -> Deployment:
    """The plan of a decision sheet, by the total of all its lists."""
    whole, part, decision = _Part(told), _Part(told["deployment"]), _Part(told.get("decision"))
    total, published = decision.part("total"), decision.part("published")
    return Deployment(
        slug=f"sheet-{whole.part('sheet').line('number')}",
        name=published.line("name") or "The plan of a decision sheet",
        kind="Summary statistics",
        date=whole.line("date"),
        description=part.part("product").line("description"),
        unit=decision.part("protected").line("unit_of_privacy"),
        unit_details=published.line("period"),
        epsilon=total.number("epsilon"),
        delta=total.number("delta"),
        details=part.part("privacy_loss").line("privacy_parameters_description"),
        model="Central",
        release_type=part.part("model").line("release_type_description"),
        mechanisms=part.part("implementation").line("mechanisms"),
        guess=decision.number("guess_at_most"),
    )


class _Part:
    """A part of a file; what is missing or of another type is not stated."""

    def __init__(self, told: object) -> None:
        self._told = told if isinstance(told, Mapping) else {}

    def part(self, name: str) -> "_Part":
        return _Part(self._told.get(name))

    def text(self, name: str) -> str | None:
        told = self._told.get(name)
        return None if told is None or isinstance(told, Mapping | list) else str(told)

    def line(self, name: str) -> str | None:
        return _fold(self.text(name) or "")

    def lines(self, name: str) -> tuple[str, ...]:
        told = self._told.get(name)
        return tuple(filter(None, map(_fold, map(str, told if isinstance(told, list) else []))))

    def number(self, name: str) -> float | None:
        """A number, also in quotes; None for other text, and what is no number is refused later."""
        told = self._told.get(name)
        if not isinstance(told, str):
            return told
        with suppress(ValueError):
            return float(told)
        return None


def _fold(text: str) -> str | None:
    line = fold_to_line(text[: 4 * _LONGEST]).strip()
    return f"{line[:_LONGEST]}…" if len(line) > _LONGEST else line or None

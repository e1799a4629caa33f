"""Reading of deployments: our own files, a folder, a stranger's file, or a decision sheet's JSON.

A file keeps to the registry's schema. In its list of mechanisms a line such as "noise: gaussian",
"scale: 10", "contributions: 10", "change: 30", "threshold: 90" or "names: known" states a
parameter. A stranger's file is read in
a limited process, and what is wrong with it is one sentence.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from dpviz.base import ParameterError, name_file_in_errors
from dpviz.data.deployments.deployment import Deployment
from dpviz.data.reading.input_rules import IngestError, fold_to_line, quote_value
from dpviz.data.reading.limited_reading import read_safely

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
    """The deployments that come with dpviz, by name.

    >>> len(public_deployments()), public_deployments()[0].name
    (41, '2020 Census DHC')
    """
    entries = files(__package__).iterdir()
    texts = {one.name: one.read_bytes() for one in entries if one.name.endswith(".yaml")}
    found = (read_deployment(name, text) for name, text in texts.items())
    return tuple(sorted(found, key=lambda one: one.name))


def read_deployment_folder(folder: Path | str) -> tuple[Deployment, ...]:
    """Every deployment in a person's folder, read as strangers' files are."""
    path = Path(folder)
    if not path.is_dir():
        raise ParameterError("--registry", str(folder), "a folder with YAML or JSON files")
    names = sorted(one for one in path.iterdir() if one.suffix.lower() in ENDINGS)
    names = [one for one in names if one.stem != "schema"]
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
    return read_safely(name, read_deployment, name, content, own=True)


def read_deployment(name: str, content: bytes, *, own: bool = False) -> Deployment:
    """Deployment in a file's content.

    Parameters
    ----------
    name
        The file's name, which errors name.
    content
        YAML of the registry's schema, or a decision sheet's JSON.
    own
        Whether a person added it.

    Returns
    -------
    Deployment
        What the file states.

    Raises
    ------
    IngestError
        For any other file, in one sentence.

    Examples
    --------
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
            return _from_decision(told, own=own)
        return _from_registry(name, told, own=own)
    except ParameterError as err:
        raise IngestError(f"{quote_value(name)} says what cannot be: {err}") from None


def _from_registry(name: str, told: Mapping[str, Any], *, own: bool) -> Deployment:
    part = _Part(told["deployment"])
    basic, variant, loss = part.part("basic"), part.part("dp_variant"), part.part("privacy_loss")
    parameters, model = loss.part("privacy_parameters"), part.part("deployment_model")
    about = part.part("administrative")
    mechanisms = part.part("implementation").text("mechanisms", folded=False)
    stated = dict(_STATED.findall(mechanisms or ""))
    delta, formula = parameters.number("delta")
    epsilon, variant_name = parameters.stated_number("epsilon"), variant.text("variant_name")
    if epsilon is not None and variant_name == "Pure DP" and formula is None:
        delta = delta or 0.0
    return Deployment(
        slug=_Part(told).text("url_slug") or Path(name).stem,
        name=basic.text("name") or Path(name).stem,
        curators=tuple(filter(None, map(_line, basic.list("data_curators")))),
        kind=basic.text("data_product_type"),
        region=basic.text("data_product_region"),
        date=basic.text("publication_date"),
        use=basic.text("intended_use"),
        description=basic.text("description"),
        variant=variant_name,
        unprotected=variant.text("unprotected_quantities"),
        unit=loss.text("privacy_unit"),
        unit_details=loss.text("privacy_unit_details"),
        epsilon=epsilon,
        delta=delta,
        delta_text=formula,
        rho=parameters.stated_number("rho"),
        details=loss.text("privacy_parameters_details"),
        model=model.text("model_name"),
        release_type=model.text("release_type"),
        mechanisms="; ".join(
            line.strip("- ") for line in (mechanisms or "").splitlines() if line.strip("- ")
        )
        or None,
        noise=stated.get("noise"),
        scale=_number_of(stated.get("scale")),
        contributions=_whole_of(stated.get("contributions")),
        change=_number_of(stated.get("change")),
        threshold=_number_of(stated.get("threshold")),
        names_known={"known": True, "unknown": False}.get(stated.get("names", "")),
        sources=tuple(_ADDRESS.findall(about.text("sources", folded=False) or "")),
        notes=about.text("notes"),
        own=own,
    )


def _from_decision(told: Mapping[str, Any], *, own: bool) -> Deployment:
    """The plan of a decision sheet, by the total of all its lists."""
    part = _Part(told["deployment"])
    decision = _Part(told).part("decision")
    total, published = decision.part("total"), decision.part("published")
    sheet = _Part(told).part("sheet").text("number")
    return Deployment(
        slug=f"sheet-{sheet}" if sheet else "sheet",
        name=published.text("name") or "The plan of a decision sheet",
        kind="Summary statistics",
        date=_Part(told).text("date"),
        description=part.part("product").text("description"),
        unit=decision.part("protected").text("unit_of_privacy"),
        unit_details=published.text("period"),
        epsilon=total.stated_number("epsilon"),
        delta=total.stated_number("delta"),
        details=part.part("privacy_loss").text("privacy_parameters_description"),
        model="Central",
        release_type=part.part("model").text("release_type_description"),
        mechanisms=part.part("implementation").text("mechanisms"),
        guess=decision.stated_number("guess_at_most"),
        own=own,
    )


class _Part:
    """A part of a file; what is missing or of another type is not stated."""

    def __init__(self, told: object) -> None:
        self._told = told if isinstance(told, Mapping) else {}

    def part(self, name: str) -> "_Part":
        return _Part(self._told.get(name))

    def list(self, name: str) -> list[object]:
        told = self._told.get(name)
        return told if isinstance(told, list) else []

    def text(self, name: str, *, folded: bool = True) -> str | None:
        told = self._told.get(name)
        if told is None or isinstance(told, Mapping | list):
            return None
        text = str(told)[: 10 * _LONGEST]
        return _line(text) if folded else text

    def number(self, name: str) -> tuple[float | None, str | None]:
        """A number, or the text that stands in its place."""
        told = self._told.get(name)
        if isinstance(told, str):
            try:
                return float(told), None
            except ValueError:
                return None, _line(told)
        return told, None

    def stated_number(self, name: str) -> float | None:
        return self.number(name)[0]


def _line(told: object) -> str | None:
    text = fold_to_line(str(told)).strip()
    return f"{text[:_LONGEST]}…" if len(text) > _LONGEST else text or None


def _number_of(text: str | None) -> float | None:
    try:
        return None if text is None else float(text)
    except ValueError:
        return None


def _whole_of(text: str | None) -> int | None:
    return int(text) if text is not None and text.isdecimal() else None

"""Texts of a scenario: scalars as a link writes them, and a file's JSON once it is known to be a scenario's.

Invariants: `read(written(value)) == value` for texts, numbers, True and False; whatever a file holds, what is wrong
with it is told in one sentence.
"""

import json
from dataclasses import fields
from typing import Any

from dpviz.base.errors import ParameterError

__all__ = ["VERSION", "check_version", "keywords", "parsed", "read", "written"]

VERSION = 1


def parsed(text: str | bytes) -> dict[str, Any]:
    """The content of a scenario file, without what says that it is one."""
    allowed = "a scenario saved by dpviz (JSON)"
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as err:
        raise ParameterError("the file", "text that is not JSON", allowed) from err
    if not isinstance(content, dict) or content.pop("dpviz", None) != "scenario" or "version" not in content:
        raise ParameterError("the file", "JSON of another kind", allowed)
    return content


def keywords(what: str, content: object, cls: type) -> dict[str, Any]:
    """`content`, once its entries are known to be fields of `cls`."""
    known = {f.name for f in fields(cls)}
    if not isinstance(content, dict):
        raise ParameterError(what, content, "an object of names and values")
    for name in content:
        if name not in known:
            raise ParameterError(f"an entry of {what}", name, "one of " + ", ".join(sorted(known)))
    if isinstance(content.get("parameters", {}), dict):
        return content
    raise ParameterError(f"the parameters of {what}", content["parameters"], "an object of names and values")


def check_version(version: object) -> None:
    """Raise for a version that this one does not read."""
    if version != VERSION or isinstance(version, bool):
        raise ParameterError("the version of the scenario", version, f"{VERSION}")


def written(value: object) -> str:
    """A scalar for a link: texts bare, unless they would be read as something else."""
    if isinstance(value, str):
        return value if read(value) == value else json.dumps(value)
    return json.dumps(value)


def read(text: str) -> Any:
    """A scalar from a link: JSON where it is a JSON scalar, else the text itself."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return text if isinstance(value, dict | list) or value is None else value

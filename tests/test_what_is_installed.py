"""Modules that compute import only what is required: figures depend on nothing else."""

import re
import sys
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
COMPUTE = (
    *("base", "numerics", "topk", "gaps", "margin", "candidates", "privacy", "studies", "charts"),
    *("pages", "teaching"),
)
IMPORT = re.compile(r"^ *(?:from (?=\S+ import )|import (?=[\w., ]+(?:#|$)))(\w+)", re.MULTILINE)
ONLY_SENDS = {"cloudpickle": {"studies/executors.py"}}
"""What carries a task to another process, which computes the same there."""


def imported() -> dict[str, set[str]]:
    """Each package that the source imports, at the top of a module or in a function, and where."""
    found = dict[str, set[str]]()
    for path in (ROOT / "dpviz").rglob("*.py"):
        for name in IMPORT.findall(path.read_text(encoding="utf-8")):
            found.setdefault(name, set()).add(path.relative_to(ROOT / "dpviz").as_posix())
    return {
        name: where
        for name, where in found.items()
        if name not in {*sys.stdlib_module_names, "dpviz"}
    }


def required() -> set[str]:
    """What requirements.txt installs, with what that needs in turn."""
    text = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    left = [
        Requirement(line).name for line in text.splitlines() if line and not line.startswith("#")
    ]
    names = set[str]()
    while left:
        name = left.pop().lower().replace("_", "-")
        if name in names:
            continue
        names.add(name)
        lines = [Requirement(line) for line in metadata.requires(name) or []]
        left += [
            one.name for one in lines if one.marker is None or one.marker.evaluate({"extra": ""})
        ]
    return names


def optional() -> dict[str, set[str]]:
    """What the source imports beyond that."""
    of, there = metadata.packages_distributions(), required()
    return {
        name: where
        for name, where in imported().items()
        if not {each.lower().replace("_", "-") for each in of.get(name, ())} & there
    }


def test_what_computes_imports_nothing_that_may_be_missing() -> None:
    extra = optional()
    assert {"ibis", "opendp", "cloudpickle"} <= set(extra)
    in_the_way = {
        (name, place)
        for name, where in extra.items()
        for place in where - ONLY_SENDS.get(name, set())
        if place.startswith(COMPUTE)
    }
    assert in_the_way == set()

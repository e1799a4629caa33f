"""The library's docstrings say of every parameter what it is, of none that is not there, and what
comes back.

They are read as the site reads them, by Sphinx's napoleon.
"""

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import is_dataclass
from enum import Enum
from typing import Any

import pytest
from sphinx.ext.napoleon import NumpyDocstring

import dpviz
from assets.docs.parts.docstrings import SECTIONS
from dpviz.base.parameters import declared_parameters

MECHANISMS = (dpviz.TOP_K, dpviz.GAPS, dpviz.THRESHOLD, dpviz.TOP_ONE, dpviz.CANDIDATES)


def read(doc: str) -> str:
    return "\n".join(NumpyDocstring(inspect.cleandoc(doc), SECTIONS).lines())


def described(doc: str) -> dict[str, str]:
    fields = re.findall(r"^:param ([^:]+): *(.*(?:\n +.*)*)", read(doc), re.MULTILINE)
    return {name.strip("\\* "): text for names, text in fields for name in names.split(",")}


def taken(value: Any) -> list[str]:
    if inspect.isclass(value) and issubclass(value, Enum):  # which nobody calls
        return []
    try:
        found = inspect.signature(value).parameters
    except ValueError:  # an exception that takes what any takes
        return []
    return [name for name in found if name not in {"self", "cls"} and not name.startswith("_")]


def faults(value: Any) -> list[str]:
    """What a docstring lacks, or says of what is not there."""
    doc = inspect.getdoc(value) or ""
    said, names = described(doc), taken(value)
    told = [f"{name} is not described" for name in names if not said.get(name, "").strip()]
    told += [f"{name} is described, but not there" for name in said if name not in names]
    if inspect.isfunction(value) and inspect.signature(value).return_annotation is not None:
        told += (
            []
            if re.search(r"^:returns:|^:Yields:", read(doc), re.MULTILINE)
            else ["what comes back is not said"]
        )
    return told


def methods(cls: type) -> Iterator[tuple[str, Callable[..., Any]]]:
    for name in dir(cls):
        held = inspect.getattr_static(cls, name)
        function = getattr(held, "__func__", held)
        if not name.startswith("_") and inspect.isfunction(function) and function.__name__ == name:
            yield f"{cls.__name__}.{name}", function


def told_of() -> dict[str, Any]:
    """All that dpviz exports with its methods of two parameters or more, and mechanisms."""
    exported = {name: getattr(dpviz, name) for name in dpviz.__all__}
    exported = {
        name: value
        for name, value in exported.items()
        if inspect.isroutine(value) or inspect.isclass(value)
    }
    for cls in [value for value in exported.values() if inspect.isclass(value)]:
        exported |= {name: method for name, method in methods(cls) if len(taken(method)) > 1}
    exported |= {cls.__qualname__: cls for menu in MECHANISMS for cls in menu.values()}
    return exported


TOLD_OF = told_of()


@pytest.mark.parametrize("name", TOLD_OF)
def test_every_parameter_is_described_and_none_that_is_not_there(name: str) -> None:
    assert faults(TOLD_OF[name]) == []


def test_limits_and_choices_are_those_declared() -> None:
    for name in dpviz.__all__:
        cls = getattr(dpviz, name)
        for one in declared_parameters(cls) if is_dataclass(cls) else ():
            text = described(cls.__doc__)[one.name]
            said = [
                *(one.choices or ()),
                *([] if one.low is None else [f"{one.low:g}".replace("-", "−")]),
            ]
            missing = [
                word for word in said if not re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text)
            ]
            assert missing == [], (name, one.name)

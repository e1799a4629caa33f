"""Docstrings as autodoc hands them over: plain text with `code` in backticks and examples becomes reStructuredText.

What would be taken for markup is escaped, a public name in backticks becomes a link, a block that is set in keeps its
lines. A menu brings the table of its entries, a class with declared parameters what may be given for each.
"""

import dataclasses
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from textwrap import dedent
from types import FunctionType
from typing import Any, Protocol

from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer

import dpviz
from assets.docs.parts.names import LISTED, public
from dpviz.base.parameters import Parameter, parameters
from dpviz.base.registry import Registry

__all__ = ["restructured", "setup"]

_CODE = re.compile(r"``?([^`]+)``?")
_MARKUP = re.compile(r"[\\*_|]")


def restructured(text: str) -> str:
    """A docstring as reStructuredText.

    >>> print(restructured("The x_i^`k` of `Scores`."))
    The x\\_i^\\ ``k``\\  of \\ :py:obj:`Scores <dpviz.Scores>`\\ .
    """
    out: list[str] = []
    for block in re.split(r"\n{2,}", text):
        said, example, ran = dedent(block).partition(">>> ")
        if block.startswith("    ") and not example:
            out.append(f"::\n\n{block}")
        else:
            out += [part for part in (_prose(said.rstrip()), example + ran) if part]
    return "\n\n".join(out)


def _prose(text: str) -> str:
    parts, last = [], 0
    for code in _CODE.finditer(text):
        parts += [_escaped(text[last : code.start()]), _linked(code[1])]
        last = code.end()
    return "\\ ".join([*parts, _escaped(text[last:])])  # which ends and begins code wherever it stands, and is not seen


def _escaped(text: str) -> str:
    return re.sub(r"^(\s*)\\\*(?= \S)", r"\1*", _MARKUP.sub(r"\\\g<0>", text), flags=re.MULTILINE)


def _linked(code: str) -> str:
    full = _homes().get(code.removesuffix("(...)"))
    return f":py:obj:`{code} <{full}>`" if full else f"``{code}``"


@cache
def _homes() -> Mapping[str, str]:
    """Full names by what a docstring calls them: the whole name, the name where `dpviz` exports it, or where there is
    but one and it is no plain word, which would as well be a module or an argument."""
    names = Counter(one.name for one in public().values())
    alone = {one.name: one.full for one in public().values() if names[one.name] == 1 and not one.name.isalpha()}
    classes = {one.name: one.full for one in public().values() if names[one.name] == 1 and not one.name.islower()}
    return alone | classes | {name: f"dpviz.{name}" for name in dpviz.__all__} | {full: full for full in public()}


def _menu(registry: "Registry[Any]") -> Iterator[str]:
    yield from ("A :py:obj:`Registry <dpviz.base.registry.Registry>` of", "")
    yield from (".. list-table::", "   :header-rows: 1", "")
    rows = ((f"``{name}``", _escaped(registry.label(name)), _prose(registry.says(name))) for name in registry)
    for row in (("name", "label", "what it is"), *rows):
        yield from (f"   {mark} {cell}" for mark, cell in zip(("* -", "  -", "  -"), row, strict=True))


def _declared(cls: type) -> Iterator[str]:
    """What may be given for each declared parameter."""
    yield from (f"- ``{one.name}``: {_prose(_allowed(one))}" for one in parameters(cls))


def _allowed(one: Parameter) -> str:
    if one.choices is not None:
        what = "one of " + ", ".join(f"`{choice}`" for choice in one.choices)
    else:
        low = "" if one.low is None else f"{'above' if one.above else 'from'} {one.low:g}"
        high = "" if one.high is None else f"{'and at most' if one.above else 'to'} {one.high:g}"
        what = " ".join(part for part in ("a whole number" if one.integer else "a number", low, high) if part)
    return f"{one.label}: {what}. {one.help}".strip()


def _told(app: Sphinx, what: str, name: str, value: Any, options: Any, lines: list[str]) -> None:
    """Autodoc's event: `lines` are what is shown."""
    text = "\n".join(lines)
    if name == "dpviz":
        text = LISTED.sub("", text)
    elif what == "data":
        one = public()[name]
        text = "\n".join(ModuleAnalyzer.for_module(one.module).find_attr_docs().get(("", one.name), ()))
    lines[:] = [*restructured(text).splitlines(), ""]
    if isinstance(value, Registry):
        lines += [*_menu(value), ""]
    elif isinstance(value, type) and dataclasses.is_dataclass(value):
        lines += [*_declared(value), ""]


def _left_out(app: Sphinx, what: str, name: str, value: Any, left_out: bool, options: Any) -> bool | None:
    """Autodoc's event: a function under another name than its own is what a field has by default."""
    return True if isinstance(value, FunctionType) and value.__name__ != name else None


def _called(app: Sphinx, what: str, name: str, value: Any, *_: Any) -> tuple[str, None] | None:
    """Autodoc's event: what is not made is not called."""
    return ("", None) if Protocol in getattr(value, "__bases__", ()) else None


def setup(app: Sphinx) -> None:
    """Hear what autodoc tells."""
    app.setup_extension("sphinx.ext.autodoc")
    app.connect("autodoc-skip-member", _left_out)
    app.connect("autodoc-process-signature", _called)
    app.connect("autodoc-process-docstring", _told)

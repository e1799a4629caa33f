"""Docstrings as autodoc hands them over: reStructuredText with numpydoc's sections, which napoleon
reads.

`code` in single backticks is a link where it is a public name, however short it is called. A menu
brings the table of its entries.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from types import FunctionType
from typing import Any, Protocol

from docutils.nodes import Element, TextElement
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.ext.napoleon import Config, NumpyDocstring
from sphinx.pycode import ModuleAnalyzer

import dpviz
from assets.docs.parts.names import LISTED, public
from dpviz.base.registry import Registry

__all__ = ["SECTIONS", "setup"]

SECTIONS = Config(napoleon_use_rtype=False, napoleon_attr_annotations=False)
"""How sections are read; types stand in signatures."""


@cache
def _homes() -> Mapping[str, str]:
    """Full names by what a docstring calls them: the name where `dpviz` exports it, or where there
    is but one and it is no plain word, which would as well be a module or an argument.
    """
    names = Counter(one.name for one in public().values())
    plain = {name for name in names if name.isalpha() and name.islower()}
    alone = {
        one.name: one.full
        for one in public().values()
        if names[one.name] == 1 and one.name not in plain
    }
    return alone | {name: f"dpviz.{name}" for name in dpviz.__all__}


def _resolved(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, text: TextElement
) -> Element | None:
    """Sphinx's event: a name that is not known where it stands."""
    full = _homes().get(node.get("reftarget", "").removesuffix("(...)"))
    if full is None or node.get("refdomain") != "py":
        return None
    domain = env.get_domain("py")
    return domain.resolve_xref(env, node["refdoc"], app.builder, "obj", full, node, text)


def _menu(registry: "Registry[Any]") -> Iterator[str]:
    yield from ("A :py:obj:`Registry <dpviz.base.registry.Registry>` of", "")
    yield from (".. list-table::", "   :header-rows: 1", "")
    rows = (
        (
            f"``{name}``",
            registry.label(name),
            f"{registry.says(name)} {registry.field_names_text(name)}".strip(),
        )
        for name in registry
    )
    for row in (("name", "label", "what it is"), *rows):
        yield from (
            f"   {mark} {cell}" for mark, cell in zip(("* -", "  -", "  -"), row, strict=True)
        )


def _completed(
    app: Sphinx, what: str, name: str, value: Any, options: Any, lines: list[str]
) -> None:
    """Autodoc's event: `lines` are what is shown. Of an attribute napoleon would take all before a
    colon for a type.
    """
    if what in {"class", "exception", "function", "method"}:
        lines[:] = NumpyDocstring(lines, SECTIONS, app, what).lines()
    if name == "dpviz":
        lines[:] = LISTED.sub("", "\n".join(lines)).splitlines()
    elif what == "data":
        one = public()[name]
        lines[:] = ModuleAnalyzer.for_module(one.module).find_attr_docs().get(("", one.name), [])
    if isinstance(value, Registry):
        lines += ["", *_menu(value), ""]


def _left_out(
    app: Sphinx, what: str, name: str, value: Any, left_out: bool, options: Any
) -> bool | None:
    """Autodoc's event: a function under another name than its own is what a field has by default."""
    return True if isinstance(value, FunctionType) and value.__name__ != name else None


def _called(
    app: Sphinx,
    what: str,
    name: str,
    value: Any,
    options: Any,
    taken: str | None,
    given: str | None,
) -> Any:
    """Autodoc's event: what is not made is not called, and a default that is made for each is left
    as dots.
    """
    if Protocol in getattr(value, "__bases__", ()):
        return "", None
    return (taken or "").replace("<factory>", "...") or None, given


def setup(app: Sphinx) -> None:
    """Hear what autodoc tells."""
    app.setup_extension("sphinx.ext.autodoc")
    app.connect("autodoc-skip-member", _left_out)
    app.connect("autodoc-process-signature", _called)
    app.connect("autodoc-process-docstring", _completed)
    app.connect("missing-reference", _resolved)

"""The names of the reference: what is public, where it has its place, and which directives of
autodoc tell it.

Invariants: a name has one place, below `dpviz` where that exports it, else below the module that
defines it. A module is in the reference if a package hands on a name of it, if a page of the
documentation imports from it, or if it has a page of its own.
"""

import ast
import inspect
import pkgutil
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import zip_longest
from pathlib import Path
from types import ModuleType
from typing import Any

import dpviz
from dpviz.base.registry import Registry

__all__ = ["INSIDE", "LISTED", "PAGES", "Name", "modules", "page_of", "public", "reference"]

_SITE = Path(__file__).resolve().parents[1]
PAGES = ("dpviz", *(f"dpviz.{page.stem}" for page in (_SITE / "reference").glob("*.md")))
"""The packages that have a page of their own, with all modules below that have none."""

INSIDE = ("__main__", "commands", "web", "export", "pages", "teaching")
"""The command line and what the app is made of: only what has a page of its own is in the reference."""

LISTED = re.compile(
    r"\nWhat there is.*?(?=\n\S)", re.DOTALL
)  # in the docstring of dpviz, whose groups become headings


@dataclass(frozen=True, eq=False)
class Name:
    """A public name and the module that defines it."""

    name: str
    module: str

    @property
    def full(self) -> str:
        """As people import it."""
        exported = self.name in dpviz.__all__ and getattr(dpviz, self.name) is self.value
        return f"dpviz.{self.name}" if exported else f"{self.module}.{self.name}"

    @property
    def value(self) -> Any:
        """The thing itself."""
        return getattr(import_module(self.module), self.name)

    def line(self) -> str:
        """The name as a link, what it takes, and what it is in one line."""
        if isinstance(self.value, Registry):
            return (
                f"* :py:obj:`{self.name} <{self.full}>`: a menu of"
                f" {', '.join(f'``{name}``' for name in self.value)}"
            )
        plain = (
            isinstance(self.value, type) and self.value.__init__ is Exception.__init__
        )  # which has no signature
        taken = "" if plain else ", ".join(inspect.signature(self.value).parameters)
        says = " ".join((inspect.getdoc(self.value) or "").partition("\n\n")[0].split())
        return f"* :py:obj:`{self.name} <{self.full}>`\\ ``({taken})``: {says}"

    def directive(self) -> str:
        """What autodoc shows it by; of other values than short ones only what is said about them."""
        if isinstance(self.value, type):
            kind = "exception" if issubclass(self.value, BaseException) else "class"
            ours = any(base.__module__.startswith("dpviz.") for base in self.value.__bases__)
            bases = "   :show-inheritance:\n" if ours else ""
            return f".. auto{kind}:: {self.full}\n   :members:\n   :undoc-members:\n{bases}"
        if inspect.isroutine(inspect.unwrap(self.value)):
            return f".. autofunction:: {self.full}\n"
        shown = repr(self.value)
        return f".. autodata:: {self.full}\n" + (
            "" if len(shown) < 60 and "<" not in shown else "   :no-value:\n"
        )


@cache
def modules() -> tuple[ModuleType, ...]:
    """Every module that is in the reference."""
    imported = _imported_by_pages()
    return tuple(
        module
        for module in _library()
        if module.__name__ in {*PAGES, *imported} or not _handed_on().isdisjoint(_own(module))
    )


@cache
def _library() -> tuple[ModuleType, ...]:
    """Every module that is there to be imported."""
    found = (info.name for info in pkgutil.walk_packages(dpviz.__path__, "dpviz."))
    shown = [name for name in found if page_of(name) != "dpviz" or name.split(".")[1] not in INSIDE]
    return tuple(import_module(name) for name in ("dpviz", *shown))


def _imported_by_pages() -> set[str]:
    """The modules from which code in the documentation imports."""
    texts = (page.read_text(encoding="utf-8") for page in _SITE.rglob("*.md"))
    return {name for text in texts for name in re.findall(r"from (dpviz[.\w]*) import", text)}


@cache
def public() -> Mapping[str, Name]:
    """Every public name by its full name, in the order of modules and of what they say is public."""
    told = (Name(name, module.__name__) for module in modules() for name in _own(module))
    return {one.full: one for one in told}


@cache
def _own(module: ModuleType) -> list[str]:
    """The public names that a module defines itself: those without a leading underscore."""
    body = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8")).body
    names = [
        name
        for node, after in zip_longest(body, body[1:])
        for name in _defined(module, node, after)
    ]
    return [name for name in names if not name.startswith("_")]


def _defined(module: ModuleType, node: ast.stmt, after: ast.stmt | None) -> list[str]:
    """Functions and classes, menus, values that a package hands on, and those about which a text
    after them speaks.
    """
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    targets = (
        node.targets
        if isinstance(node, ast.Assign)
        else [node.target]
        if isinstance(node, ast.AnnAssign)
        else []
    )
    names = [
        name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)
    ]
    told = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
    return [
        name
        for name in names
        if told or isinstance(getattr(module, name), Registry) or name in _handed_on()
    ]


@cache
def _handed_on() -> frozenset[str]:
    """The names that packages say are theirs."""
    return frozenset(name for module in _library() for name in getattr(module, "__all__", ()))


def page_of(module: str) -> str:
    """The page that a module stands on."""
    return max((page for page in PAGES if f"{module}.".startswith(f"{page}.")), key=len)


def reference(page: str) -> str:
    """The Markdown of a page, below its title."""
    if page == "dpviz":
        return "\n\n".join([_autodoc(".. automodule:: dpviz\n"), *_front()])
    parts = []
    for module in modules():
        name = module.__name__
        if page_of(name) == page:
            parts += [] if name == page else [f"## {_short(name, page)}", f"`{name}`"]
            parts.append(
                _autodoc(f".. automodule:: {name}\n", *_elsewhere(module), *_directives(module))
            )
    return "\n\n".join(parts)


def _autodoc(*directives: str) -> str:
    return "```{eval-rst}\n" + "\n".join(directives) + "```"


def _short(module: str, page: str) -> str:
    return module.removeprefix(f"{page}.").replace("_", " ").replace(".", ": ")


def _front() -> Iterator[str]:
    """The names of `dpviz` itself, grouped as its own docstring groups them: a line each, then each
    in full.
    """
    groups = re.findall(
        r"^    (\S.*?)  +(\S.*(?:\n {10,}\S.*)*)", dpviz.__doc__ or "", re.MULTILINE
    )
    told: dict[str, Name] = {}
    for heading, listed in groups:
        names = [
            name
            for name in re.findall(r"\w+", listed)
            if name in dpviz.__all__ and name not in told
        ]
        if names:
            yield f"## {heading[:1].upper() if heading[1] != ' ' else heading[:1]}{heading[1:]}"
            told |= {name: public()[f"dpviz.{name}"] for name in names}
            yield _autodoc(*(told[name].line() for name in names), "")
    rest = sorted({*dpviz.__all__} - told.keys())
    if rest:
        raise LookupError(f"the docstring of dpviz names no {', '.join(rest)}")
    yield "## Each in full"
    yield _autodoc(*(one.directive() for one in told.values()))


def _directives(module: ModuleType) -> list[str]:
    places = (public().get(f"{module.__name__}.{name}") for name in _own(module))
    return [one.directive() for one in places if one]


def _elsewhere(module: ModuleType) -> list[str]:
    """The names that a module hands on, or that have their place below `dpviz`, as links."""
    here = public().values()
    handed = [
        name
        for name in getattr(module, "__all__", ())
        if f"{module.__name__}.{name}" not in public()
    ]
    homes = [
        one
        for name in handed
        for one in here
        if one.name == name and one.value is getattr(module, name)
    ]
    links = ", ".join(f":py:obj:`{one.name} <{one.full}>`" for one in homes)
    return [f"Also from here: {links}.\n"] if links else []

"""The reference: every public name with its signature as it was written, and its docstring, as Markdown for one page.

Docstrings are plain text with `code` in backticks and examples, so they are carried over as they are: what Markdown
would take for markup is escaped, a public name in backticks becomes a link.
Invariants: a name has one place, below `dpviz` where that exports it, else below the module that defines it;
everything is read from the modules themselves, nothing is listed by hand.
"""

import ast
import copy
import dataclasses
import inspect
import pkgutil
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

import dpviz
from dpviz.base.parameters import Parameter, parameters
from dpviz.base.registry import Registry

__all__ = ["PAGES", "Name", "markdown", "page_of", "public", "reference"]

PAGES = (
    "dpviz", "dpviz.base", "dpviz.candidates", "dpviz.charts", "dpviz.data", "dpviz.data.counting", "dpviz.data.ingest",
    "dpviz.gaps", "dpviz.margin", "dpviz.numerics", "dpviz.privacy", "dpviz.reports", "dpviz.studies",
    "dpviz.studies.decision", "dpviz.teaching", "dpviz.topk", "dpviz.topk.cutoff", "dpviz.topk.joint",
)  # fmt: skip
"""The packages that have a page of their own, with all modules below that have none."""

INSIDE = ("dpviz.__main__", "dpviz.commands", "dpviz.ui")  # the command line and the app: nothing to import


@dataclass(frozen=True, eq=False)
class Name:
    """A public name: the module that defines it, its node there, and under which name it is told."""

    name: str
    module: str
    node: ast.stmt
    comment: str

    @property
    def full(self) -> str:
        """As people import it."""
        exported = self.name in dpviz.__all__ and getattr(dpviz, self.name) is self.value
        return f"dpviz.{self.name}" if exported else f"{self.module}.{self.name}"

    @property
    def value(self) -> Any:
        """The thing itself."""
        return getattr(import_module(self.module), self.name)


@cache
def modules() -> tuple[ModuleType, ...]:
    """Every module that is there to be imported."""
    found = (info.name for info in pkgutil.walk_packages(dpviz.__path__, "dpviz."))
    return tuple(import_module(name) for name in ("dpviz", *found) if not name.startswith(INSIDE))


@cache
def public() -> Mapping[str, Name]:
    """Every public name by its full name, in the order of modules and of what they say is public."""
    found = {}
    for module in modules():
        for name in getattr(module, "__all__", ()):
            if name in (here := _defined(module)):
                told = Name(name, module.__name__, *here[name])
                found[told.full] = told
    return found


@cache
def _defined(module: ModuleType) -> Mapping[str, tuple[ast.stmt, str]]:
    """What a module defines at its top: the node, and the text below it for what has no docstring of its own."""
    body = _tree(module).body
    found: dict[str, tuple[ast.stmt, str]] = {}
    for node, after in zip(body, [*body[1:], None], strict=True):
        text = ""
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) and isinstance(after.value.value, str):
            text = inspect.cleandoc(after.value.value)
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                found[name] = (node, "")
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                found[name] = (node, text)
            case ast.Assign(targets=[ast.Tuple(elts=several)]):
                found |= {one.id: (node, text) for one in several if isinstance(one, ast.Name)}
    return found


@cache
def _tree(module: ModuleType) -> ast.Module:
    return ast.parse(inspect.getsource(module))


def page_of(module: str) -> str:
    """The page that a module stands on."""
    return max((page for page in PAGES if f"{module}.".startswith(f"{page}.")), key=len)


# ---- a page ----------------------------------------------------------------------------------------


def reference(page: str) -> str:
    """The Markdown of a page, below its title."""
    if page == "dpviz":
        about = re.sub(r"\nWhat there is.*?(?=\n\S)", "", dpviz.__doc__ or "", flags=re.DOTALL)  # the headings say it
        return "\n\n".join([markdown(about), *_front()])
    parts = []
    for module in modules():
        if page_of(module.__name__) != page:
            continue
        is_page = module.__name__ == page
        parts += [] if is_page else [f"## {_short(module.__name__, page)}", f"`{module.__name__}`"]
        parts.append(markdown(inspect.getdoc(module) or ""))
        parts += _names(module)
    return "\n\n".join(parts)


def _short(module: str, page: str) -> str:
    return module.removeprefix(f"{page}.").replace("_", " ").replace(".", ": ")


def _front() -> Iterator[str]:
    """The names of `dpviz` itself, grouped as its own docstring groups them."""
    groups = re.findall(r"^    (\S.*?)  +(\S.*(?:\n {10,}\S.*)*)", dpviz.__doc__ or "", re.MULTILINE)
    told = set()
    for heading, listed in groups:
        names = [name for name in re.findall(r"\w+", listed) if name in dpviz.__all__ and name not in told]
        if names:
            yield f"## {heading[:1].upper() if heading[1] != ' ' else heading[:1]}{heading[1:]}"
            yield from (_entry(public()[f"dpviz.{name}"]) for name in names)
            told.update(names)
    rest = sorted({*dpviz.__all__} - told)
    if rest:
        raise LookupError(f"the docstring of dpviz names no {', '.join(rest)}")


def _names(module: ModuleType) -> Iterator[str]:
    here, elsewhere = [], []
    for name in getattr(module, "__all__", ()):
        own = name in _defined(module) and public().get(f"{module.__name__}.{name}")
        (here if own else elsewhere).append(own or _found(module, name))
    if elsewhere:
        yield "Also from here: " + ", ".join(f"{{py:obj}}`{one.name} <{one.full}>`" for one in elsewhere) + "."
    if here:
        yield f"```{{py:currentmodule}} {module.__name__}\n```"
    yield from (_entry(one) for one in here)


def _found(module: ModuleType, name: str) -> Name:
    """A name that a module hands on, where it is at home."""
    value = getattr(module, name)
    return next(one for one in public().values() if one.name == name and one.value is value)


# ---- an entry --------------------------------------------------------------------------------------


def _entry(one: Name) -> str:
    value = one.value
    if isinstance(one.node, ast.ClassDef):
        body = [markdown(inspect.getdoc(value) or ""), _declared(value), *_members(one), _inherited(value)]
        return _directive("class", f"{one.name}{_made(one)}", body, one, marks=5)
    if isinstance(one.node, ast.FunctionDef):
        return _directive(
            "function", one.name + _called(one.node, one.module), [markdown(inspect.getdoc(value) or "")], one
        )
    options = [f":type: {_typed(one.node.annotation, one.module)}"] if isinstance(one.node, ast.AnnAssign) else []
    if isinstance(value, Registry):
        return _directive("data", one.name, [markdown(one.comment), _menu(value)], one, options)
    shown = repr(value)
    if len(shown) < 60 and "<" not in shown:
        options.append(f":value: {shown}")
    return _directive("data", one.name, [markdown(one.comment)], one, options)


def _directive(
    kind: str, signature: str, body: list[str], one: Name | None, options: list[str] | None = None, marks: int = 4
) -> str:
    options = list(options or ())
    if one is not None and one.full != f"{one.module}.{one.name}":
        options += [":module: dpviz", f":canonical: {one.module}.{one.name}"]
    fence = ":" * marks
    inner = "\n\n".join(part for part in body if part)
    return f"{fence}{{py:{kind}}} {signature}\n" + "".join(f"{o}\n" for o in options) + f"\n{inner}\n{fence}"


def _called(node: ast.FunctionDef, module: str, *, bound: bool = False) -> str:
    """Arguments and what is returned, as written; of a method without its first argument."""
    args = copy.deepcopy(node.args)
    for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs):
        arg.annotation = arg.annotation and _resolved(arg.annotation, module)
    if bound:
        args.args = args.args[1:]
    returns = "" if node.returns is None else f" -> {_typed(node.returns, module)}"
    return f"({ast.unparse(args)}){returns}"


class _Types(ast.NodeTransformer):
    """Puts the whole names of public classes into an annotation, so that links know which is meant."""

    def __init__(self, module: str) -> None:
        self._names = vars(import_module(module))

    def visit_Name(self, node: ast.Name) -> ast.expr:
        full = _by_value().get((node.id, id(self._names.get(node.id))))
        return node if full is None else ast.parse(full, mode="eval").body

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        quoted = isinstance(node.value, str)
        return self.visit(ast.parse(node.value, mode="eval").body) if quoted else node


def _resolved(annotation: ast.expr, module: str) -> ast.expr:
    if ast.unparse(annotation).startswith("Literal"):
        return annotation
    return _Types(module).visit(copy.deepcopy(annotation))


def _typed(annotation: ast.expr, module: str) -> str:
    return ast.unparse(_resolved(annotation, module))


@cache
def _by_value() -> Mapping[tuple[str, int], str]:
    """Full names by the name in a module and what it stands for there."""
    return {(one.name, id(one.value)): one.full for one in public().values()}


def _made(one: Name) -> str:
    """What a class is made from: the fields of a dataclass, or what its `__init__` takes."""
    cls = one.value
    if dataclasses.is_dataclass(cls):
        fields = [field for field in dataclasses.fields(cls) if field.init]
        wanted = sorted(fields, key=lambda field: field.kw_only)
        parts = [_field(cls, field) for field in wanted]
        only = sum(not field.kw_only for field in wanted)
        return f"({', '.join([*parts[:only], *(['*'] if only < len(parts) else []), *parts[only:]])})"
    for node in getattr(one.node, "body", ()):
        if isinstance(node, ast.FunctionDef) and node.name == "__init__":
            return _called(node, one.module, bound=True).partition(" -> ")[0]
    return ""


def _field(cls: type, field: "dataclasses.Field[Any]") -> str:
    text = f"{field.name}: {_annotation(cls, field.name)}"
    if field.default is not dataclasses.MISSING:
        shown = repr(field.default)
        return f"{text} = {shown if _reads(shown) else '...'}"
    return text if field.default_factory is dataclasses.MISSING else f"{text} = ..."


def _reads(shown: str) -> bool:
    try:
        ast.parse(shown, mode="eval")
    except SyntaxError:
        return False
    return len(shown) < 50


def _annotation(cls: type, name: str) -> str:
    for base in cls.__mro__:
        for node in _class_body(base):
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id == name:
                return _typed(node.annotation, base.__module__)
    raise LookupError(f"{cls.__qualname__} has no field {name}")


@cache
def _class_body(cls: type) -> list[ast.stmt]:
    if not cls.__module__.startswith("dpviz"):
        return []
    (found,) = (
        node
        for node in ast.walk(_tree(import_module(cls.__module__)))
        if isinstance(node, ast.ClassDef) and node.name == cls.__name__
    )
    return found.body


def _declared(cls: type) -> str:
    """What may be given for each declared parameter."""
    if not dataclasses.is_dataclass(cls):
        return ""
    return "\n".join(f"- `{one.name}`: {markdown(_allowed(one))}" for one in parameters(cls))


def _allowed(one: Parameter) -> str:
    if one.choices is not None:
        what = "one of " + ", ".join(f"`{choice}`" for choice in one.choices)
    else:
        low = "" if one.low is None else f"{'above' if one.above else 'from'} {one.low:g}"
        high = "" if one.high is None else f"{'and at most' if one.above else 'to'} {one.high:g}"
        what = " ".join(part for part in ("a whole number" if one.integer else "a number", low, high) if part)
    return f"{one.label}: {what}. {one.help}".strip()


def _members(one: Name) -> Iterator[str]:
    cls = one.value
    for node in one.node.body if isinstance(one.node, ast.ClassDef) else ():
        if not isinstance(node, ast.FunctionDef) or node.name.startswith("_"):
            continue
        kinds = {ast.unparse(decorator) for decorator in node.decorator_list}
        if "overload" in kinds:
            continue
        text = [markdown(inspect.getdoc(getattr(cls, node.name)) or "")]
        if kinds & {"property", "cached_property"}:
            kind = [f":type: {_typed(node.returns, one.module)}"] if node.returns else []
            yield _directive("property", node.name, text, None, kind)
        else:
            static = "staticmethod" in kinds
            options = [":classmethod:"] if "classmethod" in kinds else [":staticmethod:"] if static else []
            yield _directive("method", node.name + _called(node, one.module, bound=not static), text, None, options)


def _inherited(cls: type) -> str:
    """Links to what its public bases bring."""
    told, links = set(vars(cls)), []
    for base in cls.__mro__[1:]:
        full = next((one.full for one in public().values() if one.value is base), None)
        for node in _class_body(base):
            if not isinstance(node, ast.FunctionDef) or node.name.startswith("_") or node.name in told:
                continue
            told.add(node.name)
            if full is not None:
                links.append(f"{{py:obj}}`{node.name} <{full}.{node.name}>`")
    return f"Inherited: {', '.join(links)}." if links else ""


def _menu(registry: "Registry[Any]") -> str:
    rows = [f"| `{name}` | {registry.label(name)} | {markdown(registry.says(name))} |" for name in registry]
    return "\n".join(["| name | label | what it is |", "|---|---|---|", *rows])


# ---- docstrings ------------------------------------------------------------------------------------

_CODE = re.compile(r"``?[^`]+``?")
_MARKUP = re.compile(r"[\\*_<\[\]$|#{}~]")


def markdown(text: str) -> str:
    """A docstring as Markdown: examples fenced, markup escaped, public names linked."""
    out, lines = [], inspect.cleandoc(text).splitlines()
    at = 0
    while at < len(lines):
        line = lines[at]
        if line.lstrip().startswith(">>>"):
            end = next((i for i in range(at, len(lines)) if not lines[i].strip()), len(lines))
            out += ["", "```pycon", *inspect.cleandoc("\n".join(lines[at:end])).splitlines(), "```", ""]
            at = end
        elif line.startswith("    ") and (at == 0 or not lines[at - 1].strip()):
            end = next((i for i in range(at, len(lines)) if lines[i] and not lines[i].startswith("    ")), len(lines))
            out += ["", "```text", *inspect.cleandoc("\n".join(lines[at:end])).rstrip().splitlines(), "```", ""]
            at = end
        else:
            out.append(_prose(line))
            at += 1
    return "\n".join(out).strip()


def _prose(line: str) -> str:
    parts, last = [], 0
    for code in _CODE.finditer(line):
        parts += [_escaped(line[last : code.start()]), _linked(code.group())]
        last = code.end()
    text = "".join([*parts, _escaped(line[last:])])
    return re.sub(r"^(\s*)([>+=-])(?=\s|$)", r"\1\\\2", text) if not re.match(r"\s*[-*] \S", line) else text


def _escaped(text: str) -> str:
    return _MARKUP.sub(lambda found: f"\\{found.group()}", text)


def _linked(code: str) -> str:
    inner = code.strip("`")
    full = _homes().get(inner.removesuffix("(...)"))
    return f"{{py:obj}}`{inner} <{full}>`" if full else f"`` {inner} ``"


@cache
def _homes() -> Mapping[str, str]:
    """Full names by what a docstring calls them: the whole name, the name where `dpviz` exports it, or where there is
    but one and it is no plain word, which would as well be a module or an argument."""
    names = Counter(one.name for one in public().values())
    alone = {one.name: one.full for one in public().values() if names[one.name] == 1 and not one.name.isalpha()}
    classes = {one.name: one.full for one in public().values() if names[one.name] == 1 and not one.name.islower()}
    return alone | classes | {name: f"dpviz.{name}" for name in dpviz.__all__} | {full: full for full in public()}

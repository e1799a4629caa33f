"""Imports where the contract of pyproject.toml cannot look: scripts, and the core's packages."""

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp

from dpviz.base.lazy_loading import modules_by_public_name

ROOT = Path(__file__).resolve().parents[1]
STANDARD = frozenset(sys.stdlib_module_names)
PAGES = sorted((ROOT / "pages").glob("*.py"))
LAYERS = ("charts", "export", "web")
CORE = sorted(
    path
    for path in (ROOT / "dpviz").rglob("*.py")
    if path.relative_to(ROOT / "dpviz").parts[0] not in LAYERS
)


def imports(node: ast.AST) -> Iterator[str]:
    """Every module an import statement under `node` names, as "a.b"."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Import):
            yield from (name.name for name in inner.names)
        elif isinstance(inner, ast.ImportFrom):
            module = "." * inner.level + (inner.module or "")
            yield from (f"{module}.{name.name}" for name in inner.names)


def at_import(tree: ast.Module) -> Iterator[str]:
    """The modules loaded as soon as this one is, not by a function or a type checker."""
    for statement in tree.body:
        for_types = isinstance(statement, ast.If) and ast.unparse(statement.test) == "TYPE_CHECKING"
        if not isinstance(statement, ast.FunctionDef | ast.ClassDef) and not for_types:
            yield from imports(statement)


def not_for_a_page(source: str) -> list[str]:
    """Pages import dpviz without its reports, streamlit and the standard library."""
    return [
        name
        for name in imports(ast.parse(source))
        if name.split(".")[0] not in STANDARD | {"dpviz", "streamlit"}
        or name.startswith("dpviz.export")
    ]


def not_for_the_core(source: str) -> list[str]:
    """The core loads numpy, scipy, pandas and escaping; others only inside functions."""
    allowed = STANDARD | {"dpviz", "markupsafe", "numpy", "scipy", "pandas", "threadpoolctl"}
    return [name for name in at_import(ast.parse(source)) if name.split(".")[0] not in allowed]


@cache
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("dpviz", exclude_type_checking_imports=False, cache_dir=None)


def circle(lazy: Iterable[str]) -> list[str]:
    """Modules that import each other in a circle, by stubs too where packages are `lazy`."""
    imported = {name: graph().find_modules_directly_imported_by(name) for name in graph().modules}
    imported |= {name: imported[name] | set(modules_by_public_name(name).values()) for name in lazy}
    try:
        TopologicalSorter(imported).prepare()
    except CycleError as err:
        return list(err.args[1])
    return []


def test_no_modules_import_each_other() -> None:
    assert circle(lazy=["dpviz", "dpviz.base"]) == []


def folder_circles() -> list[list[str]]:
    """Folders that import each other in a circle, beside each other at any depth."""
    folders = {name for name in graph().modules if graph().find_children(name)}
    circles = []
    for parent in folders:
        inside = {child for child in graph().find_children(parent) if child in folders}
        imported = {
            one: {
                other
                for other in inside - {one}
                if graph().direct_import_exists(importer=one, imported=other, as_packages=True)
            }
            for one in inside
        }
        try:
            TopologicalSorter(imported).prepare()
        except CycleError as err:
            circles.append(list(err.args[1]))
    return circles


def test_no_folders_import_each_other() -> None:
    assert folder_circles() == []


LATE = {"__main__", "base/user_code", "base/plotting", "commands"}
"""Where modules of dpviz are imported inside functions, as `--help` and a short command start
without what they load.
"""


def late_imports(source: str) -> list[str]:
    """Modules of dpviz that are imported inside functions."""
    if not re.search(r"^ +(?:from|import) dpviz", source, re.MULTILINE):
        return []
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    return [name for each in functions for name in imports(each) if name.split(".")[0] == "dpviz"]


def test_modules_of_dpviz_are_imported_at_the_top_but_where_a_start_must_be_short() -> None:
    found = {
        path.relative_to(ROOT / "dpviz").with_suffix("").as_posix()
        for path in (ROOT / "dpviz").rglob("*.py")
        if late_imports(path.read_text(encoding="utf-8"))
    }
    assert {name for name in found if name not in LATE and name.split("/")[0] not in LATE} == set()


def test_pages_import_only_dpviz_and_streamlit() -> None:
    assert not_for_a_page("from dpviz.export import sheet") == ["dpviz.export.sheet"]
    for path in PAGES:
        assert not_for_a_page(path.read_text(encoding="utf-8")) == [], path


def test_core_loads_only_what_it_always_needs() -> None:
    assert not_for_the_core("try:\n    import opendp.prelude\nexcept ImportError:\n    pass\n")
    assert not not_for_the_core("def release():\n    import opendp.prelude\n")
    for path in CORE:
        assert not_for_the_core(path.read_text(encoding="utf-8")) == [], path


def broken_contracts(house: Path) -> str:
    """The import contract's complaints of the tree in `house`, or ""."""
    command = [Path(sys.executable).parent / "lint-imports", "--no-cache", "--no-logo", "--config"]
    done = subprocess.run(
        [*command, ROOT / "pyproject.toml"],
        cwd=house,
        env={**os.environ, "PYTHONPATH": str(house)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.stderr, done.stderr
    return done.stdout if done.returncode else ""


FORBIDDEN = {
    "from the ground to a floor above": ("base/errors.py", "dpviz.numerics.quadrature"),
    "from data to its neighbour numerics": ("data/product_pairs.py", "dpviz.numerics.quadrature"),
    "from a wing to a wing": ("topk/classes.py", "dpviz.gaps.gap_estimates"),
    "from a wing to the floor above": ("margin/top_one.py", "dpviz.privacy.neighbours"),
    "from a wing to the charts": ("topk/law.py", "dpviz.charts.chart"),
    "from studies to export": ("studies/sweep.py", "dpviz.export.report_page"),
    "from a lesson to the charts": ("teaching/lesson.py", "dpviz.charts.chart"),
    "from studies to the lessons": ("studies/scenario.py", "dpviz.teaching.lesson"),
    "from the commands to web": ("commands/sample.py", "dpviz.web.widgets.elements"),
    "streamlit outside web": ("charts/look.py", "streamlit"),
    "plotly outside the charts": ("web/widgets/elements.py", "plotly"),
    "from a widget to a screen": ("web/widgets/elements.py", "dpviz.web.screens.margin"),
    "from the server to the session": ("web/server/downloads.py", "dpviz.web.session.slot"),
    "a folder without a floor": ("attic/__init__.py", "dpviz.base.errors"),
    "a loose module": ("loose.py", "dpviz.base.errors"),
}


def test_the_import_contract_catches_a_forbidden_import_of_each_kind(tmp_path: Path) -> None:
    house = tmp_path / "dpviz"
    shutil.copytree(ROOT / "dpviz", house, ignore=shutil.ignore_patterns("__pycache__"))
    assert broken_contracts(tmp_path) == ""
    for place, wanted in FORBIDDEN.values():
        (house / place).parent.mkdir(exist_ok=True)
        with (house / place).open("a", encoding="utf-8") as file:
            file.write(f"\nimport {wanted}\n")
    said = broken_contracts(tmp_path)
    for kind, (place, wanted) in FORBIDDEN.items():
        module = "dpviz." + place.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        seen = f"{module} -> {wanted}" if (ROOT / "dpviz" / place).exists() else f"- {module}"
        assert seen in said, f"{kind} is not caught:\n{said}"

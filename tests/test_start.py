"""What starting loads: nothing for a name or a menu, numpy alone for a law, pandas for a table."""

import ast
import doctest
import inspect
import pickle
import pydoc
import re
import subprocess
import sys
from pathlib import Path

import pytest

import dpviz
from dpviz.base.lazy_loading import stub_modules
from dpviz.commands import COMMANDS

ROOT = Path(__file__).resolve().parents[1]
HOMES = stub_modules("dpviz")
TABLES = {"pandas", "pyarrow"}
SCREEN = {"plotly", "streamlit"}
SCIPY = {f"scipy.{part}" for part in ("interpolate", "optimize", "special", "stats")}
ALL = {"numpy", "scipy"} | SCIPY | TABLES | SCREEN
LAW = "from dpviz import {0}, Scores; {0}(epsilon=1.0, k=1).distribution(Scores([2.0, 0.0])).{1}"
MENUS = ("CANDIDATES", "GAPS", "NOISES", "THRESHOLD", "TOP_K", "TOP_ONE")


def ran(code: str, sent: bytes = b"") -> str:
    """What `code` prints in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, input=sent, capture_output=True, check=True
    )
    return done.stdout.decode()


def loaded(code: str) -> set[str]:
    """Every module there is after `code`."""
    told = ran(f"import atexit, sys; atexit.register(lambda: print('\\n', *sys.modules)); {code}")
    return set(told.split("\n")[-2].split())


def command(*argv: str) -> str:
    """The code of `python -m dpviz argv`."""
    return (
        f"import runpy; sys.argv = ['dpviz', *{argv}]; runpy.run_module('dpviz',"
        " run_name='__main__')"
    )


@pytest.mark.twins(10)
@pytest.mark.parametrize(
    ("code", "none_of"),
    [
        ("import dpviz; dpviz.__version__; dir(dpviz)", ALL),
        (command("--version"), ALL),
        (command("--help"), ALL),
        *((command(name, "--help"), SCIPY | TABLES | SCREEN) for name in COMMANDS),
        ("from dpviz import *", SCIPY | TABLES | SCREEN),
        *(
            (LAW.format(name, "good"), SCIPY | TABLES | SCREEN)
            for name in ("Canonical", "OneShot", "Peeling")
        ),
        (LAW.format("Canonical", "table()"), SCIPY | SCREEN),
        (command("distribution", "--example", "class_trip", "-k", "2"), SCIPY | TABLES | SCREEN),
    ],
)
def test_nothing_is_loaded_that_is_not_needed(code: str, none_of: set[str]) -> None:
    assert loaded(code) & none_of == set()


def test_what_is_needed_is_seen_to_be_loaded() -> None:
    assert {"dpviz.topk.canonical", "numpy", "pandas"} <= loaded(LAW.format("Canonical", "table()"))
    assert "scipy.stats" in loaded("import scipy; scipy.stats")
    assert "dpviz.commands.output" in loaded(command("--help"))


@pytest.mark.parametrize("menu", MENUS)
def test_a_menu_is_full_whatever_is_asked_for_first(menu: str) -> None:
    from dpviz import web  # noqa: F401 - with all there is

    assert ran(f"from dpviz import {menu}; print(*{menu})").split() == list(getattr(dpviz, menu))


class TestPublicNames:
    def test_each_is_said_once_as_type_checkers_ask(self) -> None:
        tree = ast.parse(Path(dpviz.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
        imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
        said = [(alias.name, alias.asname) for node in imports for alias in node.names]
        assert [name for name, _ in said] == [
            name for _, name in said
        ]  # without "as" a stub keeps a name to itself
        assert sorted(name for name, _ in said) == dpviz.__all__
        assert all(len(node.names) == 1 for node in imports)

    @pytest.mark.parametrize("name", dpviz.__all__)
    def test_each_is_there_on_its_own(self, name: str) -> None:
        found = getattr(dpviz, name)
        assert vars(dpviz)[name] is found
        assert found is getattr(sys.modules[HOMES[name]], name)

    def test_all_at_once(self) -> None:
        names: dict[str, object] = {}
        exec("from dpviz import *", names)
        assert set(dpviz.__all__) <= set(names)

    def test_they_are_listed_before_any_is_loaded(self) -> None:
        assert set(dpviz.__all__) | {"__version__"} <= set(
            ran("import dpviz; print(*dir(dpviz))").split()
        )

    def test_an_unknown_one_is_told_as_by_any_module(self) -> None:
        with pytest.raises(AttributeError, match="module 'dpviz' has no attribute 'Canonicl'"):
            dpviz.Canonicl  # noqa: B018
        with pytest.raises(ImportError, match="cannot import name 'Canonicl' from 'dpviz'"):
            exec("from dpviz import Canonicl")

    def test_help_tells_of_them(self) -> None:
        text = pydoc.plain(pydoc.render_doc(dpviz))
        assert "class Canonical(" in text
        assert "smallest_epsilon(" in text

    def test_help_opens_with_a_page_that_tells_what_each_is_for(self) -> None:
        page = inspect.getdoc(dpviz) or ""
        assert [name for name in dpviz.__all__ if not re.search(rf"\b{name}\b", page)] == []
        synopsis, _, told = page.partition("\n\n")
        shown = inspect.cleandoc(pydoc.plain(pydoc.render_doc(dpviz)).replace("\n    ", "\n"))
        assert synopsis in " ".join(shown.split())
        assert told in shown
        assert len(page.splitlines()) <= 40
        found = doctest.testmod(dpviz)
        assert found.attempted > 0
        assert found.failed == 0

    def test_they_survive_pickling_into_a_process_that_has_loaded_nothing(self) -> None:
        sent = pickle.dumps(dpviz.Canonical(epsilon=1.0, k=2))
        code = "import pickle, sys; print(pickle.loads(sys.stdin.buffer.read()))"
        assert ran(code, sent).strip() == repr(dpviz.Canonical(epsilon=1.0, k=2))

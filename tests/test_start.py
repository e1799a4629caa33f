"""What starting loads: nothing for a name or a menu, numpy alone for a law, pandas for a table."""

import subprocess
import sys
from pathlib import Path

import pytest

import dpviz
from dpviz.base.lazy_loading import modules_by_public_name

ROOT = Path(__file__).resolve().parents[1]
HOMES = modules_by_public_name("dpviz")
TABLES = {"pandas", "pyarrow"}
SCIPY = {f"scipy.{part}" for part in ("interpolate", "optimize", "special", "stats")}
HEAVY = SCIPY | TABLES | {"plotly", "streamlit"}
ALL = {"numpy", "scipy"} | HEAVY
LAWS = (
    "from dpviz import *; kinds = Canonical, OneShot, Peeling; votes = Scores([2.0, 0.0]);"
    " laws = [kind(epsilon=1.0, k=1).distribution(votes) for kind in kinds]"
)
LOG = "tests/data/cases/loans_log.csv"
COUNTED = (LOG, "--person-column", "cardnumber", "--item-column", "title")
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


@pytest.mark.parametrize(
    ("code", "none_of"),
    [
        ("import dpviz; dpviz.__version__; dir(dpviz)", ALL),
        (command("--version"), ALL),
        *((command(name, "--help"), HEAVY) for name in ("distribution", "serve", "count")),
        (f"{LAWS}; [made.good for made in laws]", HEAVY),
        (f"{LAWS}; laws[0].table()", HEAVY - TABLES),
        (command("distribution", "--example", "class_trip", "-k", "2"), HEAVY),
        (command("count", "--help"), {"dpviz.topk", *HEAVY}),
        (command("count", *COUNTED), {"dpviz.topk", "dpviz.studies", *SCIPY}),
    ],
)
def test_nothing_is_loaded_that_is_not_needed(code: str, none_of: set[str]) -> None:
    found = loaded(code)
    assert "dpviz" in found
    assert found & none_of == set()


@pytest.mark.parametrize("menu", MENUS)
def test_a_menu_is_full_whatever_is_asked_for_first(menu: str) -> None:
    from dpviz import web  # noqa: F401 - with all there is

    assert ran(f"from dpviz import {menu}; print(*{menu})").split() == list(getattr(dpviz, menu))


class TestPublicNames:
    @pytest.mark.parametrize("name", dpviz.__all__)
    def test_each_is_there_on_its_own(self, name: str) -> None:
        found = getattr(dpviz, name)
        assert vars(dpviz)[name] is found
        assert found is getattr(sys.modules[HOMES[name]], name)

    def test_an_unknown_one_is_told_as_by_any_module(self) -> None:
        with pytest.raises(AttributeError, match="module 'dpviz' has no attribute 'Canonicl'"):
            dpviz.Canonicl  # noqa: B018
        with pytest.raises(ImportError, match="cannot import name 'Canonicl' from 'dpviz'"):
            exec("from dpviz import Canonicl")

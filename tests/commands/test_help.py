"""The help of each command and its page say what the command does."""

import re
from pathlib import Path
from typing import Any

import pytest

from dpviz.__main__ import _parser
from dpviz.base import Registry
from dpviz.candidates import CANDIDATES
from dpviz.commands import COMMANDS, FORMER_COMMANDS
from dpviz.commands.options import entry_parameters, parameter_help
from dpviz.data import GENERATORS
from dpviz.topk import TOP_K

DOCS = Path(__file__).resolve().parents[2] / "assets" / "docs"


def helps(command: str) -> dict[str, str]:
    options = _parser([command]).get_default("parsers")[command]._actions
    return {one.dest: (one.help or "").replace("%%", "%") for one in options}


@pytest.mark.parametrize(
    ("command", "registry"),
    [("distribution", TOP_K), ("distribution", GENERATORS), ("candidates", CANDIDATES)],
    ids=lambda one: one if isinstance(one, str) else one.what,
)
def test_each_owner_of_an_option_is_told_by_its_own_words(
    command: str, registry: Registry[Any]
) -> None:
    told = helps(command)
    for entry in registry:
        for name, own in entry_parameters(registry[entry], ()).items():
            text = told.get(f"{registry.what}.{name}")
            if text is None:  # an option of the data, or of all
                continue
            alike = re.escape(f"{own.label}: {parameter_help(own)}. For ")
            said = "" if isinstance(own.choices, Registry) else re.escape(own.help)
            assert re.search(rf"{alike}([\w, ]*, )?{entry}(, [\w, ]*)?\. ?{said}", text), entry


@pytest.mark.parametrize(
    "command",
    [
        "distribution -k 2",
        "compare -m canonical -k 2",
        "compose -m canonical -k 2",
        "decide -m canonical -k 2",
        "loss -k 2 --up Zoo",
        "margin",
        "gaps -k 2",
        "sample -k 2 -n 40",
        "smallest-epsilon -m canonical -k 2 -p 0.9",
    ],
)
def test_an_epsilon_that_is_the_default_changes_nothing(command: str, run: Any) -> None:
    default = re.search(r"\(default: ([^)]+)\)", helps(command.split(maxsplit=1)[0])["epsilon"])
    assert default is not None
    alone = run(f"{command} --example class_trip")
    assert alone.code == 0, alone.err
    given = [run(f"{command} --example class_trip -e {epsilon}") for epsilon in (1, 2)]
    matters = [(alone.out, alone.err) != (one.out, one.err) for one in given]
    if default[1] == "1":
        assert matters == [False, True]
    else:
        assert matters[0] or not matters[1]


def test_no_page_of_a_command_calls_it_by_a_former_name() -> None:
    for page in (DOCS / "commands").glob("*.md"):
        called = re.findall(r"`([a-z-]+)`", page.read_text(encoding="utf-8"))
        assert not {*called} & {*FORMER_COMMANDS}, page.name
        assert page.stem in COMMANDS

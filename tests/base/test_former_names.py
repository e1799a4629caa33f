"""Names and paths that changed work for one release, and warn."""

import base64
import json
import pickle
import subprocess
import sys
import warnings
import zlib
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from dpviz import Canonical, Question, Scores, count, figures_by_epsilon, smallest_epsilon
from dpviz.__main__ import main
from dpviz.base.former_modules import MOVED
from dpviz.commands import FORMER_COMMANDS
from tests.test_pickling import figures

ROOT = Path(__file__).resolve().parents[2]
STORED = json.loads((ROOT / "tests" / "data" / "pickles.json").read_text(encoding="utf-8"))
"""Results by what they are, as the version before the renames has pickled them."""


def test_an_old_name_of_a_method_warns_and_answers() -> None:
    law = Canonical(epsilon=1.0, k=2).distribution(Scores([9, 14, 14, 2], monotonic=True))
    with pytest.warns(DeprecationWarning, match=r"event is called event_probability now"):
        assert law.event("top") == law.top  # type: ignore[attr-defined]
    with pytest.warns(DeprecationWarning, match="from_scenario"):
        assert Question.of == Question.from_scenario  # type: ignore[attr-defined]


def test_old_paths_lead_to_existing_modules_and_hide_none() -> None:
    assert len(MOVED) > 200
    for old, new in MOVED.items():
        import_module(new)
        place = ROOT.joinpath(*old.split("."))
        assert not place.with_suffix(".py").exists(), old
        assert not (place / "__init__.py").exists(), old


def test_an_import_by_an_old_path_warns_and_gives_the_module() -> None:
    code = """
import warnings
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    from dpviz.data.ingest.numbers import __name__ as name
    import dpviz.topk.budget as old
import dpviz.topk.epsilon_search as new
print(name, old is new, new.__spec__.name, *sorted(str(one.message).split(" ")[0] for one in told))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert done.stdout.split() == [
        "dpviz.data.reading.numbers",
        "True",
        "dpviz.topk.epsilon_search",
        "dpviz.data.ingest",
        "dpviz.data.ingest.numbers",
        "dpviz.topk.budget",
    ]


def unpickled(name: str) -> Any:
    """A stored result."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return pickle.loads(zlib.decompress(base64.b64decode(STORED[name])))


@pytest.mark.parametrize("name", STORED)
def test_a_result_pickled_before_the_renames_still_opens(name: str) -> None:
    result = unpickled(name)
    again = pickle.loads(pickle.dumps(result))
    assert figures(result) == figures(again)


def test_an_old_name_of_a_package_warns_and_gives_the_new_one() -> None:
    from dpviz.data import counting

    with pytest.warns(DeprecationWarning, match="Chosen is called RowFilter now"):
        assert counting.Chosen is counting.RowFilter
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _ = counting.nonsense


LOG = pd.DataFrame({"who": ["ann", "ann"], "what": ["tea", "rye"]})
M, VOTES = Canonical(epsilon=1.0, k=1), Scores([9, 4, 1])
ARGUMENTS: list[tuple[Any, str, str, Any]] = [
    (partial(smallest_epsilon, M, VOTES, probability=0.9), "event", "figure", "good"),
    (partial(figures_by_epsilon, M, VOTES, [1.0]), "events", "figures", ["good"]),
    (
        partial(count, LOG, person="who", item="what", items=["tea", "rye"]),
        "most",
        "contributions",
        1,
    ),
]


@pytest.mark.parametrize(("call", "old", "new", "value"), ARGUMENTS)
def test_an_argument_by_its_old_name_warns_and_works(
    call: Any, old: str, new: str, value: Any
) -> None:
    with pytest.warns(DeprecationWarning, match=f"{old} is called {new} now"):
        assert call(**{old: value}) == call(**{new: value})


def test_a_command_by_its_old_name_warns_and_works(capsys: pytest.CaptureFixture[str]) -> None:
    for old, new in FORMER_COMMANDS.items():
        assert main([new, "--example", "class_trip"]) == 0
        answer = capsys.readouterr()
        assert main([old, "--example", "class_trip"]) == 0
        out, err = capsys.readouterr()
        assert (out, err.split("\n", 1)[1]) == (answer.out, answer.err)
        assert f"{old} is called {new} now" in err.split("\n", 1)[0]

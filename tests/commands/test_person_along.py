"""What one person can change goes along with a table in Parquet and JSON, and is there when it is
read back.
"""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from dpviz import ParameterError, Scores, read_table, scores_from
from dpviz.__main__ import main
from dpviz.base import ONE_PERSON, TOLD
from tests.commands.conftest import Run

VOTES = Scores({"x": 3, "y": 1, "z": 1, "w": 0}, monotonic=True, contributions=2)
PERSON = {"sensitivity": 1.0, "monotonic": True, "contributions": 2, "names_known": True}


def read_back(path: Path) -> Scores:
    return scores_from(read_table(path.name, path.read_bytes()))


def written_by_the_command(path: Path) -> None:
    log, items = path.with_name("log.csv"), path.with_name("items.txt")
    log.write_text("user,song\na,x\na,y\nb,x\nc,z\nc,x\n", encoding="utf-8")
    items.write_text("x\ny\nz\nw\n", encoding="utf-8")
    how = f"--person-column user --item-column song --items {items} --contributions 2 -o {path}"
    assert main(["count", str(log), *how.split()]) == 0


def written_by_the_library(path: Path) -> None:
    if path.suffix == ".json":
        path.write_text(VOTES.to_json(), encoding="utf-8")
    else:
        VOTES.frame().to_parquet(path)


def told(path: Path) -> Any:
    """What a result's own file says."""
    if path.suffix == ".json":
        return json.loads(path.read_text(encoding="utf-8"))[ONE_PERSON]
    return pd.read_parquet(path).attrs[TOLD]


@pytest.mark.parametrize("ending", ["parquet", "json"])
@pytest.mark.parametrize("write", [written_by_the_command, written_by_the_library])
def test_it_goes_round(run: Run, write: Any, ending: str, tmp_path: Path) -> None:
    path, figures = tmp_path / f"votes.{ending}", tmp_path / f"figures.{ending}"
    write(path)
    assert read_back(path) == VOTES
    line = f"distribution --file {path} -k 1 -o {figures}"
    assert f"From votes.{ending}: One person added or removed" in run(line).err
    assert told(figures) == PERSON
    assert run(f"{line} --replaced --sensitivity 2").code == 0
    assert told(figures) == {**PERSON, "monotonic": False, "sensitivity": 2.0}


def test_names_that_were_not_known_stay_so(run: Run, tmp_path: Path) -> None:
    path, figures = tmp_path / "votes.json", tmp_path / "figures.json"
    path.write_text(Scores({"x": 3, "y": 1}, names_known=False).to_json(), encoding="utf-8")
    assert not read_back(path).names_known
    assert run(f"distribution --file {path} -k 1 -o {figures}").code == 0
    assert told(figures)["names_known"] is False


def test_a_sweep_says_it_too_unless_it_is_over_data_of_different_people(
    run: Run, tmp_path: Path
) -> None:
    votes, others, table = (tmp_path / name for name in ("votes.json", "others.json", "t.parquet"))
    written_by_the_library(votes)
    others.write_text(Scores({"x": 3, "y": 1, "z": 0}).to_json(), encoding="utf-8")
    for more, person in (("", PERSON), (f"--file {others}", {})):
        assert run(f"sweep --file {votes} {more} -k 1 -e 1 -j 1 -o {table}").code == 0
        assert told(table) == person


@pytest.mark.parametrize(
    ("said", "why"),
    [({"sensitivity": -1}, "sensitivity must be a number above 0"), ([], "an object")],
)
def test_a_file_that_says_what_cannot_be_is_told(said: object, why: str) -> None:
    content = json.dumps(
        {TOLD: "scores", ONE_PERSON: said, "rows": [{"item": "x", "score": 1}]}
    ).encode()
    with pytest.raises(ParameterError, match=f"'votes.json' says what cannot be: .*{why}"):
        read_table("votes.json", content)

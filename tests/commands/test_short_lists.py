"""Lists that are shorter than k, or empty: of every mechanism that may give one, by every way out
of the program.
"""

import csv
import io
import json
from itertools import product
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from dpviz import TOP_K
from dpviz.__main__ import main
from dpviz.base import declared_parameters
from dpviz.export.release import ReleasePlan, select_tool
from dpviz.studies import Design

DELTA, K = 1e-9, 3  # so small that a name of few comes out less than once in ten million releases
NOBODY, FEW, ONE = (
    {"ash": 0, "box": 0, "cat": 0},
    {"ash": 1, "box": 2, "cat": 1},
    {"ash": 90_000, "box": 1, "cat": 0},
)
COUNTS = {
    "nobody": NOBODY,
    "few": FEW,
    "one": ONE,
    "alone": {"ash": 90_000},
    "alone and rare": {"ash": 1},
}
FORMATS = ("csv", "json", "parquet", "xlsx")


def designs() -> list[Design]:
    """All mechanisms of the menu whose lists may be shorter, with each of their noises."""
    found = []
    for name in TOP_K:
        if not TOP_K[name].shorter:
            continue
        noises = [dict(p.choices) for p in declared_parameters(TOP_K[name]) if p.name == "noise"]
        said: list[dict[str, Any]] = [{"noise": noise} for noise in noises[0]] if noises else [{}]
        found += [Design(mechanism=name, parameters={"delta": DELTA, **more}) for more in said]
    return found


DESIGNS = designs()


def whole(design: Design, counts: str) -> list[str]:
    """What comes out with near certainty: what is far above any floor."""
    return [name for name, count in COUNTS[counts].items() if count > 10_000]


def written(path: Path, counts: str) -> Path:
    path.write_text(
        "item,count\n" + "".join(f"{name},{n}\n" for name, n in COUNTS[counts].items()),
        encoding="utf-8",
    )
    return path


def read(text: str, format: str) -> tuple[list[str], list[dict[str, Any]]]:
    """The columns, where a format tells them, and the rows."""
    if format == "json":
        rows = json.loads(text)["rows"]
        return list(rows[0]) if rows else [], rows
    reader = csv.DictReader(io.StringIO(text))
    rows = list(reader)
    return list(reader.fieldnames or []), rows


def plan_with(design: Design) -> ReleasePlan:
    return ReleasePlan(
        name="",
        k=K,
        releases=9,
        unit="person",
        sensitivity=1.0,
        monotonic=True,
        contributions=1,
        items_known=False,
        design=design,
        epsilon=0.5,
    )


def limited_plan() -> ReleasePlan:
    return plan_with(Design(mechanism="limited_domain", parameters={"delta": DELTA}))


@pytest.mark.parametrize("counts", COUNTS)
@pytest.mark.parametrize(
    "design", DESIGNS, ids=lambda design: f"{design.mechanism} {design.parameter_text}"
)
def test_a_release_is_told_whatever_its_length(
    design: Design, counts: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = plan_with(design)
    sheet, file = tmp_path / "sheet.json", written(tmp_path / "counts.csv", counts)
    sheet.write_text(json.dumps(plan.script_values), encoding="utf-8")
    ways = [[], ["--scores"]] if select_tool(plan.mechanism, 1).has_noisy_scores else [[]]
    for number, (format, more) in enumerate(product(("csv", "json"), ways), 1):
        argv = ["release", sheet, file, "--number", number, "--format", format, *more]
        assert main([str(word) for word in argv]) == 0
        out, err = capsys.readouterr()
        columns, rows = read(out, format)
        assert [row["item"] for row in rows] == whole(design, counts)
        assert "Traceback" not in err
        assert ("the list is empty" in err) == (not rows)
        if format == "csv":
            assert columns == ["item", *(["noisy_score"] if more else [])]


@pytest.mark.parametrize("counts", [name for name in COUNTS if len(COUNTS[name]) > 1])
@pytest.mark.parametrize(
    "design", DESIGNS, ids=lambda design: f"{design.mechanism} {design.parameter_text}"
)
def test_draws_are_told_whatever_their_length(
    design: Design, counts: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path / "counts.csv", counts)
    given = [
        "--monotonic",
        "--contributions",
        "1",
        "--names",
        "unknown",
        "-k",
        str(K),
        "-e",
        "0.5",
        "-n",
        "3",
    ]
    ways = [[], ["--scores"]] if hasattr(TOP_K[design.mechanism], "sample_with_scores") else [[]]
    for format, more in product(FORMATS, ways):
        path = tmp_path / f"list.{format}"
        argv = [
            "sample",
            "--file",
            str(file),
            "-m",
            f"{design.mechanism}:{design.parameter_text.replace(';', ',')}",
            *given,
            "-o",
            str(path),
            *more,
        ]
        assert main(argv) == 0, capsys.readouterr().err
        if format in ("csv", "json"):
            rows = read(path.read_text(encoding="utf-8"), format)[1]
        else:
            frame = (
                pd.read_parquet(path)
                if format == "parquet"
                else pd.read_excel(path, engine="openpyxl")
            )
            assert "label" in frame
            rows = frame.to_dict("records")
        assert [row["label"] for row in rows] == 3 * whole(design, counts)


def test_a_list_that_cannot_be_written_is_told_all_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """ε is spent by then, and the same list is never drawn again."""
    sheet, file, path = (
        tmp_path / "sheet.json",
        written(tmp_path / "counts.csv", "one"),
        tmp_path / "list.csv",
    )
    sheet.write_text(json.dumps(limited_plan().script_values), encoding="utf-8")

    def full(*given: object) -> None:
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr("dpviz.commands.output.write_atomically", full)
    assert main(["release", str(sheet), str(file), "-o", str(path)]) == 2
    err = capsys.readouterr().err
    assert 'stands here instead:\n"item"\n"ash"\n' in err
    assert f"No space left on device: {path}" in err
    monkeypatch.setattr("dpviz.commands.output.sys.stdout", None)
    assert main(["release", str(sheet), str(file), "--number", "2"]) == 2
    assert 'stands here instead:\n"item"\n"ash"\n' in capsys.readouterr().err


def test_a_list_is_drawn_though_nobody_hears_that_it_is_spent(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet, file = tmp_path / "sheet.json", written(tmp_path / "counts.csv", "one")
    sheet.write_text(json.dumps(limited_plan().script_values), encoding="utf-8")

    def broken(sentence: str) -> None:
        if "is recorded" in sentence:
            raise BrokenPipeError

    monkeypatch.setattr("dpviz.commands.release.print_to_stderr", broken)
    assert main(["release", str(sheet), str(file)]) == 0
    assert capsys.readouterr().out == '"item"\n"ash"\n'

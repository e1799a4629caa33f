"""Lists that are shorter than k, or empty, of every mechanism that may give one."""

import csv
import io
import json
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from dpviz import TOP_K
from dpviz.base import declared_parameters
from dpviz.export.release import ReleasePlan, select_tool
from dpviz.studies import Design
from tests.commands.conftest import Run

DELTA, K = 1e-9, 3  # so small that a name of few comes out less than once in ten million releases
COUNTS = {
    "nobody": {"ash": 0, "box": 0, "cat": 0},
    "few": {"ash": 1, "box": 2, "cat": 1},
    "one": {"ash": 90_000, "box": 1, "cat": 0},
    "alone": {"ash": 90_000},
}


def designs() -> list[Design]:
    """All mechanisms of the menu whose lists may be shorter, with each of their noises."""
    found = []
    for name in (name for name in TOP_K if TOP_K[name].shorter):
        noises = [dict(p.choices) for p in declared_parameters(TOP_K[name]) if p.name == "noise"]
        said: list[dict[str, Any]] = [{"noise": noise} for noise in noises[0]] if noises else [{}]
        found += [Design(mechanism=name, parameters={"delta": DELTA, **more}) for more in said]
    return found


DESIGNS = designs()


def whole(counts: str) -> list[str]:
    """What comes out with near certainty: what is far above any floor."""
    return [name for name, count in COUNTS[counts].items() if count > 10_000]


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., ReleasePlan]:
    monkeypatch.chdir(tmp_path)

    def write(counts: str, design: Design = DESIGNS[-1]) -> ReleasePlan:
        rows = "".join(f"{name},{n}\n" for name, n in COUNTS[counts].items())
        Path("counts.csv").write_text(f"item,count\n{rows}", encoding="utf-8")
        person: dict[str, Any] = {"sensitivity": 1.0, "monotonic": True, "contributions": 1}
        plan = ReleasePlan(
            name="", k=K, releases=9, unit="person", items_known=False, design=design, epsilon=0.5,
            **person,
        )  # fmt: skip
        Path("sheet.json").write_text(json.dumps(plan.script_values), encoding="utf-8")
        return plan

    return write


def read(text: str, format: str) -> list[dict[str, Any]]:
    return json.loads(text)["rows"] if format == "json" else list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize("counts", COUNTS)
@pytest.mark.parametrize(
    "design", DESIGNS, ids=lambda design: f"{design.mechanism} {design.parameter_text}"
)
class TestOfEveryMechanism:
    def test_a_release_is_told_whatever_its_length(
        self, design: Design, counts: str, written: Any, run: Run
    ) -> None:
        noisy = select_tool(written(counts, design).mechanism, 1).has_noisy_scores
        ways = product(("csv", "json"), ["", " --scores"] if noisy else [""])
        for number, (format, more) in enumerate(ways, 1):
            code, out, err = run(
                f"release sheet.json counts.csv --number {number} --format {format}{more}"
            )
            assert code == 0
            rows = read(out, format)
            assert [row["item"] for row in rows] == whole(counts)
            assert all(float(row["noisy_score"]) > 80_000 for row in rows if more)
            assert "Traceback" not in err
            assert ("The list is empty" in err) == (not rows)
            if format == "csv":
                assert out.splitlines()[0] == ('"item","noisy_score"' if more else '"item"')
        if not noisy:
            ran = run("release sheet.json counts.csv --number 3 --scores")
            assert (ran.code, "is spent" in ran.err) == (2, False)
            assert "--scores must be left out" in ran.err

    def test_draws_are_told_whatever_their_length(
        self, design: Design, counts: str, written: Any, run: Run
    ) -> None:
        if len(COUNTS[counts]) < 2:
            return  # too few to draw from
        written(counts, design)
        named = f"{design.mechanism}:{design.parameter_text.replace(';', ',')}"
        line = f"sample --file counts.csv -m {named} -k {K} -e 0.5 -n 3 --monotonic"
        line += " --contributions 1 --names unknown"
        noisy = hasattr(TOP_K[design.mechanism], "sample_with_scores")
        for more in ["", " --scores"] if noisy else [""]:
            for ending in ("json", "parquet", "xlsx"):
                assert run(f"{line}{more} -o list.{ending}").code == 0
            for frame in (
                pd.DataFrame(read(Path("list.json").read_text("utf-8"), "json"), columns=["label"]),
                pd.read_parquet("list.parquet"),
                pd.read_excel("list.xlsx", engine="openpyxl"),
            ):
                assert frame["label"].tolist() == 3 * whole(counts)


def test_a_list_that_cannot_be_written_is_told_all_the_same(
    written: Any, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ε is spent by then, and the same list is never drawn again."""
    written("one")

    def full(*given: object) -> None:
        raise OSError(28, "No space left on device", "list.csv")

    monkeypatch.setattr("dpviz.commands.output.write_atomically", full)
    printed = 'it is printed here:\n"item"\n"ash"\n'
    ran = run("release sheet.json counts.csv -o list.csv")
    assert (ran.code, printed in ran.err) == (2, True)
    assert "No space left on device: list.csv" in ran.err
    monkeypatch.setattr("dpviz.commands.output.sys.stdout", None)
    ran = run("release sheet.json counts.csv --number 2")
    assert (ran.code, printed in ran.err) == (2, True)


def test_a_list_is_drawn_though_nobody_hears_that_it_is_spent(
    written: Any, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    written("one")

    def broken(sentence: str) -> None:
        if "is recorded" in sentence:
            raise BrokenPipeError

    monkeypatch.setattr("dpviz.commands.release.print_to_stderr", broken)
    ran = run("release sheet.json counts.csv")
    assert (ran.code, ran.out) == (0, '"item"\n"ash"\n')

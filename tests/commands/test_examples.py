"""Every example of every help text, run as it is printed, beside the files that it speaks of."""

import os
import re
import runpy
import shlex
import sys
from datetime import date
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpviz import Design, Question, Scenario, Scores, decide
from dpviz.__main__ import main
from dpviz.base.app_paths import APP_FOLDER, OPENS_ON, WITH
from dpviz.commands import COMMANDS
from dpviz.commands import serve as serving
from dpviz.export import reproduction
from dpviz.export.decision import decision_json
from dpviz.studies.data_spec import DataSpec

NOT_ENDING = {"app", "serve"}


def examples(command: str, capsys: pytest.CaptureFixture[str]) -> list[list[str]]:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    shown = capsys.readouterr().out.partition("Examples:\n")[2].splitlines()
    return [shlex.split(line.removeprefix("  python -m dpviz ")) for line in shown]


@pytest.fixture
def beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    import duckdb

    monkeypatch.chdir(tmp_path)
    for name in (WITH, "DPVIZ_TEACH_KEY"):  # which commands hand on in the environment
        monkeypatch.setenv(name, "")
    rng = np.random.default_rng(3)
    items, songs = [f"item {i}" for i in range(150)], rng.integers(0, 12, 400).astype(str)
    scores = pd.DataFrame({"item": items, "count": rng.integers(0, 900, 150)})
    plays = pd.DataFrame({"user": rng.integers(0, 40, 400), "song": songs})
    runs = pd.DataFrame({"candidate": rng.integers(0, 4, 200), "score": rng.random(200).round(3)})
    for name, table in {"scores": scores, "counts": scores, "log": plays, "runs": runs}.items():
        table.to_csv(f"{name}.csv", index=False)
    draw = "def draw(scores, size, rng):\n    return rng.integers(scores.d, size=size)\n"
    Path("my_module.py").write_text(draw, encoding="utf-8")
    Path("songs.txt").write_text("\n".join(str(i) for i in range(14)), encoding="utf-8")
    for day in ("a", "b"):
        Path("logs", day).mkdir(parents=True)
        plays.assign(day="2024-01-15").to_parquet(f"logs/{day}/part.parquet")
    with duckdb.connect("log.db") as log:
        log.execute("CREATE TABLE plays AS SELECT * FROM plays")
    Path("votes.json").write_text(Scenario(k=2).to_json(), encoding="utf-8")
    session = 'title = "Ours"\nminutes = 60\nlessons = ["ties", "opening_story"]'
    Path("seminar.toml").write_text(session, encoding="utf-8")
    spec = DataSpec(source="uploaded", monotonic=True)
    plan = Question(k=10, releases=2, data=spec, epsilon=1.0, designs=(Design(),))
    decision = decide(plan, Scores(scores["count"], monotonic=True))
    Path("sheet.json").write_text(decision_json(decision, date=date(2026, 5, 4)), encoding="utf-8")
    Path("items.txt").write_text("\n".join(scores["item"]), encoding="utf-8")
    Path("FOLDER").mkdir()
    return tmp_path


@pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")  # of ibis
@pytest.mark.filterwarnings("ignore:The 'future.infer_string' option")
@pytest.mark.parametrize(
    "command",
    [
        pytest.param(name, marks=[pytest.mark.long] if name in {"figure", "audit"} else [])
        for name in COMMANDS
        if name not in NOT_ENDING
    ],
)
def test_every_example_of_a_help_runs(
    command: str, beside: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # what takes long has tests of its own
    monkeypatch.setattr(reproduction, "Reproduction", quick_report)
    monkeypatch.setattr("dpviz.margin.universe_curve._SIZES_A_DECADE", 0.2)
    shown = examples(command, capsys)
    assert shown
    for argv in shown:
        assert argv[0] == command
        shorter = [re.sub(r"(.+:.+):41", r"\1:2", word) for word in argv]
        assert main([*shorter, *(["-j", "1"] if command == "sweep" else [])]) == 0
        out = capsys.readouterr().out
        written = Path(argv[argv.index("-o") + 1]) if "-o" in argv else None
        assert bool(out) == (written is None)
        assert not re.search(r"(^|,)-0\.0(,|$)", out, re.MULTILINE)  # no figure is minus zero
        if written is not None:
            assert written.stat().st_size > 0
            assert written.read_bytes()[:4] == b"PAR1" or written.suffix != ".parquet"


def quick_report(data: Path | None, *_: object, **__: object) -> SimpleNamespace:
    assert data is None or data.is_dir()
    page = SimpleNamespace(html=lambda: "a report")
    return SimpleNamespace(
        omission_notes=(),
        compute_and_store_missing_results=lambda *_: {},
        work_estimate_sentence=lambda *_: "",
        remove_unfinished=lambda *_: None,
        claims=lambda _: pd.DataFrame({"claim": ["one"]}),
        page=lambda _: page,
    )


def test_every_example_of_app_starts_it(
    beside: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(runpy, "run_module", lambda *_, **__: started.append(sys.argv))
    monkeypatch.setattr(sys, "argv", sys.argv)
    for name in (OPENS_ON, "DPVIZ_THEME", "DPVIZ_SESSION", "DPVIZ_REACHED_AT"):
        monkeypatch.setenv(name, "")
    monkeypatch.setattr("dpviz.commands.app.network_reachable_address", lambda _: "192.0.2.7")
    shown = examples("app", capsys)
    for argv in shown:
        with pytest.raises(SystemExit) as ended:
            main(argv)
        assert ended.value.code == 0
    run = ["streamlit", "run", str(APP_FOLDER / "app.py")]
    assert [argv[:3] for argv in started] == [run] * len(shown)
    assert "--server.port=8600" in started[0]
    assert "--server.address=0.0.0.0" in started[-1]
    assert os.environ["DPVIZ_REACHED_AT"] == "http://192.0.2.7:8501"


def test_every_example_of_serve_starts_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[Any] = []

    def start(site: serving.Site, workers: int, *_: object) -> None:
        started.append((site.listen_address, site.base, workers))
        raise SystemExit(0)

    monkeypatch.setattr(serving, "_serve", start)
    monkeypatch.setattr(serving.signal, "signal", lambda *_: None)
    monkeypatch.setattr(serving.shutil, "which", lambda *_, **__: "nginx")
    for argv in examples("serve", capsys):
        with pytest.raises(SystemExit):
            main(argv)
    assert started[0][::2] == ("127.0.0.1:8501", 2)
    assert started[1][:2] == ("0.0.0.0:80", "/dpviz")


@pytest.mark.parametrize("command", COMMANDS)
def test_an_installed_command_calls_itself_by_its_name(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["/usr/bin/dpviz"])
    with pytest.raises(SystemExit):
        main([command, "--help"])
    told = capsys.readouterr().out
    assert told.startswith(f"usage: dpviz {command} ")
    assert f"\n  dpviz {command}" in told.partition("Examples:")[2]
    assert "python -m" not in told
    assert main([command, "--nothing-like-it"]) == 2
    assert "python -m" not in capsys.readouterr().err


class TestFilesAreWhatTheyAreCalled:
    line = "distribution --file labels.csv --monotonic -k 2 --show items"

    @pytest.fixture(autouse=True)
    def labels(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        Path("labels.csv").write_text("item,count\n=1+1,9\nb,14\nc,12\n+d,2\n", encoding="utf-8")

    @pytest.mark.parametrize("name", ["t.parquet", "t.PQ", "t.xlsx"])
    def test_tables_come_back_as_they_were(self, name: str, run: Any) -> None:
        assert run(f"{self.line} -o {name}").code == 0
        reads = pd.read_parquet if name != "t.xlsx" else partial(pd.read_excel, engine="openpyxl")
        read, expected = reads(name), pd.DataFrame(run(f"{self.line} --format json").json["rows"])
        pd.testing.assert_frame_equal(read, expected, check_dtype=False, rtol=1e-15)
        assert read["item"].tolist() == ["=1+1", "b", "c", "+d"]

    def test_a_format_that_is_said_needs_no_ending(self, run: Any) -> None:
        assert run(f"{self.line} --format csv -o t.tsv").code == 0

    def test_a_workbook_holds_no_formula(self, run: Any) -> None:
        import openpyxl

        assert run(f"{self.line} -o t.xlsx").code == 0
        (sheet,) = openpyxl.load_workbook("t.xlsx").worksheets
        assert sheet.title == "distribution"
        assert {cell.data_type for row in sheet.iter_rows() for cell in row} <= {"s", "n"}

    def test_without_its_writer_a_workbook_is_refused_before_any_work(
        self, run: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("dpviz.commands.output.find_spec", lambda name: None)
        ran = run("distribution --file missing.csv -o t.xlsx")
        assert ran.code == 2
        assert ran.err == (
            "dpviz: --output must be a CSV, JSON or Parquet file until openpyxl is installed: "
            "pip install 'dpviz[excel]', not 't.xlsx'.\n"
        )
        assert not Path("t.xlsx").exists()


def test_a_log_to_count_is_named_as_any_other_file_too(beside: Path, run: Any) -> None:
    columns = "--person-column user --item-column song"
    Path("more.csv").write_text("user,song\nann,Naima\n", encoding="utf-8")
    ran = run(f"count log.csv more.csv {columns}")
    assert (ran.code, "Naima" in ran.out) == (0, True)
    assert run(f"count --file log.csv --file more.csv {columns}") == ran
    ran = run(f"count --file log.csv --connect duckdb://log.db --table plays {columns}")
    assert ran.code == 2
    assert "FILE must be left out with --connect, not 'log.csv'" in ran.err


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_has_its_line_in_the_documentation_and_tests(command: str) -> None:
    told = (APP_FOLDER / "assets" / "docs" / "command-line.md").read_text(encoding="utf-8")
    assert re.search(rf"^\|.*`{command}`", told, re.MULTILINE), "assets/docs/command-line.md"
    tests = [path for path in Path(__file__).parent.glob("test_*.py") if path != Path(__file__)]
    run = re.compile(rf"[\"']{command}\b")
    assert any(run.search(path.read_text(encoding="utf-8")) for path in tests), "tests/commands"

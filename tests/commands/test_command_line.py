"""The command line: figures equal the library's, options come from the registries."""

import csv
import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpviz import NOISES, Canonical, OneShot, Scenario, Scores, smallest_epsilon
from dpviz.__main__ import _parser, main
from dpviz.base import AS_COUNTS
from dpviz.commands import COMMANDS
from dpviz.data import EXAMPLES, GENERATORS
from dpviz.studies import COLUMNS, FIGURES, Sweep, run_sweep
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.design import Design
from dpviz.topk.mechanism import TOP_K
from tests.contract import PURE
from tests.menus import Contract
from tests.until import until

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def counts(tmp_path: Path) -> Path:
    path = tmp_path / "counts.csv"
    path.write_text("item,count\n=a,9\nb,14\nc,12\nd,2\n", encoding="utf-8")
    return path


COUNTS = Scores([9, 14, 12, 2], labels=["=a", "b", "c", "d"], monotonic=True)
HELP, TRIP = (EXAMPLES[name].scores() for name in ("help_line", "class_trip"))


def few(name: str) -> int | None:
    return None if name in PURE else 2


def person(name: str) -> str:
    return "" if name in PURE else f"--contributions {few(name)}"


def canonical_top(scores: Scores, *, epsilon: float = 1.0, k: int = 1) -> object:
    return pytest.approx(Canonical(epsilon=epsilon, k=k).distribution(scores).top, abs=1e-12)


class TestDistribution:
    @pytest.mark.parametrize("name", list(TOP_K))
    def test_figures_are_the_librarys_for_every_mechanism(
        self, run: Any, counts: Path, name: str
    ) -> None:
        ran = run(f"distribution -m {name} --file {counts} --monotonic -e 0.7 -k 2 {person(name)}")
        dist = TOP_K[name](epsilon=0.7, k=2).distribution(replace(COUNTS, contributions=few(name)))
        noisy = name in {"gaussian_counts", "threshold_counts"}
        assert (ran.code, "covers the noisy counts" in ran.err) == (0, noisy)
        assert list(ran.rows[0]) == list(COLUMNS)
        for row in ran.rows:
            expected = dist.share if row["figure"] == "share" else getattr(dist, row["figure"])
            assert float(row["value"]) == pytest.approx(expected, abs=1e-12)
            assert float(row["low"]) <= expected <= float(row["high"])
            assert row["method"] == "exact"

    def test_items_in_the_order_of_the_file_and_inert(self, run: Any, counts: Path) -> None:
        ran = run(f"distribution --file {counts} --monotonic -e 0.7 -k 2 --show items")
        inclusion = Canonical(epsilon=0.7, k=2).distribution(COUNTS).inclusion
        assert [row["item"] for row in ran.rows] == ["'=a", "b", "c", "d"]
        told = [float(row["value"]) for row in ran.rows]
        assert told == pytest.approx(inclusion.tolist(), abs=1e-12)
        assert [int(row["rank"]) for row in ran.rows] == [3, 1, 2, 4]

    def test_classes(self, run: Any) -> None:
        told = pd.read_csv(io.StringIO(run("distribution --example class_trip --show classes").out))
        expected = Canonical(epsilon=1.0, k=2).distribution(TRIP).table()
        pd.testing.assert_frame_equal(told, expected, check_dtype=False)

    def test_json_says_the_same_as_csv_and_carries_its_scenario(self, run: Any) -> None:
        line = "distribution --example class_trip -e 2 -k 2 --gamma 0.25"
        content, rows = run(f"{line} --format json").json, run(line).rows
        assert [row["value"] for row in content["rows"]] == [float(row["value"]) for row in rows]
        again = Scenario.from_json(json.dumps(content["scenario"]))
        assert again.mechanisms == (Canonical(epsilon=2.0, k=2, gamma=0.25),)
        assert again.load() == TRIP

    def test_scores_without_a_word_on_people_say_what_is_taken(
        self, run: Any, counts: Path
    ) -> None:
        ran = run(f"distribution --file {counts} -k 2")
        assert float(ran.rows[0]["value"]) == canonical_top(Scores(COUNTS.values), k=2)
        taken = "One person replaced by another changes each score by at most 1, up or down."
        ways = "Use --monotonic for one person added or removed, --replaced for one person replaced"
        read = "counts.csv: read 4 items: names from 'item', scores from 'count'."
        assert f"dpviz: Assumed for counts.csv: {taken} {AS_COUNTS} {ways}" in ran.err
        assert "whole numbers from 0 up" in AS_COUNTS
        said = run(f"distribution --file {counts} -k 2 --replaced")
        assert (said.rows, said.err) == (ran.rows, f"dpviz: {read}\n")
        assert run(f"distribution --file {counts} -k 2 --monotonic").err == f"dpviz: {read}\n"

    @pytest.mark.parametrize("source", ["file", "generate", "scenario"])
    def test_in_how_many_items_one_person_counts_is_said_alike_everywhere(
        self, run: Any, counts: Path, tmp_path: Path, source: str
    ) -> None:
        saved = tmp_path / "s.json"
        saved.write_text(Scenario(data=DataSpec(name="class_trip"), k=2).to_json(), "utf-8")
        told = {
            "file": f"--file {counts} --monotonic",
            "generate": "--generate zipf:size=9,exponent=0.1",
            "scenario": f"--scenario {saved}",
        }[source]
        free = [float(row["value"]) for row in run(f"distribution {told} -k 2 -e 0.4").rows]
        bound = run(f"distribution {told} -k 2 -e 0.2 --contributions 1 --format json").json
        assert [row["value"] for row in bound["rows"]] == pytest.approx(free)
        assert bound["scenario"]["data"]["contributions"] == 1

    def test_contributions_of_an_event_log_are_kept_to(self, run: Any, tmp_path: Path) -> None:
        log, items = tmp_path / "log.csv", tmp_path / "items.txt"
        log.write_text("who,what\nann,tea\nann,rye\nbo,tea\nbo,gin\n", encoding="utf-8")
        items.write_text("tea\nrye\nale\n", encoding="utf-8")
        line = f"distribution --file {log} --person-column who --item-column what -k 1"
        line += " --contributions 1 --format json"
        ran = run(f"{line} --items {items} --show items")
        assert sum(row["score"] for row in ran.json["rows"]) == 2
        assert {row["item"] for row in ran.json["rows"]} == {"tea", "rye", "ale"}
        assert ran.json["scenario"]["data"]["items_known"] is True
        assert "Counted: at most 1 item per person. Left out: 1 further item" in ran.err
        assert "Left out, as their items are not in the catalogue: 1 row." in ran.err
        assert run(line).json["scenario"]["data"]["items_known"] is False

    @pytest.mark.parametrize("name", list(GENERATORS))
    def test_every_generator_has_its_parameters_as_options(self, run: Any, name: str) -> None:
        ran = run(f"distribution --generate {name} --data-size 25 -k 3")
        assert float(ran.rows[0]["value"]) == canonical_top(GENERATORS[name](size=25).scores(), k=3)
        same = run(f"distribution --generate {name}:size=25 -k 3")
        assert [row["value"] for row in same.rows] == [row["value"] for row in ran.rows]


@pytest.mark.parametrize("command", ["distribution", "decide -m limited_domain"])
def test_rows_without_a_person_are_one_question(run: Any, command: str, tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    rows = "".join(f"{who},tea\n{who},rye\n" for who in range(40)) + ",tea\n" * 9 + "x,rye\n"
    log.write_text("who,what\n" + rows, encoding="utf-8")
    said = f"{command} --file {log} --person-column who --item-column what -k 1"
    refused = run(said)
    assert refused.code == 2
    assert "9 of 90 rows have no person. Leave them out? Say --missing skip." in refused.err
    assert "9 of 90 rows are left out" in run(f"{said} --missing skip").err


def test_every_mechanism_is_compared_with_the_others(run: Any) -> None:
    named = " ".join(f"-m {name}" for name in TOP_K)
    told = "-m canonical:gamma=0 -k 2 -e 0.5 --example class_trip --contributions 2"
    rows = run(f"compare {named} {told}").rows
    assert [row["mechanism"] for row in rows] == [*TOP_K, "canonical"]
    assert rows[-1]["design"] == Design(parameters={"gamma": 0.0}).label
    for row, name in zip(rows[:-1], TOP_K, strict=True):
        dist = TOP_K[name](epsilon=0.5, k=2).distribution(replace(TRIP, contributions=2))
        for figure in FIGURES:
            expected = dist.share if figure == "share" else getattr(dist, figure)
            assert float(row[figure]) == pytest.approx(expected, abs=1e-12)
            assert float(row[f"{figure}_low"]) <= expected <= float(row[f"{figure}_high"])


class TestBudget:
    def test_the_smallest_epsilon_and_its_multiple_of_the_best(self, run: Any) -> None:
        rows = run(
            "smallest-epsilon -m canonical -m peeling -k 3 --figure top good -p 0.5 0.9"
        ).rows
        found = {(row["mechanism"], row["event"], float(row["probability"])): row for row in rows}
        assert len(found) == 8
        for (name, event, probability), row in found.items():
            m = TOP_K[name](epsilon=1.0, k=3)
            exact = smallest_epsilon(m, HELP, figure=event, probability=probability)
            both = (found[one, event, probability]["epsilon"] for one in ("canonical", "peeling"))
            assert float(row["epsilon"]) == exact
            assert float(row["multiple"]) == pytest.approx(exact / min(map(float, both)))

    def test_hits(self, run: Any) -> None:
        said = "-m canonical -k 10 --at-least 9"
        (row,) = run(f"smallest-epsilon {said} --figure hits -p 0.9").rows
        m, goal = Canonical(epsilon=1.0, k=10), {"figure": "hits", "at_least": 9}
        wanted = smallest_epsilon(m, HELP, probability=0.9, **goal)
        assert (row["event"], float(row["epsilon"])) == ("hits_at_least_9", wanted)
        exact = m.distribution(HELP).hits_at_least(9)
        for command in ("distribution", "sweep"):
            found = {row["figure"]: row for row in run(f"{command} {said}").rows}
            assert float(found["hits_at_least_9"]["value"]) == pytest.approx(exact, abs=1e-12)
        (row,) = run(f"compare {said}").rows
        assert float(row["hits_at_least_9_low"]) <= exact <= float(row["hits_at_least_9_high"])

    def test_a_goal_out_of_reach_says_why_and_points_to_optimal(self, run: Any) -> None:
        ran = run(
            "smallest-epsilon --example library_loans --figure top optimal -p 0.9 --format json"
        )
        top, optimal = ran.json["rows"]
        assert (top["epsilon"], top["multiple"]) == (None, None)
        assert "Use the figure optimal" in top["reason"]
        assert optimal["multiple"] == 1.0
        assert top["reason"] in ran.err

    def test_a_probability_may_be_so_many_of_a_hundred(self, run: Any) -> None:
        line = "smallest-epsilon --example class_trip --figure top -p"
        assert run(f"{line} 95%") == run(f"{line} 0.95")
        assert run(f"{line} 95").code == 2

    def test_an_items_inclusion(self, run: Any) -> None:
        ran = run('smallest-epsilon --figure inclusion --item "Pothole in the road" -p 0.9')
        item = HELP.labels.index("Pothole in the road")  # type: ignore[union-attr]
        m = Canonical(epsilon=1.0, k=10)
        exact = smallest_epsilon(m, HELP, figure="inclusion", item=item, probability=0.9)
        assert [float(row["epsilon"]) for row in ran.rows] == [exact]


class TestSample:
    @pytest.mark.parametrize("name", list(TOP_K))
    def test_draws_are_the_librarys_for_the_seed_and_come_with_a_warning(
        self, run: Any, name: str
    ) -> None:
        told = "--example class_trip -k 2 -e 9 -n 7 --seed 5 --format json"
        ran = run(f"sample -m {name} {told} {person(name)}")
        scores = replace(TRIP, contributions=few(name))
        drawn = TOP_K[name](epsilon=9.0, k=2).sample(scores, 7, rng=np.random.default_rng(5))
        came = [
            (draw + 1, item) for draw, row in enumerate(drawn.tolist()) for item in row if item >= 0
        ]
        assert came
        rows = ran.json["rows"]
        assert [(row["draw"], row["item"]) for row in rows] == came
        assert [row["label"] for row in rows] == [scores.label(item) for _, item in came]
        warning = "A release must not use a known seed or plain floating-point noise"
        assert warning in ran.err
        assert any(warning in note for note in ran.json["notes"])

    def test_noisy_counts_come_with_their_scores(self, run: Any) -> None:
        told = "sample -m one_shot --noise laplace -k 2 -n 3 --example class_trip --contributions 1"
        ran = run(f"{told} --scores --seed 4")
        scores = DataSpec(name="class_trip", contributions=1).scores()
        m = OneShot(epsilon=1.0, k=2, noise="laplace")
        items, noisy = m.sample_with_scores(scores, 3, rng=np.random.default_rng(4))
        assert [int(row["item"]) for row in ran.rows] == items.ravel().tolist()
        assert [float(row["noisy_score"]) for row in ran.rows] == pytest.approx(noisy.ravel())
        assert "ε also covers the noisy counts" in ran.err
        assert "noisy_score" not in run(told).rows[0]


class TestScenario:
    scenario = Scenario(
        data=DataSpec(source="generated", name="zipf", parameters={"size": 40}, sensitivity=2.0),
        epsilon=0.3,
        k=4,
        designs=(Design(parameters={"gamma": 0.25}), Design(mechanism="peeling")),
        seed=9,
    )

    def saved(self, tmp_path: Path, scenario: Scenario) -> Path:
        path = tmp_path / "scenario.json"
        path.write_text(scenario.to_json(), encoding="utf-8")
        return path

    def test_a_file_from_the_app_runs_as_it_is(self, run: Any, tmp_path: Path) -> None:
        ran = run(f"compare --scenario {self.saved(tmp_path, self.scenario)} --format json")
        scores = self.scenario.load()
        tops = [m.distribution(scores).top for m in self.scenario.mechanisms]
        assert [row["top"] for row in ran.json["rows"]] == pytest.approx(tops, abs=1e-12)
        assert Scenario.from_json(json.dumps(ran.json["scenario"])) == self.scenario

    def test_options_change_parts_of_it(self, run: Any, tmp_path: Path) -> None:
        path = self.saved(tmp_path, self.scenario)
        rows = run(f"compare --scenario {path} -e 0.6 --noise laplace --no-monotonic").rows
        assert [row["parameters"] for row in rows] == ["gamma=0.25;noise=laplace", "noise=laplace"]
        changed = Canonical(epsilon=0.6, k=4, gamma=0.25, noise="laplace")
        values = self.scenario.load().values
        exact = changed.distribution(Scores(values, sensitivity=2.0, monotonic=False)).top
        assert float(rows[0]["top"]) == pytest.approx(exact, abs=1e-12)

    def test_uploaded_scores_in_it_are_used_and_not_printed(self, run: Any, tmp_path: Path) -> None:
        said: dict[str, Any] = {"sensitivity": 2.0, "monotonic": True}
        scores = Scores([31.0, 17.0, 23.0], labels=["secret", "b", "c"], **said)
        spec = DataSpec(source="uploaded", **said)
        path = self.saved(tmp_path, Scenario(data=spec, k=1, scores=scores))
        ran = run(f"distribution --scenario {path} --format json")
        assert ran.json["rows"][0]["value"] == canonical_top(scores)
        assert "secret" not in ran.out
        assert "scores" not in ran.json["scenario"]

    def test_one_without_its_data_asks_for_the_file_and_takes_its_word_on_people(
        self, run: Any, tmp_path: Path, counts: Path
    ) -> None:
        spec = DataSpec(source="uploaded", sensitivity=3.0, monotonic=True)
        path = self.saved(tmp_path, Scenario(data=spec, k=1))
        ran = run(f"distribution --scenario {path}")
        assert (ran.code, ran.out) == (2, "")
        assert "--file must be given: this scenario was saved without the data" in ran.err
        ran = run(f"distribution --scenario {path} --file {counts}")
        scores = Scores(COUNTS.values, sensitivity=3.0, monotonic=True)
        assert float(ran.rows[0]["value"]) == canonical_top(scores)

    def test_one_design_of_several_is_named(self, run: Any, tmp_path: Path) -> None:
        ran = run(f"distribution --scenario {self.saved(tmp_path, self.scenario)}")
        assert "The scenario has 2 mechanisms. This is the first, Canonical" in ran.err
        assert {row["mechanism"] for row in ran.rows} == {"canonical"}


class TestSweep:
    line = (
        "sweep -m canonical -m peeling -e 0.1:10:3 5 -k 1 2 50 --seed 3"
        " --example class_trip --generate zipf:size=60"
    )

    @pytest.mark.parametrize("workers", [1, 2])
    def test_the_table_is_the_librarys_and_says_what_is_left_out(
        self, run: Any, tmp_path: Path, workers: int
    ) -> None:
        output = tmp_path / "sweep.csv"
        ran = run(f"{self.line} -j {workers} -o {output}")
        zipf = GENERATORS["zipf"](size=60).scores()
        sweep = Sweep(
            scores={"class_trip": TRIP, "zipf:size=60": zipf},
            designs=[Design(), Design(mechanism="peeling")],
            epsilons=[0.1, 1.0, 10.0, 5.0],
            ks=[1, 2, 50],
            seed=3,
        )
        told = pd.read_csv(output)
        pd.testing.assert_frame_equal(told, run_sweep(sweep), check_dtype=False)
        assert (ran.code, ran.out) == (0, "")
        assert "k = 50 is left out for class_trip, which has only 6 items." in ran.err

    def test_files_of_one_name_in_two_folders_are_told_apart(
        self, run: Any, tmp_path: Path
    ) -> None:
        paths = [tmp_path / folder / "x.csv" for folder in ("a", "b")]
        for i, path in enumerate(paths):
            path.parent.mkdir()
            path.write_text(f"{9 + i}\n5\n1\n")
        files = " ".join(f"--file {path}" for path in (*paths, paths[0]))  # one counts once
        ran = run(f"sweep {files} --monotonic -k 1 --figure top -j 1")
        assert [row["data"] for row in ran.rows] == [str(path) for path in paths]


@pytest.mark.parametrize("menu", [TOP_K, NOISES, EXAMPLES, GENERATORS], ids=lambda menu: menu.what)
def test_the_help_says_what_each_entry_of_a_menu_is_for(
    menu: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["distribution", "--help"])
    told = " ".join(capsys.readouterr().out.split())
    for name in menu:
        assert f"{name}: {menu.says(name)}" in told.replace("- ", "-"), name


@pytest.mark.parametrize("command", list(COMMANDS))
class TestCommands(Contract):
    menu = COMMANDS
    names = frozenset(COMMANDS)

    def test_refuses_in_one_sentence(self, command: str, run: Any) -> None:
        code, out, err = run(f"{command} --no-such-option")
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert err.startswith("dpviz: ")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_default_that_the_help_tells_is_the_default(command: str) -> None:
    options = _parser([command]).get_default("parsers")[command]._actions
    for one in options:
        said = re.search(r"\(default ([^\s);]+)", one.help or "")
        if said and one.default is not None:
            assert type(one.default)(said[1]) == one.default, one.option_strings


def hears_ctrl_c() -> None:
    """A new process hears it: what a shell starts in the background ignores SIGINT."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


GRID = shlex.split("sweep -e 0.01:10:60 -k 5 40 --generate zipf:size=20000")


@pytest.fixture(scope="module")
def whole_sweep(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The grid without any interruption."""
    whole = tmp_path_factory.mktemp("whole") / "sweep.csv"
    assert main([*GRID, "-j", "1", "-o", str(whole)]) == 0
    return whole.read_bytes()


class TestAsAProgram:
    def start(self, *argv: str, **told: Any) -> "subprocess.Popen[bytes]":
        told = {"cwd": ROOT, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | told
        return subprocess.Popen([sys.executable, "-m", "dpviz", *argv], **told)

    def test_it_reads_standard_input_and_ends_with_0(self) -> None:
        process = self.start(
            "distribution", "--file", "-", "--kind", "csv", "--monotonic", "-k", "1", stdin=-1
        )
        out, err = process.communicate("item,count\né,3\nb,1\n".encode())
        assert process.returncode == 0
        assert b"names from 'item', scores from 'count'" in err
        row = next(csv.DictReader(io.StringIO(out.decode())))
        assert float(row["value"]) == canonical_top(Scores([3, 1], monotonic=True))

    @pytest.mark.skipif(not Path("/dev/zero").exists(), reason="a file without an end")
    def test_a_file_without_an_end_is_read_up_to_the_limit(self) -> None:
        room = "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30)); "
        of = "'distribution', '--file', '/dev/zero', '--kind', 'csv'"
        script = f"{room}from dpviz.__main__ import main; sys.exit(main([{of}]))"
        ran = subprocess.run(
            [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert (ran.returncode, ran.stdout) == (2, "")
        assert ran.stderr.startswith("dpviz: 'zero' has 50.0 MB; at most 50 are allowed.")

    @pytest.mark.skipif(os.name != "posix", reason="pipes end otherwise elsewhere")
    def test_a_reader_that_leaves_is_no_error(self) -> None:
        read, written = os.pipe()
        os.close(read)
        process = self.start("distribution", "--example", "class_trip", stdout=written)
        os.close(written)
        _, err = process.communicate()
        assert (process.returncode, err) == (141, b"")

    @pytest.mark.twins("SIGINT", "SIGKILL")
    @pytest.mark.skipif(os.name != "posix", reason="signals")
    @pytest.mark.parametrize("sent", ["SIGINT", "SIGTERM", "SIGKILL"])
    def test_ended_by_a_signal_it_leaves_no_process_and_goes_on_to_the_same_bytes(
        self, tmp_path: Path, sent: str, whole_sweep: bytes
    ) -> None:
        output = tmp_path / "sweep.csv"
        told: dict[str, Any] = {"start_new_session": True, "preexec_fn": hears_ctrl_c}
        process = self.start(*GRID, "-j", "2", "-o", str(output), **told)
        until(lambda: output.exists() and output.read_bytes().count(b"\n") > 10, of=process)
        process.send_signal(getattr(signal, sent))
        _, err = process.communicate(timeout=60)
        assert process.returncode == {"SIGINT": 130, "SIGTERM": 143, "SIGKILL": -9}[sent], err
        if sent != "SIGKILL":
            again = f"dpviz: Stopped; the same command continues from {output}.\n"
            assert err.decode() == again
        until(lambda: is_over(process.pid), told=lambda: "workers outlived their parent")
        finished = output.read_bytes().split(b"\n")[:-1]
        assert 10 < len(finished) < 1 + 120 * len(FIGURES)
        assert main([*GRID, "-j", "1", "-o", str(output)]) == 0
        assert output.read_bytes() == whole_sweep
        assert set(finished) <= set(output.read_bytes().split(b"\n"))


def is_over(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


def test_a_command_that_fails_says_so_and_gives_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*given: object, **options: object) -> None:
        raise AttributeError("Can't pickle local object")

    monkeypatch.setattr("dpviz.commands.decide.decide", fails)
    assert main(["decide", "--example", "class_trip", "-k", "2"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.rstrip().endswith(
        "Something failed, and there is no answer. Please report the lines above."
    )
    assert "Can't pickle local object" in err

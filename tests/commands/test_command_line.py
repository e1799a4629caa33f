"""The command line: figures equal the library's, options come from the registries, bad input gets a
sentence.
"""

import csv
import io
import json
import os
import re
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
from dpviz.base.parameters import declared_parameters
from dpviz.commands import COMMANDS, load_command
from dpviz.commands.options import parse_entry, parse_parameter
from dpviz.data import EXAMPLES, GENERATORS
from dpviz.studies import COLUMNS, FIGURES, Sweep, run_sweep
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.design import Design
from dpviz.topk.mechanism import TOP_K
from tests.contract import PURE
from tests.menus import Contract
from tests.until import until

ROOT = Path(__file__).resolve().parents[2]
SHARED = ("epsilon", "k")


class Ran:
    """One run of `main`: its code, what it printed and what it said."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *argv: object) -> None:
        self.code = main([str(each) for each in argv])
        self.out, self.err = capsys.readouterr()

    @property
    def rows(self) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(self.out)))

    @property
    def json(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.out)
        return found


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    return lambda *argv: Ran(capsys, *argv)


@pytest.fixture
def counts(tmp_path: Path) -> Path:
    path = tmp_path / "counts.csv"
    path.write_text("item,count\n=a,9\nb,14\nc,12\nd,2\n", encoding="utf-8")
    return path


COUNTS = Scores([9, 14, 12, 2], labels=["=a", "b", "c", "d"], monotonic=True)


def few(name: str) -> int | None:
    """In how many items a person can count, where a mechanism has to know."""
    return None if name in PURE else 2


def person(name: str) -> tuple[object, ...]:
    """The same as options."""
    return () if name in PURE else ("--contributions", few(name))


class TestDistribution:
    @pytest.mark.parametrize("name", list(TOP_K))
    def test_figures_are_the_librarys_for_every_mechanism(
        self, run: Any, counts: Path, name: str
    ) -> None:
        ran = run(
            "distribution",
            "-m",
            name,
            "--file",
            counts,
            "--monotonic",
            "-e",
            0.7,
            "-k",
            2,
            *person(name),
        )
        dist = TOP_K[name](epsilon=0.7, k=2).distribution(replace(COUNTS, contributions=few(name)))
        assert (ran.code, "covers the noisy scores" in ran.err) == (
            0,
            name in {"gaussian_counts", "threshold_counts"},
        )
        assert list(ran.rows[0]) == list(COLUMNS)
        for row in ran.rows:
            expected = dist.share if row["figure"] == "share" else getattr(dist, row["figure"])
            assert float(row["value"]) == pytest.approx(expected, abs=1e-12)
            assert float(row["low"]) <= expected <= float(row["high"])
            assert row["method"] == "exact"

    def test_items_in_the_order_of_the_file_and_inert(self, run: Any, counts: Path) -> None:
        ran = run(
            "distribution", "--file", counts, "--monotonic", "-e", 0.7, "-k", 2, "--show", "items"
        )
        inclusion = Canonical(epsilon=0.7, k=2).distribution(COUNTS).inclusion
        assert [row["item"] for row in ran.rows] == ["'=a", "b", "c", "d"]
        assert [float(row["value"]) for row in ran.rows] == pytest.approx(
            inclusion.tolist(), abs=1e-12
        )
        assert [int(row["rank"]) for row in ran.rows] == [3, 1, 2, 4]

    def test_classes(self, run: Any) -> None:
        ran = run("distribution", "--example", "class_trip", "-k", 2, "--show", "classes")
        expected = Canonical(epsilon=1.0, k=2).distribution(EXAMPLES["class_trip"].scores()).table()
        pd.testing.assert_frame_equal(
            pd.read_csv(io.StringIO(ran.out)), expected, check_dtype=False
        )

    def test_json_says_the_same_as_csv_and_carries_its_scenario(self, run: Any) -> None:
        argv = ("distribution", "--example", "class_trip", "-e", 2, "-k", 2, "--gamma", 0.25)
        content, rows = run(*argv, "--format", "json").json, run(*argv).rows
        assert [row["value"] for row in content["rows"]] == [float(row["value"]) for row in rows]
        again = Scenario.from_json(json.dumps(content["scenario"]))
        assert again.mechanisms == (Canonical(epsilon=2.0, k=2, gamma=0.25),)
        assert again.load() == EXAMPLES["class_trip"].scores()

    def test_the_examples_own_k_is_the_default(self, run: Any) -> None:
        assert {row["k"] for row in run("distribution", "--example", "class_trip").rows} == {"2"}

    def test_scores_without_a_word_on_people_say_what_is_taken(
        self, run: Any, counts: Path
    ) -> None:
        ran = run("distribution", "--file", counts, "-k", 2)
        exact = Canonical(epsilon=1.0, k=2).distribution(Scores(COUNTS.values)).top
        assert float(ran.rows[0]["value"]) == pytest.approx(exact, abs=1e-12)
        taken = "One person replaced by another changes each score by at most 1, up or down."
        ways = (
            "Say --monotonic for one person added or removed, --replaced for one person replaced by"
            " another."
        )
        read = "counts.csv: read 4 items: names from 'item', scores from 'count'."
        assert ran.err == (
            f"dpviz: {read}\ndpviz: counts.csv is taken so: {taken} {AS_COUNTS} {ways}\n"
        )
        assert "whole numbers from 0 up" in AS_COUNTS
        said = run("distribution", "--file", counts, "-k", 2, "--replaced")
        assert (said.rows, said.err) == (ran.rows, f"dpviz: {read}\n")
        again = run("distribution", "--file", counts, "-k", 2, "--monotonic")
        assert again.err == f"dpviz: {read}\n"

    def test_scores_that_cannot_be_counts_are_not_offered_as_such(
        self, run: Any, tmp_path: Path
    ) -> None:
        path = tmp_path / "scores.csv"
        path.write_text("a,0.5\nb,2\n", encoding="utf-8")
        ran = run("distribution", "--file", path, "-k", 1)
        assert "whole numbers" not in ran.err
        assert "Say --monotonic for one person added or removed, --replaced for" in ran.err

    def test_what_is_taken_is_what_the_app_takes(self, run: Any, counts: Path) -> None:
        taken = DataSpec(source="uploaded")
        scores = Scores(COUNTS.values, sensitivity=taken.sensitivity, monotonic=taken.monotonic)  # type: ignore[arg-type]
        ran = run("distribution", "--file", counts, "-k", 2)
        assert float(ran.rows[0]["value"]) == Canonical(epsilon=1.0, k=2).distribution(scores).top
        assert scores.change in ran.err

    @pytest.mark.parametrize("source", ["file", "example", "generate", "scenario"])
    def test_in_how_many_items_one_person_counts_is_said_alike_everywhere(
        self, run: Any, counts: Path, tmp_path: Path, source: str
    ) -> None:
        saved = tmp_path / "s.json"
        saved.write_text(
            Scenario(data=DataSpec(name="class_trip"), k=2).to_json(), encoding="utf-8"
        )
        told = {
            "file": ["--file", counts, "--monotonic"],
            "example": ["--example", "class_trip"],
            "generate": ["--generate", "zipf:size=9,exponent=0.1"],
            "scenario": ["--scenario", saved],
        }[source]
        free = run("distribution", *told, "-k", 2, "-e", 0.4)
        bound = run(
            "distribution", *told, "-k", 2, "-e", 0.2, "--contributions", 1, "--format", "json"
        )
        assert [row["value"] for row in bound.json["rows"]] == pytest.approx(
            [float(row["value"]) for row in free.rows]
        )
        assert bound.json["scenario"]["data"]["contributions"] == 1

    def test_contributions_of_an_event_log_are_kept_to(self, run: Any, tmp_path: Path) -> None:
        log, items = tmp_path / "log.csv", tmp_path / "items.txt"
        log.write_text("who,what\nann,tea\nann,rye\nbo,tea\nbo,gin\n", encoding="utf-8")
        items.write_text("tea\nrye\nale\n", encoding="utf-8")
        told = (
            "--file",
            log,
            "--person-column",
            "who",
            "--item-column",
            "what",
            "-k",
            1,
            "--contributions",
            1,
        )
        ran = run("distribution", *told, "--items", items, "--show", "items", "--format", "json")
        assert sum(row["score"] for row in ran.json["rows"]) == 2
        assert {row["item"] for row in ran.json["rows"]} == {"tea", "rye", "ale"}
        assert ran.json["scenario"]["data"]["items_known"] is True
        assert "Kept of each person: at most 1 item. Left out beyond: 1 pair" in ran.err
        assert "Left out, as their items are not on the list: 1 row." in ran.err
        assert (
            run("distribution", *told, "--format", "json").json["scenario"]["data"]["items_known"]
            is False
        )

    @pytest.mark.parametrize("name", list(GENERATORS))
    def test_every_generator_has_its_parameters_as_options(self, run: Any, name: str) -> None:
        ran = run("distribution", "--generate", name, "--data-size", 25, "-k", 3)
        dist = Canonical(epsilon=1.0, k=3).distribution(GENERATORS[name](size=25).scores())
        assert float(ran.rows[0]["value"]) == pytest.approx(dist.top, abs=1e-12)
        same = run("distribution", "--generate", f"{name}:size=25", "-k", 3)
        assert [row["value"] for row in same.rows] == [row["value"] for row in ran.rows]

    def test_an_event_log_is_counted(self, run: Any, tmp_path: Path) -> None:
        log = tmp_path / "log.tsv"
        log.write_text(
            "who\twhat\nann\ttea\nann\ttea\nbo\ttea\nbo\trye\ncy\tgin\n", encoding="utf-8"
        )
        ran = run(
            "distribution",
            "--file",
            log,
            "--person-column",
            "who",
            "--item-column",
            "what",
            "-k",
            1,
        )
        exact = Canonical(epsilon=1.0, k=1).distribution(Scores([2, 1, 1], monotonic=True)).top
        assert float(ran.rows[0]["value"]) == pytest.approx(exact, abs=1e-12)
        assert "one person can add a name to them" in ran.err
        assert "In this log one has 2, which is private itself" in ran.err

    @pytest.mark.parametrize("command", ["distribution", "decide"])
    def test_rows_without_a_person_are_one_question(
        self, run: Any, command: str, tmp_path: Path
    ) -> None:
        log = tmp_path / "log.csv"
        rows = "".join(f"{who},tea\n{who},rye\n" for who in range(40)) + ",tea\n" * 9 + "x,rye\n"
        log.write_text("who,what\n" + rows, encoding="utf-8")
        columns = ("--file", log, "--person-column", "who", "--item-column", "what", "-k", 1)
        refused = run(command, *columns)
        assert refused.code == 2
        assert "9 of 90 rows have no person: leave them out? Say --missing skip." in refused.err
        assert "9 of 90 rows are left out" in run(command, *columns, "--missing", "skip").err


class TestCompare:
    def test_every_mechanism_beside_the_others(self, run: Any) -> None:
        named = [part for name in TOP_K for part in ("-m", name)]
        told = ("-k", 2, "-e", 0.5, "--example", "class_trip", "--contributions", 2)
        ran = run("compare", *named, "-m", "canonical:gamma=0", *told)
        scores = replace(EXAMPLES["class_trip"].scores(), contributions=2)
        assert [row["mechanism"] for row in ran.rows] == [*TOP_K, "canonical"]
        assert ran.rows[-1]["design"] == Design(parameters={"gamma": 0.0}).label
        for row, m in zip(
            ran.rows[:-1], [TOP_K[name](epsilon=0.5, k=2) for name in TOP_K], strict=True
        ):
            dist = m.distribution(scores)
            for figure in FIGURES:
                expected = dist.share if figure == "share" else getattr(dist, figure)
                assert float(row[figure]) == pytest.approx(expected, abs=1e-12)
                assert float(row[f"{figure}_low"]) <= expected <= float(row[f"{figure}_high"])


class TestBudget:
    def test_the_smallest_epsilon_and_its_multiple_of_the_best(self, run: Any) -> None:
        ran = run(
            "budget",
            "-m",
            "canonical",
            "-m",
            "peeling",
            "-k",
            3,
            "--figure",
            "top",
            "good",
            "-p",
            0.5,
            0.9,
        )
        scores = EXAMPLES["help_line"].scores()
        found = {
            (row["mechanism"], row["event"], float(row["probability"])): row for row in ran.rows
        }
        assert len(found) == 8
        for (name, event, probability), row in found.items():
            exact = smallest_epsilon(
                TOP_K[name](epsilon=1.0, k=3), scores, event=event, probability=probability
            )
            assert float(row["epsilon"]) == exact
            best = min(
                float(found[other, event, probability]["epsilon"])
                for other in ("canonical", "peeling")
            )
            assert float(row["multiple"]) == pytest.approx(exact / best)

    def test_hits(self, run: Any) -> None:
        ran = run(
            "budget", "-m", "canonical", "-k", 10, "--figure", "hits", "--at-least", 9, "-p", 0.9
        )
        scores = EXAMPLES["help_line"].scores()
        wanted = smallest_epsilon(
            Canonical(epsilon=1.0, k=10), scores, probability=0.9, event="hits", at_least=9
        )
        (row,) = ran.rows
        assert (row["event"], float(row["epsilon"])) == ("hits_at_least_9", wanted)
        for command in ("distribution", "sweep"):
            found = {
                row["figure"]: row
                for row in run(command, "-m", "canonical", "-k", 10, "--at-least", 9).rows
            }
            exact = Canonical(epsilon=1.0, k=10).distribution(scores).hits_at_least(9)
            assert float(found["hits_at_least_9"]["value"]) == pytest.approx(exact, abs=1e-12)
        (row,) = run("compare", "-m", "canonical", "-k", 10, "--at-least", 9).rows
        assert float(row["hits_at_least_9_low"]) <= exact <= float(row["hits_at_least_9_high"])

    def test_a_goal_out_of_reach_says_why_and_points_to_optimal(self, run: Any) -> None:
        ran = run(
            "budget",
            "--example",
            "library_loans",
            "--figure",
            "top",
            "optimal",
            "-p",
            0.9,
            "--format",
            "json",
        )
        top, optimal = ran.json["rows"]
        assert (top["epsilon"], top["multiple"]) == (None, None)
        assert "let any of these choices count (optimal)" in top["reason"]
        assert optimal["multiple"] == 1.0
        assert top["reason"] in ran.err

    def test_an_items_inclusion(self, run: Any) -> None:
        ran = run("budget", "--figure", "inclusion", "--item", "Pothole in the road", "-p", 0.9)
        scores = EXAMPLES["help_line"].scores()
        item = scores.labels.index("Pothole in the road")
        exact = smallest_epsilon(
            Canonical(epsilon=1.0, k=10), scores, event="inclusion", item=item, probability=0.9
        )
        assert [float(row["epsilon"]) for row in ran.rows] == [exact]


class TestSample:
    @pytest.mark.parametrize("name", list(TOP_K))
    def test_draws_are_the_librarys_for_the_seed_and_come_with_a_warning(
        self, run: Any, name: str
    ) -> None:
        told = ("--example", "class_trip", "-k", 2, "-e", 9, "-n", 7, "--seed", 5)
        ran = run("sample", "-m", name, *told, *person(name))
        scores = replace(EXAMPLES["class_trip"].scores(), contributions=few(name))
        drawn = TOP_K[name](epsilon=9.0, k=2).sample(scores, 7, rng=np.random.default_rng(5))
        came = [
            (draw + 1, item) for draw, row in enumerate(drawn.tolist()) for item in row if item >= 0
        ]
        assert came
        assert [(int(row["draw"]), int(row["item"])) for row in ran.rows] == came
        assert [row["label"] for row in ran.rows] == [scores.label(item) for _, item in came]
        assert (
            "a release must not use a seed that others know, nor plain floating-point noise"
            in ran.err
        )

    def test_the_warning_is_in_json_too(self, run: Any) -> None:
        assert "must not use a seed" in run("sample", "-k", 3, "--format", "json").json["notes"][0]

    def test_noisy_counts_come_with_their_scores(self, run: Any) -> None:
        told = (
            "sample",
            "-m",
            "one_shot",
            "--noise",
            "laplace",
            "-k",
            2,
            "-n",
            3,
            "--example",
            "class_trip",
        )
        ran = run(*told, "--contributions", 1, "--scores", "--seed", 4)
        scores = DataSpec(name="class_trip", contributions=1).scores()
        m = OneShot(epsilon=1.0, k=2, noise="laplace")
        items, noisy = m.sample_with_scores(scores, 3, rng=np.random.default_rng(4))
        assert [int(row["item"]) for row in ran.rows] == items.ravel().tolist()
        assert [float(row["noisy_score"]) for row in ran.rows] == pytest.approx(noisy.ravel())
        assert "ε covers the noisy scores" in ran.err
        assert "must not use a seed" in ran.err
        assert "noisy_score" not in run(*told, "--contributions", 1).rows[0]


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
        ran = run("compare", "--scenario", self.saved(tmp_path, self.scenario), "--format", "json")
        scores = self.scenario.load()
        tops = [m.distribution(scores).top for m in self.scenario.mechanisms]
        assert [row["top"] for row in ran.json["rows"]] == pytest.approx(tops, abs=1e-12)
        assert Scenario.from_json(json.dumps(ran.json["scenario"])) == self.scenario

    def test_options_change_parts_of_it(self, run: Any, tmp_path: Path) -> None:
        path = self.saved(tmp_path, self.scenario)
        rows = run(
            "compare", "--scenario", path, "-e", 0.6, "--noise", "laplace", "--no-monotonic"
        ).rows
        assert [row["parameters"] for row in rows] == ["gamma=0.25;noise=laplace", "noise=laplace"]
        changed = Canonical(epsilon=0.6, k=4, gamma=0.25, noise="laplace")
        values = self.scenario.load().values
        exact = changed.distribution(Scores(values, sensitivity=2.0, monotonic=False)).top
        assert float(rows[0]["top"]) == pytest.approx(exact, abs=1e-12)

    def test_uploaded_scores_in_it_are_used_and_not_printed(self, run: Any, tmp_path: Path) -> None:
        scores = Scores(
            [31.0, 17.0, 23.0], labels=["secret", "b", "c"], sensitivity=2.0, monotonic=True
        )
        spec = DataSpec(source="uploaded", sensitivity=2.0, monotonic=True)
        path = self.saved(tmp_path, Scenario(data=spec, k=1, scores=scores))
        ran = run("distribution", "--scenario", path, "--format", "json")
        assert ran.json["rows"][0]["value"] == pytest.approx(
            Canonical(epsilon=1.0, k=1).distribution(scores).top
        )
        assert "secret" not in ran.out
        assert "scores" not in ran.json["scenario"]

    def test_one_without_its_data_asks_for_the_file_and_takes_its_word_on_people(
        self, run: Any, tmp_path: Path, counts: Path
    ) -> None:
        spec = DataSpec(source="uploaded", sensitivity=3.0, monotonic=True)
        path = self.saved(tmp_path, Scenario(data=spec, k=1))
        ran = run("distribution", "--scenario", path)
        assert (ran.code, ran.out) == (2, "")
        assert "--file must be given: this scenario was saved without the data" in ran.err
        ran = run("distribution", "--scenario", path, "--file", counts)
        exact = (
            Canonical(epsilon=1.0, k=1)
            .distribution(Scores(COUNTS.values, sensitivity=3.0, monotonic=True))
            .top
        )
        assert float(ran.rows[0]["value"]) == pytest.approx(exact, abs=1e-12)

    def test_one_design_of_several_is_named(self, run: Any, tmp_path: Path) -> None:
        ran = run("distribution", "--scenario", self.saved(tmp_path, self.scenario))
        assert "The scenario has 2 designs; this is the first, Canonical" in ran.err
        assert {row["mechanism"] for row in ran.rows} == {"canonical"}


class TestSweep:
    argv = (
        "sweep",
        "-m",
        "canonical",
        "-m",
        "peeling",
        "-e",
        "0.1:10:3",
        "5",
        "-k",
        1,
        2,
        50,
        "--seed",
        3,
    )
    data = ("--example", "class_trip", "--generate", "zipf:size=60")

    def expected(self) -> pd.DataFrame:
        return run_sweep(
            Sweep(
                scores={
                    "class_trip": EXAMPLES["class_trip"].scores(),
                    "zipf:size=60": GENERATORS["zipf"](size=60).scores(),
                },
                designs=[Design(), Design(mechanism="peeling")],
                epsilons=[0.1, 1.0, 10.0, 5.0],
                ks=[1, 2, 50],
                seed=3,
            )
        )

    def test_the_table_is_the_librarys_and_says_what_is_left_out(self, run: Any) -> None:
        ran = run(*self.argv, *self.data, "-j", 1)
        pd.testing.assert_frame_equal(
            pd.read_csv(io.StringIO(ran.out)), self.expected(), check_dtype=False
        )
        assert "k = 50 is left out for class_trip, which has only 6 items." in ran.err

    def test_processes_and_a_file_give_the_same(self, run: Any, tmp_path: Path) -> None:
        output = tmp_path / "sweep.csv"
        ran = run(*self.argv, *self.data, "-j", 2, "-o", output)
        assert (ran.code, ran.out) == (0, "")
        pd.testing.assert_frame_equal(pd.read_csv(output), self.expected(), check_dtype=False)

    def test_json_lines_resume(self, run: Any, tmp_path: Path) -> None:
        output = tmp_path / "sweep.jsonl"
        run(*self.argv, *self.data, "-j", 1, "-o", output)
        whole = output.read_bytes()
        output.write_bytes(whole[: len(whole) // 3])
        assert run(*self.argv, *self.data, "-j", 1, "-o", output).code == 0
        assert output.read_bytes() == whole

    def test_a_source_named_twice_counts_once(self, run: Any) -> None:
        argv = ("sweep", "--figure", "top", "-j", 1, "--example", "class_trip")
        assert run(*argv, "--example", "class_trip").out == run(*argv).out

    def test_files_of_one_name_in_two_folders_are_told_apart(
        self, run: Any, tmp_path: Path
    ) -> None:
        paths = [tmp_path / folder / "x.csv" for folder in ("a", "b")]
        for i, path in enumerate(paths):
            path.parent.mkdir()
            path.write_text(f"{9 + i}\n5\n1\n")
        files = [part for path in paths for part in ("--file", path)]
        ran = run("sweep", *files, "--monotonic", "-k", 1, "--figure", "top", "-j", 1)
        assert [row["data"] for row in ran.rows] == [str(path) for path in paths]

    def test_a_scenario_is_the_grid_of_one(self, run: Any, tmp_path: Path) -> None:
        path = tmp_path / "scenario.json"
        path.write_text(TestScenario.scenario.to_json(), encoding="utf-8")
        ran = run("sweep", "--scenario", path, "-j", 1)
        assert {(row["epsilon"], row["k"], row["seed"]) for row in ran.rows} == {("0.3", "4", "9")}
        assert len(ran.rows) == 2 * len(FIGURES)


BAD = [
    ("", "The following arguments are required: COMMAND"),
    ("nothing", "invalid choice: 'nothing'"),
    ("distribution --bogus", "Unrecognized arguments: --bogus"),
    ("distribution -e", "Argument -e/--epsilon: expected one argument"),
    ("distribution -e abc", "epsilon must be a number above 0 and at most 1,000,000, not 'abc'."),
    ("distribution -e nan", "epsilon must be a number above 0"),
    ("distribution -e 0", "epsilon must be a number above 0"),
    ("distribution -k 2.5", "k must be a whole number of at least 1, not '2.5'."),
    ("distribution -k 60", "k must be at most 59, one less than the 60 items, not 60."),
    ("distribution -m nix", "mechanism must be one of canonical"),
    ("distribution -m canonical:nix=1", "a parameter of canonical must be one of gamma, noise"),
    ("distribution -m canonical:gamma", "a parameter of canonical must be one of gamma, noise"),
    ("distribution -m canonical:gamma=2", "gamma must be a number from 0 to 1, not 2.0."),
    ("distribution -m canonical -m peeling", "--mechanism must be given once for this command"),
    ("distribution -m peeling --gamma 0.1", "--gamma must be left out for peeling, not '0.1'."),
    ("distribution --noise nix", "noise must be one of gumbel"),
    ("distribution --samples 0 -m canonical", "samples must be"),
    ("distribution --seed -1", "seed must be"),
    ("distribution --example nix", "example must be one of help_line"),
    (
        "distribution --example help_line --example class_trip",
        "the data must be one source for this command",
    ),
    ("distribution --generate nix", "generator must be one of zipf"),
    (
        "distribution --generate zipf:size=1",
        "size must be a whole number from 2 to 1,000,000, not 1.",
    ),
    ("distribution --generate zipf --data-ratio 0.5", "--ratio must be left out for zipf"),
    ("distribution --sensitivity 0", "sensitivity must be a number above 0"),
    ("distribution --score-column a", "--score-column must be left out without --file"),
    ("distribution --file missing.csv", "No such file or directory: missing.csv."),
    ("distribution --file .", "Is a directory"),
    ("distribution --file -", "--kind must be given for standard input"),
    (
        "distribution --file {counts} --score-column nix",
        "score must be one of the columns 'item', 'count'",
    ),
    ("distribution --file {counts} --person-column item", "--item-column must be given too"),
    (
        "distribution --file {counts} --person-column item --item-column count --monotonic",
        "--monotonic must be left out for an event log",
    ),
    (
        "distribution --file {counts} --items {counts}",
        "--items must be left out but for an event log",
    ),
    ("distribution --items {counts}", "--items must be left out without --file"),
    (
        "distribution --replaced --monotonic",
        "--monotonic/--no-monotonic: not allowed with argument --replaced",
    ),
    (
        "distribution --monotonic --replaced",
        "--replaced: not allowed with argument --monotonic/--no-monotonic",
    ),
    ("distribution --contributions 0", "contributions must be a whole number of at least 1, not 0"),
    ("sample --scores", "mechanism must be one that releases noisy scores, not 'canonical'."),
    (
        "sample --scores -m one_shot --noise laplace",
        "contributions must be said and at most k = 10",
    ),
    ("distribution --format scenario", "invalid choice: 'scenario'"),
    ("distribution --scenario {counts}", "the file must be a scenario saved by dpviz (JSON)"),
    ("distribution -o {folder}/nix/x.csv", "--output must be a file in a folder that exists"),
    ("distribution -o {folder}", "--output must be a file in a folder that exists"),
    ("distribution --format xml", "invalid choice: 'xml'"),
    ("budget -p 1", "probability must be below 1"),
    ("budget --figure nix", "invalid choice: 'nix'"),
    ("budget --figure inclusion", "--item must be a label for the figure inclusion"),
    ("budget --figure hits", "--at-least must be a number for the figure hits"),
    ("budget --at-least 3", "--at-least must be a number for the figure hits"),
    ("sweep --figure hits", "at_least must be a number for the figure hits"),
    ("distribution -k 3 --at-least 4", "at_least must be a whole number from 1 to 3, not 4"),
    ("budget --item x", "--item must be a label for the figure inclusion"),
    ("budget --figure inclusion --item nix", "--item must be the label of one item"),
    ("sample -n -1", "--releases must be a whole number of at least 0"),
    ("sample -n 100000000", "--releases must be at most 5,000,000 for k = 10"),
    ("sweep -e 1:2", "--epsilon must be a number or LOW:HIGH:COUNT, not '1:2'."),
    ("sweep -e 2:1:5", "the upper end of --epsilon must be"),
    ("sweep -e 2:2:5", "the upper end of --epsilon must be"),
    ("sweep -j 0", "workers must be a whole number from 1"),
    ("sweep -j 1 -o {counts}", "output must be a new file, or one that this very sweep began"),
    ("count", "The following arguments are required: --person-column, --item-column"),
    (
        "count --person-column a --item-column b",
        "There is nothing to count: give a FILE, or else --connect and --table",
    ),
    (
        "count {counts} --person-column a --item-column count",
        "person must be one of the columns 'item', 'count', not 'a'.",
    ),
    (
        "count {counts} --person-column item --item-column item",
        "item must be another column than the person's",
    ),
    ("count {folder}/*.nix --person-column a --item-column b", "No file matches"),
    (
        "count --connect duckdb://x.db --person-column a --item-column b",
        "--connect needs --table too: which of the tables",
    ),
    (
        "count --table t --person-column a --item-column b",
        "--table must be left out without --connect, which says where it is, not 't'",
    ),
    (
        "count x.csv --contributions 0 --person-column a --item-column b",
        "--contributions must be a whole number of at least 1, not 0",
    ),
    (
        "count x.csv --memory much --person-column a --item-column b",
        "memory must be a size such as 1GB or 500MB, not 'much'",
    ),
]


@pytest.mark.parametrize(("line", "sentence"), BAD)
def test_bad_input_gets_one_sentence_and_code_2(
    run: Any, counts: Path, line: str, sentence: str
) -> None:
    argv = [part.format(counts=counts, folder=counts.parent) for part in line.split()]
    before = counts.read_bytes()
    ran = run(*argv)
    assert (ran.code, ran.out) == (2, "")
    assert sentence in ran.err
    assert ran.err.startswith("dpviz: ")
    assert ran.err.count("\n") == 1
    assert counts.read_bytes() == before


def test_every_declared_parameter_is_an_option(
    run: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["distribution", "--help"])
    told = capsys.readouterr().out
    assert ended.value.code == 0
    for name in TOP_K:
        assert all(
            f"--{p.name.replace('_', '-')} " in told
            for p in declared_parameters(TOP_K[name])
            if p.name not in SHARED
        )
    for name in GENERATORS:
        assert all(f"--data-{p.name} " in told for p in declared_parameters(GENERATORS[name]))


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

    def test_helps_and_shows_an_example(
        self, command: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with pytest.raises(SystemExit) as ended:
            main([command, "--help"])
        assert ended.value.code == 0
        told = capsys.readouterr().out
        assert load_command(command).examples
        assert all(example in told for example in load_command(command).examples[:1])

    def test_refuses_in_one_sentence(
        self, command: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """An option it does not have: code 2, and nothing on standard output."""
        assert main([command, "--no-such-option"]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith("dpviz: ")
        assert err.count("\n") == 1


@pytest.mark.parametrize("command", COMMANDS)
def test_a_default_that_the_help_tells_is_the_default(command: str) -> None:
    options = _parser([command]).get_default("parsers")[command]._actions
    told = [(one, re.search(r"\(default ([^\s);]+)", one.help or "")) for one in options]
    wrong = [
        one.option_strings
        for one, said in told
        if said and one.default is not None and type(one.default)(said[1]) != one.default
    ]
    assert wrong == []


def test_options_are_read_by_what_the_parameter_declares() -> None:
    for name in TOP_K:
        for p in declared_parameters(TOP_K[name]):
            if not p.is_required:
                assert parse_parameter(p, str(p.default)) == p.default
        assert parse_entry(name, TOP_K, {}, shared=SHARED) == (name, {})


@pytest.mark.parametrize(
    ("argv", "endings"),
    [
        (
            ["distribution", "-o", "out.tsv"],
            ".csv, .txt, .json, .jsonl, .ndjson, .parquet, .pq, .xlsx",
        ),
        (
            ["sweep", "-e", "1", "-k", "2", "-o", "out.html"],
            ".csv, .txt, .json, .jsonl, .ndjson, .parquet, .pq, .xlsx",
        ),
        (
            ["decide", "-o", "sheet.pdf"],
            ".csv, .txt, .json, .jsonl, .ndjson, .html, .htm, .parquet, .pq, .xlsx",
        ),
    ],
)
def test_an_ending_that_says_no_format_is_refused(
    run: Any, argv: list[str], endings: str, tmp_path: Path
) -> None:
    argv[-1] = str(tmp_path / argv[-1])
    ran = run(*argv)
    assert (ran.code, ran.out) == (2, "")
    assert (
        f"--output must be a file that ends in {endings}, or given with --format, not " in ran.err
    )
    assert not list(tmp_path.iterdir())
    assert (
        run(
            "distribution", "--example", "class_trip", "--format", "csv", "-o", tmp_path / "out.tsv"
        ).code
        == 0
    )


def test_a_file_is_written_as_its_ending_says(run: Any, tmp_path: Path) -> None:
    for ending in ("csv", "json"):
        ran = run("compare", "--example", "class_trip", "-o", tmp_path / f"out.{ending}")
        assert (ran.code, ran.out) == (0, "")
    assert json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["dpviz"] == "compare"
    assert (tmp_path / "out.csv").read_text(encoding="utf-8").startswith('"design","mechanism"')
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.csv", "out.json"]


def hears_ctrl_c() -> None:
    """Run in a new process: what a shell starts in the background ignores SIGINT, and so do its
    children.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class TestAsAProgram:
    def start(self, *argv: str, **told: Any) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", "dpviz", *argv]
        return subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **told
        )

    def test_it_reads_standard_input_and_ends_with_0(self) -> None:
        process = self.start(
            "distribution", "--file", "-", "--kind", "csv", "--monotonic", "-k", "1", stdin=-1
        )
        out, err = process.communicate("item,count\né,3\nb,1\n".encode())
        assert process.returncode == 0
        assert b"names from 'item', scores from 'count'" in err
        exact = Canonical(epsilon=1.0, k=1).distribution(Scores([3, 1], monotonic=True)).top
        assert float(next(csv.DictReader(io.StringIO(out.decode())))["value"]) == pytest.approx(
            exact, abs=1e-12
        )

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
        command = [sys.executable, "-m", "dpviz", "distribution", "--example", "class_trip"]
        process = subprocess.Popen(command, cwd=ROOT, stdout=written, stderr=subprocess.PIPE)
        os.close(written)
        _, err = process.communicate()
        assert (process.returncode, err) == (141, b"")

    @pytest.mark.skipif(os.name != "posix", reason="SIGINT")
    @pytest.mark.parametrize("workers", ["1", "2"])
    def test_ctrl_c_stops_with_130_and_what_is_finished_stays(
        self, tmp_path: Path, workers: str
    ) -> None:
        output = tmp_path / "sweep.csv"
        grid = [
            "-e",
            "0.01:10:2000",
            "-k",
            "5",
            "--generate",
            "zipf:size=2000",
            "-j",
            workers,
            "-o",
            str(output),
        ]
        process = self.start("sweep", *grid, start_new_session=True, preexec_fn=hears_ctrl_c)
        until(lambda: output.exists() and output.read_bytes().count(b"\n") > 10, of=process)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to every process in front
        _, err = process.communicate(timeout=60)
        assert process.returncode == 130, err
        assert (
            err.decode() == f"dpviz: Stopped; the same command goes on from what is in {output}.\n"
        )
        assert output.read_bytes().count(b"\n") > 10

    @pytest.mark.twins(1)
    @pytest.mark.skipif(os.name != "posix", reason="signals")
    @pytest.mark.parametrize("workers", ["1", "2"])
    @pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
    def test_stopped_by_a_signal_it_goes_on_to_the_same_bytes(
        self, tmp_path: Path, sent: signal.Signals, code: int, workers: str
    ) -> None:
        output, whole = tmp_path / "sweep.csv", tmp_path / "whole.csv"
        grid = ["sweep", "-e", "0.01:10:60", "-k", "5", "40", "--generate", "zipf:size=20000"]
        process = self.start(
            *grid, "-j", workers, "-o", str(output), start_new_session=True, preexec_fn=hears_ctrl_c
        )
        until(lambda: output.exists() and output.read_bytes().count(b"\n") > 10, of=process)
        process.send_signal(sent)
        _, err = process.communicate(timeout=60)
        assert (process.returncode, err.decode()) == (
            code,
            f"dpviz: Stopped; the same command goes on from what is in {output}.\n",
        )
        until(lambda: is_over(process.pid), told=lambda: "workers outlived their parent")
        finished = output.read_bytes().split(b"\n")[:-1]
        assert 10 < len(finished) < 1 + 120 * len(FIGURES)
        assert main([*grid, "-j", "1", "-o", str(output)]) == 0
        assert main([*grid, "-j", "1", "-o", str(whole)]) == 0
        assert output.read_bytes() == whole.read_bytes()
        assert set(finished) <= set(output.read_bytes().split(b"\n"))

    @pytest.mark.skipif(os.name != "posix", reason="SIGKILL")
    def test_killed_it_leaves_no_process_behind_and_goes_on(self, tmp_path: Path) -> None:
        output, whole = tmp_path / "sweep.csv", tmp_path / "whole.csv"
        grid = [
            "sweep",
            "-e",
            "0.01:10:60",
            "-k",
            "5",
            "40",
            "--generate",
            "zipf:size=20000",
            "-j",
            "2",
        ]
        process = self.start(*grid, "-o", str(output), start_new_session=True)
        until(lambda: output.exists() and output.read_bytes().count(b"\n") > 20, of=process)
        process.kill()
        process.communicate()
        assert process.returncode == -signal.SIGKILL, "it ended before it could be killed"
        finished = output.read_bytes().split(b"\n")[:-1]
        assert 20 < len(finished) < 1 + 120 * len(FIGURES)
        until(lambda: is_over(process.pid), told=lambda: "workers outlived their parent")
        assert main([*grid, "-o", str(output)]) == 0
        assert main([*grid[:-2], "-j", "1", "-o", str(whole)]) == 0
        assert output.read_bytes() == whole.read_bytes()
        assert set(finished) <= set(output.read_bytes().split(b"\n"))


def is_over(group: int) -> bool:
    """Whether every process of the group has ended."""
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
        "Something failed; there is no answer. The lines above say where: please report them."
    )
    assert "Can't pickle local object" in err

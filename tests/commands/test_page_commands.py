"""`gaps`, `margin` and `candidates`: the figures of the library as tables."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpviz import CANDIDATES, THRESHOLD, CandidatePool, NoisyTopKWithGap, Scenario
from dpviz.__main__ import main
from dpviz.candidates.search_cost import SelectionBySearch
from dpviz.candidates.trained_runs import logistic_regression_runs
from dpviz.candidates.utility import rule_prices, top_quantile
from dpviz.data import EXAMPLES
from dpviz.gaps.gap_experiment import seeded_top_k_experiment
from dpviz.gaps.sparse.query_order import reorder_scores
from dpviz.margin.baselines import COMPARED
from dpviz.studies.data_spec import DataSpec

Rows = list[dict[str, str]]
SONGS, HELP = EXAMPLES["song_listeners"].scores(), EXAMPLES["help_line"].scores()


def numbers(rows: Rows, column: str) -> list[float]:
    return [float(row[column]) for row in rows]


def saved(folder: Path, **said: Any) -> Path:
    """The file of a scenario."""
    (folder / "s.json").write_text(Scenario(**said).to_json(), encoding="utf-8")
    return folder / "s.json"


HELP_LINE = DataSpec(name="help_line")


class TestGaps:
    def test_what_the_gaps_are_worth_is_the_experiment_that_the_page_shows(
        self, rows: Callable[..., Rows]
    ) -> None:
        (row,) = rows("gaps --example song_listeners -e 0.7 -k 4")
        found = seeded_top_k_experiment(SONGS, epsilon=0.7, k=4)
        assert float(row["ratio"]) == found.ratio.value
        assert float(row["error_with_gaps"]) == pytest.approx(math.sqrt(found.combined.value))
        assert float(row["error_measured"]) ** 2 == pytest.approx(found.measured.value, rel=0.05)
        assert (row["method"], int(row["draws"])) == ("estimated", found.runs)

    def test_a_release_is_the_seeds(self, rows: Callable[..., Rows]) -> None:
        shown = rows("gaps --show release --seed 5 -k 3 -e 1")
        out = NoisyTopKWithGap(epsilon=1.0, k=3).release(HELP, rng=np.random.default_rng(5))
        assert [row["item"] for row in shown] == [HELP.label(i) for i in out.items]
        assert numbers(shown, "gap") == out.gaps.tolist()

    @pytest.mark.parametrize("order", ["given", "descending", "shuffled"])
    def test_sparse_vectors(self, rows: Callable[..., Rows], order: str) -> None:
        told = f"gaps --half sparse_vector -e 0.8 -k 4 --threshold 120 --order {order}"
        asked = reorder_scores(HELP, order, 1)
        queries = rows(f"{told} --show queries")
        release = rows(f"{told} --show release --seed 3")
        assert [row["item"] for row in queries] == [asked.label(i) for i in range(asked.d)]
        figures = {row["mechanism"]: row for row in rows(told)}
        assert set(figures) == set(THRESHOLD)
        for name, row in figures.items():
            mechanism = THRESHOLD[name](epsilon=0.8, k=4, threshold=120.0, monotonic=True)
            law = mechanism.distribution(asked)
            chances, above = law.answer_probabilities, asked.values >= 120
            assert numbers(queries, f"{name}_answered") == pytest.approx(chances.tolist())
            reached = law.reach_probabilities.tolist()
            assert numbers(queries, f"{name}_reached") == pytest.approx(reached)
            assert float(row["answers"]) == pytest.approx(law.expected_answers)
            assert float(row["answers_above"]) == pytest.approx(chances[above].sum())
            assert float(row["answers_below"]) == pytest.approx(chances[~above].sum())
            covered = mechanism.coverage(asked, 0.95).overall_coverage
            assert float(row["covered"]) == pytest.approx(covered)
            out = mechanism.release(asked, rng=np.random.default_rng(3))
            own = [row for row in release if row["mechanism"] == name]
            assert [int(row["query"]) - 1 for row in own] == out.items.tolist()
            assert numbers(own, "at_least") == out.lower_bounds.tolist()

    def test_a_scenario_of_the_page_says_what_is_not_said(
        self, rows: Callable[..., Rows], tmp_path: Path
    ) -> None:
        said = {"half": "sparse_vector", "by": "value", "threshold": 200.0, "order": "ascending"}
        page = {f"gaps.{name}": value for name, value in said.items()}
        file = saved(tmp_path, data=HELP_LINE, epsilon=2.0, k=3, page=page)
        told = "gaps --half sparse_vector --threshold 200 --order ascending -e 2 -k 3"
        assert rows(f"gaps --scenario {file}") == rows(told)
        changed = rows(f"gaps --scenario {file} --quantile 0.5")
        assert float(changed[0]["threshold"]) == np.quantile(HELP.values, 0.5)

    def test_branches_and_deviations_are_those_of_the_adaptive_one(
        self, rows: Callable[..., Rows]
    ) -> None:
        told = "gaps --half sparse_vector -e 0.8 -k 4 --threshold 220 --branches 3 --deviations"
        answers = [float(rows(f"{told} {away}")[1]["answers"]) for away in (0.5, 3)]
        for away, count in zip((0.5, 3.0), answers, strict=True):
            mechanism = THRESHOLD["adaptive_sparse_vector"](
                epsilon=0.8, k=4, threshold=220.0, monotonic=True, branch_count=3, deviations=away
            )
            assert count == pytest.approx(mechanism.distribution(HELP).expected_answers)
        assert answers[0] > answers[1] + 1

    def test_a_split_by_hand_is_the_threshold_s_share(
        self, rows: Callable[..., Rows], tmp_path: Path
    ) -> None:
        told = "gaps --half sparse_vector -e 0.8 -k 4 --threshold 120 --split 0.3"
        for row in rows(told):
            plan = THRESHOLD[row["mechanism"]](epsilon=0.8, k=4, threshold=120.0, monotonic=True)
            law = plan.replace(split=(0.24, 0.56 / plan.units)).distribution(HELP)
            assert float(row["answers"]) == pytest.approx(law.expected_answers)
        page = {"gaps.half": "sparse_vector", "gaps.by": "value", "gaps.threshold": 120.0}
        page |= {"gaps.split": "custom", "gaps.share": 0.3}
        file = saved(tmp_path, data=HELP_LINE, epsilon=0.8, k=4, page=page)
        assert rows(f"gaps --scenario {file}") == rows(told)


class TestMargin:
    @pytest.mark.parametrize("universe", [60, 5_000])
    def test_figures_and_items_are_the_laws(self, rows: Callable[..., Rows], universe: int) -> None:
        told = f"margin -e 0.4 --delta 1e-4 --universe {universe} --good 40"
        items = rows(f"{told} --show items")
        assert [row["item"] for row in items] == [HELP.label(int(i)) for i in HELP.order]
        for row in rows(told):
            mechanism = COMPARED[row["mechanism"]].replace(epsilon=0.4, delta=1e-4)
            law = mechanism.distribution(HELP, zeros=universe - HELP.d)
            assert float(row["best"]) == law.best_probability
            assert float(row["near_best"]) == law.near_best_probability(40)
            assert float(row["fail"]) == law.fail
            assert float(row["log10_universe"]) == math.log10(universe)
            assert numbers(items, row["mechanism"]) == law.inclusion[HELP.order].tolist()

    def test_a_universe_in_digits_is_the_examples(self, rows: Callable[..., Rows]) -> None:
        own = rows("margin -e 0.5 --example chat_openings")
        assert numbers(own, "log10_universe") == [400.0] * len(COMPARED)
        assert own == rows("margin -e 0.5 --example chat_openings --digits 400")

    def test_a_scenario_of_the_page_says_what_is_not_said(
        self, rows: Callable[..., Rows], tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        page = {"delta": 1e-4, "digits": 5, "good": 40.0}
        file = saved(tmp_path, data=HELP_LINE, epsilon=0.4, page=page)
        told = "margin -e 0.4 --delta 1e-4 --good 40"
        assert rows(f"margin --scenario {file}") == rows(f"{told} --digits 5")
        own = rows(f"margin --scenario {file} --universe 70")
        assert own == rows(f"{told} --universe 70")
        saved(tmp_path, data=HELP_LINE, epsilon=0.4, page=page | {"good": -1.0})
        assert main(["margin", "--scenario", str(file)]) == 0
        said = "the distance of a good item must be a number of at least 0, not -1.0. It is taken"
        assert said in capsys.readouterr().err

    def test_one_that_cannot_have_this_delta_says_why(self, rows: Callable[..., Rows]) -> None:
        shown = {row["mechanism"]: row for row in rows("margin --delta 0.6")}
        assert shown["instability"]["best"] == ""
        assert "delta must be" in shown["instability"]["reason"]
        assert shown["large_margin"]["reason"] == ""


class TestCandidates:
    def test_figures_are_the_librarys_for_every_rule(self, rows: Callable[..., Rows]) -> None:
        shown = rows("candidates --epsilon1 0.4 --share 0.1 --people 200 --runs 50 --stop 0.1")
        pool = logistic_regression_runs(people=200, epsilon=0.4, runs=50, seed=0).pool
        said = {name: {} if name == "poisson" else {"stop": 0.1} for name in CANDIDATES}
        said["known_threshold"]["threshold"] = 0.8
        expected = rule_prices([CANDIDATES[one](**said[one]) for one in said], pool, 0.4, 0.0, 0.1)
        assert [row["way"] for row in shown] == [price.name for price in expected]
        for row, price in zip(shown, expected, strict=True):
            assert float(row["good"]) == price.utility.within
            assert float(row["runs"]) == price.utility.runs
            assert row["epsilon"] == ("" if price.epsilon is None else repr(price.epsilon))

    def test_the_search_for_a_threshold_stands_beside_the_other_ways(
        self, rows: Callable[..., Rows]
    ) -> None:
        shown = rows("candidates --epsilon1 0.1 --people 200 --runs 50 --show runs")
        last = {row["way"]: (float(row["epsilon"]), float(row["log10_runs"])) for row in shown}
        way = SelectionBySearch(candidates=10, candidate_epsilon=0.1, epsilon0=1.0)
        assert last["search"] == pytest.approx((1.2, way.log10_runs))
        assert last["stopping"] == pytest.approx((0.3, math.log10(200)))

    def test_a_table_of_runs(self, rows: Callable[..., Rows], tmp_path: Path) -> None:
        file = tmp_path / "runs.csv"
        file.write_text("model,score\na,0.5\nb,0.9\na,0.7\nb,0.4\n")
        pool = CandidatePool([[0.5, 0.7], [0.9, 0.4]], labels=["a", "b"])
        named = "--rule known_threshold --rule random_stopping:stop=0.2 --limit 400"
        shown = rows(f"candidates --file {file} --show chosen {named}")
        rules = {
            "known_threshold": {"threshold": top_quantile(pool, 0.25)},
            "random_stopping": {"stop": 0.2},
        }
        for name, given in rules.items():
            law = CANDIDATES[name](**given, limit=400).distribution(pool)  # type: ignore[arg-type]
            own = [row for row in shown if row["rule"] == name]
            assert [row["candidate"] for row in own] == ["a", "b", "⊥"]
            assert numbers(own, "probability") == law.table()["probability"].tolist()

    @pytest.mark.parametrize("view", ["outcome", "price"])
    def test_a_scenario_of_the_page_says_what_is_not_said(
        self, rows: Callable[..., Rows], tmp_path: Path, view: str
    ) -> None:
        page: dict[str, Any] = {"epsilon1": 0.3, "share": 0.1, "people": 150, "runs": 30}
        page |= {"stop": 0.2, "threshold": 0.7, "view": view, "rule": "known_threshold"}
        page |= {"limit.known_threshold": 90, "limit.random_stopping": 700}
        said = {f"pc.{name}": value for name, value in page.items()}
        file = saved(tmp_path, page=said, seed=4)
        shown = rows(f"candidates --scenario {file}")
        pool = logistic_regression_runs(people=150, epsilon=0.3, runs=30, seed=4).pool
        known = CANDIDATES["known_threshold"](threshold=0.7, stop=0.2, limit=90)  # type: ignore[arg-type]
        random = CANDIDATES["random_stopping"](stop=0.2, limit=700)  # type: ignore[arg-type]
        rules = rule_prices([known, random], pool, 0.3, 0.0, 0.1)[: 2 if view == "price" else 1]
        others = rule_prices([], pool, 0.3, 0.0, 0.1)
        found = {row["way"]: row for row in shown}
        for price in (*rules, *others):
            assert float(found[price.name]["good"]) == price.utility.within
            assert float(found[price.name]["runs"]) == price.utility.runs
        assert len(shown) == (len(CANDIDATES) if view == "price" else 1) + len(others)
        own = "--epsilon1 0.5 --rule random_stopping:stop=0.5 --limit 20 --seed 5"
        plain = f"candidates --share 0.1 --people 150 --runs 30 {own}"
        assert rows(f"candidates --scenario {file} {own}") == rows(plain)

    @pytest.mark.parametrize(
        ("name", "value", "sentence"),
        [
            ("rule", 3, "rule must be one of"),
            ("stop", "x", "stop must be"),
            ("delta1", 0.7, "delta1 must be"),
            ("share", 2, "share must be"),
            ("limit.random_stopping", "x", "limit must be"),
        ],
    )
    def test_a_value_that_cannot_be_used_is_left_out_as_on_the_page(
        self, name: str, value: Any, sentence: str, tmp_path: Path, capsys: Any
    ) -> None:
        page: dict[str, Any] = {"pc.people": 100, "pc.runs": 20, "pc.rule": "random_stopping"}
        told = []
        for said in (page, page | {f"pc.{name}": value}):
            assert main(["candidates", "--scenario", str(saved(tmp_path, page=said))]) == 0
            told.append(capsys.readouterr())
        assert told[0].err == ""
        assert told[1].err.startswith(f"dpviz: {sentence}")
        assert told[1].err.endswith(f"not {value!r}. The value in the scenario is ignored.\n")
        assert told[1].out == told[0].out

    def test_a_scenario_of_ones_own_candidates_asks_for_them(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        file = saved(tmp_path, page={"pc.pool": "typed"})
        assert main(["candidates", "--scenario", str(file)]) == 2
        told = "--file must be given: this scenario was saved without the table of its candidates."
        assert told in capsys.readouterr().err

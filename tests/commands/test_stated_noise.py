import json
from collections.abc import Callable
from pathlib import Path

import pytest

from dpviz import Scenario
from tests.commands.conftest import Run

RULE = "-m threshold_counts --sigma 18.26 --threshold 90 --contributions 10 --example help_line"


def test_a_stated_rule_has_its_figures_and_says_what_it_promises(run: Run) -> None:
    ran = run(f"distribution {RULE} --names known --show items")
    chance = {row["item"]: float(row["value"]) for row in ran.rows}
    assert chance["Pothole in the road"] > 0.999
    for part in (
        "Gaussian noise with standard deviation 18.26.",
        "An item is published if its count with noise is above 90.",
        "One person counts in at most 10 items.",
        "ε = 0.7146 at δ = 1e-06 follows from this.",
    ):
        assert part in ran.err


def test_without_a_list_of_names_the_new_names_decide(run: Run) -> None:
    told = run(f"distribution {RULE}").err
    assert "No ε holds at δ = 1e-06." in told
    assert "A name that only one person has is published in up to 1 of 180,000 releases." in told
    high = run(f"distribution {RULE.replace('--threshold 90', '--threshold 900')}").err
    assert (
        "No item can pass: the largest count, 412, is in fewer than 1 of a million lists." in high
    )


def test_the_price_of_a_year_follows_from_rho(rows: Callable[[str], list[dict[str, str]]]) -> None:
    (row,) = rows(f"price {RULE} --names known --releases 365 --delta 1e-6")
    assert float(row["rho"]) == pytest.approx(10 / (2 * 18.26**2))
    assert float(row["total_own_loss"]) == pytest.approx(20.58, abs=0.01)


def test_the_budget_of_a_stated_noise_is_told_to_follow_from_it(run: Run) -> None:
    ran = run(f"budget {RULE} --probability 0.9")
    assert "here the noise is stated and ε follows from it" in ran.out + ran.err


def test_decide_answers_for_a_stated_rule_alike_in_words_sheet_and_file(
    run: Run, tmp_path: Path
) -> None:
    line = (
        "decide -m threshold_counts --sigma 18.26 --threshold 150 --contributions 3 --example"
        ' help_line -k 10 --goal "9 of 10 in 0.9" --releases 12 --most-right 60'
    )
    told = run(line)
    verdict = "Yes: this stays within your limit. After all 12 lists"
    assert verdict in told.err
    (row,) = told.rows
    assert float(row["total"]) == pytest.approx(1.4252, abs=1e-3)
    assert run(f"{line} --format json -o {tmp_path / 'sheet.json'}").code == 0
    sheet = json.loads((tmp_path / "sheet.json").read_text(encoding="utf-8"))
    decision = sheet["decision"]
    assert verdict in decision["verdict"]
    assert decision["total"]["epsilon"] == pytest.approx(float(row["total"]))
    assert decision["mechanism"]["parameters"]["threshold"] == 150
    assert decision["smallest_epsilon"] is None
    assert "above 150" in decision["mechanism"]["why"]
    kept = Scenario.from_json(json.dumps(decision["scenario"]))
    assert kept.designs[0].stated_scale == "sigma"
    assert run(f"{line} --format html -o {tmp_path / 'sheet.html'}").code == 0
    page = (tmp_path / "sheet.html").read_text(encoding="utf-8")
    assert "An item is published if its count with noise is above 150." in page
    assert "Yes: this stays within your limit" in page


def test_a_stated_rule_that_misses_the_goal_is_priced_all_the_same(run: Run) -> None:
    line = (
        "decide -m threshold_counts --sigma 18.26 --threshold {} --contributions 3 --example"
        ' help_line -k 10 --goal "10 of 10 in 0.9" --most-right 60'
    )
    told = run(line.format(150))
    assert "This stays within your limit, but misses the goal." in told.err
    assert "In total that is ε = 0.3751 at δ = 1×10⁻⁶." in told.err
    low = run(line.format(50))
    assert low.code == 2
    assert "publishes new names less often than δ allows" in low.err

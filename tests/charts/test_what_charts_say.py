"""What charts say: their words as stored, sentences that turn with the figure, steps told in words.

After a change `python -m tests.charts.test_what_charts_say` stores the words anew, for a review of
the difference.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from dpviz import Scores
from dpviz.charts import LIGHT, Chart
from dpviz.charts.gaps.answer_counts import query_order_chart
from dpviz.charts.gaps.gap_release import GapRatios, gap_ratio_chart
from dpviz.charts.gaps.queries import answer_chance_chart
from dpviz.charts.gaps.threshold_run import threshold_run_chart
from tests.charts.drawn import plain
from tests.charts.test_every_chart import CASES, RUN, SCORES, ChartFunction, charts

WORDS = Path(__file__).with_name("words.json")


def words(function: ChartFunction) -> list[list[str]]:
    return [[one.alt, one.how_to_read, one.says_now] for one in charts(function, LIGHT)]


@pytest.mark.parametrize("function", CASES, ids=lambda function: function.__name__)
def test_a_chart_says_what_was_read_and_found_right(function: ChartFunction) -> None:
    stored = json.loads(WORDS.read_text(encoding="utf-8"))
    assert words(function) == stored.get(function.__name__), "read them, then store them anew"


def ratio(simulated: float, formula: float, *, k: int = 4) -> Chart:
    """Simulated ± 0.02 against a formula, at k."""
    at = np.array([float(k)])
    told = [np.array([each]) for each in (simulated, simulated - 0.02, simulated + 0.02, 300.0)]
    held = GapRatios(np.arange(1, 11), np.full(10, formula), at, *told)
    return gap_ratio_chart({"general": held}, k=k, own="general")


def orders(right: Mapping[str, float]) -> Chart:
    return query_order_chart(
        {name: ((4.0, 0.5), (each, 1.0)) for name, each in right.items()}, "Given", 9
    )


def answered(*, above: bool) -> Chart:
    scores, chance = Scores([1.0, 2.0, 3.0]), np.array([0.25, 0.5, 0.75])
    return answer_chance_chart(
        scores, 2.5 if above else 4.0, chance, chance / 2, chance / 4, np.ones(3)
    )


NO_SECOND = r"^With k = 1 there is no second item to compare with, so the gaps change nothing\.$"
BY_ORDER = "finds 6 on average when they are asked best first, and 2 when worst"
MEANS = "chance of an answer is 75.0\u202f% with the plain mechanism and 56.2\u202f% with the"


@pytest.mark.parametrize(
    ("chart", "says"),
    [
        (
            ratio(1.1, 0.9),
            r"is 1\.1 times that without.*\(1\.08 to 1\.12\).*Here the gaps do harm\.$",
        ),
        (ratio(0.8, 0.81), r"The formula gives 0\.81, within the interval\.$"),
        (ratio(0.8, 0.7), r"The formula gives 0\.7, which is too small\.$"),
        (ratio(0.8, 0.9), r"The formula gives 0\.9, which is too large\.$"),
        (ratio(1.0, 1.0, k=1), NO_SECOND),
        (orders({"Best first": 6.0, "Worst first": 2.0}), BY_ORDER),
        (orders({"Best first": 6.0, "Worst first": 6.0}), "the order makes almost no difference"),
        (answered(above=True), MEANS),
        (answered(above=False), "No query lies at or above the threshold, so every answer is a"),
    ],
)
def test_a_moral_turns_with_the_figure(chart: Chart, says: str) -> None:
    assert re.search(says, chart.says_now), chart.says_now


@pytest.mark.parametrize("step", range(1, RUN.release.asked + 1))
def test_a_step_says_what_its_noise_did(step: int) -> None:
    said = plain(threshold_run_chart(RUN, SCORES, step).says_now)
    told = re.findall(r"value ([-\d.,]+) \w+(?: below)? ([-\d.]+)", said)[0]
    noisy, needed = (float(text.replace(",", "")) for text in told)
    branch = int(RUN.branch[step - 1])
    assert ("answered" in said) == ("reaches" in said) == (noisy >= needed) == (branch >= 0)
    assert ("no cost" in said) == ("is below" in said) == (branch < 0)
    assert f"{int((RUN.branch[:step] >= 0).sum())} answer" in said


if __name__ == "__main__":
    every = {function.__name__: words(function) for function in CASES}
    WORDS.write_text(json.dumps(every, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")

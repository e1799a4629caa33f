"""What a chart says is what it shows: sentences are made anew from its table, and morals stand as
they are meant.

A chart that says more, less or the contrary of its own numbers fails here, whichever way its words
were put together.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from dpviz import Scores
from dpviz.charts import LIGHT, Chart, class_heatmap, score_bars
from dpviz.charts import candidates as candidate_charts
from dpviz.charts.gaps.answer_counts import (
    expected_answers_chart,
    query_order_chart,
    threshold_answer_count_chart,
)
from dpviz.charts.gaps.gap_release import GapRatios, gap_ratio_chart, gap_release_chart
from dpviz.charts.gaps.queries import answer_chance_chart
from dpviz.charts.gaps.threshold_run import threshold_run_chart
from dpviz.charts.margin.margin_curves import (
    universe_size_chart,
)
from dpviz.charts.margin.margin_items import margin_items_chart
from dpviz.charts.margin.margin_scores import margin_scores_chart
from dpviz.charts.privacy.trade_off import trade_off_curve_chart
from dpviz.charts.text_format import (
    hundred_frequency_text,
    lower_percent_text,
    number_text,
    percent,
    release_frequency_text,
)
from dpviz.charts.topk.class_maps import class_heatmaps
from dpviz.charts.topk.design_curves import k_curves_chart, shortfall_chart
from dpviz.charts.topk.item_rows import item_rows
from dpviz.charts.topk.replayed_seeds import replayed_seeds_chart
from dpviz.charts.topk.utility_curves import utility_curves_chart
from tests.charts.drawn import plain
from tests.charts.test_every_chart import CASES, RUN, SCORES, ChartFunction

TOLD: dict[ChartFunction, Callable[[Any], list[str]]] = {}
"""What the words of the first case of a chart have to say, made from its table alone."""


@cache
def first_case(function: ChartFunction) -> Chart:
    return next(CASES[function](LIGHT))


def words(chart: Chart) -> str:
    """All that is said about a chart, without the marks around labels."""
    return re.sub("[\u2068\u2069]", "", " ".join((chart.alt, chart.how_to_read, chart.says_now)))


def tells(function: ChartFunction) -> Callable[[Callable[[Any], list[str]]], None]:
    def kept(made: Callable[[Any], list[str]]) -> None:
        TOLD[function] = made

    return kept


@tells(score_bars)
def _(table: Any) -> list[str]:
    chance = table["chance of being selected"]
    return [
        f"On average {number_text(round(chance[:2].sum(), 2))} of the 2 places go to the true top 2",
        f"the last of it is selected in {percent(chance[1])} of releases",
        f"the first item after it in {percent(chance[2])}.",
        f"with a chance between {percent(chance[:2].min())} and {percent(chance[:2].max())}",
    ]


@tells(item_rows)
def _(table: Any) -> list[str]:
    chance = table["chance of being selected"]
    times = [hundred_frequency_text(chance[rank]) for rank in (1, 2)]
    return [
        f"the last of the true top 2, comes out {times[0]} times",
        f"the first after it, {times[1]}.",
    ]


@tells(class_heatmap)
def _(table: Any) -> list[str]:
    best = table.loc[table["chance"].idxmax()]
    return [
        (
            f"The likeliest cell is h = {best['h from']:.0f}, t = {best['t from']:.0f}, with"
            f" {release_frequency_text(best['chance'])}"
        ),
        f"{percent(table['chance'].sum())} of releases fall into the cells shown",
    ]


@tells(class_heatmaps)
def _(table: Any) -> list[str]:
    best = table.loc[table["chance"].idxmax()]
    where = f"h = {best['h from']}, t = {best['t from']}"
    often = release_frequency_text(best["chance"])
    return [
        f"The most concentrated is {best['design']}: {often} fall into its likeliest cell, {where}"
    ]


@tells(utility_curves_chart)
def _(table: Any) -> list[str]:
    first = table[table["figure"] == table["figure"][0]]
    needed = {
        str(name): float(np.exp(np.interp(0.5, rows["value"], np.log(rows["epsilon"]))))
        for name, rows in first.groupby("design")
    }
    best, other = sorted(needed, key=lambda name: needed[name])
    return [
        f"{number_text(0.172)} with {best}, ",
        f" with {other} ({round(needed[other] / needed[best], 1)} times)",
    ]


@tells(k_curves_chart)
def _(table: Any) -> list[str]:
    reached = table[table["value"] >= 0.5].groupby("design")["k"].max()
    longest = " and ".join(f"k = {k} with {design}" for design, k in reached.items())
    return [
        f"The longest list, up to {table['k'].max()}, with TOP in half of the releases: {longest}."
    ]


@tells(shortfall_chart)
def _(table: Any) -> list[str]:
    now = {
        str(name): float(np.interp(0.0, np.log(rows["epsilon"]), rows["shortfall"]))
        for name, rows in table.groupby("design")
    }
    return [f"{number_text(short, 3)} with {name}" for name, short in now.items()]


@tells(replayed_seeds_chart)
def _(table: Any) -> list[str]:
    right = (table["true top"] == "yes").groupby([table["design"], table["seed"]]).sum()
    whole = ", ".join(f"{name} {(hits == 2).sum()}" for name, hits in right.groupby(level=0))
    return [f"Of these 3 releases each, exactly the true top 2 came out with {whole}."]


@tells(gap_release_chart)
def _(table: Any) -> list[str]:
    right = (table["true rank (not published)"] <= len(table)).sum()
    all_right = "all" if right == len(table) else f"{right} of the"
    return [
        f"came out first, {number_text(table['gap to the next (published)'][0], 3)} above the second",
        f"{all_right} {len(table)} belong to the true top {len(table)}.",
    ]


@tells(threshold_answer_count_chart)
def _(table: Any) -> list[str]:
    means = {
        name: number_text(round(float(table["answers"] @ table[name]), 2))
        for name in ("plain", "adaptive")
    }
    more = percent(table["adaptive"][table["answers"] > 2].sum())
    return [
        (
            f"On average {means['plain']} answers come out of the plain mechanism and"
            f" {means['adaptive']} of the adaptive"
        ),
        f"gives more than 2 in {more} of releases",
    ]


@tells(expected_answers_chart)
def _(table: Any) -> list[str]:
    adaptive, last = table["adaptive, top"] + table["adaptive, middle"], table.iloc[-1]
    more = adaptive - table["plain"]
    return [
        f"At k = {last['k']:.0f} the plain one gives {number_text(last['plain'])} answers and",
        (
            f"the adaptive one {number_text(adaptive.iloc[-1])}, of which"
            f" {number_text(last['adaptive, top'])} by the top branch"
        ),
        (
            f"the most that adapting adds is {number_text(more.max())} answers, at k ="
            f" {table['k'][more.idxmax()]}."
        ),
    ]


@tells(margin_items_chart)
def _(table: Any) -> list[str]:
    rules = [name for name in table if name not in {"item", "score"}]
    return [f"{rule}: {release_frequency_text(table[rule][0])}" for rule in rules]


@tells(margin_scores_chart)
def _(table: Any) -> list[str]:
    drop, margin = table["drop to the next, from the best"], table["margin asked"]
    assert not (drop >= margin).any()
    nearest = int((margin - drop).idxmin())
    asked = (
        f"the scores drop {number_text(drop[nearest])} and {number_text(margin[nearest])} is asked."
    )
    return ["No group stands clear: the nearest is", asked]


@tells(universe_size_chart)
def _(table: Any) -> list[str]:
    said = []
    for name, rows in table[table["log10 of the universe size"] < 8].groupby("mechanism"):
        first, last = (float(rows["chance of a good item, at most"].iloc[at]) for at in (0, 3))
        moves = f"goes from {percent(first)} to {percent(last)}"
        said.append(
            f"{name} " + (f"stays at {percent(last)}" if abs(first - last) < 5e-4 else moves)
        )
    return said


@tells(candidate_charts.chosen_candidate_chart)
def _(table: Any) -> list[str]:
    best = table.loc[table["chance"].idxmax()]
    return [
        f"The likeliest is {best['candidate']}: it comes out in {release_frequency_text(best['chance'])}"
    ]


@tells(candidate_charts.run_count_chart)
def _(table: Any) -> list[str]:
    reached = table["chance"].cumsum()
    half, most = (int(table["runs to"][reached >= share].min()) for share in (0.5, 0.95))
    return [f"half of the releases need at most {half} runs, 19 of 20 at most {most}."]


@tells(candidate_charts.output_score_chart)
def _(table: Any) -> list[str]:
    middle = (table["score from"] + table["score to"]) / 2
    return [
        f"scores {number_text(float(middle @ table['comes out']))} on average",
        "a single run 0.6",
    ]


@tells(candidate_charts.stop_chance_chart)
def _(table: Any) -> list[str]:
    return [
        f"At γ = 0.1 the chance to be among the best 20\u202f%: A {percent(table['in the top'][1])}"
    ]


@tells(candidate_charts.percentile_search_chart)
def _(table: Any) -> list[str]:
    good = table["share of runs"] >= 0.5
    best = table.loc[table["stops here"].idxmax()]
    return [
        f"most often at {best['candidate']}, in {release_frequency_text(best['stops here'])}",
        f"truly reaches p* in {release_frequency_text(table['stops here'][good].sum())}",
        f"names none in {release_frequency_text(1 - table['stops here'].sum())}",
    ]


@tells(candidate_charts.lowered_threshold_leak_chart)
def _(table: Any) -> list[str]:
    factor = number_text(math.exp(table["loss"].iloc[-1]), 3)
    return [
        (
            f"After {len(table) - 1} steps down, one person makes the worst outcome {factor} times as"
            " likely"
        )
    ]


@tells(trade_off_curve_chart)
def _(table: Any) -> list[str]:
    at = {
        name: float(np.interp(0.05, table["false alarms"], table[name])) for name in table.columns
    }
    return [
        (
            f"says “with her” in 5 of 100 releases made without her misses {percent(at['misses'])}"
            " of those made with her"
        ),
        f"ε lets no test miss less than {lower_percent_text(at['misses at least, about anybody'])}.",
    ]


@pytest.mark.parametrize("function", list(TOLD), ids=lambda function: function.__name__)
def test_the_words_of_a_chart_are_made_of_its_table(function: ChartFunction) -> None:
    chart = first_case(function)
    expected = TOLD[function](chart.table)
    assert expected
    missing = [sentence for sentence in expected if sentence not in words(chart)]
    assert not missing, f"{words(chart)!r} does not say {missing}"


def ratio(simulated: float, formula: float, *, k: int = 4) -> Chart:
    """Simulated ± 0.02 against a formula, at k."""
    at = np.array([float(k)])
    held = GapRatios(
        np.arange(1, 11), np.full(10, formula), at, at * 0 + simulated, at * 0, at * 0, at * 300
    )
    held = replace(held, low=held.simulated - 0.02, high=held.simulated + 0.02)
    return gap_ratio_chart({"general": held}, k=k, own="general")


def orders(right: Mapping[str, float]) -> Chart:
    return query_order_chart(
        {name: ((4.0, 0.5), (each, 1.0)) for name, each in right.items()}, "Given", 9
    )


def steps(step: int) -> Chart:
    return threshold_run_chart(RUN, SCORES, step)


def answered(*, above: bool) -> Chart:
    scores, chance = Scores([1.0, 2.0, 3.0]), np.array([0.25, 0.5, 0.75])
    return answer_chance_chart(
        scores, 2.5 if above else 4.0, chance, chance / 2, chance / 4, np.ones(3)
    )


@pytest.mark.parametrize(
    ("chart", "says"),
    [
        (
            ratio(1.1, 0.9),
            r"is 1\.1 times that without.*\(1\.08 to 1\.12\).*Here the gaps do harm\.$",
        ),
        (ratio(0.8, 0.81), r"the formula says 0\.81, within the interval\.$"),
        (ratio(0.8, 0.7), r"the formula says 0\.7, which is too good\.$"),
        (ratio(0.8, 0.9), r"the formula says 0\.9, which is too bad\.$"),
        (
            ratio(1.0, 1.0, k=1),
            r"^With k = 1 there is no second item to compare with, so the gaps change nothing\.$",
        ),
        (
            orders({"Best first": 6.0, "Worst first": 2.0}),
            "finds 6 on average when they are asked best first, and 2 when worst",
        ),
        (
            orders({"Best first": 6.0, "Worst first": 6.0}),
            "the order makes no difference worth the name",
        ),
        (
            answered(above=True),
            "mean chance of 75.0\u202f% by the plain mechanism and 56.2\u202f% by the adaptive",
        ),
        (
            answered(above=False),
            "No query lies at or above the threshold, so every answer is a mistake",
        ),
    ],
)
def test_a_moral_turns_with_the_figure(chart: Chart, says: str) -> None:
    assert re.search(says, chart.says_now), chart.says_now


@pytest.mark.parametrize("step", range(1, RUN.release.asked + 1))
def test_a_step_says_what_its_noise_did(step: int) -> None:
    said = first = plain(steps(step).says_now)
    noisy, needed = (
        float(text.replace(",", ""))
        for text in re.findall(r"value ([-\d.,]+) \w+(?: below)? ([-\d.]+)", first)[0]
    )
    branch = int(RUN.branch[step - 1])
    assert ("answered" in said) == ("reaches" in said) == (noisy >= needed) == (branch >= 0)
    assert ("at no cost" in said) == ("stays below" in said) == (branch < 0)
    assert f"{int((RUN.branch[:step] >= 0).sum())} answer" in said

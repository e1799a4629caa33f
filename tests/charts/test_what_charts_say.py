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
from dpviz.charts import LIGHT, Chart, class_heatmap, drawn_hits_chart, hit_count_chart, score_bars
from dpviz.charts import candidates as candidate_charts
from dpviz.charts.gaps.answer_counts import (
    expected_answers_chart,
    query_order_chart,
    threshold_answer_count_chart,
)
from dpviz.charts.gaps.gap_release import GapRatios, gap_ratio_chart, gap_release_chart
from dpviz.charts.gaps.queries import answer_chance_chart, threshold_coverage_chart
from dpviz.charts.gaps.threshold_run import threshold_bounds_chart, threshold_run_chart
from dpviz.charts.margin.margin_curves import (
    margin_bound_chart,
    margin_promise_chart,
    universe_size_chart,
)
from dpviz.charts.margin.margin_items import margin_items_chart
from dpviz.charts.margin.margin_scores import margin_scores_chart
from dpviz.charts.privacy.frequencies import paired_frequencies_chart
from dpviz.charts.privacy.loss import delta_curve_chart, loss_distribution_chart
from dpviz.charts.privacy.trade_off import trade_off_curve_chart
from dpviz.charts.text_format import (
    hundred_frequency_text,
    lower_percent_text,
    number_text,
    percent,
    release_frequency_text,
)
from dpviz.charts.topk.class_maps import class_heatmaps
from dpviz.charts.topk.design_curves import epsilon_curves_chart, k_curves_chart, shortfall_chart
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


def hovers(chart: Chart) -> str:
    """All that the pointer may show."""
    data = chart.figure.data["data"]
    texts = [
        text
        for trace in data
        for text in (trace.get("hovertemplate"), trace.get("customdata"))
        if text
    ]
    return plain(
        " ".join(text if isinstance(text, str) else " ".join(map(str, text)) for text in texts)
    )


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


@tells(hit_count_chart)
def _(table: Any) -> list[str]:
    chance, right = table["chance"], table["right"]
    mean = number_text(round(float(chance @ right), 2))
    return [
        (
            f"All 2 are right in {release_frequency_text(chance[2])}; most often {chance.idxmax()} are, on average"
            f" {mean}."
        )
    ]


@tells(drawn_hits_chart)
def _(table: Any) -> list[str]:
    return [f"In {(table['right'] == 2).sum()} of {len(table)} releases all 2 are right"]


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


@tells(epsilon_curves_chart)
def _(table: Any) -> list[str]:
    now = {
        str(name): float(np.interp(0.0, np.log(rows["epsilon"]), rows["value"]))
        for name, rows in table.groupby("design")
    }
    best, other = sorted(now, key=lambda name: -now[name])
    return [f"with {best} and ", f" with {other}."]


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


@tells(answer_chance_chart)
def _(table: Any) -> list[str]:
    above = table[table["score"] >= 35.0]
    means = (
        f"{percent(above['plain'].mean())} by the plain mechanism and"
        f" {percent(above['adaptive'].mean())} by the"
    )
    return [
        f"Of {len(above)} queries truly at or above",
        means,
        f"{len(above)} of them at or above the threshold",
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


@tells(threshold_bounds_chart)
def _(table: Any) -> list[str]:
    holds = int((table["lower bound"] <= table["true score (hidden)"]).sum())
    return [
        f"{holds} of {len(table)} bound",
        f"{'lies' if holds == 1 else 'lie'} at or below the true score.",
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


@tells(margin_bound_chart)
def _(table: Any) -> list[str]:
    last = table.iloc[-1]
    return [
        (
            f"With {last['items near the top']:,.0f} items, every ε-DP mechanism falls"
            f" {number_text(last.iloc[1])} short on some"
        )
    ]


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


@tells(candidate_charts.cost_quality_chart)
def _(table: Any) -> list[str]:
    naive = table.set_index("way to choose").loc["Naive"]
    return [
        f"A dot for each of {len(table)} ways to choose",
        f"Publishing the best of one run each costs ε = {number_text(naive['total epsilon'])}",
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


@tells(candidate_charts.naive_leak_chart)
def _(table: Any) -> list[str]:
    at = table[table["candidates"] == 3].iloc[0]
    without, with_her = at["steady one wins"], at["steady one wins, neighbour"]
    return [
        (
            f"With 3 candidates the steady one is published in {release_frequency_text(without)} without one"
            " person and"
        ),
        f"in {release_frequency_text(with_her)} with her: {number_text(with_her / without, 3)} times as often",
        f"keeps that factor at {number_text(math.exp(at['loss of random stopping']), 3)}",
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


@tells(loss_distribution_chart)
def _(table: Any) -> list[str]:
    largest = float(table["loss"].abs().max())
    points = (
        "with her" if table["loss"].max() == largest else "without her"
    )  # right of 0 it speaks for her
    strong = (table["world"] == "with her") & (table["loss"].abs() > largest / 2)
    often = release_frequency_text(float(table["chance"][strong].sum()))
    told = (
        f"counts {number_text(largest, 3)} of at most ε = 1 and points to “{points}”; more than half of"
        " that is shown in "
    )
    return [f"{told}{often} with her."]


@tells(delta_curve_chart)
def _(table: Any) -> list[str]:
    deltas, above = table.filter(like="delta"), table.filter(like="chance of a loss")
    assert (deltas.to_numpy() <= above.to_numpy() + 1e-12).all()  # δ is never the larger one
    middle = table.index[deltas.max(axis=1) > 0]
    row = middle[len(middle) // 2]
    way = int(deltas.loc[row].to_numpy().argmax())
    zero = table["epsilon"][(deltas < 1e-15).all(axis=1)].min()
    end = float(re.findall(r"from ε' = ([\d.]+) on", first_case(delta_curve_chart).says_now)[0])
    assert zero - 0.126 < end <= zero
    return [
        f"At ε' = 0 δ is {number_text(float(deltas.to_numpy().max()), 3)}, and",
        (
            f"At ε' = {number_text(float(table['epsilon'][row]), 3)} it is"
            f" {number_text(float(deltas.loc[row].max()), 3)}, while"
        ),
        f"while a loss above that comes out in {release_frequency_text(float(above.loc[row].iloc[way]))}.",
    ]


@tells(paired_frequencies_chart)
def _(table: Any) -> list[str]:
    apart = 100 * (table["with her"] - table["without her"])
    more, less = (number_text(float(way.clip(lower=0.0).sum()), 3) for way in (apart, -apart))
    gain = (
        f"Counted over 100 published lists: with her, the items that gain come out {more} more"
        " times in all, and "
    )
    return [f"{gain}those that lose {less} fewer times, than without her."]


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


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (score_bars, "the higher the bar under it, the likelier it is selected"),
        (item_rows, "the darker it is, the more often"),
        (item_rows, "Above the dashed line, the cut-off, stands the true top"),
        (
            hit_count_chart,
            "The further right, the more of the 2 that come out belong to the true top 2",
        ),
        (hit_count_chart, "Right of the dashed line the goal is met"),
        (drawn_hits_chart, "the further right, the more of it belongs to the true top"),
        (
            class_heatmap,
            "(higher is better), and its worst item has rank t (further left is better)",
        ),
        (
            class_heatmaps,
            "(higher is better), and its worst item has rank t (further left is better)",
        ),
        (utility_curves_chart, "Further left is better: the same chance for less ε"),
        (epsilon_curves_chart, "Further left is better: the same chance for less ε"),
        (k_curves_chart, "A curve that falls slowly pays little for a longer list"),
        (shortfall_chart, "lower is better"),
        (shortfall_chart, "which hold for any data and so lie above"),
        (replayed_seeds_chart, "a blank is an item missed, right of it one that took its place"),
        (
            gap_release_chart,
            "Both are published; the diamonds, how far above it they truly lie, are not",
        ),
        (gap_ratio_chart, "Below 1 the gaps make the measured values better"),
        (
            threshold_answer_count_chart,
            "The plain mechanism stops at 2; the adaptive one pays half",
        ),
        (threshold_run_chart, "are noisy values that reached the noisy threshold"),
        (
            threshold_bounds_chart,
            "A bound holds where the diamond, the true score, is not to the left of the line's end",
        ),
        (
            threshold_coverage_chart,
            "the chance of an answer with a bound that fails is at most 5\u202f%",
        ),
        (threshold_coverage_chart, "Of the answers that do come out, the bound holds for "),
        (threshold_coverage_chart, "an answer is itself a sign that the bound is too high"),
        (query_order_chart, "mistakes made early take the place of right answers later"),
        (
            expected_answers_chart,
            "the left bar is the plain sparse vector, the right one the adaptive",
        ),
        (margin_scores_chart, "The shaded region begins a margin below the best score"),
        (margin_items_chart, "each panel adds up to 100 %, and no figure means less than 0.1 %"),
        (margin_promise_chart, "the sooner it is at the top, the better"),
        (margin_promise_chart, "the exact curve of large margin is never below them"),
        (universe_size_chart, "whose line stays level does not care how many items there are"),
        (
            candidate_charts.output_score_chart,
            "The further right the columns lie of the dotted outline, the more choosing",
        ),
        (candidate_charts.run_count_chart, "must stay secret"),
        (candidate_charts.cost_quality_chart, "Further left one release costs less in all"),
        (
            candidate_charts.stop_chance_chart,
            "To the left the rules make more runs and choose better",
        ),
        (candidate_charts.percentile_search_chart, "the bar that it says yes here and ends"),
        (candidate_charts.naive_leak_chart, "rises by ε1 with each and has no ceiling"),
        (
            loss_distribution_chart,
            "to the right, it is likelier with her; to the left, without her",
        ),
        (
            paired_frequencies_chart,
            "● is an item that she counts in, ○ one of whoever is in her place",
        ),
    ],
)
def test_a_moral_is_not_turned_round(function: ChartFunction, says: str) -> None:
    assert says in words(first_case(function))


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (threshold_coverage_chart, "given an answer the bound holds in %{y:.1%}"),
        (threshold_run_chart, "noisy value %{y:.4~g}"),
        (threshold_bounds_chart, "threshold + gap %{x:.4~g}"),
        (threshold_answer_count_chart, "plain: 1 answer"),
        (gap_release_chart, "truly %{x:.4~g} above the last"),
        (gap_ratio_chart, "simulated releases"),
        (query_order_chart, "below: mistakes: %{x:.3~g}"),
        (score_bars, "% of releases"),
        (drawn_hits_chart, "%{customdata[1]} of 2 right"),
        (margin_promise_chart, "promised within %{x:,.4~g}: %{y:.2%}"),
        (candidate_charts.output_score_chart, "comes out in %{y:.2%}"),
        (candidate_charts.percentile_search_chart, "reaches the threshold in %{x:.1%} of its runs"),
        (candidate_charts.percentile_search_chart, "ends here in"),
        (loss_distribution_chart, "with her: loss about"),
        (paired_frequencies_chart, "without her: 50 of 100"),
    ],
)
def test_a_hover_says_what_its_point_is(function: ChartFunction, says: str) -> None:
    charts = [first_case(function)] if function is not threshold_run_chart else [steps(3)]
    assert any(says in hovers(chart) for chart in charts)

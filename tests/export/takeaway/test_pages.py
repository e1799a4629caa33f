"""A figure of each page, read back from its file: every step is the library's own at that step,
drawn as it is told.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest

from dpviz import (
    Canonical,
    RandomStopping,
    Scenario,
    Scores,
    privacy_loss,
)
from dpviz.base.arrays import Floats
from dpviz.base.errors import Cancelled, ParameterError
from dpviz.candidates.trained_runs import logistic_regression_runs
from dpviz.candidates.utility import rule_utility
from dpviz.charts.line_panels import PHONE
from dpviz.charts.text_format import (
    number_text,
    percent,
    percent_upper_bound,
    release_frequency_text,
    upper_bound_text,
)
from dpviz.data import EXAMPLES
from dpviz.export.takeaway import page_takeaway_file
from dpviz.margin.baselines import COMPARED
from dpviz.pages import load_page_view
from dpviz.pages.candidates.settings import STOPS
from dpviz.pages.common.slider_file import epsilon_grid
from dpviz.pages.common.subject import PageSubject
from dpviz.pages.neighbours.study import NeighboursStudy
from dpviz.privacy.odds import guess_bound
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision.costs import releases_cost
from dpviz.studies.decision.question import Question
from dpviz.studies.design import Design
from tests.export.takeaway.taken import content_of, numbers
from tests.places import few_places

MOST = 2_000_000  # bytes
TRIP = Scenario(k=2, data=DataSpec(name="class_trip"))
TRIP_SCORES = EXAMPLES["class_trip"].scores()
RUNS = {"pc.people": 60, "pc.runs": 20}


@dataclass(frozen=True)
class Expected:
    """What a step shows: words of its sentence, cells, and values of (chart, trace, axis)."""

    said: tuple[str, ...]
    cells: list[list[str]]
    drawn: Mapping[tuple[int, int, str], Floats]
    says: Mapping[int, str]  # of charts: a part of the sentence above it


@dataclass(frozen=True)
class Case:
    """A figure, the places of its slider, and what is expected at each, computed apart from it."""

    page: str
    of: PageSubject
    places: list[float]
    expected: Callable[[float], Expected]
    traces: tuple[int, ...]  # how many each chart has, in the legend or not
    start: float = 1.0


def three(value: float) -> str:
    return number_text(float(f"{value:.3g}"))


def margin(epsilon: float) -> Expected:
    scores, zeros = EXAMPLES["chat_openings"].scores(), EXAMPLES["chat_openings"].universe - 19
    laws = [
        COMPARED[name].replace(epsilon=epsilon, delta=1e-6).distribution(scores, zeros=zeros)
        for name in COMPARED
    ]
    top = scores.order[:7]
    return Expected(
        ("large margin gives a good item in", "exact, error at most"),
        [
            [percent(law.best_probability), percent(law.near_best_probability(130.0)),
             percent(law.zero_mass) if law.zero_mass else "0", percent(law.fail) if law.fail else "0"]
            for law in laws
        ],
        {(1, i, "x"): np.append(law.inclusion[top], law.inclusion.sum() - law.inclusion[top].sum())
         for i, law in enumerate(laws)},
        {1: f"Large margin: {release_frequency_text(laws[0].best_probability)} ·"},
    )  # fmt: skip


def stop(gamma: float) -> Expected:
    pool = logistic_regression_runs(people=60, epsilon=0.5, runs=20).pool
    worth = rule_utility(RandomStopping(stop=gamma).distribution(pool), 0.05)
    curve = [
        rule_utility(RandomStopping(stop=one).distribution(pool), 0.05).within
        for one in sorted({*STOPS, 0.01})
    ]
    cells = [
        "1.5",
        number_text(worth.score or 0.0),
        percent(worth.within),
        "0",
        number_text(round(1 / gamma, 2)),
    ]
    return Expected(
        (f"At γ = {gamma:.6g}",),
        [[], cells],
        {(0, 2, "y"): np.array(curve)},
        {0: f"Random stopping {percent(worth.within)}"},
    )


def neighbours(epsilon: float) -> Expected:
    """A person of class trip counts in three items; the most asked for ones are hers."""
    moved = np.zeros(6)
    moved[[TRIP_SCORES.labels.index(name) for name in ("Zoo", "Science museum", "Castle")]] = 1.0  # type: ignore[union-attr]
    without = Scores(TRIP_SCORES.values - moved, labels=TRIP_SCORES.labels, monotonic=True)
    mechanism = Canonical(epsilon=epsilon, k=2)
    loss = privacy_loss(mechanism, TRIP_SCORES, without)
    delta = max(loss.delta(0.0), loss.reversed.delta(0.0))
    here, there = (
        mechanism.distribution(scores).inclusion[TRIP_SCORES.order]
        for scores in (TRIP_SCORES, without)
    )
    return Expected(
        (f"counts {three(loss.largest)}", f"of at most ε = {number_text(epsilon)}", "exact"),
        [[f"{three(loss.largest)} of {number_text(epsilon)}", f"× {three(math.exp(loss.largest))}",
          f"{100 * (1 + delta) / 2:.3g} of 100",
          f"{percent_upper_bound(guess_bound(epsilon))} of 100", three(loss.mean)]],
        {(0, 0, "x"): 100 * here, (0, 1, "x"): 100 * here, (0, 3, "x"): 100 * there},
        {1: f"counts {three(loss.largest)} of at most ε = {number_text(epsilon)}"},
    )  # fmt: skip


def decide(epsilon: float) -> Expected:
    mechanism = Canonical(epsilon=epsilon, k=2, noise="exponential")
    law, both = mechanism.distribution(TRIP_SCORES), releases_cost(mechanism, 2, Question(k=2))
    chance, missed = float(law.hits[2]), 2 - float(law.hits @ np.arange(3))
    at = f" at δ = {upper_bound_text(both.total.delta)}" if both.total.delta else ""  # type: ignore[union-attr]
    right = percent_upper_bound(releases_cost(mechanism, 1, Question(k=2)).guess)
    enough = "not enough for" if epsilon < 1.6 else "enough for"
    return Expected(
        (f"At ε = {epsilon:.6g}", f": {enough} the goal."),
        [[f"{upper_bound_text(both.total.epsilon)}{at}", f"≤ {percent_upper_bound(both.guess)} of 100",  # type: ignore[union-attr]
          percent(chance), f"{missed:.2g}"]],
        {},
        {1: f"at most {right} of 100 people" if right < 100 else "nearly all of 100 people"},
    )  # fmt: skip


_FEW = 4  # of the sixteen places each way that a slider has


def few_around(epsilon: float) -> list[float]:
    """The places of a slider that has few."""
    with few_places(_FEW):
        return epsilon_grid(epsilon)


CASES = {
    "margin": Case(
        "margin",
        PageSubject(load_page_view("margin").first_scenario or Scenario()),
        few_around(0.5),
        margin,
        (-1, 4),
        0.5,
    ),
    "stop": Case(
        "candidates",
        PageSubject(Scenario(page={**RUNS, "pc.view": "stop"})),
        sorted({*STOPS, 0.01}),
        stop,
        (-1, -1),
        0.01,
    ),
    "neighbours": Case("neighbours", PageSubject(TRIP), few_around(1.0), neighbours, (5, 2, 6)),
    "decide": Case(
        "decide",
        PageSubject(
            TRIP.replace(
                page={"decide.goal": "2 of 2 in 0.9", "decide.releases": 2},
                designs=(Design(parameters={"noise": "exponential"}), Design(mechanism="one_shot")),
            )
        ),
        few_around(1.6),
        decide,
        (-1, 4),
        1.6,
    ),
}


@cache
def taken(name: str) -> tuple[str, Any]:
    """The file without plotly, and its steps."""
    case = CASES[name]
    page = load_page_view(case.page)
    with few_places(_FEW):
        before = page_takeaway_file(page, case.of, (("Page", page.title),)).html_without_plotly
    return before, content_of(before)


@pytest.mark.twins("margin", "decide")
@pytest.mark.parametrize("name", CASES)
def test_every_step_is_the_library_s_own(name: str) -> None:
    case, (_, content) = CASES[name], taken(name)
    steps = content["steps"]
    assert [one["value"] for one in steps] == [f"{place:.6g}" for place in case.places]
    assert content["start"] == case.places.index(case.start)
    for at in sorted({0, content["start"], content["start"] + 3, len(steps) - 1}):
        told, expected = steps[at], case.expected(case.places[at])
        for words in expected.said:
            assert words in told["sentence"], (at, words, told["sentence"])
        for row, cells in zip(told["cells"], expected.cells, strict=False):
            assert [cell.split(" ±")[0] for cell in row[: len(cells)]] == cells, at
        for look in ("light", "dark"):
            for chart, words in expected.says.items():
                assert words in told["pictures"][look][chart]["says"], at
            for (chart, trace, axis), values in expected.drawn.items():
                drawn = numbers(told["pictures"][look][chart]["data"][trace][axis])
                assert drawn[: len(values)] == pytest.approx(values, rel=2e-3, abs=2e-6), (
                    at,
                    look,
                    chart,
                    trace,
                )


@pytest.mark.twins("margin", "neighbours", "decide")
@pytest.mark.parametrize("name", CASES)
def test_every_trace_of_the_page_is_in_sight_at_every_step(name: str) -> None:
    case, (before, content) = CASES[name], taken(name)
    for told in content["steps"]:
        for look in ("light", "dark"):
            pictures = told["pictures"][look]
            assert len(pictures) == len(case.traces)
            for picture, traces in zip(pictures, case.traces, strict=True):
                wide = [
                    trace for trace in picture["data"] if trace.get("meta") != PHONE
                ]  # of narrow.js
                assert all(trace.get("visible", True) is True for trace in wide)
                assert all(trace.get("opacity", 1) == 1 for trace in picture["data"])
                assert len(wide) == traces or (traces == -1 and wide)
                assert len(picture["table"]) > 1
        light, dark = (
            [[trace.get("name") for trace in picture["data"]] for picture in told["pictures"][look]]
            for look in ("light", "dark")
        )
        assert light == dark
    first = content["steps"][content["start"]]
    assert first["sentence"].replace("<", "&lt;") in before


@pytest.mark.twins("margin")
@pytest.mark.parametrize("name", CASES)
def test_it_may_be_stopped_and_says_how_far_it_is(name: str) -> None:
    seen: list[float] = []

    def stop_now(fraction: float) -> None:
        seen.append(fraction)
        if fraction > 0.4:
            raise Cancelled

    with pytest.raises(Cancelled):
        page_takeaway_file(load_page_view(CASES[name].page), CASES[name].of, (), stop_now)
    assert seen == sorted(seen)
    assert (
        seen[-2] <= 0.4 < seen[-1]
    )  # how often before depends on what earlier tests have computed of these scores
    assert len(seen) > 2


def own(d: int, **page: Any) -> PageSubject:
    """Uploaded scores, each with a name of its own that is as long as names may be."""
    rng = np.random.default_rng(4)
    values = np.sort(rng.gamma(0.6, 900.0, d).round(3))[::-1]
    scores = Scores(
        values, labels=[f"{i}-{rng.integers(10**9)} " + "ü" * 100 for i in range(d)], monotonic=True
    )
    spec = DataSpec(source="uploaded", monotonic=True)
    return PageSubject(Scenario(data=spec, k=20, scores=scores, page=page), scores)


OWN = {
    "gaps": own(60),
    "sparse": own(300, **{"gaps.half": "sparse_vector"}),
    "margin": own(500),
    "neighbours": own(300),
    "decide": own(300, **{"decide.goal": "top in 0.9"}),
}


@pytest.mark.twins("decide")
@pytest.mark.parametrize("name", OWN)
def test_with_long_names_it_is_below_two_megabytes_and_holds_what_it_says(name: str) -> None:
    of, page = OWN[name], load_page_view("gaps" if name == "sparse" else name)
    file = page_takeaway_file(page, of, ())
    assert len(file.html.encode()) < MOST
    assert "http:" not in file.html_without_plotly
    assert "https:" not in file.html_without_plotly
    told, labels = page.data_disclosure(of), of.loaded_scores.labels or ()
    assert told in file.html_without_plotly
    assert "not private" in told
    text = file.html_without_plotly + str(content_of(file.html_without_plotly))
    shown = {i for i, label in enumerate(labels) if label[:12] in text}
    most = {"gaps": 100, "sparse": 240, "margin": 408, "neighbours": 300, "decide": 0}[name]
    assert len(shown) <= most
    assert bool(shown) == ("the names" in told)
    if name in {"neighbours", "decide"}:
        assert "no score" in told
        assert not any(f"{value:.3f}".rstrip("0") in text for value in of.loaded_scores.values[:50])


def test_what_was_never_made_is_told_in_one_sentence() -> None:
    with pytest.raises(ParameterError, match="goal"):
        page_takeaway_file(
            load_page_view("decide"), PageSubject(TRIP.replace(page={"decide.goal": "often"})), ()
        )
    with pytest.raises(ParameterError, match="quantile"):
        page_takeaway_file(
            load_page_view("gaps"), PageSubject(TRIP.replace(page={"gaps.quantile": 7})), ()
        )


def test_the_worst_found_is_one_person_at_every_step() -> None:
    worst = TRIP.replace(page={"neighbours.who": "worst"})
    with few_places(_FEW):
        made = load_page_view("neighbours").build_takeaway(
            PageSubject(worst), lambda fraction: None
        )
        average = load_page_view("neighbours").build_takeaway(
            PageSubject(TRIP), lambda fraction: None
        )
    assert "no proof that nobody is worse" in made.lead
    start = made.start
    assert float(made.steps[start].cells[0][0].split()[0]) >= float(
        average.steps[start].cells[0][0].split()[0]
    )
    hers = {
        tuple(
            name for name in step.pictures["light"][0]["layout"]["yaxis"]["ticktext"] if "●" in name
        )
        for step in made.steps
    }
    assert len(hers) == 1


def test_among_candidates_too_the_worst_found_stays_who_it_was() -> None:
    worst = NeighboursStudy(
        scenario=Scenario(page={"neighbours.of": "poisson", "neighbours.who": "worst"})
    )
    hers = worst.two_worlds.person_items.tolist()
    assert [
        worst.with_epsilon(epsilon).two_worlds.person_items.tolist() for epsilon in (0.01, 3.0)
    ] == [hers, hers]
    anew = NeighboursStudy(scenario=worst.with_epsilon(0.01).scenario)
    assert anew.two_worlds.person_items.tolist() != hers  # so it is not by luck

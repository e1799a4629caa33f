"""A figure of each page, read back from its file: every step is the library's own at that step."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest

from dpviz import Canonical, Scenario, Scores
from dpviz.base.arrays import Floats
from dpviz.base.errors import Cancelled, ParameterError
from dpviz.base.text_format import (
    number_text,
    percent,
    percent_upper_bound,
    release_frequency_text,
    upper_bound_text,
)
from dpviz.charts.line_panels import PHONE
from dpviz.data import EXAMPLES
from dpviz.export.takeaway import page_takeaway_file
from dpviz.margin.baselines import COMPARED
from dpviz.pages import load_page_view
from dpviz.pages.common.page_view import PageSubject
from dpviz.pages.common.slider_file import epsilon_grid
from dpviz.pages.neighbours.study import NeighboursStudy
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision.costs import releases_cost
from dpviz.studies.decision.question import Question
from dpviz.studies.design import Design
from tests.export.takeaway.taken import content_of, numbers
from tests.places import few_places

MOST = 170_000  # bytes beside those of plotly itself, 1.8 million
TRIP = Scenario(k=2, data=DataSpec(name="class_trip"))
TRIP_SCORES = EXAMPLES["class_trip"].scores()


@dataclass(frozen=True)
class Expected:
    """What a step shows: words of its sentence, cells, and values of (chart, trace, axis)."""

    said: tuple[str, ...]
    cells: list[list[str]]
    drawn: Mapping[tuple[int, int, str], Floats]
    says: Mapping[int, str]  # of charts: a part of the sentence above it


@dataclass(frozen=True)
class Case:
    of: Scenario
    start: float
    expected: Callable[[float], Expected]
    traces: tuple[int, ...]  # how many each chart has, in the legend or not


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


def decide(epsilon: float) -> Expected:
    mechanism = Canonical(epsilon=epsilon, k=2, noise="exponential")
    law, both = mechanism.distribution(TRIP_SCORES), releases_cost(mechanism, 2, Question(k=2))
    chance, missed = float(law.hits[2]), 2 - float(law.hits @ np.arange(3))
    at = f" at δ = {upper_bound_text(both.total.delta)}" if both.total.delta else ""  # type: ignore[union-attr]
    right = percent_upper_bound(releases_cost(mechanism, 1, Question(k=2)).guess)
    held = "missed" if epsilon < 1.6 else "met"
    return Expected(
        (f"At ε = {epsilon:.6g}", f". The goal is {held}."),
        [[f"{upper_bound_text(both.total.epsilon)}{at}", f"≤ {percent_upper_bound(both.guess)} in 100",  # type: ignore[union-attr]
          percent(chance), number_text(missed, digits=2)]],
        {},
        {1: f"at most {right} times in 100" if right < 100 else "every time"},
    )  # fmt: skip


_FEW = 4  # of the sixteen places each way that a slider has
PLANS = (Design(parameters={"noise": "exponential"}), Design(mechanism="one_shot"))
DECIDED = TRIP.replace(page={"decide.goal": "2 of 2 in 0.9", "decide.releases": 2}, designs=PLANS)
CASES = {
    "margin": Case(load_page_view("margin").first_scenario or TRIP, 0.5, margin, (-1, 5)),
    "decide": Case(DECIDED, 1.6, decide, (-1, 4)),
}


@cache
def taken(name: str) -> tuple[str, Any]:
    page, of = load_page_view(name), PageSubject(CASES[name].of)
    with few_places(_FEW):
        before = page_takeaway_file(page, of, (("Page", page.title),)).html_without_plotly
    return before, content_of(before)


@pytest.mark.parametrize("name", CASES)
def test_every_step_is_the_library_s_own(name: str) -> None:
    case, (_, content) = CASES[name], taken(name)
    steps = content["steps"]
    with few_places(_FEW):
        places = epsilon_grid(case.start)
    assert [one["value"] for one in steps] == [f"{place:.6g}" for place in places]
    assert content["start"] == places.index(case.start)
    for at in sorted({0, content["start"], content["start"] + 3, len(steps) - 1}):
        told, expected = steps[at], case.expected(places[at])
        assert [words for words in expected.said if words not in told["sentence"]] == []
        for row, cells in zip(told["cells"], expected.cells, strict=False):
            assert [cell.split(" ±")[0] for cell in row[: len(cells)]] == cells, at
        for pictures in told["pictures"].values():
            for chart, words in expected.says.items():
                assert words in pictures[chart]["says"], at
            for (chart, trace, axis), values in expected.drawn.items():
                drawn = numbers(pictures[chart]["data"][trace][axis])[: len(values)]
                assert drawn == pytest.approx(values, rel=2e-3, abs=2e-6), (at, chart, trace)


@pytest.mark.parametrize("name", CASES)
def test_every_trace_of_the_page_is_in_sight_at_every_step(name: str) -> None:
    traces, (before, content) = CASES[name].traces, taken(name)
    for told in content["steps"]:
        names = []
        for pictures in told["pictures"].values():
            names.append([[one.get("name") for one in each["data"]] for each in pictures])
            for picture, expected in zip(pictures, traces, strict=True):
                wide = [one for one in picture["data"] if one.get("meta") != PHONE]  # of narrow.js
                assert all(one.get("visible", True) is True for one in wide)
                assert all(one.get("opacity", 1) == 1 for one in picture["data"])
                assert len(wide) == expected or (expected == -1 and wide)
                assert len(picture["table"]) > 1
        assert names[0] == names[1]
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
        page_takeaway_file(load_page_view(name), PageSubject(CASES[name].of), (), stop_now)
    assert seen == sorted(seen)
    assert seen[-2] <= 0.4 < seen[-1]
    assert len(seen) > 2


def own(d: int, **page: Any) -> PageSubject:
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
def test_with_long_names_it_adds_little_to_plotly_and_holds_what_it_says(name: str) -> None:
    of, page = OWN[name], load_page_view("gaps" if name == "sparse" else name)
    file = page_takeaway_file(page, of, ())
    assert len(file.html_without_plotly.encode()) < MOST
    assert "http:" not in file.html_without_plotly
    assert "https:" not in file.html_without_plotly
    told, labels = page.file_disclosure(of), of.loaded_scores.labels or ()
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


@pytest.mark.parametrize(
    ("page", "name", "value"), [("decide", "goal", "often"), ("gaps", "quantile", 7)]
)
def test_what_was_never_made_is_told_in_one_sentence(page: str, name: str, value: Any) -> None:
    of = PageSubject(TRIP.replace(page={f"{page}.{name}": value}))
    with pytest.raises(ParameterError, match=rf"(?i){name}"):
        page_takeaway_file(load_page_view(page), of, ())


def test_the_worst_found_is_one_person_at_every_step() -> None:
    worst, page = TRIP.replace(page={"neighbours.who": "worst"}), load_page_view("neighbours")
    with few_places(_FEW):
        made, average = (
            page.build_slider_figure(PageSubject(one), lambda fraction: None)
            for one in (worst, TRIP)
        )
    assert "others may be worse" in made.lead
    largest, usual = (float(one.steps[one.start].cells[0][0].split()[0]) for one in (made, average))
    assert largest >= usual
    axes = [step.pictures["light"][0]["layout"]["yaxis"]["ticktext"] for step in made.steps]
    assert len({tuple(name for name in names if "●" in name) for names in axes}) == 1


def test_among_candidates_too_the_worst_found_stays_who_it_was() -> None:
    page = {"neighbours.of": "poisson", "neighbours.who": "worst"}
    worst = NeighboursStudy(scenario=Scenario(page=page))
    hers = worst.two_worlds.person_items.tolist()
    for epsilon in (0.01, 3.0):
        assert worst.with_epsilon(epsilon).two_worlds.person_items.tolist() == hers
    anew = NeighboursStudy(scenario=worst.with_epsilon(0.01).scenario)
    assert anew.two_worlds.person_items.tolist() != hers  # so it is not by luck

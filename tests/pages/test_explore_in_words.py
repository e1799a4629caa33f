"""What Explore and Compare say of releases and shares, at random, against the scores."""

import re

import numpy as np
import pytest
from numpy.random import Generator

from dpviz import Design, Scenario, Scores
from dpviz.charts import LIGHT, score_bars
from dpviz.charts.topk.map_frame import cell_phrases
from dpviz.charts.topk.utility_curves import utility_curves_chart
from dpviz.pages.compare import sentences
from dpviz.pages.compare import view as compare
from dpviz.pages.compare.study import compared_designs
from dpviz.pages.explore import closer_look, view
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.mechanism_studies import LawStudy
from dpviz.topk.figure_curve import FigureCurve

CASES = range(60)


def tied_scores(rng: Generator, d: int) -> Scores:
    return Scores(rng.integers(0, 5, d).astype(float), monotonic=True, contributions=1)


@pytest.mark.parametrize("case", CASES)
def test_a_release_is_told_as_its_scores_are(case: int) -> None:
    """Missing, as good, or exact: told alike by the sentence, the table and the ten releases."""
    rng = np.random.default_rng([3, case])
    d = int(rng.integers(2, 9))
    k, scores = int(rng.integers(1, d)), tied_scores(rng, d)
    size = k if case % 2 else int(rng.integers(0, k + 1))
    items = np.append(rng.choice(d, size, replace=False), np.full(k - size, -1)).astype(int)
    cutoff = np.sort(scores.values)[-k]
    right = int((scores.values[items[:size]] >= cutoff).sum())
    said = closer_look.missed_items_sentence(items, scores, k)
    assert said.startswith("Missing: ") is (right < k), said
    if said.startswith("Missing: "):
        assert said.count("(rank ") + int("".join(re.findall(r"and (\d+) more", said)) or 0) == (
            k - right
        )
    else:
        exact = set(items.tolist()) == set(scores.order[:k].tolist())
        top = f"the true top {k if k > 1 else 'item'}"
        assert said == f"{'Exactly' if exact else 'As good as'} {top}."
    table = closer_look.release_items_table(items, scores, k)
    assert (table[f"top {k}"] == "yes").sum() == right
    _, missing = closer_look.wrong_and_missing_ranks(items, scores, k)
    assert len(missing) == k - right


@pytest.mark.parametrize("epsilon", [1e-3, 0.1, 30.0])
@pytest.mark.parametrize("name", ["canonical", "peeling", "limited_domain", "threshold_counts"])
def test_the_missing_share_is_that_of_the_items_that_a_list_could_have(
    name: str, epsilon: float
) -> None:
    shorter = name in ("limited_domain", "threshold_counts")
    values = np.round(500.0 / np.arange(1, 7 if shorter else 900))
    scores = Scores(values, monotonic=True, contributions=1, names_known=not shorter)
    noise = {"noise": "exponential"} if name == "peeling" else {}
    mechanism = Design(mechanism=name, parameters=noise).build(epsilon, 8)
    if shorter and epsilon < 0.1:
        return
    law = LawStudy(mechanism=mechanism, scores=scores).compute()
    told = view.format_missed_top_k_share(law)
    number = re.search(r"([<>]?)([\d.]+)\u202f%$", told)
    assert number, told
    near = 0.011 if law.distribution.method == "estimated" else 0.0006
    off = float(number[2]) / 100 - (1 - law.share)
    assert abs(off) <= near + 0.0005 or (number[1] == ">" and off < 0) or number[1] == "<" != off


@pytest.mark.parametrize("name", ["canonical", "one_shot", "limited_domain", "threshold_counts"])
def test_no_more_items_are_said_to_be_published_than_always_are(name: str) -> None:
    shorter = name in ("limited_domain", "threshold_counts")
    person = {"monotonic": True, "contributions": 1}
    scores = Scores([40, 30, 22, 15, 2], names_known=not shorter, **person)  # type: ignore[arg-type]
    data = DataSpec(source="uploaded", items_known=not shorter, **person)  # type: ignore[arg-type]
    design = Design(mechanism=name)
    scenario = Scenario(k=3, epsilon=1.0, designs=(design, design), data=data, scores=scores)
    always = LawStudy(mechanism=design.build(1.0, 3), scores=scores).compute().length[3] > 1 - 1e-9
    one = view.build_slider_figure(scenario.replace(designs=(design,)), scores).lead
    for lead in (one, compare.build_slider_figure(scenario, scores).lead):
        assert ("publishes 3 of 5" in lead) is bool(always), lead
        assert ("publishes at most 3 of 5" in lead) is not always, lead


def test_a_multiple_is_never_told_as_a_power_of_ten() -> None:
    """Its ε is more than a thousand times that of the other."""
    scores = Scores([50, 10, 2], monotonic=True, contributions=1)
    designs = (Design(), Design(parameters={"gamma": 0.75}))
    of = compared_designs(Scenario(k=1, designs=designs, data=DataSpec(source="uploaded")), scores)
    rows = [
        (side, {"probability": sentences.GOAL, "epsilon": epsilon, "multiple": epsilon / 0.01})
        for side, epsilon in zip(of, (0.01, 23.4), strict=True)
    ]
    said = sentences.sentence_text(sentences.smallest_epsilon_sentence(rows, "top"))
    assert "and 2,340 times as much with" in said
    known = sentences.sentence_text(sentences.known_names_sentence(rows[1:], rows[:1], "top"))
    assert known.endswith("Without one it needs 2,340 times as much.")


@pytest.mark.parametrize("case", range(24))
def test_charts_of_lists_that_may_be_shorter_say_what_is_in_them(case: int) -> None:
    """Also where fewer items occur than a list may hold."""
    rng = np.random.default_rng([5, case])
    d, k = int(rng.integers(2, 9)), int(rng.integers(1, 12))
    values = rng.integers(1, 60, d).astype(float)
    scores = Scores(values, monotonic=True, contributions=1, names_known=False)
    name = "limited_domain" if case % 2 else "threshold_counts"
    mechanism = Design(mechanism=name).build(float(rng.choice([0.5, 2.0, 9.0])), k)
    law = LawStudy(mechanism=mechanism, scores=scores).compute()
    chances = law.inclusion[scores.order]
    says = score_bars(scores, law.inclusion, k).says_now
    (told,) = re.findall(r"On average (\S+) of the", says)
    assert float(told) == pytest.approx(float(chances[:k].sum()), abs=0.0051), says
    assert ("the next item" in says) <= (k < d)
    rows = view.inclusion_rows_chart(law, LIGHT).says_now
    assert f"{scores.label(int(scores.order[min(k, d) - 1]))}" in rows
    sets = mechanism.sample(scores, 6, rng=rng)
    for items, told_of in zip(sets, closer_look.released_lists_with_cells(law, sets), strict=True):
        ranks = scores.rank[items[items >= 0]] + 1
        lowest = re.findall(r"lowest rank (\d+)", told_of["says"])
        if len(ranks) and lowest:
            assert int(lowest[0]) == ranks.max(), told_of["says"]
        assert ("nothing is published" in told_of["says"]) is not len(ranks)
    for phrases in cell_phrases(law.grid):
        assert not phrases[0].endswith(f"and lowest rank {k}")


def test_half_of_a_share_is_no_half_of_the_releases() -> None:
    curve = FigureCurve("share", *np.array([[0.5, 1.0, 2.0], *[[0.2, 0.5, 0.9]] * 3]), 0.0, "exact")
    says = utility_curves_chart({"one": [curve]}).says_now
    assert "of the releases" not in says
    assert "share of the top k reaches 50\u202f% at ε ≈ 1" in says

"""Sentences of pages under many random settings: grammar, bounds on the safe side, ε with its δ."""

import re
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

from dpviz import CANDIDATES, CandidatePool, Scenario, Scores
from dpviz.base import ParameterError, ignore_progress
from dpviz.pages.candidates import leaks_view, sentences
from dpviz.pages.candidates.study import ChoiceStudy, LeakStudy
from dpviz.pages.common import PagePreview, PageSubject, PreviewRequest
from dpviz.pages.explore import closer_look
from dpviz.pages.explore import view as explore
from dpviz.pages.gaps import view as gaps
from dpviz.pages.margin import view as margin
from dpviz.pages.neighbours import view as neighbours
from dpviz.studies import DataSpec, LawStudy
from dpviz.studies.candidate_runs import CandidateRuns

ONE_OF_MANY = re.compile(
    r"(?<![\d.,])1 (?:answers|units|items|lists|releases|queries|runs|people|names)\b"
)
WRONG_ARTICLE = re.compile(r"\ba (?:8\d?|11|18)(?![\d.,]*\d{3})(?: |\u202f)")
SEEDS = range(12)


def scenario(seed: int, **page: object) -> tuple[Scenario, Scores]:
    """Few small counts, so that scores tie and k is often 1."""
    rng = np.random.default_rng(seed)
    d = int(rng.integers(4, 9))
    scores = Scores(rng.integers(0, 6, d) * 4.0, monotonic=True)
    data = DataSpec(source="uploaded", sensitivity=1.0, monotonic=True)
    epsilon, k = float(f"{10 ** rng.uniform(-1, 1):.2g}"), int(rng.integers(1, 4))
    return Scenario(data=data, epsilon=epsilon, k=k, page=page), scores


@cache
def previews(seed: int) -> tuple[PagePreview, ...]:
    """Previews of the pages, each under random settings."""
    prior = round(0.01 + 0.98 * np.random.default_rng(seed).random(), 2)
    pages = (
        (explore, {}),
        (gaps, {"gaps.half": "sparse_vector", "gaps.quantile": 0.6}),
        (margin, {}),
        (neighbours, {"neighbours.prior": prior}),
    )
    made = []
    for page, settings in pages:
        of, scores = scenario(seed, **settings)
        subject = PageSubject(of, scores)
        made.append(page.build_slider_preview(subject, of.epsilon, PreviewRequest()))
    return tuple(made)


def texts(preview: PagePreview) -> Iterator[str]:
    yield from (said for said in preview.texts.values() if isinstance(said, str))
    yield from (chart.says_now for chart in preview.charts.values())


@pytest.mark.parametrize("seed", SEEDS)
def test_one_is_counted_as_one_and_articles_fit_their_number(seed: int) -> None:
    for preview in previews(seed):
        for said in texts(preview):
            assert not ONE_OF_MANY.search(said), said
            assert not WRONG_ARTICLE.search(said), said


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_stands_between_a_colon_and_how_often_it_happens(seed: int) -> None:
    """Where scores tie, "as good as …: ties count in 4 of 100" could not be read."""
    of, scores = scenario(seed)
    law = LawStudy(mechanism=of.mechanisms[0], scores=scores).compute(ignore_progress)
    said = explore.slider_position_sentence(law)
    assert ":" not in said, said
    one = closer_look.missed_items_sentence(scores.order[: of.k], scores, of.k)
    assert not re.search(r"\btop 1\b", f"{said} {one}"), (said, one)


@pytest.mark.parametrize("seed", SEEDS)
def test_an_exact_figure_that_was_rounded_up_says_at_most(seed: int) -> None:
    preview = previews(seed)[-1]
    shown = next(said for said in preview.texts.values() if re.fullmatch(r"[≤≥] \d+", str(said)))
    chart = preview.charts["hundred"]
    assert f"at most {shown[2:]} can be right" in chart.says_now
    assert shown[0] == "≤"


@pytest.mark.parametrize("epsilon", np.geomspace(0.01, 8.0, 23).tolist())
def test_a_run_may_fail_as_often_as_is_said(epsilon: float) -> None:
    page = {"pc.view": "leaks", "pc.epsilon1": epsilon, "pc.leak.failure": 0.5}
    said = leaks_view.reduced_failure_note(LeakStudy(scenario=Scenario(page=page)))
    (allowed,) = re.findall(r"at most ([\d.×⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", said)
    digits = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
    number = float(allowed.replace("×10", "e").translate(digits).rstrip("."))
    assert number <= 1 / (1 + np.exp(epsilon))
    assert number == pytest.approx(1 / (1 + np.exp(epsilon)), rel=0.02)


@pytest.mark.parametrize("rule", CANDIDATES)
@pytest.mark.parametrize("delta", [0.0, 1e-7])
def test_a_heading_never_has_a_total_without_its_delta(rule: str, delta: float) -> None:
    runs = CandidateRuns(CandidatePool([[0.1, 0.7], [0.4, 0.6]]), "runs")
    page = {"pc.rule": rule, "pc.delta1": delta, f"pc.limit.{rule}": 400}
    study = ChoiceStudy(scenario=Scenario(page=page), table=runs)
    try:
        total = study.total_or_error(study.rule)
    except ParameterError:
        pytest.skip("no such rule")
    heading, *_ = sentences.page_head_texts(study)
    has_delta = not isinstance(total, ParameterError) and total[1] > 0
    assert ("δ = " in heading) == has_delta

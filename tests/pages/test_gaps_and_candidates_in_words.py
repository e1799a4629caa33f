"""Signs between numbers on the pages Gaps and Candidates hold; prices are the theorems'."""

import re
from functools import cache

import numpy as np
import pytest

from dpviz import CandidatePool, NoisyTopKWithGap, Scenario
from dpviz.candidates import CANDIDATES
from dpviz.charts import percent
from dpviz.data import EXAMPLES
from dpviz.gaps import MeasurementExperiment, SimulatedEstimate
from dpviz.pages.candidates import choice_view, sentences
from dpviz.pages.candidates.study import ChoiceStudy
from dpviz.pages.common import format_two_decimals
from dpviz.pages.gaps import release_details, sparse, top_k
from dpviz.pages.gaps.study import KINDS, GapWorthStudy, QueryStudy
from dpviz.studies.candidate_runs import CandidateRuns

POLLS = EXAMPLES["help_line"].scores()
COMPARED = re.compile(r"^(-?[\d.,]+) ([≥<]) (-?[\d.,]+)$")


@cache
def asked() -> QueryStudy:
    said = {"half": "sparse_vector", "by": "value", "threshold": 130.0, "order": "shuffled"}
    page = {f"gaps.{name}": value for name, value in said.items()}
    return QueryStudy.from_scenario(Scenario(k=3, page=page), POLLS)


def estimated(value: float, wide: float) -> SimulatedEstimate:
    return SimulatedEstimate(value, value - wide, value + wide)


@pytest.mark.parametrize(
    ("ratio", "says"),
    [
        (estimated(1.2, 0.1), "makes measured values worse"),
        (estimated(1.2, 0.3), "no clear effect on measured values"),
        (estimated(0.9, 0.3), "no clear effect on measured values"),
        (estimated(0.9, 0.05), "makes measured values better"),
    ],
)
def test_gaps_help_or_harm_only_where_the_whole_interval_says_so(
    ratio: SimulatedEstimate, says: str
) -> None:
    study = GapWorthStudy.from_scenario(Scenario(k=3), POLLS)
    found = MeasurementExperiment(estimated(2.0, 0.1), estimated(2.0, 0.1), ratio, 0.7, 100)
    study.results[f"experiment 3 {KINDS[POLLS.monotonic]}"] = found
    assert says in top_k.lead_sentence(study)


def test_a_sign_between_a_noisy_value_and_its_threshold_holds() -> None:
    study, seen = asked(), set()
    for which in ("plain", "adaptive"):
        replay = study.mechanisms[which].replay(study.ordered_queries, rng=7)
        for step in range(1, replay.release.asked + 1):
            for name, value, *_ in release_details.query_details(study, which, replay, step):
                if found := COMPARED.match(value):
                    left, right = (float(found[side].replace(",", "")) for side in (1, 3))
                    assert (left >= right) == (found[2] == "≥"), (which, step, name, value)
                    seen.add(found[2])
    assert seen == {"≥", "<"}


def test_answers_are_told_by_the_branch_that_gave_them() -> None:
    study = asked()
    chances = map(study.law["adaptive"].branch_probabilities, ("top", "middle"))
    top, middle = (format_two_decimals(float(chance.sum())) for chance in chances)
    (_, below), *_ = sparse.summary_cells(study, "adaptive")
    assert below.endswith(f"top branch {top}, middle {middle}")


def test_the_chance_beside_a_release_is_that_of_a_larger_gap() -> None:
    study = GapWorthStudy(scenario=Scenario(k=1), scores=POLLS, k=1)
    out = top_k.seeded_release(study)
    mechanism = NoisyTopKWithGap(epsilon=study.scenario.epsilon, k=1)
    drawn = [mechanism.release(POLLS, rng=np.random.default_rng(seed)) for seed in range(400)]
    above = np.mean([one.items[0] == out.items[0] and one.gaps[0] > out.gaps[0] for one in drawn])
    chance = mechanism.gap_survival(POLLS, int(out.items[0]), float(out.gaps[0]))
    assert above == pytest.approx(chance, abs=0.1)
    said = f"In {percent(chance)} of releases it comes first with a larger gap (exact)."
    assert top_k.gap_survival_sentence(study) == said


PRICED = {
    "known_threshold": {"threshold": 0.5, "stop": 0.1, "epsilon0": 0.2},
    "random_stopping": {"stop": 0.1},
    "negative_binomial": {"stop": 0.1, "shape": 0.5},
}


@pytest.mark.parametrize("name", PRICED)
def test_a_rule_costs_in_words_what_its_theorem_asks(name: str) -> None:
    """The first term of what is said, with figures put in for its signs, is the library's total."""
    epsilon1, settings = 0.7, PRICED[name]
    costs = sentences.rule_description(name).costs
    found = re.match(r"(?:\(2 \+ (η)\)|(\d))ε1(?: \+ (ε0))?", costs)
    assert found is not None
    times = 2 + settings["shape"] if found[1] else float(found[2])
    said = times * epsilon1 + (settings["epsilon0"] if found[3] else 0.0)
    assert CANDIDATES[name](**settings).total_epsilon(epsilon1)[0] == pytest.approx(said)


def test_the_error_of_a_mean_score_grows_with_the_range_of_scores() -> None:
    errors = []
    for scale in (1.0, 400.0):
        pool = CandidatePool([[0.0, scale], [scale / 2, scale]])
        study = ChoiceStudy(scenario=Scenario(), table=CandidateRuns(pool, f"own {scale}"))
        (mean,) = [card for card in choice_view.headlines(study.compute()) if "Mean" in card.name]
        assert mean.source is not None
        errors.append(mean.source.error)
    assert errors[1] == pytest.approx(400 * errors[0])

"""Claims of Liu & Talwar 2018 on searches, on two data sets, on percentiles and on amplification.

Symbols: as in `candidates`; β is the chance that a search may fail, R its number of thresholds.
"""

import math
from itertools import product
from typing import Any

import numpy as np

from dpviz import CandidatePool, RandomStopping, ThresholdSearch
from dpviz.base import Floats
from dpviz.candidates import SelectionBySearch
from dpviz.charts import number_text, power_of_ten_text
from dpviz.export.reproduction.claims.claim import register_claim
from dpviz.numerics.log_binomials import log_binomial_probability

SEARCH = ThresholdSearch(percentile=0.05, epsilon=1.0, candidate_epsilon=0.2, epsilon0=0.1)


@register_claim("candidates.theorem_4_6a")
def _theorem_4_6a() -> float:
    """Thresholds whose chances all rise by e^ε1 with the neighbour, but for the last, which falls."""
    worst = 0.0
    for least, count in product((1e-9, 1e-3, 0.05), range(1, 10)):
        pair = [
            SEARCH.distribution([least * math.exp(up)] * count + [0.5 * math.exp(-up)])
            for up in (0.0, SEARCH.candidate_epsilon)
        ]
        p, q = (np.append(law.stop, law.none) for law in pair)
        worst = max(worst, float(np.abs(np.log(p / q)).max()))
    return worst


@register_claim("candidates.theorem_4_6b")
def _theorem_4_6b() -> tuple[float, dict[str, str]]:
    law = SEARCH.distribution([10**SEARCH.log10_least_chance] * 9 + [1.0])
    chance = power_of_ten_text(SEARCH.log10_least_chance)
    return float(law.stop[:-1].sum()) / (SEARCH.beta + SEARCH.delta / 2), {"chance": chance}


@register_claim("candidates.theorem_4_6c")
def _theorem_4_6c() -> float:
    law = SEARCH.distribution([SEARCH.percentile])
    return law.none / (2 * SEARCH.beta + SEARCH.delta / (2 * SEARCH.steps))


@register_claim("candidates.theorem_4_7")
def _theorem_4_7() -> tuple[float, dict[str, str]]:
    """The price of the parts with ε3 = ε0, as printed, for ε1 = 0.1 and ε0 = 1."""
    chosen = SelectionBySearch(candidates=10, candidate_epsilon=0.1, epsilon0=1.0)
    return 2 * 0.1 + 1.0 + 1.0, {
        "runs": power_of_ten_text(round(chosen.log10_runs)),
        "reached": power_of_ten_text(round(-chosen.log10_run_pass_probability)),
    }


def median_and_random_rank_losses(runs: int, score_chance_change: float) -> tuple[float, float]:
    """The losses of the median of the runs, and of the k-th best, k uniform up to half of them.

    A run scores 1 with (1+ε)/2, or (1−ε)/2 with the neighbour, else 0.
    """
    counts, half = np.arange(runs + 1), math.ceil(runs / 2)
    out = []
    for p in ((1 + score_chance_change) / 2, (1 - score_chance_change) / 2):
        law = np.exp(log_binomial_probability(runs, counts, p))
        upper = np.minimum(counts, half) / half  # of the k-th best, given that so many score 1
        out.append([law[half:].sum(), law[:half].sum(), law @ upper, law @ (1 - upper)])
    loss = np.abs(np.log(np.divide(*np.array(out))))
    return float(loss[:2].max()), float(loss[2:].max())


@register_claim("candidates.percentile")
def _percentile() -> tuple[dict[str, float], dict[str, str]]:
    one = math.log1p(0.2) - math.log1p(-0.2)
    median, kth = median_and_random_rank_losses(201, 0.2)
    return {"median": median / one, "k-th best": kth / one}, {"one": number_text(one)}


def noisy_score_loss(
    scores: Floats, mass: Floats, other_scores: Floats, other_mass: Floats, rate: float
) -> float:
    """The largest loss of a model's score with Laplace noise of this rate, model and all.

    Between two scores the ratio is monotone, as it is (A e^x + B e^−x)/(C e^x + D e^−x); so it is
    largest at a score, or beyond all of them.
    """
    at = np.concatenate([scores, other_scores])
    at = np.append(at, [at.min() - 1, at.max() + 1])[:, None]
    sides = ((scores, mass), (other_scores, other_mass))
    here, there = (np.exp(-rate * np.abs(at - where)) @ weight for where, weight in sides)
    return float(np.abs(np.log(here / there)).max())


@register_claim("candidates.lemma_5_1")
def _lemma_5_1() -> tuple[float, dict[str, Any]]:
    """n = 50 in the validation set; ε1 = 0.5 in training; ε2 = 0.3."""
    e1, e2, n = 0.5, 0.3, 50
    scores, low = np.array([0.3, 0.5, 0.9]), 1 / (1 + math.exp(e1))
    shares = []
    for p, moves in product((0.02, 0.5, 0.98), product((-1, 0, 1), repeat=3)):
        mass = np.array([p, (1 - p) / 3, 2 * (1 - p) / 3])
        moved = scores + np.array(moves) / n
        shares.append(noisy_score_loss(scores, mass, moved, mass, n * e2) / e2)
    models = np.array([low, 0.0, 1 - low])
    training = noisy_score_loss(scores, models, scores, models[::-1], n * e2) / e1
    return max(*shares, training), {"training": training}


def amplified_search_outcome_chances(
    candidates: int, good_chance: float, bad_weight: float, stop: float
) -> Floats:
    """P(a candidate with the score τ, one with the lower score, a dummy) of App. C.

    Each of the candidates scores τ with chance `good_chance`, else it weighs `bad_weight` in the
    exponential mechanism, where τ weighs 1 and the dummies 1 + 1/γ, γ = `stop`.
    """
    good_ones = np.arange(candidates + 1)
    chance = np.exp(log_binomial_probability(candidates, good_ones, good_chance))
    weights = np.array(
        [good_ones, (candidates - good_ones) * bad_weight, np.full(candidates + 1, 1 + 1 / stop)]
    )
    return np.asarray((weights / weights.sum(axis=0)) @ chance)


@register_claim("candidates.theorem_c_1_utility")
def _theorem_c_1_utility() -> tuple[float, dict[str, str]]:
    shares = []
    for size, good, bad, stop in product((1, 10, 100), (0.01, 0.1, 0.9), (0.0, 0.1), (0.01, 0.2)):
        p = good + (1 - good) * bad
        bound = (stop + 1) / (size * p * stop + 1)
        shares.append(float(amplified_search_outcome_chances(size, good, bad, stop)[2]) / bound)
    return max(shares), {"least": number_text(min(shares))}


@register_claim("candidates.theorem_c_1_privacy")
def _theorem_c_1_privacy() -> float:
    """ε1 = 0.5; all candidates move the same way, and neither score by more than e^ε1."""
    shares = []
    for size, good, bad, stop in product((1, 10, 100), (0.01, 0.1, 0.37), (0.0, 0.1), (0.01, 0.2)):
        pair = [
            amplified_search_outcome_chances(size, p, bad, stop)
            for p in (good, good * math.exp(0.5))
        ]
        with np.errstate(invalid="ignore"):
            loss = np.nanmax(np.abs(np.log(np.divide(*pair))))
        shares.append(float(loss) / (2 * 0.5 + 8 * stop))
    return max(shares)


@register_claim("candidates.amplification")
def _amplification() -> tuple[float, dict[str, str]]:
    """A score in [0, 1] of mean ½ that reaches 0.45 as rarely as a mean of ½ allows (Markov)."""
    reached = (0.5 - 0.45) / (1 - 0.45)
    pool = CandidatePool([([0.45 - 1e-9, 1.0], [1 - reached, reached])])
    law = RandomStopping(stop=0.05 * reached).distribution(pool)
    return float(law.score_law.mass[-1]), {
        "reached": number_text(reached),
        "runs": number_text(law.runs.mean),
    }

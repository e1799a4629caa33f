import math
from dataclasses import replace
from itertools import islice, product
from typing import cast

import numpy as np
import pytest
from scipy import special, stats

from dpviz import (
    ParameterError,
    Scores,
    TopKMechanism,
    privacy_loss,
    smallest_epsilon,
    table_of_epsilon,
    worst_neighbour,
)
from dpviz.topk.threshold_counts import ThresholdCounts, gaussian_scale_and_threshold
from tests.shorter_contract import ShorterContract
from tests.topk.lists import Answers, Counts, delta_between, pairs, scores_of, threshold_counts


class TestThresholdCounts(ShorterContract):
    examples = [
        ThresholdCounts(epsilon=1.0, k=2, delta=0.01),
        ThresholdCounts(epsilon=3.0, k=3, delta=0.1),
        ThresholdCounts(epsilon=1.0, k=2, delta=0.02, noise="gaussian"),
    ]
    contributions = (1, 2)
    reached = 0.97

    def definition(
        self, m: TopKMechanism, counts: Counts, c: int | None, replaced: bool
    ) -> Answers:
        m = cast(ThresholdCounts, m)
        assert c is not None
        moved = 2 * c if replaced else c
        if m.noise == "laplace":
            scale = moved / m.epsilon
            tau = max(1.0, 1 + scale * math.log(c / (2 * m.delta)))
        else:
            scale, tau = gaussian_scale_and_threshold(
                m.epsilon, m.delta, c, people_replaced=replaced
            )
        return threshold_counts(counts, m.k, m.noise, scale, tau)

    def worst_pair(self, m: TopKMechanism) -> tuple[Counts, Counts, int]:
        return {"a": 1}, {"a": 1, "b": 1}, 1

    def test_noisy_counts_come_with_the_names(self) -> None:
        s = Scores({"a": 90, "b": 7, "c": 0}, monotonic=True, contributions=1)
        m = ThresholdCounts(epsilon=1.0, k=3, delta=0.01)
        items, noisy = m.sample_with_scores(s, 4000, rng=np.random.default_rng(5))
        assert (items != 2).all(), "what does not occur never comes out"
        assert ((items < 0) == np.isnan(noisy)).all()
        assert (noisy[items >= 0] > m.threshold(s)).all()
        off = noisy[:, 0][items[:, 0] == 0] - 90
        assert stats.kstest(off, stats.laplace(scale=1.0).cdf).pvalue > 1e-6
        share = (items == 1).any(1).mean()
        assert share == pytest.approx(m.distribution(s).inclusion[1], abs=0.05)

    def test_contributions_have_to_be_known_and_delta_small_enough(self) -> None:
        m, pair = ThresholdCounts(epsilon=1.0, k=1, delta=0.01), Scores([3.0, 1.0], monotonic=True)
        says = "contributions must be a number, as the noise depends on the items"
        with pytest.raises(ParameterError, match=says):
            m.distribution(pair)
        loose, one = m.replace(epsilon=0.01, delta=0.2), replace(pair, contributions=1)
        says = r"delta must be at most 0.00995 at ε = 0.01 and 1 items a person"
        with pytest.raises(ParameterError, match=says):
            loose.distribution(one)


def test_a_lower_threshold_passes_delta(monkeypatch: pytest.MonkeyPatch) -> None:
    """A threshold without the person's count, and one for one item where people count in three."""
    m, c, right = ThresholdCounts(epsilon=1.0, k=3, delta=0.01), 3, ThresholdCounts._calibrated
    assert worst_delta(m, c) <= 0.01
    of_one_item = math.log(1 / (2 * m.delta)) / math.log(c / (2 * m.delta)) / c
    for part, less in ((1.0, 1.0), (of_one_item, 0.0)):

        def lower(m: ThresholdCounts, scores: Scores, told=(part, less)) -> tuple[float, float]:
            scale, tau = right(m, scores)
            return scale, 1 + (tau - 1) * told[0] - told[1]

        monkeypatch.setattr(ThresholdCounts, "_calibrated", lower)
        assert worst_delta(m, c) > 0.0101


def worst_delta(m: TopKMechanism, c: int) -> float:
    """The largest δ of twelve pairs of neighbours, and of one with three new names."""
    found = islice(pairs(np.random.default_rng(3), c, replaced=False, most=4), 12)
    new = {"a": 1}, {"a": 1, "b": 1, "c": 1, "d": 1}
    deltas = []
    for one, other in (*found, new):
        worlds = (scores_of(w, c=c, names=sorted({*one, *other})) for w in (one, other))
        deltas.append(delta_between(m, *worlds))
    return max(deltas)


@pytest.mark.parametrize("replaced", [False, True])
@pytest.mark.parametrize(
    ("epsilon", "delta", "c"), [(1.0, 1e-5, 1), (0.5, 1e-3, 4), (3.0, 0.05, 2)]
)
def test_gaussian_noise_and_threshold_keep_delta_for_any_number_of_new_names(
    epsilon: float, delta: float, c: int, replaced: bool
) -> None:
    sigma, tau = gaussian_scale_and_threshold(epsilon, delta, c, people_replaced=replaced)
    p, worst, moved = special.ndtr((1 - tau) / sigma), 0.0, 2 * c if replaced else c
    for gone, new in product(range(c + 1), repeat=2):
        if gone + new <= moved and (replaced or not (gone and new)):
            shift = math.sqrt(moved - gone - new) / sigma
            worst = max(worst, hockey_stick(epsilon, shift, (1 - p) ** gone, (1 - p) ** new))
    assert delta * (0.9 if replaced else 0.999) <= worst <= delta * (1 + 1e-6)


def hockey_stick(epsilon: float, shift: float, here: float, there: float) -> float:
    """Σ (P − e^ε P')⁺ of normals of masses `here`, moved by `shift`, and `there`."""
    x = np.linspace(-12, 12 + shift, 400_001)
    excess = here * stats.norm.pdf(x, shift) - math.exp(epsilon) * there * stats.norm.pdf(x)
    return (1 - here) + float(np.trapezoid(np.maximum(excess, 0.0), x))


@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
def test_without_a_k_every_answer_is_that_of_all_items(noise: str) -> None:
    """Without the person in question there is an item less, and lists stay comparable."""
    told = {"monotonic": True, "contributions": 1, "names_known": False}
    s, t = (Scores({"a": 9, "b": 7, "c": 3, "d": last}, **told) for last in (1, 0))  # type: ignore[arg-type]
    every, none = (ThresholdCounts(epsilon=4.0, k=k, delta=1e-3, noise=noise) for k in (4, None))  # type: ignore[arg-type]
    for ask in (
        lambda m: smallest_epsilon(m, s, figure="hits", at_least=2, probability=0.5),
        lambda m: privacy_loss(m, s, t).delta(4.0),
        lambda m: privacy_loss(m, t, s).reversed.delta(4.0),
        lambda m: worst_neighbour(m, s)[1].advantage,
        lambda m: float(table_of_epsilon([m], s, ["2 of 4 in 0.5"])["epsilon"][0]),
    ):
        assert ask(none) == pytest.approx(ask(every), rel=1e-9)

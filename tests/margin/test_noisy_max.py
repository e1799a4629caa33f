"""Noisy max over a universe with unlisted zeros: the largest of ε/2·x + noise, whatever the noise."""

from dataclasses import replace

import numpy as np
import pytest

from dpviz import NOISES
from dpviz.base.scores import Scores
from dpviz.margin.baselines import NoisyMax
from tests import meters
from tests.gaps.sparse.oracle import winners
from tests.top_one_contract import ZEROS, Outcomes, TopOneContract, draws, told


class TestNoisyMax(TopOneContract):
    examples = [NoisyMax(epsilon=1.0, noise=noise) for noise in NOISES]

    def definition(self, m: NoisyMax, s: Scores, zeros: int) -> Outcomes:  # type: ignore[override]
        x = np.append(s.values, np.zeros(zeros)) / (
            s.sensitivity / 2 if s.monotonic else s.sensitivity
        )
        chance = winners(m.epsilon / 2 * x, m.noise)
        return {**dict(enumerate(chance[: s.d])), ZEROS: float(chance[s.d :].sum())}


@pytest.mark.parametrize("noise", NOISES)
def test_unlisted_items_are_as_if_they_were_listed(noise: str) -> None:
    m, s, listed = (
        NoisyMax(epsilon=1.0, noise=noise),
        Scores([3.0, 0.0, 4.0]),
        Scores([3.0, 0.0, 4.0, *np.zeros(20)]),
    )
    law, whole = m.distribution(s, zeros=20), m.distribution(listed)
    assert np.allclose(law.inclusion, whole.inclusion[:3], atol=1e-10)
    assert law.zero_mass == pytest.approx(whole.inclusion[3:].sum(), abs=1e-10)
    assert not meters.disagreement(draws(m, s, 20, 2), told(law), 1)


@pytest.mark.parametrize("noise", NOISES)
def test_it_keeps_to_epsilon_alone(noise: str) -> None:
    m = NoisyMax(epsilon=0.7, noise=noise)
    contract = TestNoisyMax()
    losses = [
        meters.largest_loss(*(told(m.distribution(s, zeros=zeros)) for s in (here, there)))
        for here, there, zeros in contract.pairs(m)
    ]
    assert max(losses) <= m.epsilon * (1 + 1e-9)
    loud = replace(m, epsilon=1.4)  # a twin with half the noise
    assert max(
        meters.largest_loss(*(told(loud.distribution(s, zeros=zeros)) for s in (here, there)))
        for here, there, zeros in contract.pairs(m)
    ) > m.epsilon * (1 + 1e-9)

"""Noisy max over a universe with unlisted zeros: the largest of ε/2·x + noise, whatever the noise."""

from dataclasses import replace

import numpy as np
import pytest

from dpviz import NOISES, TOP_ONE, Scores
from dpviz.margin.baselines import COMPARED, NoisyMax
from tests import meters
from tests.gaps.sparse.oracle import winners
from tests.menus import Contract
from tests.top_one_contract import ZEROS, Outcomes, TopOneContract, told


class TestNoisyMax(TopOneContract):
    examples = [NoisyMax(epsilon=1.0, noise=noise) for noise in NOISES]

    def definition(self, m: NoisyMax, s: Scores, zeros: int) -> Outcomes:  # type: ignore[override]
        x = np.append(s.values, np.zeros(zeros)) / (
            s.sensitivity / 2 if s.monotonic else s.sensitivity
        )
        chance = winners(m.epsilon / 2 * x, m.noise)
        return {**dict(enumerate(chance[: s.d])), ZEROS: float(chance[s.d :].sum())}


@pytest.mark.parametrize("noise", NOISES)
def test_it_keeps_to_epsilon_alone(noise: str) -> None:
    m = NoisyMax(epsilon=0.7, noise=noise)

    def loss(twin: NoisyMax) -> float:
        pairs = TestNoisyMax().pairs(m)
        laws = [[told(twin.distribution(s, zeros=z)) for s in worlds] for *worlds, z in pairs]
        return max(meters.largest_loss(*each) for each in laws)

    assert loss(m) <= 0.7 * (1 + 1e-9) < loss(replace(m, epsilon=1.4))  # a twin with half the noise


NOISE = {"gumbel": "gumbel", "laplace": "laplace"}
FULL = {"generalised": "generalised_exponential"}


class TestCompared(Contract):
    menu = COMPARED
    names = frozenset(COMPARED)

    @pytest.mark.parametrize("name", list(COMPARED))
    def test_it_is_what_it_is_named_after(self, name: str) -> None:
        mechanism = COMPARED[name].replace(epsilon=0.7, delta=1e-2)
        named = (
            NoisyMax(epsilon=0.7, noise=NOISE[name])
            if name in NOISE
            else TOP_ONE[FULL.get(name, name)](epsilon=0.7, delta=1e-2)
        )
        for monotonic in (False, True):
            s = Scores([30.0, 28.0, 28.0, 1.0], sensitivity=2.0, monotonic=monotonic)
            assert told(mechanism.distribution(s, zeros=3)) == told(named.distribution(s, zeros=3))

"""The mechanisms of one item side by side: each is the one it is named after."""

import pytest

from dpviz.base.scores import Scores
from dpviz.margin.baselines import COMPARED, NoisyMax
from dpviz.margin.top_one import TOP_ONE
from tests.menus import Contract
from tests.top_one_contract import told

NOISE = {"gumbel": "gumbel", "laplace": "laplace"}


class TestCompared(Contract):
    menu = COMPARED
    names = frozenset(COMPARED)

    @pytest.mark.parametrize("name", list(COMPARED))
    def test_it_is_what_it_is_named_after(self, name: str) -> None:
        mechanism = COMPARED[name].replace(epsilon=0.7, delta=1e-2)
        named = (
            NoisyMax(epsilon=0.7, noise=NOISE[name])
            if name in NOISE
            else TOP_ONE[name](epsilon=0.7, delta=1e-2)
        )
        for monotonic in (False, True):
            s = Scores([30.0, 28.0, 28.0, 1.0], sensitivity=2.0, monotonic=monotonic)
            assert told(mechanism.distribution(s, zeros=3)) == told(named.distribution(s, zeros=3))

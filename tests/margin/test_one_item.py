"""What every mechanism of the TOP_ONE menu owes: sums, item order, refusals, a sampler of the same law."""

import numpy as np
import pytest
from scipy import stats

from dpviz.base.errors import ParameterError
from dpviz.base.noise import NOISES
from dpviz.base.scores import Scores
from dpviz.margin.one_item import TOP_ONE

EVERY = [make(epsilon=epsilon, delta=1e-3) for make in TOP_ONE.values() for epsilon in (0.5, 2.0)]


def test_menu():
    assert list(TOP_ONE) == ["large_margin", "noisy_max", "instability"]


@pytest.mark.parametrize("mechanism", EVERY, ids=lambda mechanism: mechanism.key)
class TestTopOneContract:
    def test_sums_to_one_in_item_order(self, mechanism):
        values = np.array([5.0, 90.0, 3.0, 70.0, 90.0])
        law = mechanism.distribution(Scores(values))
        assert law.inclusion.shape == (5,)
        assert law.inclusion.sum() + law.fail == pytest.approx(1, abs=1e-12)
        shuffle = np.array([3, 1, 4, 0, 2])  # keeps the order of the two that tie
        assert np.allclose(
            mechanism.distribution(Scores(values[shuffle])).inclusion, law.inclusion[shuffle], atol=1e-12
        )
        assert 0 <= law.error < 1e-9
        assert law.near_best(100.0) == pytest.approx(1 - law.fail, abs=1e-12)
        assert law.table()["probability"].tolist() == law.inclusion[law.scores.order].tolist()

    def test_sampler(self, mechanism):
        scores, size = Scores([40.0, 10.0, 38.0, 0.0]), 5000
        law = mechanism.distribution(scores)
        items = mechanism.sample(scores, size, rng=np.random.default_rng(1))
        assert items.shape == (size,)
        seen = np.bincount(items + 1, minlength=5)
        for count, chance in zip(seen, np.append(law.fail, law.inclusion), strict=True):
            low, high = stats.binomtest(int(count), size).proportion_ci(1 - 1e-6)
            assert low - 1e-12 <= chance <= high + 1e-12

    def test_refuses(self, mechanism):
        scores = Scores([1.0, 0.0])
        for call, sentence in [
            (lambda: mechanism.replace(epsilon=0.0), "epsilon must be a number above 0"),
            (lambda: mechanism.replace(epsilon=float("nan")), "epsilon must be a number above 0"),
            (lambda: mechanism.replace(delta=0.0), "delta must be a number above 0"),
            (lambda: mechanism.replace(delta=1.0), "delta must be a number above 0 and below"),
            (lambda: mechanism.replace(delta="1e-6"), "delta must be a number above 0"),
            (lambda: mechanism.distribution([1.0, 0.0]), "scores must be a dpviz.Scores"),
            (lambda: mechanism.distribution(scores, zeros=-1), "zeros must be a whole number"),
            (lambda: mechanism.distribution(Scores([1.0, -1.0]), zeros=5), "the lowest score must be at least 0"),
            (lambda: mechanism.sample(scores, 3, rng=7), "rng must be a numpy.random.Generator"),
        ]:
            with pytest.raises(ParameterError) as told:
                call()
            assert str(told.value).startswith(sentence)
            assert str(told.value).count(".\n") == 0

    def test_progress_ends_at_one(self, mechanism):
        told = []
        mechanism.distribution(Scores([3.0, 1.0]), progress=told.append)
        assert told[-1] == pytest.approx(1.0)


@pytest.mark.parametrize("noise", NOISES)
def test_noisy_max_with_unlisted_items_is_noisy_max_with_them_listed(noise):
    mechanism, size = TOP_ONE["noisy_max"](epsilon=1.0, noise=noise), 5000
    scores, listed = Scores([3.0, 0.0, 4.0]), Scores([3.0, 0.0, 4.0, *np.zeros(20)])
    law, whole = mechanism.distribution(scores, zeros=20), mechanism.distribution(listed)
    assert np.allclose(law.inclusion, whole.inclusion[:3], atol=1e-10)
    assert law.zero_mass == pytest.approx(whole.inclusion[3:].sum(), abs=1e-10)
    items = mechanism.sample(scores, size, rng=np.random.default_rng(2), zeros=20)
    seen = np.bincount(items, minlength=23)
    assert seen[3:].min() > 0
    for count, chance in zip([*seen[:3], seen[3:].sum()], [*law.inclusion, law.zero_mass], strict=True):
        assert stats.binomtest(int(count), size, float(chance)).pvalue > 1e-6

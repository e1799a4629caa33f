"""One-shot: its contract, hard inputs, and errors that cover what is missed."""

import math
from dataclasses import replace

import numpy as np
import pytest

from dpviz import NOISES, OneShot, Scores, TopKMechanism
from dpviz.numerics.cutoff import angles
from dpviz.numerics.cutoff.cutoff_race import CutoffRace
from dpviz.topk import cutoff_law as cutoff_module
from dpviz.topk.cutoff_law import CutoffLaw
from tests.contract import MechanismContract, Sets, of_ranks
from tests.gaps.sparse.oracle import one_shot_sets


class TestOneShot(MechanismContract):
    examples = [
        *(OneShot(epsilon=2.0, k=2, noise=n) for n in NOISES),
        OneShot(epsilon=1.0, k=1, noise="laplace"),
        OneShot(epsilon=4.0, k=3, noise="exponential"),
    ]
    vector_name = "one_shot"
    vector_parameters = ("noise",)

    def definition(self, m: TopKMechanism, s: Scores) -> Sets:
        """The k largest of ε/(2k)·x + noise, by one integral a set."""
        return of_ranks(s, one_shot_sets(m.epsilon / (2 * m.k) * s.ranked, m.k, m.noise))  # type: ignore[attr-defined]


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("epsilon", [1e-6, 1.0, 1e6])
def test_hard_inputs(noise: str, epsilon: float) -> None:
    plateaus = [0] * 20 + [1] * 20 + [50] * 5
    for values in ([0, 1e5, 1e10, 1e15, 1e15 + 1, -1e200], plateaus, [1e300, -1e300], [3.0] * 30):
        s = Scores(values)
        for k in {1, 2, s.d // 2, s.d - 1} & set(range(1, s.d)):
            dist = OneShot(epsilon=epsilon, k=k, noise=noise).distribution(s)
            assert dist.error <= 1e-8, (values, k)
            assert dist.inclusion.sum() == pytest.approx(k, abs=1e-8), (values, k)
            assert dist.probability.sum() == pytest.approx(1.0, abs=1e-9), (values, k)
            best, worst = dist.log_probability(s.order[:k]), dist.log_probability(s.order[-k:])
            assert math.exp(best) == pytest.approx(dist.top, abs=1e-9), (values, k)
            assert worst <= best + 1e-9, (values, k)


def test_the_error_covers_nodes_that_do_not_add_up() -> None:
    levels = np.array([2.0, 1.0, 0.5, 0.0, -1.0, -2.0])
    law = CutoffLaw(levels, 3, NOISES["logistic"])
    assert law.error < 1e-9
    law._nodes = replace(law._nodes, weight=1.01 * law._nodes.weight)
    missed = abs(law.within_table(np.array([0]), np.array([6]))[0, 0] - 1)
    assert missed == pytest.approx(0.01)
    assert law.error >= missed
    law._nodes = replace(law._nodes, weight=1.01 * law._nodes.weight)
    assert law.hits(3).sum() == pytest.approx(1.01**2, abs=1e-6)
    assert law.error >= 0.0201


@pytest.mark.parametrize("noise", NOISES)
def test_what_the_range_of_the_cut_off_forbids_is_nothing(noise: str) -> None:
    """Without the short way it is no more than `outside`, in a table that has all from 0 to 1."""
    k, levels = 300, 0.004 * np.arange(300.0, -2700.0, -1.0)
    law = CutoffLaw(levels, k, NOISES[noise])
    a, b = np.linspace(0, k, 13).astype(np.int64), np.linspace(k, 3000, 13).astype(np.int64)
    table, integrated = law.within_table(a, b), CutoffRace.within_table(law, a, b)
    assert np.abs(table - integrated).max() <= law.window.outside
    np.testing.assert_allclose(law.within_pairs(a, b), table.diagonal(), rtol=0, atol=1e-13)
    np.testing.assert_allclose(law.within_pairs(0 * a, b), table[0], rtol=0, atol=1e-13)
    assert not table[-1].any()
    assert not table[:, 0].any()
    assert (table > 0.1).any()
    assert 0 < math.exp(law.log_probability(np.arange(k))) < 1e-20


def test_the_error_covers_inclusions_that_do_not_add_up_to_k(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With too few angles the sum over items shows more than P(anything) does."""
    monkeypatch.setattr(angles, "EXPONENT", 8.0)
    scores = Scores(np.linspace(3.0, -3.0, 40))
    law = CutoffLaw(scores.differences_from_rank(16), 15, NOISES["logistic"])
    before = law.error
    short = abs(law.inclusion().sum() - 15)
    assert before < short <= law.error


def test_mass_beyond_the_classes_listed_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of over 10,000 classes rows and columns with little mass are left out, here up to a tenth."""
    monkeypatch.setattr(cutoff_module, "_MISSING", 0.1)
    law = OneShot(epsilon=20.0, k=40).distribution(Scores(np.arange(340.0)))
    left_out = 1 - law.probability.sum()
    assert 1e-3 < left_out <= law.missing <= 0.11

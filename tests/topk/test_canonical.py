"""The canonical mechanism: its contract, the closed form, and twins that the privacy meter catches."""

import itertools
import math
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz import NOISES, Canonical, ParameterError, Scores, TopKMechanism, privacy_loss
from dpviz.privacy.neighbours import random_neighbour
from dpviz.topk.classes import rank_set_classes
from dpviz.topk.mechanism import TOP_K
from dpviz.topk.shortfall_guarantees import shortfall_guarantee
from tests.contract import MechanismContract, Sets, of_ranks
from tests.gaps.sparse.oracle import winners
from tests.menus import on_the_menu


class TestCanonical(MechanismContract):
    examples = [
        Canonical(epsilon=2.0, k=2, gamma=g, noise=n) for g in (0.0, 0.5, 1.0) for n in NOISES
    ]
    vector_name = "canonical"
    vector_parameters = ("gamma", "noise")
    tolerance = 1e-9

    def definition(self, m: TopKMechanism, s: Scores) -> Sets:
        """Every set with its own noise, and the largest of −ε/2·loss + noise."""
        losses = set_losses(m, s)  # type: ignore[arg-type]
        chances = winners(-m.epsilon / 2 * np.array(list(losses.values())), m.noise)  # type: ignore[attr-defined]
        return of_ranks(s, dict(zip(losses, chances.tolist(), strict=True)))

    def concentrates(self, m: TopKMechanism) -> bool:
        """γ = 0 does not look at the worst item, so it never settles on one set."""
        return bool(m.gamma > 0)  # type: ignore[attr-defined]


def set_losses(m: Canonical, s: Scores) -> Sets:
    """The loss of every set of ranks, read off the set itself, no classes in between."""
    x, losses = s.ranked, {}
    for ranks in itertools.combinations(range(s.d), m.k):
        out = [r for r in range(s.d) if r not in ranks]
        # (the best item missed decides for any set but the exact top-k, whose loss is that of (k−1,
        # k))
        first = x[min(out[0], m.k - 1)]
        losses[ranks] = (1 - m.gamma) * first - m.gamma * x[ranks[-1]]
    return losses


def closed_form(m: Canonical, s: Scores) -> Sets:
    """P(y) ∝ exp(−ε/2·loss(y))."""
    weights = {ranks: math.exp(-m.epsilon / 2 * loss) for ranks, loss in set_losses(m, s).items()}
    total = sum(weights.values())
    return {ranks: weight / total for ranks, weight in weights.items()}


@given(
    values=st.lists(st.integers(0, 6), min_size=3, max_size=7),
    k=st.integers(1, 6),
    gamma=st.sampled_from([0.0, 0.25, 0.5, 1.0]),
    epsilon=st.sampled_from([0.1, 1.0, 5.0]),
)
def test_gumbel_is_the_exponential_mechanism_over_sets(
    values: list[int], k: int, gamma: float, epsilon: float
) -> None:
    s = Scores(values)
    m = Canonical(epsilon=epsilon, k=min(k, s.d - 1), gamma=gamma)
    dist = m.distribution(s)
    for ranks, p in closed_form(m, s).items():
        assert math.exp(dist.log_probability(s.order[list(ranks)])) == pytest.approx(p, rel=1e-10)


@given(
    values=st.lists(st.integers(-4, 9), min_size=3, max_size=7),
    k=st.integers(1, 3),
    noise=st.sampled_from(list(NOISES)),
    gamma=st.sampled_from([0.0, 0.3, 0.5, 1.0]),
    monotonic=st.booleans(),
    seed=st.integers(0, 2**20),
    corner=st.booleans(),
)
def test_realised_loss_over_random_neighbours(
    values: list[int], k: int, noise: str, gamma: float, monotonic: bool, seed: int, corner: bool
) -> None:
    s = Scores(values, monotonic=monotonic)
    m = Canonical(epsilon=1.5, k=min(k, s.d - 1), gamma=gamma, noise=noise)
    neighbour = random_neighbour(s, np.random.default_rng(seed), corner=corner)
    assert privacy_loss(m, s, neighbour).largest <= 1.5 + 1e-8


@dataclass(frozen=True, kw_only=True)
class TwiceTheBudget(Canonical):
    """A broken twin: ε where ε/2 belongs."""

    def _score(self, x, h, t):  # type: ignore[no-untyped-def]
        return -self.epsilon * self.class_loss(x, h, t)


def test_a_broken_twin_is_caught() -> None:
    rng = np.random.default_rng(5)
    s = Scores([3.0, 3.0, 2.0, 2.0, 1.0])
    with on_the_menu(TOP_K, TwiceTheBudget):
        losses = [
            privacy_loss(TwiceTheBudget(epsilon=1.0, k=2), s, random_neighbour(s, rng)).largest
            for _ in range(20)
        ]
    assert max(losses) > 1.05


@pytest.mark.parametrize("noise", list(NOISES))
def test_log_probability_reaches_far_below_the_smallest_double(noise: str) -> None:
    s = Scores([0.0, -3000.0, -5000.0])
    dist = Canonical(epsilon=2.0, k=1, noise=noise).distribution(s)
    logs = [dist.log_probability([i]) for i in range(3)]
    assert logs[0] == pytest.approx(0.0, abs=1e-9)
    assert -1520 < logs[1] < -1490
    assert -2520 < logs[2] < -2490


def test_gamma_one_looks_at_the_worst_item_alone() -> None:
    s = Scores([9.0, 7.0, 5.0, 2.0, 1.0, 0.0])
    dist = Canonical(epsilon=1.0, k=3, gamma=1.0).distribution(s)
    t = np.arange(3, 7)
    weight = np.array([math.comb(int(worst) - 1, 2) for worst in t]) * np.exp(0.5 * s.ranked[t - 1])
    for worst, p in zip(t, weight / weight.sum(), strict=True):
        assert dist.probability[dist.t == worst].sum() == pytest.approx(p, abs=1e-12)


def test_large_input_against_the_full_table() -> None:
    """Pruned and unpruned laws agree to the certificate at d = 600, k = 40, a table of 22,401
    classes.
    """
    from dpviz.topk.classes import log_class_size

    rng = np.random.default_rng(11)
    s = Scores(np.sort(rng.pareto(1.2, 600) * 40), monotonic=True)
    m = Canonical(epsilon=0.3, k=40)
    dist = m.distribution(s)
    h, t = (v.ravel() for v in np.meshgrid(np.arange(40), np.arange(41, 601), indexing="ij"))
    h, t = np.append(h, 39), np.append(t, 40)
    log_weight = log_class_size(h, t, 40) - 0.15 * m.class_loss(s.ranked, h, t)
    p = np.exp(log_weight - np.logaddexp.reduce(log_weight))
    full = dict(zip(zip(h.tolist(), t.tolist(), strict=True), p, strict=True))
    listed = dict(
        zip(zip(dist.h.tolist(), dist.t.tolist(), strict=True), dist.probability, strict=True)
    )
    assert max(abs(full[c] - listed.get(c, 0.0)) for c in full) <= dist.error
    assert sum(full[c] for c in full if c not in listed) <= dist.missing
    assert len(listed) < len(full) / 2


def test_utility_bound_of_the_paper_holds() -> None:
    s = Scores(np.arange(60.0)[::-1])
    for epsilon in (0.5, 2.0):
        m = Canonical(epsilon=epsilon, k=4)
        proved = shortfall_guarantee(m, s.d)
        assert proved is not None
        reach, dist = proved.shortfall_bound(0.95), m.distribution(s)
        worst = s.ranked[dist.t - 1]
        assert dist.probability[worst > s.ranked[3] - reach].sum() >= 0.95


def test_sampled_classes_follow_the_law_where_the_sets_are_many() -> None:
    s = Scores(np.arange(40.0)[::-1], monotonic=True)
    m = Canonical(epsilon=0.8, k=6)
    dist = m.distribution(s)
    rows = m.sample(s, 20_000, rng=np.random.default_rng(8))
    _, t = rank_set_classes(np.sort(s.rank[rows], axis=1), 6)
    for worst in np.unique(t):
        p = dist.probability[dist.t == worst].sum()
        assert abs(np.mean(t == worst) - p) < 5.5 * math.sqrt(p * (1 - p) / 20_000) + 1e-4


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"epsilon": 0.0}, "epsilon must be a number above 0"),
        ({"epsilon": math.nan}, "epsilon must be a number above 0"),
        ({"epsilon": math.inf}, "epsilon must be a number above 0"),
        ({"epsilon": True}, "epsilon must be a number above 0"),
        ({"epsilon": "1"}, "epsilon must be a number above 0"),
        ({"k": 0}, "k must be a whole number of at least 1"),
        ({"k": 2.0}, "k must be a whole number of at least 1"),
        ({"gamma": -0.1}, "gamma must be a number from 0 to 1"),
        ({"gamma": 1.1}, "gamma must be a number from 0 to 1"),
        (
            {"noise": "cauchy"},
            "noise must be one of gumbel, exponential, laplace, logistic, half_logistic",
        ),
        ({"noise": 3}, "noise must be one of"),
    ],
)
def test_bad_parameters_get_one_sentence(parameters: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Canonical(**{"epsilon": 1.0, "k": 2, **parameters})  # type: ignore[arg-type]

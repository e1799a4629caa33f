"""The search for the neighbour that tells most."""

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest

from dpviz import (
    Canonical,
    DistanceToInstability,
    JointExponential,
    LimitedDomain,
    OneShot,
    ParameterError,
    Peeling,
    PrivacyLoss,
    Scores,
    ThresholdCounts,
    privacy_loss,
)
from dpviz.base.law import PrivacyCeiling
from dpviz.privacy.neighbours import neighbouring
from dpviz.privacy.worst_case_search import (
    search_neighbours,
    search_objective,
    worst_neighbour,
)
from dpviz.topk.mechanism import TopKMechanism
from tests.privacy.oracle import corners, loss_of

FEW: list[TopKMechanism] = [
    Canonical(epsilon=3.0, k=2, gamma=0.25),
    Canonical(epsilon=1.0, k=2, gamma=0.9, noise="exponential"),
    OneShot(epsilon=1.0, k=1),
    JointExponential(epsilon=1.0, k=2),
]


@pytest.mark.parametrize("monotonic", [True, False])
@pytest.mark.parametrize("most", [None, 1, 2])
@pytest.mark.parametrize("m", FEW, ids=lambda m: m.key)
def test_of_few_items_it_finds_the_worst_corner(
    m: TopKMechanism, most: int | None, monotonic: bool
) -> None:
    s = Scores([4, 2, 0], monotonic=monotonic, contributions=most)
    neighbour, loss = worst_neighbour(m, s, tries=1)  # of few items tries are no limit
    told = [privacy_loss(m, s, other).largest for other in corners(s)]
    assert loss.largest == pytest.approx(max(told), rel=1e-9)
    assert loss.largest == privacy_loss(m, s, neighbour).largest


@pytest.mark.parametrize(
    "m", [ThresholdCounts(epsilon=1.0, k=1, delta=0.01), LimitedDomain(epsilon=1.0, k=1)], ids=str
)
def test_the_search_hands_no_count_below_0_to_what_counts(m: TopKMechanism) -> None:
    for d in (3, 8):
        s = Scores([3, *[0] * (d - 1)], contributions=1, names_known=False)
        neighbour, loss = worst_neighbour(m, s)
        assert (neighbour.values >= 0).all()
        assert loss.largest == np.inf


def worse_delta(loss: PrivacyLoss, at: float) -> float:
    """δ of the direction that tells more."""
    return max(loss.delta(at), loss.reversed.delta(at))


COUNTS = Scores(np.round(1000 * np.arange(1, 301) ** -0.7), monotonic=True)


def test_the_search_beats_every_other_rank_and_may_look_for_what_is_likely() -> None:
    m = Canonical(epsilon=0.5, k=30)
    step = np.zeros(300)
    step[COUNTS.order[::2]] = 1
    alternate = privacy_loss(m, COUNTS, Scores(COUNTS.values + step, monotonic=True))
    _, rare = worst_neighbour(m, COUNTS)
    assert rare.largest > max(alternate.largest, 0.45)
    _, likely = worst_neighbour(m, COUNTS, tries=60, at=0.1)
    assert worse_delta(likely, 0.1) >= alternate.delta(0.1)
    assert worse_delta(likely, 0.1) > worse_delta(rare, 0.1)


@pytest.mark.parametrize("monotonic", [True, False])
@pytest.mark.parametrize("most", [1, 2, 5])
def test_at_most_so_many_items_move(most: int, monotonic: bool) -> None:
    s = Scores(COUNTS.values[:40], monotonic=monotonic, contributions=most)
    neighbour, loss = worst_neighbour(Canonical(epsilon=1.0, k=5), s, tries=30)
    assert neighbouring(s, neighbour)
    assert 0 < np.count_nonzero(neighbour.values - s.values) <= (most if monotonic else 2 * most)
    assert loss.largest <= 1.0 + 1e-9  # ε, which at c = 1 buys twice the weight
    if most == 1:
        assert loss.largest > 0.5 + 1e-9


def test_counts_stay_counts_and_the_seed_decides() -> None:
    s = Scores([3, 1, 0, 0, 0, 0, 0], monotonic=True)
    m = Canonical(epsilon=1.0, k=2)
    found, again = (worst_neighbour(m, s, tries=40, rng=np.random.default_rng(4)) for _ in range(2))
    assert found[0] == again[0]
    assert (found[0].values >= 0).all()
    assert neighbouring(s, found[0])


def test_under_epsilon_and_delta_it_goes_by_delta() -> None:
    loss = loss_of(np.array([0.3, 0.7]), np.array([0.1, 0.9]), epsilon=0.1, delta=0.05)
    assert search_objective(loss, None) == pytest.approx(worse_delta(loss, 0.1))
    assert search_objective(loss, 0.5) == pytest.approx(worse_delta(loss, 0.5))
    assert search_objective(replace(loss, ceiling=PrivacyCeiling(0.1)), None) == loss.largest

    s = Scores([4.0, 2.5, 2.0, 0.0])
    m = DistanceToInstability(epsilon=1.0, delta=0.01)
    _, found = worst_neighbour(m, s)
    told = [search_objective(privacy_loss(m, s, other), 1.0) for other in corners(s)]
    assert search_objective(found, 1.0) == pytest.approx(max(told), rel=1e-12)
    assert 0 < max(told) <= 0.01


def test_refusals() -> None:
    m, s = Canonical(epsilon=1.0, k=1), Scores([1.0, 0.0])
    for name, bad in (("tries", 0), ("at", -1.0), ("scores", [1.0, 0.0])):
        with pytest.raises(ParameterError, match=name):
            worst_neighbour(**{"mechanism": m, "scores": s, name: bad})


def test_a_search_holds_few_vectors_at_a_time_however_many_it_tries() -> None:
    d = 20_000
    s = Scores(np.round(1e6 * np.arange(1, d + 1) ** -0.7), monotonic=True)
    tracemalloc.start()
    try:
        for _ in zip(range(2), search_neighbours(Peeling(epsilon=0.01, k=30), s), strict=False):
            pass
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 120 * s.values.nbytes

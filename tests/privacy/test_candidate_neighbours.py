"""Neighbours of a pool: a run's chance changes by e^ε1 at most; the search finds the worst."""

import math
from itertools import combinations

import numpy as np
import pytest
import scipy

from dpviz import Cancelled, CandidatePool, ParameterError, RandomStopping, privacy_loss
from dpviz.candidates.pool import single_run_epsilon
from dpviz.privacy.worst_case_search import neighbouring_pool, search_neighbouring_pools

RUNS = [[0.9, 0.7, 0.7], [0.8, 0.2], [0.5], [0.1, 0.2, 0.3, 0.4]]
POOL = CandidatePool(RUNS, labels=["a", "b", "c", "d"])
RULE = RandomStopping(stop=0.2)


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 1.0, 8.0])
def test_a_person_changes_a_run_by_as_much_as_its_price_allows(epsilon: float) -> None:
    moved = neighbouring_pool(POOL, [0, 1, 3], epsilon)
    for law, other in zip(moved.candidates, POOL.candidates, strict=True):
        assert law.mass.sum() == pytest.approx(1)
        assert np.array_equal(law.scores, other.scores)
        ratio = law.mass / other.mass
        assert (np.diff(ratio) >= -1e-15).all()  # better runs gain at least as much
    assert single_run_epsilon(moved, POOL) == pytest.approx(epsilon)
    assert moved.candidates[2].mass.tolist() == [1.0]
    assert moved.labels == POOL.labels
    assert single_run_epsilon(neighbouring_pool(POOL, [], 1.0), POOL) == 0


def test_a_pool_that_cannot_move_is_refused() -> None:
    smooth = CandidatePool([scipy.stats.norm()])
    for pool, at, says in ((POOL, 4, "a candidate must be"), (smooth, 0, "runs that were made")):
        with pytest.raises(ParameterError, match=says):
            neighbouring_pool(pool, [at], 1.0)


def test_the_search_ends_with_the_worst_of_all_choices_of_a_few() -> None:
    found = list(search_neighbouring_pools(RULE, POOL, 0.7))
    losses = [loss.largest for _, _, loss in found]
    assert losses == sorted(losses)
    choices = [better for size in (1, 2, 3, 4) for better in combinations(range(4), size)]
    every = [
        privacy_loss(RULE, neighbouring_pool(POOL, some, 0.7), POOL).largest for some in choices
    ]
    assert losses[-1] == pytest.approx(max(every))
    better, pool, loss = found[-1]
    again = privacy_loss(RULE, neighbouring_pool(POOL, better, 0.7), POOL)
    assert (again.largest, privacy_loss(RULE, pool, POOL).largest) == (loss.largest, loss.largest)
    assert loss.largest <= RULE.total_epsilon(0.7)[0] + 1e-9


def test_many_candidates_are_searched_and_the_search_can_be_stopped() -> None:
    pool = CandidatePool([[float(k), k + 0.5] for k in range(8)])
    told: list[float] = []
    *_, (better, _, loss) = search_neighbouring_pools(RULE, pool, math.log(2), progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1
    assert 0 < len(better) <= 8
    assert loss.largest > 0

    def stop(fraction: float) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        list(search_neighbouring_pools(RULE, pool, 1.0, progress=stop))

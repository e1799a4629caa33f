"""Pairs bought together: the count against a count by hand, and what the made-up log promises."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.base.errors import ParameterError
from dpviz.data import EXAMPLES
from dpviz.data.pairs import PEOPLE, PRODUCTS, STAPLES, count_pairs, made_up_purchases, pairs_in_universe

ROWS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 8)), max_size=40)


def counted_by_hand(rows: list[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """Baskets as sets, every pair of each."""
    baskets: dict[int, set[int]] = {}
    for person, product in rows:
        baskets.setdefault(person, set()).add(product)
    return dict(Counter(pair for basket in baskets.values() for pair in combinations(sorted(basket), 2)))


def counted(rows: list[tuple[int, int]]) -> dict[tuple[int, int], int]:
    person, product = np.array(rows, np.int64).reshape(-1, 2).T
    pairs, counts = count_pairs(person, product)
    return {(int(a), int(b)): int(count) for (a, b), count in zip(pairs, counts, strict=True)}


@given(ROWS)
@settings(deadline=None)
def test_a_pair_counts_the_people_who_bought_both(rows: list[tuple[int, int]]) -> None:
    assert counted(rows) == counted_by_hand(rows)


@given(ROWS, st.integers(0, 6))
@settings(deadline=None)
def test_one_person_changes_each_count_by_at_most_one_and_all_the_same_way(
    rows: list[tuple[int, int]], person: int
) -> None:
    with_all, without = counted(rows), counted([row for row in rows if row[0] != person])
    assert {with_all[pair] - without.get(pair, 0) for pair in with_all} <= {0, 1}
    assert set(without) <= set(with_all)


def test_rows_of_another_length_are_refused() -> None:
    with pytest.raises(ParameterError, match="product must be as long as person"):
        count_pairs(np.arange(3), np.arange(2))


def test_the_log_is_what_the_example_counts() -> None:
    log = made_up_purchases()
    by_hand = counted_by_hand(list(zip(log.person.tolist(), log.product.tolist(), strict=True)))
    scores = EXAMPLES["bought_together"].scores()
    assert {scores.label(i): float(scores.values[i]) for i in range(scores.d)} == {
        f"{log.names[a]} + {log.names[b]}": float(count) for (a, b), count in by_hand.items()
    }
    assert len(set(log.names)) == PRODUCTS
    assert set(log.person.tolist()) <= set(range(PEOPLE))


def test_the_staples_are_in_front_and_most_pairs_were_bought_by_nobody() -> None:
    example = EXAMPLES["bought_together"]
    scores = example.scores()
    front = {scores.label(int(i)) for i in scores.order[: len(STAPLES)]}
    assert front == {f"{a} + {b}" for a, b in STAPLES}
    ranked = scores.values[scores.order]
    assert ranked[2] > 10 * ranked[3]
    assert example.universe == pairs_in_universe(PRODUCTS) > 100 * scores.d
    assert scores.monotonic


def test_another_seed_gives_another_log() -> None:
    assert not np.array_equal(made_up_purchases(1).product, made_up_purchases(2).product)
    assert np.array_equal(made_up_purchases(1).product, made_up_purchases(1).product)

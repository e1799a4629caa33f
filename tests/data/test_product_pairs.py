"""Pairs bought together: the count against a count by hand, and what the made-up log promises."""

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.data import EXAMPLES
from dpviz.data.product_pairs import (
    PEOPLE,
    PRODUCTS,
    STAPLES,
    count_pairs,
    made_up_baskets,
    possible_pair_count,
)

BASKETS = st.lists(st.sets(st.integers(0, 8)), max_size=20)


def counted_by_hand(baskets: list[set[int]], products: int) -> dict[tuple[int, int], int]:
    """Every pair there could be, and who has both."""
    both = {
        pair: sum({*pair} <= basket for basket in baskets)
        for pair in combinations(range(products), 2)
    }
    return {pair: count for pair, count in both.items() if count}


@given(BASKETS)
@settings(deadline=None)
def test_a_pair_counts_the_people_who_bought_both(baskets: list[set[int]]) -> None:
    assert count_pairs(baskets) == counted_by_hand(baskets, 9)


@given(BASKETS.filter(len), st.data())
@settings(deadline=None)
def test_one_person_changes_each_count_by_at_most_one_and_all_the_same_way(
    baskets: list[set[int]], data: st.DataObject
) -> None:
    person = data.draw(st.integers(0, len(baskets) - 1))
    with_all, without = count_pairs(baskets), count_pairs(baskets[:person] + baskets[person + 1 :])
    assert {with_all[pair] - without[pair] for pair in with_all} <= {0, 1}
    assert set(without) <= set(with_all)


def test_the_baskets_are_what_the_example_counts() -> None:
    baskets, names = made_up_baskets()
    assert made_up_baskets(1) != made_up_baskets(2)
    scores = EXAMPLES["bought_together"].scores()
    assert (len(baskets), len(set(names))) == (PEOPLE, PRODUCTS)
    assert sum(scores.values) == sum(len(basket) * (len(basket) - 1) // 2 for basket in baskets)
    most = scores.label(int(scores.order[0]))
    assert scores.values.max() == sum(
        {names.index(name) for name in most.split(" + ")} <= basket for basket in baskets
    )


def test_the_staples_are_in_front_and_most_pairs_were_bought_by_nobody() -> None:
    example = EXAMPLES["bought_together"]
    scores = example.scores()
    front = {scores.label(int(i)) for i in scores.order[: len(STAPLES)]}
    assert front == {f"{a} + {b}" for a, b in STAPLES}
    ranked = scores.values[scores.order]
    assert ranked[2] > 10 * ranked[3]
    assert example.universe == possible_pair_count(PRODUCTS) > 100 * scores.d
    assert scores.monotonic

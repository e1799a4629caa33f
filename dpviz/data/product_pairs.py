"""Frequent item pairs: a made-up log of purchases, and the buyers of each pair of products.

An item is a pair of P products; pairs without a buyer are not listed.
Source: the problem is that of Chaudhuri, Hsu & Song 2014, Sec 4.1; the log is invented here.
"""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations

import numpy as np

PEOPLE = 6_000
PRODUCTS = 4_000
STAPLES = (("bread", "butter"), ("coffee", "milk"), ("pasta", "tomato sauce"))
_STAPLE_SHARE = 0.255  # of the people take each of the staple pairs, and nobody two of them
_MOST_OTHERS = 3
_SHELVES = ("tea", "jam", "soup", "cheese", "spice", "biscuit", "juice", "nut", "oil", "soap")
_SEED = 41


def possible_pair_count(products: int) -> int:
    return products * (products - 1) // 2


def count_pairs(baskets: Iterable[Iterable[int]]) -> Counter[tuple[int, int]]:
    """Number of buyers of each pair that anyone bought, the smaller product number first."""
    return Counter(pair for basket in baskets for pair in combinations(sorted(basket), 2))


def made_up_baskets(seed: int = _SEED) -> tuple[list[set[int]], tuple[str, ...]]:
    """Products that each person bought, by number, and the products' names."""
    rng = np.random.default_rng(seed)
    staples = [name for pair in STAPLES for name in pair]
    others = PRODUCTS - len(staples)
    names = (
        *staples,
        *(f"{_SHELVES[i % len(_SHELVES)]} {i // len(_SHELVES) + 1}" for i in range(others)),
    )
    chosen = rng.choice(
        len(STAPLES) + 1,
        PEOPLE,
        p=[*[_STAPLE_SHARE] * len(STAPLES), 1 - _STAPLE_SHARE * len(STAPLES)],
    )
    pairs = [*((2 * i, 2 * i + 1) for i in range(len(STAPLES))), ()]  # the last for who takes none
    liked = np.arange(1, others + 1, dtype=float) ** -0.6
    rest = len(staples) + rng.choice(others, (PEOPLE, _MOST_OTHERS), p=liked / liked.sum())
    taken = rng.integers(0, _MOST_OTHERS + 1, PEOPLE)
    persons = zip(chosen.tolist(), rest.tolist(), taken.tolist(), strict=True)
    return [{*pairs[staple], *liking[:many]} for staple, liking, many in persons], names


@lru_cache(maxsize=1)
def product_pair_scores() -> tuple[tuple[str, ...], tuple[float, ...]]:
    baskets, names = made_up_baskets()
    counts = sorted(count_pairs(baskets).items())
    return tuple(f"{names[a]} + {names[b]}" for (a, b), _ in counts), tuple(
        float(count) for _, count in counts
    )

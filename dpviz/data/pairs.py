"""Frequent item pairs: a made-up log of purchases, and the count of how many people bought two things together.

Symbols: P products, n people; an item is a pair of products, its score the number of people who bought both.
Invariants: a person counts once for a pair, however often it was bought; pairs that nobody bought are not
listed, so the universe of P(P−1)/2 pairs is mostly scores of zero; one seed gives one log.
Source: the problem is that of Chaudhuri, Hsu & Song 2014, Sec 4.1; the log is invented here.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dpviz.base.arrays import Ints
from dpviz.base.errors import ParameterError

PEOPLE = 6_000
PRODUCTS = 4_000
STAPLES = (("bread", "butter"), ("coffee", "milk"), ("pasta", "tomato sauce"))
_STAPLE_SHARE = 0.255  # of the people take each of the staple pairs, and nobody two of them
_MOST_OTHERS = 3
_SHELVES = ("tea", "jam", "soup", "cheese", "spice", "biscuit", "juice", "nut", "oil", "soap")
_SEED = 41


@dataclass(frozen=True, eq=False)
class Purchases:
    """A log: row i says that person `person[i]` bought product `product[i]`; `names` has a name for each product."""

    person: Ints
    product: Ints
    names: tuple[str, ...]


def pairs_in_universe(products: int) -> int:
    """How many pairs there are of so many products.

    >>> pairs_in_universe(PRODUCTS)
    7998000
    """
    return products * (products - 1) // 2


def count_pairs(person: Ints, product: Ints) -> tuple[Ints, Ints]:
    """The pairs of products that anyone bought, shape (m, 2) with the smaller number first, and their counts (m,).

    A count is the number of different people who have a row for both products.

    >>> count_pairs(np.array([1, 1, 1, 2, 2]), np.array([7, 3, 3, 3, 7]))
    (array([[3, 7]]), array([2]))
    """
    if person.shape != product.shape or person.ndim != 1:
        raise ParameterError("product", product.shape, f"as long as person, {person.shape}")
    rows = np.unique(np.stack([person, product], axis=1), axis=0) if len(person) else np.empty((0, 2), np.int64)
    found = []
    for shift in range(1, len(rows)):  # a person's products stand together, so pairs are rows a few apart
        together = rows[shift:, 0] == rows[:-shift, 0]
        if not together.any():
            break
        found.append(np.stack([rows[:-shift, 1][together], rows[shift:, 1][together]], axis=1))
    if not found:
        return np.empty((0, 2), np.int64), np.empty(0, np.int64)
    pairs, counts = np.unique(np.concatenate(found), axis=0, return_counts=True)
    return pairs, counts


def made_up_purchases(seed: int = _SEED) -> Purchases:
    """A week of purchases that never happened: three pairs of staples that many take, and a long tail of the rest."""
    rng = np.random.default_rng(seed)
    staples = [name for pair in STAPLES for name in pair]
    others = PRODUCTS - len(staples)
    names = (*staples, *(f"{_SHELVES[i % len(_SHELVES)]} {i // len(_SHELVES) + 1}" for i in range(others)))
    chosen = rng.choice(len(STAPLES) + 1, PEOPLE, p=[*[_STAPLE_SHARE] * len(STAPLES), 1 - _STAPLE_SHARE * len(STAPLES)])
    takes = np.flatnonzero(chosen < len(STAPLES))
    liked = np.arange(1, others + 1, dtype=float) ** -0.6
    basket = len(staples) + rng.choice(others, (PEOPLE, _MOST_OTHERS), p=liked / liked.sum())
    taken = np.arange(_MOST_OTHERS) < rng.integers(0, _MOST_OTHERS + 1, PEOPLE)[:, None]
    buyer = np.broadcast_to(np.arange(PEOPLE)[:, None], basket.shape)
    return Purchases(
        person=np.concatenate([takes, takes, buyer[taken]]),
        product=np.concatenate([2 * chosen[takes], 2 * chosen[takes] + 1, basket[taken]]),
        names=names,
    )


@lru_cache(maxsize=1)
def bought_together() -> tuple[tuple[str, ...], tuple[float, ...]]:
    """Labels and scores of the pairs that anyone bought: the bundled example."""
    log = made_up_purchases()
    pairs, counts = count_pairs(log.person, log.product)
    labels = tuple(f"{log.names[a]} + {log.names[b]}" for a, b in pairs.tolist())
    return labels, tuple(counts.astype(float).tolist())

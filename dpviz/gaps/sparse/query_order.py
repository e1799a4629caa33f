"""Orders in which the queries of a sparse vector may be asked, on which its answers depend.

Invariants: ties keep the order given. Private data allow only the order given or one that ignores
the scores; sorting by the scores is for illustration.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from dpviz.base import Ints, Registry, Scores, check_integer, check_scores

ORDERS: Registry[Callable[[Scores, int], Ints]] = Registry("order")
"""Name → the indices of the queries in the order asked, from the scores and a seed."""

ORDERS.add(
    "given",
    lambda scores, seed: np.arange(scores.d),
    label="As given",
    says="The order of the data.",
)
ORDERS.add(
    "descending",
    lambda scores, seed: scores.order,
    label="Highest first",
    says="The best case, as queries above the threshold come first.",
)
ORDERS.add(
    "ascending",
    lambda scores, seed: np.argsort(scores.values, kind="stable"),
    label="Lowest first",
    says="The worst case, as mistakes may use up the answers first.",
)
ORDERS.add(
    "shuffled",
    lambda scores, seed: np.random.default_rng(seed).permutation(scores.d),
    label="Shuffled",
    says="A random order, fixed by its seed.",
)


def reorder_scores(scores: Scores, order: str = "given", seed: int = 0) -> Scores:
    """The same scores and labels in an order of `ORDERS`; `seed` is that of a shuffle."""
    check_scores(scores)
    index = ORDERS[order](scores, check_integer("seed", seed, low=0))
    if order == "given":
        return scores
    return replace(
        scores, values=scores.values[index], labels=[scores.label(int(i)) for i in index]
    )

"""Laws of lists of a few names by brute force, right relative to each probability.

Written from the definitions; of dpviz only the parameters of a mechanism are read.
"""

import math
from typing import Any

from dpviz import Scores, TopKMechanism
from tests.topk import lists

Sets = dict[tuple[int, ...], float]


def listed_law(m: TopKMechanism, s: Scores) -> Sets:
    """P of every list of at most k item indices that occur, by name; empty if refused."""
    if type(m).__name__ == "LimitedDomain":
        return {chosen: math.exp(log) for chosen, log in limited_log_law(m, s).items()}
    counts = {s.label(i): value for i, value in enumerate(s.values.tolist()) if value > 0}
    at, c = {s.label(i): i for i in range(s.d)}, s.contributions or 0
    assert m.noise == "laplace", "with gaussian noise σ and τ are chosen by a search of dpviz"
    scale = (c if s.monotonic else 2 * c) / m.epsilon
    tau = max(1.0, 1 + scale * math.log(c / (2 * m.delta)))
    if -math.log1p(-0.5 * math.exp(-(tau - 1) / scale)) > 1 / scale:
        return {}
    law = lists.threshold_counts(counts, m.k, "laplace", scale, tau)
    return {tuple(sorted(at[name] for name in answer)): p for answer, p in law.items()}


def limited_log_law(m: Any, s: Scores, numbers: Any = math) -> dict[tuple[int, ...], Any]:
    """log P of every list of limited domain, name by name; `numbers` may be mpmath.

    Names decide ties, so labels have to rise with the items.
    """
    occur = (i for i in range(s.d) if s.values[i] > 0)
    order = sorted(occur, key=lambda i: (-s.values[i], s.label(i)))
    most = m.candidates or 10 * m.k
    real = float if numbers is math else numbers.mpf
    e = real(m.epsilon) / (m.k if s.monotonic else 2 * m.k)
    after = real(s.values[order[most]]) if len(order) > most else real(0)
    few = most if s.contributions is None else min(s.contributions, most)
    best = real(s.values[order[0]]) if order else real(0)
    bottom = e * (after - best + (1 if s.monotonic else 2)) + numbers.log(real(few) / real(m.delta))
    level = {i: e * (real(s.values[i]) - best) for i in order[:most]}
    found: dict[tuple[int, ...], list[Any]] = {}

    def total(levels: list[Any]) -> Any:
        top = max(levels)
        return top + numbers.log(sum(numbers.exp(one - top) for one in levels))

    def go(chosen: tuple[int, ...], log: Any) -> None:
        key = tuple(sorted(chosen))
        rest = [i for i in level if i not in chosen]
        if len(chosen) == m.k:
            found.setdefault(key, []).append(log)
            return
        of_all = total([bottom, *(level[i] for i in rest)])
        found.setdefault(key, []).append(log + bottom - of_all)
        for i in rest:
            go((*chosen, i), log + level[i] - of_all)

    go((), real(0))
    return {key: total(logs) for key, logs in found.items()}

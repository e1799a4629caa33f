"""The likeliest wrong lists, against every list there is."""

from itertools import combinations

import numpy as np
import pytest

from dpviz import Scores, estimate
from dpviz.base.parameters import declared_parameters
from dpviz.studies.decision import likely_wrong_lists
from dpviz.topk.mechanism import TOP_K

VECTORS = {
    "apart": ([9.0, 7.5, 5.0, 4.5, 2.0, 1.0], 3),
    "ties below": ([9.0, 7.0, 5.0, 4.0, 4.0, 4.0], 3),
    "ties at the cut": ([9.0, 5.0, 5.0, 5.0, 2.0, 1.0], 2),
    "ties above": ([8.0, 8.0, 8.0, 3.0, 3.0, 0.0], 3),
    "one": ([3.0, 8.0, 5.0, 5.0], 1),
}
DESIGNS = [
    TOP_K[name](epsilon=1.3, k=1, **{p.name: choice})
    for name in TOP_K
    for p in declared_parameters(TOP_K[name])
    if p.choices is not None
    for choice in p.choices
] + [
    *(TOP_K["canonical"](epsilon=1.3, k=1, gamma=gamma) for gamma in (0.0, 1.0)),
    TOP_K["limited_domain"](epsilon=1.3, k=1, delta=0.1, candidates=4),
    TOP_K["threshold_counts"](epsilon=1.3, k=1, delta=0.05),
]


@pytest.mark.parametrize("name", VECTORS)
@pytest.mark.parametrize("design", DESIGNS, ids=lambda m: m.key)
def test_they_are_the_likeliest_of_all_wrong_lists(design, name: str) -> None:  # type: ignore[no-untyped-def]
    values, k = VECTORS[name]
    scores = Scores(values, monotonic=True, contributions=1)
    dist = design.replace(k=k).distribution(scores)
    right = sorted(sorted(values)[-k:])
    lengths = range(k + 1) if dist.law.shorter else [k]
    lists = [c for length in lengths for c in combinations(range(len(values)), length)]
    law = {c: np.exp(dist.log_probability(c)) for c in lists}
    assert sum(law.values()) == pytest.approx(1, abs=1e-8)
    wrong = {c: p for c, p in law.items() if p > 0 and sorted(scores.values[list(c)]) != right}
    classes: dict[tuple[float, ...], list[float]] = {}
    for c, p in wrong.items():
        classes.setdefault(tuple(sorted(scores.values[list(c)])), []).append(p)
    largest = sorted((max(ps) for ps in classes.values()), reverse=True)
    misses = likely_wrong_lists(dist, list_count=4)
    assert [miss.probability for miss in misses.lists] == pytest.approx(largest[:4], rel=1e-7)
    for miss in misses.lists:
        top = [int(i) for i in scores.order[:k]]
        for_ = [values[i] for i in top]
        for i in miss.missing:
            for_.remove(values[i])
        made = tuple(sorted(for_ + [values[i] for i in miss.instead]))
        assert len(miss.missing) >= max(1, len(miss.instead))
        assert dist.law.shorter or len(miss.missing) == len(miss.instead)
        assert not set(miss.missing) & set(miss.instead)
        assert classes[made] == pytest.approx([miss.probability] * int(miss.alike), rel=1e-7)


def test_items_often_missing_or_in_instead_have_the_inclusions_chances() -> None:
    scores = Scores([9.0, 1.0, 7.5, 5.0, 4.5, 2.0], monotonic=True)
    dist = TOP_K["canonical"](epsilon=1.0, k=3).distribution(scores)
    misses = likely_wrong_lists(dist, misplaced_count=2)
    missing = {often.item: often.probability for often in misses.missing}
    instead = {often.item: often.probability for often in misses.instead}
    assert (list(missing), list(instead)) == ([3, 2], [4, 5])
    assert missing == pytest.approx({item: 1 - dist.inclusion[item] for item in (3, 2)})
    assert instead == pytest.approx({item: dist.inclusion[item] for item in (4, 5)})


def test_an_estimate_tells_what_was_drawn_with_its_interval() -> None:
    scores = Scores([9.0, 7.5, 5.0, 4.5, 2.0, 1.0], monotonic=True)
    m = TOP_K["canonical"](epsilon=1.3, k=3)
    laws = m.distribution(scores), estimate(m, scores)
    exact, drawn = (likely_wrong_lists(law) for law in laws)
    assert (exact.method, drawn.method) == ("exact", "estimated")
    true, first = exact.lists[0], drawn.lists[0]
    assert (first.missing, first.instead) == (true.missing, true.instead)
    assert first.low < true.probability < first.high

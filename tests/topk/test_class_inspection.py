"""A class looked at closely, against every set written out, and grids on shared edges."""

from itertools import combinations

import numpy as np
import pytest

from dpviz import Canonical, ParameterError, Scores
from dpviz.topk.law_grid import inspect_class

SCORES = Scores([9.0, 3.0, 7.0, 4.0, 4.0, 1.0])
DIST = Canonical(epsilon=1.2, k=3).distribution(SCORES)


def class_of(items: tuple[int, ...]) -> tuple[int, int]:
    ranks = sorted(SCORES.rank[list(items)].tolist())
    if ranks == [0, 1, 2]:
        return 2, 3
    return next(i for i, rank in enumerate(ranks) if rank != i), ranks[-1] + 1


CLASSES = sorted({class_of(items) for items in combinations(range(6), 3)})


@pytest.mark.parametrize(("h", "t"), CLASSES)
def test_size_probability_and_members_are_those_of_the_sets_written_out(h: int, t: int) -> None:
    sets = [items for items in combinations(range(6), 3) if class_of(items) == (h, t)]
    details = inspect_class(
        DIST.mechanism, DIST.scores, DIST.law, h, t, rng=np.random.default_rng(1)
    )
    assert np.exp(details.log_size) == pytest.approx(len(sets))
    assert details.probability == pytest.approx(
        sum(np.exp(DIST.log_probability(items)) for items in sets), abs=1e-12
    )
    for row, log_p in zip(details.members, details.log_member, strict=True):
        assert class_of(tuple(row.tolist())) == (h, t)
        assert log_p == pytest.approx(DIST.log_probability(row.tolist()))
        assert (np.diff(SCORES.rank[row]) > 0).all()


@pytest.mark.parametrize(("h", "t"), [(1, 3), (3, 4), (-1, 4), (0, 7), (0, 2)])
def test_what_is_no_class_is_refused(h: int, t: int) -> None:
    with pytest.raises(ParameterError):
        inspect_class(DIST.mechanism, DIST.scores, DIST.law, h, t, rng=np.random.default_rng(1))

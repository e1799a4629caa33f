"""Reaches and gaps against their definitions, at any size of the scores; the envelope against the
counts.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.numerics.log_binomials import log_sum_exp
from dpviz.topk.joint.loss_levels import (
    coarse_envelope,
    counts_within_gap,
    distinct_gaps,
    gap_interval,
    log_exponential_probability,
    refine_envelope,
)
from dpviz.topk.joint.ordered_choices import log_bounded_sequence_count

SCORES = st.one_of(
    st.lists(st.integers(0, 9).map(float), min_size=2, max_size=12),
    st.lists(st.floats(-3, 3), min_size=2, max_size=12),
    st.lists(
        st.sampled_from([1e8, 1e8 + 1, 1e8 + 1e-8, 0.1, 0.3, 0.30000000000000004, 0.2, -1e8]),
        min_size=2,
        max_size=12,
    ),
    st.lists(st.sampled_from([1e300, -1e300, 0.0, 5.0, -5.0, 1e-300]), min_size=2, max_size=12),
)


def ranked(values: list[float]) -> np.ndarray:
    return np.sort(np.array(values))[::-1]


@given(SCORES, st.data())
def test_reach_counts_the_gaps_as_they_are_computed(
    values: list[float], data: st.DataObject
) -> None:
    x = ranked(values)
    k = data.draw(st.integers(1, len(x) - 1))
    every = np.unique(np.maximum(x[:k, None] - x, 0.0))
    gap = np.unique(
        np.concatenate(
            [every, np.nextafter(every, np.inf), np.maximum(np.nextafter(every, -np.inf), 0.0)]
        )
    )
    expected = (x[:k, None] - x <= gap[:, None, None]).sum(2)
    found = counts_within_gap(x, k, gap)
    np.testing.assert_array_equal(found, expected)
    start, end = gap_interval(x, found)
    for g, s, e in zip(gap, start, end, strict=True):
        assert s == every[every <= g].max()
        assert e == min(every[every > g], default=np.inf)


@pytest.mark.parametrize("rate", [1e-3, 0.05, 1.0, 30.0])
@pytest.mark.parametrize("grain", [0.0, 1.0])
def test_envelope_bounds_the_count_everywhere(rate: float, grain: float) -> None:
    rng = np.random.default_rng(4)
    x = np.sort(rng.pareto(1.0, 300) * 20)[::-1]
    x = np.round(x) if grain else x
    k = 12
    known = coarse_envelope(x, k, rate, log_bounded_sequence_count, k * np.log(300), 20)
    known = refine_envelope(known, x, k, log_bounded_sequence_count, excess=0.1)
    assert 0 <= known.log_weight_high - known.log_weight_low <= 0.1
    assert known.start[0] == 0
    np.testing.assert_array_equal(known.start[1:], known.end[:-1])
    gap = rng.random(2000) ** 3 * (x[0] - x[-1])
    count = log_bounded_sequence_count(counts_within_gap(x, k, gap))
    at = np.searchsorted(known.start, gap, side="right") - 1
    assert (known.low[at] <= count + 1e-12).all()
    assert (count <= known.high[at] + 1e-12).all()
    every = distinct_gaps(x, k, 0.0, np.inf, 10**6)
    weight = log_bounded_sequence_count(
        counts_within_gap(x, k, every)
    ) + log_exponential_probability(rate, every, np.append(every[1:], np.inf))
    assert known.log_weight_low - 1e-9 <= log_sum_exp(weight) <= known.log_weight_high + 1e-9
    windows, dropped = known.gap_windows(1e-6)
    outside = np.ones(len(every), bool)
    for low, high in windows:
        outside &= (every < low) | (every >= high)
    assert np.exp(weight[outside] - log_sum_exp(weight)).sum() <= dropped <= 1e-6

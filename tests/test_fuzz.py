"""A short run of the fuzz; tests/benchmarks/fuzz_library.py runs thousands."""

from collections import Counter

import numpy as np
import pytest

from tests.fuzz import try_one


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_given_is_refused_in_a_sentence_or_adds_up(seed: int) -> None:
    rng = np.random.default_rng([2026, seed])
    seen = Counter(try_one(rng) for _ in range(90))
    assert seen["law"] >= 10
    assert seen["refused"] >= 5

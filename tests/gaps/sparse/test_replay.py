"""A replay tells why each query was answered."""

import numpy as np
import pytest

from dpviz import THRESHOLD, Scores

VALUES = np.random.default_rng(5).normal(40.0, 30.0, 80).round(1)
SCORES = Scores(VALUES, sensitivity=1.5, monotonic=True)


@pytest.mark.parametrize("name", list(THRESHOLD))
def test_answers_follow_from_what_was_compared(name: str) -> None:
    mechanism = THRESHOLD[name](epsilon=1.0, k=6, threshold=55.0).match_monotonicity(SCORES)
    for seed in range(30):
        run = mechanism.replay(SCORES, rng=np.random.default_rng(seed))
        out = run.release
        with np.errstate(invalid="ignore"):
            passed = run.noisy >= run.thresholds[:, None]
        np.testing.assert_array_equal(passed.any(axis=0), run.branch >= 0)
        answered = np.flatnonzero(run.branch >= 0)
        np.testing.assert_array_equal(answered, out.items)
        first = passed[:, answered].argmax(axis=0)
        np.testing.assert_array_equal(first, run.branch[answered])
        # the public threshold lies in the last branch, which has no offset
        np.testing.assert_allclose(
            run.noisy[first, answered] - run.thresholds[-1], out.gaps, rtol=0, atol=1e-9
        )
        assert run.units[-1] == out.units
        assert (np.diff(run.units) >= 0).all()

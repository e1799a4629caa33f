"""The bound on the groups left out of a race."""

import numpy as np
import pytest

from dpviz import NOISES
from dpviz.numerics.group_race import group_win_probabilities

LEVEL, LOG_SIZE = np.array([3.0, 1.0, 0.0]), np.log([1.0, 5.0, 40.0])


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("log_weight", [-25.0, -12.0, -3.0])
def test_a_group_left_out_wins_no_more_often_than_its_bound(noise: str, log_weight: float) -> None:
    with_it = group_win_probabilities(
        NOISES[noise], np.append(LEVEL, -2.0), np.append(LOG_SIZE, log_weight + 2.0)
    )
    assert with_it.probability[-1] <= group_win_probabilities(
        NOISES[noise], LEVEL, LOG_SIZE
    ).omitted_win_bound(log_weight)

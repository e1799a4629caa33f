"""Why the gap is free: the law by an integral over the winner's noise, and the moves by hand."""

import numpy as np
import pytest
from scipy import stats

from dpviz.teaching.lessons import why_the_gap_is_free as lesson


def test_the_law_of_winner_and_gap() -> None:
    votes, step = np.array([22, 22, 21, 17]), 0.002
    z = np.arange(-10, 60, step) + step / 2

    def ahead(i: int, gap: float) -> float:
        others = np.prod([stats.laplace.cdf(z - gap - v) for v in np.delete(votes, i)], axis=0)
        return float((stats.laplace.pdf(z - votes[i]) * others).sum() * step)

    wide = [ahead(i, 2.0) for i in range(4)]
    narrow = [ahead(i, 0.0) - more for i, more in enumerate(wide)]
    law = [narrow[0], wide[0], sum(narrow[1:]), sum(wide[1:])]
    assert lesson.law(1.0) == pytest.approx(law, abs=1e-5)


def test_only_pizzas_noise_moves_and_a_careless_proof_pays_three_times() -> None:
    found = lesson.top_k_alignment()
    assert found.shifts.tolist() == [1.0, 0.0, 0.0, 0.0]
    assert found.total == 1.0
    assert "makes 3 times ε" in lesson.build_steps()[3].text
    assert 1.0 < lesson.largest_change_factor() < np.e

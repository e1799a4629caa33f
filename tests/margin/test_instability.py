"""Distance to instability: its law, and neighbours at every lead."""

import math
from collections.abc import Iterator

import numpy as np
from scipy import stats

from dpviz import DistanceToInstability, Scores
from dpviz.margin.top_one import TopOneMechanism
from tests.meters import moved
from tests.top_one_contract import FAIL, Outcomes, TopOneContract


class TestDistanceToInstability(TopOneContract):
    examples = [
        DistanceToInstability(epsilon=epsilon, delta=delta)
        for epsilon, delta in ((0.5, 1e-3), (2.0, 1e-3), (1.0, 1e-6), (0.2, 0.1), (3.0, 0.4))
    ]

    def definition(self, m: TopOneMechanism, s: Scores, zeros: int) -> Outcomes:
        """The best item where its lead + Lap(D/ε) passes D + (D/ε)log(1/(2δ)), D = Δ or 2Δ."""
        best, second = np.sort(np.append(s.values, np.zeros(zeros)))[::-1][:2]
        change = s.sensitivity if s.monotonic else 2 * s.sensitivity
        scale = change / m.epsilon
        bar = change + scale * math.log(1 / (2 * m.delta))
        released = float(stats.laplace.sf(bar - (best - second), scale=scale))
        return {int(np.argmax(s.values)): released, FAIL: 1 - released}

    def pairs(self, m: TopOneMechanism) -> Iterator[tuple[Scores, Scores, int]]:
        """Leads of every size, which grow or shrink by up to 2Δ, or Δ."""
        yield from super().pairs(m)
        for monotonic, moves in (
            (True, [(1.0, 0.0), (0.0, 1.0), (1.0, 1.0)]),
            (False, [(1.0, -1.0), (-1.0, 1.0), (0.3, -1.0)]),
        ):
            for lead in np.linspace(0, 60, 121):
                s = Scores([lead, 0.0], monotonic=monotonic)
                yield from ((s, moved(s, step), 0) for step in moves)

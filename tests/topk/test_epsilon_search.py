"""The smallest ε for a goal: it meets it, a little less does not, and what cannot be met is said."""

import math
from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz import Canonical, GaussianCounts, OneShot, ParameterError, Scores, TopKMechanism
from dpviz.base.arrays import Floats
from dpviz.base.progress import Progress
from dpviz.topk.epsilon_search import RESOLUTION, smallest_epsilon
from dpviz.topk.goal import Goal
from dpviz.topk.law import ClassLaw, RankLaw
from dpviz.topk.limited_domain import LimitedDomain
from dpviz.topk.threshold_counts import ThresholdCounts


@given(
    values=st.lists(st.integers(0, 30), min_size=4, max_size=12, unique=True),
    k=st.integers(1, 3),
    probability=st.floats(0.02, 0.98),
    event=st.sampled_from(["top", "optimal", "great", "good", "share"]),
)
def test_it_meets_the_goal_and_a_little_less_does_not(
    values: list[int], k: int, probability: float, event: str
) -> None:
    s = Scores(values, monotonic=True)
    m = Canonical(epsilon=123.0, k=k)
    goal = Goal(probability=probability, event=event)
    epsilon = smallest_epsilon(m, s, probability=probability, figure=event)
    assert goal.figure_value(m.replace(epsilon=epsilon).distribution(s)) >= probability
    if epsilon > 2e-6:
        less = m.replace(epsilon=epsilon * (1 - 1e-4)).distribution(s)
        assert goal.figure_value(less) < probability


def test_an_item_has_its_first_crossing() -> None:
    s, m = Scores([3.0, 2.0, 0.0, 0.0, 0.0]), Canonical(epsilon=1.0, k=1)
    epsilon = smallest_epsilon(m, s, probability=0.23, figure="inclusion", item=1)
    ways = (epsilon * 0.999, epsilon, 50.0)
    before, at, later = (m.replace(epsilon=e).distribution(s).inclusion[1] for e in ways)
    assert later < before < 0.23 <= at, "the chance falls again: not monotone"


def test_ties_make_top_unreachable_and_point_to_optimal() -> None:
    s, m = Scores([5.0, 3.0, 3.0, 3.0, 1.0], monotonic=True), Canonical(epsilon=1.0, k=2)
    says = r"at most 0.333: 3 items tie for places 2 to 4.*optimal"
    with pytest.raises(ParameterError, match=says):
        smallest_epsilon(m, s, probability=0.5)
    assert smallest_epsilon(m, s, probability=0.5, figure="optimal") > 0
    assert smallest_epsilon(m, s, probability=0.3) > 0


def test_what_no_epsilon_reaches_is_said() -> None:
    unknown = Scores([9.0, 5.0, 1.0], monotonic=True, names_known=False)
    three, two = Scores([5.0, 3.0, 1.0]), Scores([2.0, 0.0])
    cases: list[tuple[Scores, dict[str, float], dict[str, float], str]] = [
        (three, {"gamma": 0.0}, {}, "probability must be one that some ε up to 100,000 reaches"),
        (two, {}, {"limit": 1.0}, r"probability must be one that some ε up to 1 reaches, not 0\.9"),
        (unknown, {}, {}, "mechanism must be one that needs no list of all possible items"),
    ]
    for scores, parameters, more, says in cases:
        m = Canonical(epsilon=1.0, k=1, **parameters)  # type: ignore[arg-type]
        with pytest.raises(ParameterError, match=says) as refused:
            smallest_epsilon(m, scores, probability=0.9, **more)  # type: ignore[arg-type]
        assert refused.value.code == "unreachable"


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"probability": 0.0}, "probability must be a number above 0 and at most 1"),
        ({"probability": 1.0}, "probability must be below 1"),
        ({"figure": "best"}, "figure must be one of top, optimal, great, good, share, hits, incl"),
        ({"figure": "inclusion"}, "item must be an item index"),
        (
            {"item": 1},
            "item must be an item index for the figure inclusion, and left out otherwise",
        ),
        ({"figure": "inclusion", "item": 9}, "item must be a whole number from 0 to 1, not 9"),
        ({"limit": 0.0}, "limit must be a number above"),
    ],
)
def test_bad_goals(told: dict[str, Any], message: str) -> None:
    asked = {"probability": 0.5, **told}
    with pytest.raises(ParameterError, match=message):
        smallest_epsilon(Canonical(epsilon=1.0, k=1), Scores([2.0, 0.0]), **asked)


def test_where_the_law_is_estimated_the_low_end_of_the_interval_meets_the_goal() -> None:
    class Drawn(OneShot):
        def _law(self, x: Floats, progress: Progress) -> RankLaw | None:  # type: ignore[override]
            return None

    s, m = Scores([4.0, 2.0, 1.0, 0.0]), Drawn(epsilon=1.0, k=2)
    epsilon = smallest_epsilon(m, s, probability=0.5, figure="top", tolerance=0.01)
    dist = m.replace(epsilon=epsilon).distribution(s)
    assert dist.method == "estimated"
    assert dist.interval("top")[0] >= 0.5


def test_the_error_bound_is_taken_off_before_the_goal_is_held_to_be_met() -> None:
    class Rough(Canonical):
        def _law(self, x: Floats, progress: Progress) -> ClassLaw:
            return replace(super()._law(x, progress), error=0.05)

    rough, s = Rough(epsilon=1.0, k=1), Scores([2.0, 0.0])
    epsilon = smallest_epsilon(rough, s, probability=0.8, tolerance=1e-9)
    assert epsilon == pytest.approx(2 * math.log(0.85 / 0.15), rel=1e-8)


def test_a_goal_that_more_epsilon_loses_again_is_found() -> None:
    """Only the two best pass the threshold first; with more ε the fifth and sixth do too."""
    s = Scores([600, 600, 60, 60, 50, 50], monotonic=True, contributions=1)
    m = ThresholdCounts(epsilon=1.0, k=3, delta=1e-6)
    epsilon = smallest_epsilon(m, s, probability=0.9, figure="great")
    assert 0.02 < epsilon < 0.03
    assert m.replace(epsilon=epsilon).distribution(s).great >= 0.9 > m.distribution(s).great
    says = r"reaches \(of \d+ looked at, as it need not rise with ε\), not 0\.9999999"
    with pytest.raises(ParameterError, match=says):
        smallest_epsilon(m, s, probability=0.9999999, figure="great")


MENU: list[TopKMechanism] = [
    ThresholdCounts(epsilon=1.0, k=3, delta=1e-3),
    LimitedDomain(epsilon=1.0, k=2, delta=1e-6),
    GaussianCounts(epsilon=1.0, k=2, delta=1e-6),
    Canonical(epsilon=1.0, k=3, noise="exponential"),
]


def reached(m: TopKMechanism, s: Scores, goal: Goal, limit: float) -> float | None:
    """The smallest ε, or None where none is told."""
    asked = {"figure": goal.event, "probability": goal.probability, "at_least": goal.at_least}
    try:
        return smallest_epsilon(m, s, limit=limit, **asked)  # type: ignore[arg-type]
    except ParameterError as err:
        if err.code != "unreachable":
            raise
        return None


@pytest.mark.parametrize("m", MENU, ids=lambda m: m.key)
def test_a_fine_grid_has_no_smaller_epsilon_and_none_where_none_is_told(
    m: TopKMechanism, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(m), "distribution", cache(type(m).distribution))  # one for all goals
    goals = [Goal(probability=0.5, event=event) for event in ("optimal", "great", "share")]
    goals += [Goal(probability=0.5, event="hits", at_least=least) for least in range(1, m.k)]
    grid, rng = np.geomspace(3e-3, 1e3, 100), np.random.default_rng(m.k)
    for values in ([600, 600, 60, 60, 50, 50], np.round(10 ** rng.uniform(0.3, 3, 5))):
        s = Scores(values, monotonic=True, contributions=1, names_known=not m.shorter)
        figures = np.full((len(grid), len(goals)), -1.0)
        for at, epsilon in enumerate(grid):
            with suppress(ParameterError):  # δ is too large for so small an ε
                law = m.replace(epsilon=float(epsilon)).distribution(s)
                figures[at] = [goal.certain_surplus(law) + goal.probability for goal in goals]
        for column, goal in enumerate(goals):
            best = figures[:, column].max()
            wanted = {round(part, 3) for part in (0.95 * best, 1.02 * best)}
            for probability in (p for p in wanted if 0 < p < 1):
                told = replace(goal, probability=probability)
                meets = grid[figures[:, column] >= probability]
                epsilon = reached(m, s, told, limit=1e3)
                if epsilon is None:
                    assert not len(meets), (values, told, meets)
                    continue
                assert told.certain_surplus(m.replace(epsilon=epsilon).distribution(s)) >= 0
                assert not len(meets) or epsilon <= meets[0] * RESOLUTION, (values, told)

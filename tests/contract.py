"""What every top-k mechanism has to keep, written once and inherited.

A test class subclasses `MechanismContract` and lists `examples`; it then has all the tests below for
each of them. `Registered` in test_registry.py runs the same on everything in the menu with defaults.
"""

import itertools
import json
import math
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from scipy import stats

from dpviz import ParameterError, Scores, TopKDistribution, TopKMechanism
from dpviz.base.arrays import Floats
from dpviz.privacy.neighbours import random_neighbour, realised_loss
from dpviz.topk.classes import EVENTS, event_bounds

FALSE_ALARM = 1e-6
DRAWS = 4000

INPUTS = {
    "spread": Scores([30.0, 12.0, 25.0, 7.0, 18.0, 3.0]),
    "ties": Scores([9.0, 14.0, 14.0, 2.0, 11.0, 14.0], monotonic=True),
    "close": Scores([1.0, 1.4, 1.1, 0.9, 1.3], sensitivity=0.5),
    "flat": Scores([2.0, 2.0, 2.0, 2.0], monotonic=True),
    "gap": Scores([1000.0, 999.0, 3.0, 2.0, 1.0], monotonic=True),
}
EXTREME = {
    "far apart": [1e300, -1e300, 0.0, 5.0],
    "equal": [7.0, 7.0, 7.0, 7.0],
    "tiny differences": [1.0, 1.0 + 1e-15, 1.0 - 1e-15, 1.0],
    "one above": [1e9, 0.0, 0.0, 0.0],
}


@cache
def vectors() -> dict[str, Any]:
    """The brute-force reference values."""
    text = (Path(__file__).parent / "data" / "vectors.json").read_text(encoding="utf-8")
    return json.loads(text)  # type: ignore[no-any-return]


def brute_within(dist: TopKDistribution, a: int, b: int) -> float:
    """within(a,b) by adding up every set, from log_probability alone."""
    order, k, d = dist.scores.order, dist.k, dist.scores.d
    total = 0.0
    for ranks in itertools.combinations(range(d), k):
        if ranks[:a] == tuple(range(a)) and ranks[-1] < b:
            total += math.exp(dist.log_probability(order[list(ranks)]))
    return total


def brute_hits(dist: TopKDistribution) -> Floats:
    """P(exactly j of the chosen score at least the k-th largest) by adding up every set."""
    values, k = dist.scores.values, dist.k
    level = np.sort(values)[-k]
    total = np.zeros(k + 1)
    for items in itertools.combinations(range(dist.scores.d), k):
        total[np.sum(values[list(items)] >= level)] += math.exp(dist.log_probability(items))
    return total


class MechanismContract:
    """Subclass, list `examples`, and name the rows of vectors.json that apply."""

    examples: ClassVar[list[TopKMechanism]]
    vector_name: ClassVar[str | None] = None  # the "mechanism" of rows in vectors.json
    vector_parameters: ClassVar[tuple[str, ...]] = ()  # parameters that those rows give
    vector_fixed: ClassVar[dict[str, Any]] = {}  # parameters that those rows mean
    tolerance: ClassVar[float] = 1e-6

    def cases(self) -> list[tuple[TopKMechanism, Scores]]:
        """Every example on every input that is large enough."""
        return [(m, s) for m in self.examples for s in INPUTS.values() if m.k < s.d]

    def concentrates(self, m: TopKMechanism) -> bool:
        """Whether the exact top-k becomes certain as the scores move apart."""
        return True

    def exact(self) -> list[tuple[TopKDistribution, TopKMechanism, Scores]]:
        """The same where the law is exact."""
        found = [(m.distribution(s, samples=50), m, s) for m, s in self.cases()]
        return [row for row in found if row[0].method == "exact"]

    def test_law_adds_up(self) -> None:
        for dist, m, s in self.exact():
            slack = dist.error * len(dist.probability) + dist.missing + 1e-12
            assert dist.probability.sum() == pytest.approx(1.0, abs=slack), (m, s)
            assert dist.inclusion.sum() == pytest.approx(m.k, abs=dist.error * s.d + 1e-9), (m, s)
            assert dist.missing <= 1e-10
            assert dist.error <= 1e-8
            assert (dist.probability >= 0).all()
            assert (dist.inclusion >= 0).all()
            assert (dist.inclusion <= 1).all()

    def test_figures_follow_from_the_probabilities_of_single_sets(self) -> None:
        for dist, m, s in self.exact():
            for event in EVENTS:
                a, b = event_bounds(event, s.ranked, m.k)
                assert dist.event(event) == pytest.approx(brute_within(dist, a, b), abs=1e-9), (m, s, event)
            together = dist.events(list(EVENTS))
            np.testing.assert_allclose(together, [dist.event(event) for event in EVENTS], atol=1e-9)
            by_rank = np.zeros(s.d)
            for items in itertools.combinations(range(s.d), m.k):
                by_rank[list(items)] += math.exp(dist.log_probability(items))
            np.testing.assert_allclose(dist.inclusion, by_rank, atol=1e-9)

    def test_classes_add_up_to_within(self) -> None:
        for dist, m, s in self.exact():
            for a in range(m.k + 1):
                for b in range(m.k, s.d + 1):
                    listed = dist.probability[((dist.h >= a) & (dist.t <= b)) | (dist.t == m.k)].sum()
                    assert dist.within(a, b) == pytest.approx(listed, abs=1e-9), (m, s, a, b)

    def test_grid_holds_the_law(self) -> None:
        for dist, m, s in self.exact():
            grid = dist.grid(80, 120)
            assert grid.covered >= 0.999 - 1e-9, (m, s)
            for h, t, p in zip(dist.h, dist.t, dist.probability, strict=True):
                row, column = h - grid.h_edges[0], t - grid.t_edges[0]
                if 0 <= row < len(grid.h_edges) - 1 and 0 <= column < len(grid.t_edges) - 1:
                    assert grid.mass[row, column] == pytest.approx(p, abs=1e-9), (m, s, h, t)

    def test_permuting_items_permutes_the_answer(self) -> None:
        s = INPUTS["spread"]
        shuffled = np.array([3, 0, 5, 1, 4, 2])
        other = Scores(s.values[shuffled], sensitivity=s.sensitivity, monotonic=s.monotonic)
        for m in self.examples:
            dist, moved = m.distribution(s, samples=50), m.distribution(other, samples=50)
            if dist.method == "exact":
                np.testing.assert_allclose(moved.inclusion, dist.inclusion[shuffled], atol=1e-9)

    def test_shifting_all_scores_changes_nothing(self) -> None:
        s = INPUTS["spread"]
        for m in self.examples:
            dist = m.distribution(s, samples=50)
            moved = m.distribution(Scores(s.values + 1024.0, sensitivity=s.sensitivity), samples=50)
            if dist.method == "exact":
                assert moved.top == pytest.approx(dist.top, abs=1e-10)
                np.testing.assert_allclose(moved.inclusion, dist.inclusion, atol=1e-10)

    def test_sampler_follows_its_own_law(self) -> None:
        tested = self.exact()
        for number, (dist, m, s) in enumerate(tested):
            rows = m.sample(s, DRAWS, rng=np.random.default_rng(number))
            code = rows @ (s.d ** np.arange(m.k))
            sets = list(itertools.combinations(range(s.d), m.k))
            expected = np.array([math.exp(dist.log_probability(items)) for items in sets]) * DRAWS
            seen = np.array([np.sum(code == np.array(items) @ (s.d ** np.arange(m.k))) for items in sets])
            assert seen.sum() == DRAWS, (m, s)
            common = expected >= 5
            pooled = np.append(expected[common], expected[~common].sum())
            counts = np.append(seen[common], seen[~common].sum())
            if pooled[-1] < 5:
                assert counts[-1] <= stats.poisson.isf(FALSE_ALARM / len(tested), max(pooled[-1], 1e-12)), (m, s)
                pooled, counts = pooled[:-1], counts[:-1]
            if len(pooled) > 1:
                pooled *= counts.sum() / pooled.sum()
                assert stats.chisquare(counts, pooled).pvalue > FALSE_ALARM / len(tested), (m, s)

    def test_rows_of_sample_do_not_carry_an_order(self) -> None:
        for m, s in self.cases():
            rows = m.sample(s, 50, rng=np.random.default_rng(3))
            assert rows.shape == (50, m.k)
            assert (np.diff(rows, axis=1) > 0).all(), "sorted by item, each item once"
            assert rows.min() >= 0
            assert rows.max() < s.d
            again = m.sample(s, 50, rng=np.random.default_rng(3))
            np.testing.assert_array_equal(rows, again)

    def test_extreme_inputs_give_finite_figures(self) -> None:
        for m in self.examples:
            for name, values in EXTREME.items():
                for epsilon in (1e-6, 1e3):
                    changed = m.replace(epsilon=epsilon, k=min(m.k, 3))
                    dist = changed.distribution(Scores(values), samples=50)
                    figures = [dist.top, dist.great, dist.good, dist.optimal, dist.share, *dist.inclusion]
                    assert np.isfinite(figures).all(), (changed, name)
                    assert dist.inclusion.sum() == pytest.approx(changed.k, abs=1e-7), (changed, name)
                    if name == "equal" and dist.method == "exact":
                        np.testing.assert_allclose(dist.inclusion.mean(), changed.k / 4, atol=1e-9)
                        assert dist.optimal == pytest.approx(1.0, abs=1e-9)
                    if name == "far apart" and epsilon == 1e3 and self.concentrates(m):
                        assert dist.top == pytest.approx(1.0, abs=1e-9), (changed, name)

    @pytest.mark.parametrize("monotonic", [False, True])
    def test_realised_loss_never_exceeds_epsilon(self, monotonic: bool) -> None:
        rng = np.random.default_rng(17)
        for m in self.examples:
            for values in ([3.0, 1.0, 2.0, 2.0], [5.0, 0.0, 0.0, -50.0], [4.0, 4.0, 4.0, 4.0]):
                if m.k > 3:
                    continue
                s = Scores(values, monotonic=monotonic)
                if m.distribution(s, samples=50).method != "exact":
                    continue
                for corner in (True, True, False):
                    loss = realised_loss(m, s, random_neighbour(s, rng, corner=corner))
                    assert loss.loss <= m.epsilon * (1 + 1e-8) + 1e-8, (m, s, loss)

    def test_hits(self) -> None:
        for number, (dist, m, s) in enumerate(self.exact()):
            assert dist.hits.shape == (m.k + 1,)
            np.testing.assert_allclose(dist.hits, brute_hits(dist), atol=1e-9)
            assert dist.hits.sum() == pytest.approx(1.0, abs=dist.error * (m.k + 1) + 1e-12), (m, s)
            if s.tied(m.k)[1] == m.k:
                assert dist.hits @ np.arange(m.k + 1) == pytest.approx(m.k * dist.share, abs=1e-9), (m, s)
            level = s.values[s.order[m.k - 1]]
            seen = (s.values[m.sample(s, DRAWS, rng=np.random.default_rng(number))] >= level).sum(1)
            for at_least in range(1, m.k + 1):
                p = dist.hits_at_least(at_least)
                assert p == pytest.approx(dist.hits[at_least:].sum(), abs=1e-12)
                count = int(np.sum(seen >= at_least))
                assert stats.binomtest(count, DRAWS, p).pvalue > FALSE_ALARM, (m, s, at_least)
            told = m.estimated(s, samples=50)
            assert told.hits.sum() == pytest.approx(1.0)
            assert (told.hits * 50).round(9).tolist() == np.round(told.hits * 50).tolist()

    def test_k_has_to_be_below_the_number_of_items(self) -> None:
        m = self.examples[0].replace(k=4)
        with pytest.raises(ParameterError, match="k must be at most 3"):
            m.distribution(INPUTS["flat"])
        with pytest.raises(ParameterError, match="k must be at most 3"):
            m.sample(INPUTS["flat"], 1, rng=np.random.default_rng(1))

    def test_key_tells_mechanisms_apart(self) -> None:
        keys = [m.key for m in self.examples]
        assert len(set(keys)) == len(set(self.examples))
        first = self.examples[0]
        assert first.replace(epsilon=first.epsilon * 1.5).key != first.key

    def test_reference_values(self) -> None:
        if self.vector_name is None:
            pytest.skip("no rows in vectors.json")
        rows = [row for row in vectors()["top_k"] if row["mechanism"] == self.vector_name]
        assert rows
        for row in rows:
            told = {name: row[name] for name in ("epsilon", "k", *self.vector_parameters)}
            m = type(self.examples[0])(**told, **self.vector_fixed)
            dist = m.distribution(Scores(**vectors()["inputs"][row["input"]]))
            assert dist.method == "exact"
            listed = {(h, t): p for h, t, p in zip(dist.h.tolist(), dist.t.tolist(), dist.probability, strict=True)}
            for h, t, p in row["classes"]:
                assert listed.get((h, t), 0.0) == pytest.approx(p, abs=self.tolerance), (row, h, t)
            np.testing.assert_allclose(dist.inclusion, row["inclusion"], atol=self.tolerance)
            for event in ("top", "great", "good"):
                assert dist.event(event) == pytest.approx(row[event], abs=self.tolerance)

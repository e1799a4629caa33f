"""Properties that every top-k mechanism must have, by its exact law and by estimates alike."""

import itertools
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from scipy import stats

from dpviz import (
    TOP_K,
    ParameterError,
    Scores,
    TopKDistribution,
    TopKMechanism,
    estimate,
    privacy_loss,
)
from dpviz.base.arrays import Floats, Ints
from dpviz.privacy.neighbours import neighbouring
from dpviz.topk.classes import EVENTS, event_bounds
from dpviz.topk.law_grid import bin_on_edges, frame_edges
from tests import meters
from tests.menus import ContractOfExamples

DRAWS = 2000
SLACK = 1e-8  # what rounding may add to a loss

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
# where all neighbours at a corner are looked at, and at which share of ε
ENUMERATED = (([12.0, 0.0, 0.0, 0.0], 1.0), ([20.0, 10.0, 0.0, -10.0], 0.125))

PURE = [name for name in TOP_K if "delta" not in TOP_K[name].__dataclass_fields__]
"""What keeps an ε alone, on any scores, and always gives k items."""

Sets = dict[tuple[int, ...], float]
"""P of each set of k items, given as ascending item indices."""


@cache
def vectors() -> dict[str, Any]:
    """The brute-force reference values."""
    file = Path(__file__).parent / "data" / "vectors.json"
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


@cache
def distributions(m: TopKMechanism, s: Scores) -> list[TopKDistribution]:
    """The distribution as it comes, and an estimated one where that is exact."""
    told = m.distribution(s, samples=DRAWS)
    return [told] if told.method == "estimated" else [told, estimate(m, s, samples=DRAWS)]


@cache
def law_of(contract: type["MechanismContract"], m: TopKMechanism, s: Scores) -> Sets:
    """The law that the contract's definition gives."""
    law = contract().definition(m, s)
    assert law.keys() == set(itertools.combinations(range(s.d), m.k)), f"{contract}: not all sets"
    assert math.fsum(law.values()) == pytest.approx(1.0, abs=1e-9), f"{contract}: {m} on {s}"
    return law


def of_ranks(s: Scores, law: Mapping[tuple[int, ...], float]) -> Sets:
    """A law of sets of ranks (0 is the best item) as one of sets of items."""
    return {tuple(sorted(s.order[list(ranks)].tolist())): p for ranks, p in law.items()}


def brute_within(dist: TopKDistribution, a: int, b: int) -> float:
    """within(a,b) by adding up every set, from log_probability alone."""
    sets = itertools.combinations(range(dist.scores.d), dist.k)
    inside = (dist.scores.order[list(ranks)] for ranks in sets if is_within(ranks, a, b))
    return math.fsum(math.exp(dist.log_probability(items)) for items in inside)


def brute_hits(dist: TopKDistribution) -> Floats:
    """P(exactly j of the chosen score at least the k-th largest) by adding up every set."""
    values, k = dist.scores.values, dist.k
    level = np.sort(values)[-k]
    total = np.zeros(k + 1)
    for items in itertools.combinations(range(dist.scores.d), k):
        total[np.sum(values[list(items)] >= level)] += math.exp(dist.log_probability(items))
    return total


def is_within(ranks: Sequence[int], a: int, b: int) -> bool:
    """Whether ascending ranks hold the first a of all, and none from b on."""
    return tuple(ranks[:a]) == tuple(range(a)) and ranks[-1] < b


class MechanismContract(ContractOfExamples):
    """Subclass, list `examples`, write their `definition`, and name their rows of vectors.json."""

    menu = TOP_K
    examples: ClassVar[list[TopKMechanism]]
    vector_name: ClassVar[str | None] = None  # the "mechanism" of rows in vectors.json, if any
    vector_parameters: ClassVar[tuple[str, ...]] = ()  # parameters that those rows give
    vector_fixed: ClassVar[dict[str, Any]] = {}  # parameters that those rows mean
    contributions: ClassVar[int | None] = None  # of all scores, where the mechanism has to know it

    def known(self, s: Scores) -> Scores:
        """The scores with what the mechanism has to know of them."""
        return s if self.contributions is None else replace(s, contributions=self.contributions)

    def definition(self, m: TopKMechanism, s: Scores) -> Sets:
        """The law for a few items, from what the mechanism is said to do and not its code."""
        self.missing("a definition(m, s): P of every set of k items")

    def law(self, m: TopKMechanism, s: Scores) -> Sets:
        """The law by the definition."""
        return law_of(type(self), m, s)

    def cases(self) -> list[tuple[TopKMechanism, Scores]]:
        """Every example on every input that is large enough, and once with a much smaller ε."""
        spread = self.known(INPUTS["spread"])
        faint = [(m.replace(epsilon=m.epsilon / 8), spread) for m in self.examples]
        every = itertools.product(self.examples, INPUTS.values())
        return faint + [(m, self.known(s)) for m, s in every if m.k < s.d]

    def concentrates(self, m: TopKMechanism) -> bool:
        """Whether the exact top-k becomes certain as the scores move apart."""
        return True

    def every_distribution(self) -> list[tuple[TopKDistribution, TopKMechanism, Scores]]:
        """The distributions of all cases, exact and estimated."""
        return [(dist, m, s) for m, s in self.cases() for dist in distributions(m, s)]

    def test_exact_law_is_the_definition(self) -> None:
        exact = (each for each in self.every_distribution() if each[0].method == "exact")
        for dist, m, s in exact:
            for items, p in self.law(m, s).items():
                told = dist.log_probability(items)
                if p > 1e-30:
                    assert told == pytest.approx(math.log(p), abs=1e-8), (m, s, items)
                else:
                    assert told < math.log(1e-29), (m, s, items)

    def test_estimates_agree_with_the_definition(self) -> None:
        every = self.every_distribution()
        estimates = [each for each in every if each[0].method == "estimated"]
        assert len(estimates) == len(self.cases())
        for dist, m, s in estimates:
            assert (dist.draws, dist.error) == (DRAWS, 1.0)
            self._estimates_agree(dist, m, s, len(estimates))

    def _estimates_agree(
        self, dist: TopKDistribution, m: TopKMechanism, s: Scores, looks: int
    ) -> None:
        """Every figure lies where Clopper–Pearson allows it, and so does its own interval."""
        law = {
            tuple(sorted(s.rank[list(items)].tolist())): p for items, p in self.law(m, s).items()
        }

        def true_within(a: int, b: int) -> float:
            return sum(p for ranks, p in law.items() if is_within(ranks, a, b))

        figures = [
            (f"within {a}, {b}", dist.within(a, b), true_within(a, b))
            for a, b in itertools.product(range(m.k + 1), range(m.k, s.d + 1))
        ]
        for event in EVENTS:
            p = dist.event_probability(event)
            figures.append((event, p, true_within(*event_bounds(event, s.ranked, m.k))))
            around = stats.binomtest(round(p * DRAWS), DRAWS).proportion_ci(0.95, method="exact")
            ends = pytest.approx((around.low, around.high), abs=1e-9)
            assert dist.interval(event) == ends, (m, s, event)
        for rank in range(s.d):
            mass = sum(p for ranks, p in law.items() if rank in ranks)
            figures.append((f"inclusion of rank {rank}", dist.inclusion[s.order[rank]], mass))
        for ranks, p in law.items():
            told = math.exp(dist.log_probability(s.order[list(ranks)]))
            figures.append((f"ranks {ranks}", told, p))
        count = np.array([figure for _, figure, _ in figures]) * DRAWS
        np.testing.assert_allclose(count, np.round(count), atol=1e-6, err_msg="shares of the draws")
        low, high = meters.interval(np.round(count), DRAWS, looks * len(figures))
        for (name, figure, p), least, most in zip(figures, low, high, strict=True):
            assert least - 1e-9 <= p <= most + 1e-9, (m, s, name, figure)

    def test_law_adds_up(self) -> None:
        for dist, m, s in self.every_distribution():
            error = 0.0 if dist.draws else dist.error
            assert max(dist.missing * 100, error) <= 1e-8
            slack = error * len(dist.probability) + dist.missing + 1e-12
            assert dist.probability.sum() == pytest.approx(1.0, abs=slack), (m, s)
            assert dist.inclusion.sum() == pytest.approx(m.k, abs=error * s.d + 1e-9), (m, s)
            assert (dist.probability >= 0).all()
            assert ((dist.inclusion >= 0) & (dist.inclusion <= 1)).all()

    def test_figures_follow_from_the_probabilities_of_single_sets(self) -> None:
        for dist, m, s in self.every_distribution():
            alone = [dist.event_probability(event) for event in EVENTS]
            for event, p in zip(EVENTS, alone, strict=True):
                by_sets = brute_within(dist, *event_bounds(event, s.ranked, m.k))
                assert p == pytest.approx(by_sets, abs=1e-9), (m, s, event)
            together = dist.event_probabilities(list(EVENTS))
            np.testing.assert_allclose(together, alone, rtol=0, atol=1e-13)
            assert dist.event_probabilities([]).shape == (0,)
            by_rank = np.zeros(s.d)
            for items in itertools.combinations(range(s.d), m.k):
                by_rank[list(items)] += math.exp(dist.log_probability(items))
            np.testing.assert_allclose(dist.inclusion, by_rank, atol=1e-9)

    def test_classes_add_up_to_within(self) -> None:
        for dist, m, s in self.every_distribution():
            for a, b in itertools.product(range(m.k + 1), range(m.k, s.d + 1)):
                inside = ((dist.h >= a) & (dist.t <= b)) | (dist.t == m.k)
                listed = pytest.approx(dist.probability[inside].sum(), abs=1e-9)
                assert dist.within(a, b) == listed, (m, s, a, b)

    def test_grid_holds_the_law(self) -> None:
        for dist, m, s in self.every_distribution():
            grid = dist.grid(80, 120)
            assert grid.covered_mass >= 0.999 - 1e-9, (m, s)
            for h, t, p in zip(dist.h, dist.t, dist.probability, strict=True):
                row, column = h - grid.h_edges[0], t - grid.t_edges[0]
                if 0 <= row < len(grid.h_edges) - 1 and 0 <= column < len(grid.t_edges) - 1:
                    assert grid.mass[row, column] == pytest.approx(p, abs=1e-9), (m, s, h, t)
            self.frame_holds_the_law(dist, np.where(dist.t == m.k, m.k, dist.h))

    @staticmethod
    def frame_holds_the_law(dist: TopKDistribution, h: Ints) -> None:
        """Cells of the map, whatever ε, hold each class once and nothing else."""
        h_edges, t_edges = frame_edges(dist.k, dist.scores.d, rows=3, columns=3)
        expected, _, _ = np.histogram2d(
            h, dist.t, [h_edges - 0.5, t_edges - 0.5], weights=dist.probability
        )
        frame = bin_on_edges(dist.law, h_edges, t_edges)
        np.testing.assert_allclose(frame.mass, expected, atol=1e-9)
        assert frame.covered_mass == pytest.approx(1.0, abs=dist.missing + 1e-9)

    def test_permuting_items_permutes_the_answer_and_a_shift_changes_nothing(self) -> None:
        s = self.known(INPUTS["spread"])
        shuffled = np.array([3, 0, 5, 1, 4, 2])
        other = replace(s, values=s.values[shuffled] + 1024.0)
        for m in self.examples:
            for dist, there in zip(distributions(m, s), distributions(m, other), strict=True):
                assert there.top == pytest.approx(dist.top, abs=1e-9)
                np.testing.assert_allclose(there.inclusion, dist.inclusion[shuffled], atol=1e-9)

    def test_draws_follow_the_definition(self) -> None:
        cases = self.cases()
        for number, (m, s) in enumerate(cases):
            drawn = meters.rows(m.sample(s, DRAWS, rng=np.random.default_rng(number)))
            off = meters.disagreement(drawn, self.law(m, s), len(cases))
            assert not off, (m, s, off)

    def test_rows_of_sample_do_not_carry_an_order(self) -> None:
        for m, s in self.cases():
            rows, again = (m.sample(s, 50, rng=3) for _ in range(2))
            ranks = m.sampler(s)(50, np.random.default_rng(3))
            for drawn in (rows, ranks):
                assert drawn.shape == (50, m.k)
                assert (np.diff(drawn, axis=1) > 0).all(), "sorted, each item once"
                assert 0 <= drawn.min() <= drawn.max() < s.d
            np.testing.assert_array_equal(np.sort(s.order[ranks], axis=1), rows)
            np.testing.assert_array_equal(rows, again)

    def test_extreme_inputs_give_finite_figures(self) -> None:
        for example, (name, values), epsilon in itertools.product(
            self.examples, EXTREME.items(), (1e-6, 1e3)
        ):
            m = example.replace(epsilon=epsilon, k=min(example.k, 3))
            dist = m.distribution(self.known(Scores(values)), samples=50)
            figures = [dist.top, dist.great, dist.good, dist.optimal, dist.share, *dist.inclusion]
            assert np.isfinite(figures).all(), (m, name)
            assert dist.inclusion.sum() == pytest.approx(m.k, abs=1e-7), (m, name)
            if name == "equal" and dist.method == "exact":
                assert dist.optimal == pytest.approx(1.0, abs=1e-9)
            if name == "far apart" and epsilon == 1e3 and self.concentrates(example):
                assert dist.top == pytest.approx(1.0, abs=1e-9), (m, name)

    def test_realised_loss_never_exceeds_epsilon(self) -> None:
        """At all corners by the definition, and at the worst by the exact law too."""
        for example, (values, share), monotonic in itertools.product(
            self.examples, ENUMERATED, (False, True)
        ):
            m = example.replace(k=min(example.k, 3), epsilon=share * example.epsilon)
            s = self.known(Scores(values, monotonic=monotonic))
            if m.delta_spent:
                self.keeps_delta(m, s)
                continue
            losses = {
                t: meters.largest_loss(self.law(m, s), self.law(m, t))
                for t in meters.corner_neighbours(s)
            }
            worst = max(losses, key=losses.__getitem__)
            assert losses[worst] <= m.epsilon * (1 + SLACK) + SLACK, (m, s, losses[worst])
            if distributions(m, s)[0].method == "exact":
                exact = privacy_loss(m, s, worst).largest
                assert exact == pytest.approx(losses[worst], abs=1e-7), (m, s)
                assert exact <= m.epsilon * (1 + SLACK) + SLACK, (m, s, exact)

    def keeps_delta(self, m: TopKMechanism, s: Scores) -> None:
        """Between all neighbours at a corner, by the definition and by the exact law."""
        worst = 0.0
        for other in (t for t in meters.corner_neighbours(s) if neighbouring(s, t)):
            delta = meters.smallest_delta(self.law(m, s), self.law(m, other), m.epsilon)
            assert delta <= m.delta_spent * (1 + SLACK), (m, s, other)
            if delta > worst:
                loss, worst = privacy_loss(m, s, other), delta
                both = max(loss.delta(m.epsilon), loss.reversed.delta(m.epsilon))
                assert both == pytest.approx(delta, abs=1e-9)

    def test_draws_show_no_loss_above_epsilon(self) -> None:
        """The true top k of the one data set is the worst of the other."""
        for example, monotonic, rest in itertools.product(self.examples, (False, True), (0, 40)):
            m = example.replace(epsilon=0.25)
            s = self.known(Scores([0.0] * m.k + [1.0] * m.k + [0.0] * rest, monotonic=monotonic))
            few = min(m.k, s.contributions or m.k)
            step = np.zeros(s.d)
            step[:few] = 1.0
            step[m.k : m.k + few] = 0.0 if monotonic else -1.0
            other = meters.moved(s, step)
            here = meters.rows(m.sample(s, DRAWS, rng=np.random.default_rng(1)))
            there = meters.rows(m.sample(other, DRAWS, rng=np.random.default_rng(2)))
            if m.delta_spent:
                assert meters.delta_seen(here, there, m.epsilon) <= m.delta_spent, (m, s)
                continue
            loss = meters.loss_seen(here, there)
            assert loss <= m.epsilon, (m, s, loss)

    def test_hits_follow_from_the_probabilities_of_single_sets(self) -> None:
        for dist, m, s in self.every_distribution():
            told = f"{m} on {s}"
            np.testing.assert_allclose(dist.hits, brute_hits(dist), atol=1e-9, err_msg=told)
            share = dist.hits @ np.arange(m.k + 1) / dist.reach
            assert share == pytest.approx(dist.share, abs=1e-9), told
            for at_least in range(1, m.k + 1):
                tail = dist.hits[at_least:].sum()
                assert dist.hits_at_least(at_least) == pytest.approx(tail, abs=1e-12)

    def test_k_has_to_be_below_the_number_of_items(self) -> None:
        m = self.examples[0].replace(k=4)
        with pytest.raises(ParameterError, match="k must be at most 3"):
            m.distribution(INPUTS["flat"])
        with pytest.raises(ParameterError, match="k must be at most 3"):
            m.sample(INPUTS["flat"], 1, rng=np.random.default_rng(1))

    def test_reference_values(self) -> None:
        rows = [row for row in vectors()["top_k"] if row["mechanism"] == self.vector_name]
        assert bool(rows) == (self.vector_name is not None)
        for row in rows:
            told = {name: row[name] for name in ("epsilon", "k", *self.vector_parameters)}
            m = type(self.examples[0])(**told, **self.vector_fixed)
            dist = m.distribution(Scores(**vectors()["inputs"][row["input"]]))
            assert dist.method == "exact"
            classes = zip(dist.h.tolist(), dist.t.tolist(), strict=True)
            listed = dict(zip(classes, dist.probability, strict=True))
            for h, t, p in row["classes"]:
                assert listed.get((h, t), 0.0) == pytest.approx(p, abs=1e-9), (row, h, t)
            np.testing.assert_allclose(dist.inclusion, row["inclusion"], atol=1e-9)
            for event in ("top", "great", "good"):
                assert dist.event_probability(event) == pytest.approx(row[event], abs=1e-9)

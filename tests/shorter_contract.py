"""Properties of every mechanism whose lists may be shorter than k, by brute force."""

import math
from collections.abc import Callable
from contextlib import suppress
from itertools import islice, product
from typing import ClassVar

import numpy as np
import pytest

from dpviz import TOP_K, ParameterError, Scores, TopKMechanism, estimate, privacy_loss
from dpviz.topk.classes import event_bounds
from dpviz.topk.law_grid import inspect_class
from tests import meters
from tests.contract import MechanismContract
from tests.menus import ContractOfExamples
from tests.topk.lists import Answers, Counts, delta_between, law_told, pairs, scores_of

DRAWS = 2000
RANDOM_CASES = 1000
CLOSE = 1e-9
# the error that a law may state of itself at such sizes: a figure of 0.5 ± 1 is never wrong
STATED = 2e-10
COUNTS: dict[str, Counts] = {
    "spread": {"ash": 9, "box": 7, "cat": 3, "doe": 1, "elm": 1},
    "ties": {"b": 4, "a": 4, "d": 4, "c": 4, "e": 1},
    "few": {"x": 30, "y": 2},
    "lone": {"x": 1, "y": 1, "z": 1},
    "one": {"x": 5},
}


class ShorterContract(ContractOfExamples):
    """Subclass, list `examples` with the c that each is for, and write their `definition`."""

    menu = TOP_K
    beside = MechanismContract
    examples: ClassVar[list[TopKMechanism]]
    contributions: ClassVar[tuple[int | None, ...]] = (None, 1, 2)
    reached: ClassVar[float] = 0.97  # of δ, by the worst pair of `worst_pair`

    def definition(
        self, m: TopKMechanism, counts: Counts, c: int | None, replaced: bool
    ) -> Answers:
        """The law, enumerated from what the mechanism is said to do and not by its code."""
        self.missing("a definition(m, counts, c, replaced): P of every set of names")

    def worst_pair(self, m: TopKMechanism) -> tuple[Counts, Counts, int]:
        """Two neighbours between which δ is reached, and c."""
        self.missing("a worst_pair(m): two neighbours at which δ is reached, and c")

    def allowed(self, m: TopKMechanism, counts: Counts, c: int | None, replaced: bool) -> bool:
        """Whether the mechanism takes it."""
        with suppress(ParameterError):
            m.check_scores(scores_of({**counts, "none": 0}, c=c, replaced=replaced))
            return True
        return False

    def cases(self) -> list[tuple[TopKMechanism, Counts, int | None, bool]]:
        """Every example on every input, for every c and both relations, where it takes them."""
        return [
            (m, counts, c, replaced)
            for m in self.examples
            for counts in COUNTS.values()
            for c in self.contributions
            for replaced in (False, True)
            if self.allowed(m, counts, c, replaced)
        ]

    @pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.long)])
    def test_figures_are_those_of_the_definition(self, every: int) -> None:
        for m, counts, c, replaced in self.cases()[::every]:
            self.agree(m, counts, c, replaced)

    @pytest.mark.long
    def test_a_thousand_random_cases_agree_with_the_definition(self) -> None:
        """Of ε from 0.01 to 100, δ down to 1e-9, counts up to 1e6, more k than items among them."""
        rng, done = np.random.default_rng(12), 0
        while done < RANDOM_CASES:
            example = self.examples[int(rng.integers(len(self.examples)))]
            k, size = int(rng.integers(1, 5)), float(10 ** rng.uniform(0, 6))
            names = [f"n{i}" for i in range(int(rng.integers(1, 7)))]
            counts = {name: int(rng.integers(1, 2 + int(size))) for name in names}
            most = {"candidates": int(rng.integers(k, k + 4))}
            m = example.replace(
                epsilon=float(10 ** rng.uniform(-2, 2)) * (k if size < 10 else 10 * k / size),
                delta=float(10 ** rng.uniform(-9, -1)),
                k=k,
                **(most if hasattr(example, "candidates") else {}),
            )
            c = self.contributions[int(rng.integers(len(self.contributions)))]
            replaced = bool(rng.random() < 0.5)
            if self.allowed(m, counts, c, replaced):
                self.agree(m, counts, c, replaced)
                done += 1

    def agree(self, m: TopKMechanism, counts: Counts, c: int | None, replaced: bool) -> None:
        """Every figure of the law is that of the definition, within a small stated error."""
        s, case = scores_of({**counts, "none": 0}, c=c, replaced=replaced), (m, counts, c)
        dist, law = m.distribution(s), self.definition(m, counts, c, replaced)
        told = law_told(m, s)
        assert told.keys() >= law.keys(), case
        for answer in told:
            right = pytest.approx(law.get(answer, 0.0), rel=1e-8, abs=1e-12)
            assert told[answer] == right, (case, answer)
        rank = {s.label(int(item)): at for at, item in enumerate(dist.scores.order)}
        ranks = {frozenset(rank[name] for name in answer): p for answer, p in law.items()}
        reach = min(m.k, len(counts))

        def mass(wanted: Callable[[frozenset[int]], bool]) -> float:
            return math.fsum(p for answer, p in ranks.items() if wanted(answer))

        def within(a: int, b: int) -> float:
            return mass(lambda answer: set(range(a)) <= answer and all(r < b for r in answer))

        assert dist.error <= STATED, case
        error = dist.error + CLOSE
        length = [mass(lambda answer, j=j: len(answer) == j) for j in range(m.k + 1)]
        np.testing.assert_allclose(dist.length, length, rtol=0, atol=error)
        assert dist.incomplete_list_probability == pytest.approx(1 - length[m.k], abs=error)
        mean = sum(j * p for j, p in enumerate(length))
        assert dist.expected_length == pytest.approx(mean, abs=m.k * error)
        by_rank = [mass(lambda answer, r=r: r in answer) for r in range(s.d)]
        np.testing.assert_allclose(dist.inclusion[dist.scores.order], by_rank, rtol=0, atol=error)
        for a, b in product(range(m.k + 1), range(m.k, max(m.k, s.d) + 1)):
            assert dist.within(a, b) == pytest.approx(within(a, b), abs=error), (case, a, b)
        for event in ("top", "great", "good"):
            right = within(*event_bounds(event, s.ranked, reach))
            assert dist.event_probability(event) == pytest.approx(right, abs=error)
        above, upto = s.tie_counts(reach)

        def is_best(answer: frozenset[int]) -> bool:
            return len(answer) == reach and set(range(above)) <= answer and max(answer) < upto

        assert dist.optimal == pytest.approx(mass(is_best), abs=error), case
        together = dist.event_probabilities(["top", "optimal", "great", "good"])
        alone = [dist.top, dist.optimal, dist.great, dist.good]
        np.testing.assert_allclose(together, alone, rtol=0, atol=1e-13)
        worst = math.fsum(p * max([m.k, *(r + 1 for r in answer)]) for answer, p in ranks.items())
        assert dist.expected_worst_rank == pytest.approx(worst, abs=s.d * error), case
        hits = [
            mass(lambda answer, j=j: sum(r < upto for r in answer) == j) for j in range(m.k + 1)
        ]
        np.testing.assert_allclose(dist.hits, hits, rtol=0, atol=error)
        self.classes_add_up(m, s)

    def classes_add_up(self, m: TopKMechanism, s: Scores) -> None:
        """Classes and grid hold the whole law, and an inspected class is the one that is listed."""
        dist = m.distribution(s)
        assert dist.probability.sum() == pytest.approx(1.0, abs=1e-9)
        for a, b in product(range(m.k + 1), range(m.k, max(m.k, s.d) + 1)):
            listed = dist.probability[(dist.h >= a) & (dist.t <= b)].sum()
            assert dist.within(a, b) == pytest.approx(listed, abs=1e-9), (m, s, a, b)
        MechanismContract.frame_holds_the_law(dist, dist.h)
        grid, table = dist.grid(), dist.table()[["h", "t", "probability", "size"]]
        assert grid.covered_mass >= 0.999 - 1e-9, (m, s)
        for h, t, p, size in table.itertuples(index=False):
            details = inspect_class(
                dist.mechanism, dist.scores, dist.law, int(h), int(t), members=2, rng=1
            )
            assert details.probability == pytest.approx(p, abs=1e-9), (m, s, h, t)
            assert math.exp(details.log_size) == pytest.approx(size, rel=1e-9)
            row, column = int(h) - grid.h_edges[0], int(t) - grid.t_edges[0]
            if 0 <= row < len(grid.h_edges) - 1 and 0 <= column < len(grid.t_edges) - 1:
                assert grid.mass[row, column] == pytest.approx(p, abs=1e-9), (m, s, h, t)

    def test_an_item_that_does_not_occur_never_comes_out(self) -> None:
        """Whoever makes it occur is seen for certain where it does: the loss has no bound."""
        for m, others in product(self.examples, (0, 1, 2)):
            counts: Counts = {f"i{i}": 2 for i in range(others)}
            names = [*counts, "x", "y"]
            without = scores_of(counts, c=1, names=names)
            with_x = scores_of({**counts, "x": 1}, c=1, names=names)
            assert m.distribution(without).log_probability([others]) == -math.inf
            assert privacy_loss(m, without, with_x).largest == math.inf, (m, others)

    def test_draws_and_estimates_follow_the_definition(self) -> None:
        cases = self.cases()[:: max(1, len(self.cases()) // 12)]
        for number, (m, counts, c, replaced) in enumerate(cases):
            s = scores_of({**counts, "none": 0}, c=c, replaced=replaced)
            rows = m.sample(s, DRAWS, rng=np.random.default_rng(number))
            assert rows.shape == (DRAWS, m.k)
            drawn = []
            for row in rows.tolist():
                items = [item for item in row if item >= 0]
                assert row == sorted(items) + [-1] * (m.k - len(items)), "sorted, filled up with −1"
                drawn.append(frozenset(s.label(item) for item in items))
            off = meters.disagreement(drawn, self.definition(m, counts, c, replaced), len(cases))
            assert not off, (m, counts, c, off)
            guess, dist = estimate(m, s, samples=DRAWS), m.distribution(s)
            for figure in ("length", "hits", "inclusion", "top", "optimal", "great", "good"):
                one, other = (np.asarray(getattr(law, figure)) for law in (guess, dist))
                assert np.abs(one - other).max() <= 5 / math.sqrt(DRAWS), (m, counts, figure)

    @pytest.mark.parametrize("tried", [3, pytest.param(12, marks=pytest.mark.long)])
    def test_no_pair_of_worlds_passes_delta(self, tried: int) -> None:
        for m, c, replaced in product(self.examples, (1, 2, 3), (False, True)):
            found = pairs(np.random.default_rng(c), c, replaced=replaced)
            for one, other in islice(found, tried):
                names = sorted({*one, *other})
                if len(names) > 1 and self.allowed(m, one, c, replaced):
                    worlds = [
                        scores_of(w, c=c, replaced=replaced, names=names) for w in (one, other)
                    ]
                    delta = delta_between(m, *worlds)
                    assert delta <= m.delta_spent * (1 + 1e-9), (m, one, other, c)

    def test_delta_is_reached(self) -> None:
        for m in self.examples:
            one, other, c = self.worst_pair(m)
            worlds = [scores_of(w, c=c, names=sorted({*one, *other})) for w in (one, other)]
            delta = delta_between(m, *worlds)
            assert self.reached * m.delta_spent <= delta <= m.delta_spent * (1 + 1e-9), (m, delta)
            loss = privacy_loss(m, *worlds)
            both = max(loss.delta(m.epsilon), loss.reversed.delta(m.epsilon))
            assert both == pytest.approx(delta, rel=1e-6), (m, one, other)
            assert (loss.method, loss.ceiling) == ("exact", (m.epsilon, m.delta_spent))

    def test_k_may_pass_what_occurs(self) -> None:
        for m in self.examples:
            s = scores_of({"a": 5, "b": 1}, c=1)
            wide = m.replace(k=7, **({"candidates": 9} if hasattr(m, "candidates") else {}))
            assert wide.distribution(s).length[3:].sum() == 0.0
            assert wide.sample(s, 3, rng=1).shape == (3, 7)

    def test_counts_below_zero_are_refused(self) -> None:
        for m in self.examples:
            with pytest.raises(ParameterError, match="at least 0"):
                m.distribution(Scores([3.0, -1.0], contributions=1))

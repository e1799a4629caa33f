"""Properties of every mechanism that compares queries with a threshold."""

import itertools
import math
from functools import cache
from typing import Any, ClassVar

import numpy as np
import pytest

from dpviz import ParameterError, Scores
from dpviz.gaps.sparse import noise_nodes
from dpviz.gaps.sparse.mechanism import SPLITS, THRESHOLD, ThresholdMechanism
from dpviz.gaps.sparse.run_replay import ThresholdRelease
from tests import meters
from tests.answer_strings import Chances, brute_law, by_query, letters_of
from tests.menus import ContractOfExamples

RUNS = 1200
INPUTS = {
    "spread": [55.0, 48.0, 50.0, 70.0, 41.0],
    "ties": [50.0, 52.0, 50.0, 50.0],
    "far": [900.0, -900.0, 50.0, 51.0, 49.0],
    "below": [30.0, 20.0, 10.0, 5.0],
}


@cache
def law_of(
    contract: type["ThresholdContract"], m: ThresholdMechanism, s: Scores
) -> dict[str, float]:
    """The law that the contract's branch chances give."""
    margins = [(v - m.threshold) / s.sensitivity for v in s.values]
    return brute_law(m, margins, contract().chances(m))


def string(m: ThresholdMechanism, release: ThresholdRelease) -> str:
    """A run as an answer string."""
    text = ["_"] * release.asked
    for item, branch in zip(release.items, release.branches, strict=True):
        text[item] = letters_of(m)[m.branch_names.index(branch)]
    return "".join(text)


class ThresholdContract(ContractOfExamples):
    """List `examples` with threshold 50, and write the `chances` of their branches."""

    menu = THRESHOLD
    examples: ClassVar[list[ThresholdMechanism]]

    def chances(self, m: ThresholdMechanism) -> Chances:
        """The chances of the branches, from the definition of the mechanism."""
        self.missing("chances(m): P(a query is answered by each branch), from noise and margin")

    def law(self, m: ThresholdMechanism, s: Scores) -> dict[str, float]:
        """P(answer string) by the definition."""
        return law_of(type(self), m, s)

    @staticmethod
    def scores(m: ThresholdMechanism, name: str) -> Scores:
        return Scores(INPUTS[name], sensitivity=1.5, monotonic=m.monotonic)

    def pairs(self) -> list[tuple[ThresholdMechanism, Scores]]:
        return [(m, self.scores(m, name)) for m in self.examples for name in INPUTS]

    def general(self, **changes: Any) -> ThresholdMechanism:
        """The first example with threshold 0, the optimal split and these changes."""
        return self.examples[0].replace(**{"threshold": 0.0, "split": "optimal", **changes})

    def test_law_by_adaptive_quadrature(self) -> None:
        for m, s in self.pairs():
            expected = self.law(m, s)
            assert math.fsum(expected.values()) == pytest.approx(1.0, abs=1e-10)
            assert m.answer_strings(s) == pytest.approx(expected, rel=0, abs=1e-10)
            self._agrees(m, s, expected)

    def _agrees(self, m: ThresholdMechanism, s: Scores, law: dict[str, float]) -> None:
        dist = m.distribution(s)
        assert dist.error < 1e-9
        assert dist.answer_probabilities == pytest.approx(by_query(law, s.d), abs=1e-9)
        count, precision, spent = np.zeros(len(dist.answer_count_probabilities)), 0.0, 0.0
        for text, probability in law.items():
            answers = [i for i, letter in enumerate(text) if letter != "_"]
            count[len(answers)] += probability
            units = sum(2 ** letters_of(m).index(letter) for letter in text if letter != "_")
            spent += probability * m.plan.epsilon_spent(units)
            if answers:
                precision += probability * np.mean(s.values[answers] >= m.threshold)
        assert dist.answer_count_probabilities == pytest.approx(count, abs=1e-9)
        assert dist.precision == pytest.approx(precision / (1 - count[0]), abs=1e-8)
        assert dist.expected_epsilon_spent == pytest.approx(spent, abs=1e-9)
        answers = float(count @ np.arange(len(count)))
        assert dist.expected_answers == pytest.approx(answers, abs=1e-9)

    def test_releases_follow_the_definition(self) -> None:
        cases = [(m, self.scores(m, "spread")) for m in self.examples]
        faint = self.general(threshold=50.0, epsilon=self.examples[0].epsilon / 8)
        cases.append((faint, self.scores(faint, "ties")))
        for m, s in cases:
            rng = np.random.default_rng(11)
            runs = [string(m, m.release(s, rng=rng)) for _ in range(RUNS)]
            off = meters.disagreement(runs, self.law(m, s), len(cases))
            assert not off, (m, s, off)

    def test_realised_loss_never_exceeds_epsilon(self) -> None:
        rng = np.random.default_rng(21)
        special = ([0, 0, 0, 0], [40, 40, 40, 40], [60, -60, 60, -60], [5, 5, 5, -40])
        vectors = [*rng.integers(-6, 7, (5, 4)), *map(np.array, special)]
        for split, k, monotonic in itertools.product(SPLITS, (1, 2), (False, True)):
            m, worst = self.general(epsilon=1.2, k=k, split=split, monotonic=monotonic), 0.0
            for values in vectors:
                s = Scores(values * 2.0, sensitivity=2.0, monotonic=monotonic)
                law = m.answer_strings(s)
                for other in meters.corner_neighbours(s):
                    worst = max(worst, meters.largest_loss(law, m.answer_strings(other)))
            assert worst <= m.epsilon * (1 + 1e-9), (m, worst)

    def test_releases_show_no_loss_above_epsilon(self) -> None:
        """Draws of answers and gaps: scores cross the threshold, and a gap grows by Δ."""
        for monotonic, lowest in itertools.product((False, True), (-0.5, 0.5)):
            m = self.general(epsilon=0.25, k=1, monotonic=monotonic)
            seen = []
            for seed, value in enumerate((lowest, lowest + 1)):
                s, rng = Scores([value, value], monotonic=monotonic), np.random.default_rng(seed)
                releases = [m.release(s, rng=rng) for _ in range(RUNS // 2)]
                seen.append([(string(m, r), *(r.gaps > 1.0).tolist()) for r in releases])
            assert meters.loss_seen(*seen) <= m.epsilon, m

    def test_release_is_consistent(self) -> None:
        rng = np.random.default_rng(3)
        for (m, s), _ in itertools.product(self.pairs(), range(20)):
            r = m.release(s, rng=rng)
            assert np.array_equal(np.flatnonzero(r.answers), r.items)
            assert len(r.items) == len(r.gaps) == len(r.branches) == len(r.lower_bounds)
            assert np.all((r.gaps >= 0) & np.isfinite(r.gaps))
            assert (r.items < r.asked).all()
            assert r.units <= m.units
            assert m.epsilon0 + r.spent.sum() == pytest.approx(r.total)
            assert r.total <= m.epsilon * (1 + 1e-12)
            assert np.all(r.lower_bounds < m.threshold + r.gaps)
            assert len(r.table()) == r.asked <= s.d

    def test_many_queries_agree_with_more_nodes(self) -> None:
        """Where kinks are too many to split at, splitting at all of them gives the same."""
        rng = np.random.default_rng(5)
        for m in self.examples[:2]:
            s = Scores(rng.normal(45, 15, 250).round(1), monotonic=m.monotonic)
            dist = m.distribution(s)
            answered, count = dist.answer_probabilities, dist.answer_count_probabilities
            assert dist.error < 1e-7
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(noise_nodes, "MOST_SPLITS", 10_000)
                split = m.distribution(s)
                assert split.answer_probabilities == pytest.approx(answered, abs=dist.error)
                assert split.answer_count_probabilities == pytest.approx(count, abs=dist.error)

    def test_progress_reports_and_cancels(self) -> None:
        m, seen = self.examples[0], list[float]()
        s = Scores(np.linspace(0, 100, 600), monotonic=m.monotonic)
        m.distribution(s, progress=seen.append)
        assert seen[-1] == pytest.approx(1.0)
        assert sorted(seen) == seen

        def stop(fraction: float) -> None:
            raise InterruptedError

        with pytest.raises(InterruptedError):
            m.distribution(s, progress=stop)

    def test_bad_input(self) -> None:
        good: dict[str, Any] = {"epsilon": 1.0, "k": 2, "threshold": 50.0}
        m, s = type(self.examples[0])(**good), Scores([1, 2, 3])
        bad = {
            "threshold": (math.inf, math.nan, "50", True),
            "k": (0, 2.0, True, "2"),
            "epsilon": (0.0, -1.0, math.nan),
            "split": ("fair", (0.5, 0.25), (0.5,), 0.5, (0.5, "x"), (-1.0, 2.0), None),
            "monotonic": (1, "yes"),
        }
        for change in ({name: value} for name, values in bad.items() for value in values):
            with pytest.raises(ParameterError, match=r"\A[^\n]*\.\Z"):
                type(m)(**{**good, **change})
        for call, says in (
            (lambda: m.replace(k=4).distribution(s), "k must be at most 3"),
            (lambda: m.replace(monotonic=True).distribution(s), "monotonic"),
            (lambda: m.distribution([1, 2, 3]), "scores"),
            (lambda: m.release(s, rng="7"), "rng"),
            (lambda: m.confidence_bound(1.0), "confidence"),
            (lambda: m.confidence_bound(math.nan), "confidence"),
        ):
            with pytest.raises(ParameterError, match=says):
                call()

"""What every mechanism that compares queries with a threshold has to keep, and an independent law for it.

`brute_law` enumerates answer strings for any table of branch chances by scipy's adaptive quadrature: it
shares no code with the library, and twins that break privacy are written with it.
"""

import itertools
import json
import math
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from scipy import integrate, stats

from dpviz import ParameterError, Scores
from dpviz.gaps.sparse.mechanism import THRESHOLD, ThresholdMechanism

FALSE_ALARM = 1e-6
RUNS = 2000
INPUTS = {
    "spread": [55.0, 48.0, 50.0, 70.0, 41.0],
    "ties": [50.0, 52.0, 50.0, 50.0],
    "far": [900.0, -900.0, 50.0, 51.0, 49.0],
    "below": [30.0, 20.0, 10.0, 5.0],
}

Chances = Callable[[float, float], Sequence[float]]
"""(threshold noise z, margin m) -> P(answered by each branch)."""


@cache
def vectors() -> dict[str, Any]:
    """The brute-force reference values."""
    text = (Path(__file__).parents[2] / "data" / "vectors.json").read_text(encoding="utf-8")
    return json.loads(text)  # type: ignore[no-any-return]


def survival(u: float) -> float:
    """P(standard Laplace ≥ u)."""
    return 1 - math.exp(u) / 2 if u < 0 else math.exp(-u) / 2


def honest_chances(m: ThresholdMechanism) -> Chances:
    """The branch chances from the definitions of Algorithms 1 and 4."""
    if len(m.branch_names) == 1:
        return lambda z, margin: [survival(m.epsilon1 * (z - margin))]
    sigma = 2 * math.sqrt(2) / m.epsilon1

    def adaptive(z: float, margin: float) -> Sequence[float]:
        top = survival(m.epsilon1 * (z + sigma - margin))
        return [top, (1 - top) * survival(2 * m.epsilon1 * (z - margin))]

    return adaptive


def letters_of(m: ThresholdMechanism) -> str:
    return "".join(branch.letter for branch in m.branches())


def all_strings(letters: str, costs: Sequence[int], units: int, n: int) -> list[str]:
    """Every string that a run can end with, by trying all."""
    found = set()
    for text in itertools.product([*letters, "_"], repeat=n):
        used, string = 0, ""
        for letter in text:
            string += letter
            used += 0 if letter == "_" else costs[letters.index(letter)]
            if used > units - max(costs):
                break
        found.add(string)
    return sorted(found)


def brute_law(
    m: ThresholdMechanism, margins: Sequence[float], chances: Chances, *, noisy_threshold: bool = True
) -> dict[str, float]:
    """P(string) by one adaptive integral each; without threshold noise by the product alone."""
    costs = [1] if len(letters_of(m)) == 1 else [1, 2]
    units = m.k * len(costs)
    sigma = 2 * math.sqrt(2) / m.epsilon1
    offsets = [0.0] if len(costs) == 1 else [0.0, sigma, -sigma]
    inner = sorted({0.0, *(margin - offset for margin in margins for offset in offsets)})
    cuts = [inner[0] - 45 / m.epsilon0, *inner, inner[-1] + 45 / m.epsilon0]
    strings = all_strings(letters_of(m), costs, units, len(margins))

    def product(z: float) -> np.ndarray:
        table = [[*chances(z, margin)] for margin in margins]
        rows = [[*row, 1 - sum(row)] for row in table]
        letters = letters_of(m) + "_"
        return np.array([math.prod(rows[i][letters.index(c)] for i, c in enumerate(s)) for s in strings])

    if not noisy_threshold:
        return dict(zip(strings, product(0.0), strict=True))

    def density(z: float) -> np.ndarray:
        return product(z) * m.epsilon0 / 2 * math.exp(-m.epsilon0 * abs(z))

    total = sum(
        integrate.quad_vec(density, a, b, epsabs=1e-14, epsrel=1e-11)[0] for a, b in itertools.pairwise(cuts) if b > a
    )
    return dict(zip(strings, total, strict=True))


def by_query(law: dict[str, float], n: int, letter: str | None = None) -> np.ndarray:
    """P(query answered), by the branch of that letter if one is named."""
    found = np.zeros(n)
    for text, probability in law.items():
        for i, here in enumerate(text):
            found[i] += probability * (here == letter if letter else here != "_")
    return found


class ThresholdContract:
    """Subclass, list `examples` with threshold 50, and name the rows of vectors.json that apply."""

    examples: ClassVar[list[ThresholdMechanism]]
    vector_name: ClassVar[str]
    vector_price: ClassVar[int]  # units·c·ε1 for k = 1, general scores

    @staticmethod
    def scores(m: ThresholdMechanism, name: str) -> Scores:
        return Scores(INPUTS[name], sensitivity=1.5, monotonic=m.monotonic)

    def pairs(self) -> list[tuple[ThresholdMechanism, Scores]]:
        return [(m, self.scores(m, name)) for m in self.examples for name in INPUTS]

    def test_vectors(self) -> None:
        rows = vectors()[self.vector_name]
        assert rows
        for row in rows:
            split = (row["epsilon0"], row["epsilon1"])
            epsilon = split[0] + self.vector_price * row["k"] * split[1]
            m = type(self.examples[0])(epsilon=epsilon, k=row["k"], threshold=row["threshold"], split=split)
            s = Scores(row["queries"])
            law = m.answer_strings(s)
            assert law.keys() == row["law"].keys()
            for text, probability in row["law"].items():
                assert law[text] == pytest.approx(probability, abs=1e-12)
            dist = m.distribution(s)
            assert dist.answered == pytest.approx(by_query(row["law"], s.d), abs=1e-9)
            for name, letter in zip(m.branch_names, letters_of(m), strict=True):
                assert dist.branch(name) == pytest.approx(by_query(row["law"], s.d, letter), abs=1e-9)

    def test_law_by_adaptive_quadrature(self) -> None:
        for m, s in self.pairs():
            margins = [(v - m.threshold) / s.sensitivity for v in s.values]
            expected = brute_law(m, margins, honest_chances(m))
            law = m.answer_strings(s)
            assert law.keys() == expected.keys()
            assert max(abs(law[text] - expected[text]) for text in law) < 1e-10
            self._agrees(m, s, expected)

    def _agrees(self, m: ThresholdMechanism, s: Scores, law: dict[str, float]) -> None:
        dist = m.distribution(s)
        assert dist.error < 1e-9
        assert dist.answered == pytest.approx(by_query(law, s.d), abs=1e-9)
        count, precision, spent = np.zeros(len(dist.count)), 0.0, 0.0
        for text, probability in law.items():
            answers = [i for i, letter in enumerate(text) if letter != "_"]
            count[len(answers)] += probability
            units = sum(1 + letters_of(m).index(letter) for letter in text if letter != "_")
            spent += probability * m.plan.spent(units)
            if answers:
                precision += probability * np.mean(s.values[answers] >= m.threshold)
        assert dist.count == pytest.approx(count, abs=1e-9)
        assert dist.precision == pytest.approx(precision / (1 - count[0]), abs=1e-8)
        assert dist.spent == pytest.approx(spent, abs=1e-9)
        assert dist.expected_answers == pytest.approx(float(count @ np.arange(len(count))), abs=1e-9)

    def test_releases_follow_the_law(self) -> None:
        checks = len(self.examples) * 12
        for m in self.examples:
            s, rng = self.scores(m, "spread"), np.random.default_rng(11)
            law = m.answer_strings(s)
            seen: dict[str, int] = dict.fromkeys(law, 0)
            for _ in range(RUNS):
                seen[self._string(m, m.release(s, rng=rng))] += 1
            likely = sorted(law, key=law.__getitem__)[-12:]
            for text in likely:
                assert stats.binomtest(seen[text], RUNS, law[text]).pvalue > FALSE_ALARM / checks

    @staticmethod
    def _string(m: ThresholdMechanism, release: Any) -> str:
        text = ["_"] * release.asked
        for item, branch in zip(release.items, release.branches, strict=True):
            text[item] = letters_of(m)[m.branch_names.index(branch)]
        return "".join(text)

    def test_release_is_consistent(self) -> None:
        rng = np.random.default_rng(3)
        for m, s in self.pairs():
            for _ in range(20):
                r = m.release(s, rng=rng)
                assert np.array_equal(np.flatnonzero(r.answers), r.items)
                assert len(r.items) == len(r.gaps) == len(r.branches) == len(r.lower_bounds)
                assert np.all(r.gaps >= 0)
                assert np.isfinite(r.gaps).all()
                assert r.asked <= s.d
                assert (r.items < r.asked).all()
                assert r.units <= m.units
                assert m.epsilon0 + r.spent.sum() == pytest.approx(r.total)
                assert r.total <= m.epsilon * (1 + 1e-12)
                assert np.all(r.lower_bounds < m.threshold + r.gaps)
                assert len(r.table()) == r.asked

    def test_units_are_counted_whole(self) -> None:
        """Far above the threshold every run uses the whole budget: a float sum would stop too early."""
        for k in (1, 3, 7, 10, 49):
            for m in self.examples:
                whole = m.replace(k=k, split="optimal", epsilon=0.1)
                s = Scores(np.full(2 * k + 1, 1e9), monotonic=m.monotonic)
                most = len(whole.distribution(s).count) - 1
                r = whole.release(s, rng=np.random.default_rng(k))
                assert len(r.items) == most
                assert whole.distribution(s).count[-1] == pytest.approx(1.0, abs=1e-10)

    def test_sums(self) -> None:
        for m, s in self.pairs():
            dist = m.distribution(s)
            assert dist.count.sum() == pytest.approx(1.0, abs=1e-10)
            assert np.all(dist.reached[1:] <= dist.reached[:-1] + 1e-10)
            assert np.all(dist.answered <= dist.reached + 1e-10)
            assert m.epsilon0 <= dist.spent <= m.epsilon + 1e-9
            assert dist.method == "exact"

    def test_many_queries_agree_with_more_nodes(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Where kinks are too many to split at, splitting at all of them gives the same."""
        from dpviz.gaps.sparse import noise_nodes

        rng = np.random.default_rng(5)
        for m in self.examples[:2]:
            s = Scores(rng.normal(45, 15, 250).round(1), monotonic=m.monotonic)
            dist = m.distribution(s)
            answered, count, error = dist.answered, dist.count, dist.error
            assert error < 1e-7
            with monkeypatch.context() as patch:
                patch.setattr(noise_nodes, "MOST_SPLITS", 10_000)
                split = m.distribution(s)
                assert split.answered == pytest.approx(answered, abs=error)
                assert split.count == pytest.approx(count, abs=error)

    def test_progress_reports_and_cancels(self) -> None:
        m = self.examples[0]
        s = Scores(np.linspace(0, 100, 600), monotonic=m.monotonic)
        seen: list[float] = []
        dist = m.distribution(s, progress=seen.append)
        assert seen[-1] == pytest.approx(1.0)
        assert sorted(seen) == seen
        assert dist.count.sum() == pytest.approx(1.0)

        def stop(fraction: float) -> None:
            raise InterruptedError

        with pytest.raises(InterruptedError):
            m.distribution(s, progress=stop)

    def test_bad_input(self) -> None:
        cls = type(self.examples[0])
        good: dict[str, Any] = {"epsilon": 1.0, "k": 2, "threshold": 50.0}
        cls(**good)
        bad = [
            {"threshold": math.inf}, {"threshold": math.nan}, {"threshold": "50"}, {"threshold": True},
            {"k": 0}, {"k": 2.0}, {"k": True}, {"k": "2"}, {"epsilon": 0.0}, {"epsilon": -1.0}, {"epsilon": math.nan},
            {"split": "fair"}, {"split": (0.5, 0.25)}, {"split": (0.5,)}, {"split": 0.5}, {"split": (0.5, "x")},
            {"split": (-1.0, 2.0)}, {"split": None}, {"monotonic": 1}, {"monotonic": "yes"},
        ]  # fmt: skip
        for change in bad:
            with pytest.raises(ParameterError) as caught:
                cls(**{**good, **change})
            assert str(caught.value).endswith(".")
            assert "\n" not in str(caught.value)
        m = cls(**good)
        with pytest.raises(ParameterError, match="k must be at most 3"):
            m.replace(k=4).distribution(Scores([1, 2, 3]))
        with pytest.raises(ParameterError, match="monotonic"):
            m.replace(monotonic=True).distribution(Scores([1, 2, 3]))
        with pytest.raises(ParameterError, match="scores"):
            m.distribution([1, 2, 3])  # type: ignore[arg-type]
        with pytest.raises(ParameterError, match="rng"):
            m.release(Scores([1, 2, 3]), rng=7)  # type: ignore[arg-type]
        for confidence in (0.0, 1.0, -1, math.nan, "95"):
            with pytest.raises(ParameterError, match="confidence"):
                m.confidence_bound(confidence)  # type: ignore[arg-type]

    def test_registered(self) -> None:
        m = self.examples[0]
        assert THRESHOLD[m.name] is type(m)
        assert m.key.startswith(m.name + "(")
        assert len({example.key for example in self.examples}) == len(self.examples)
        assert m.suited_to(Scores([1, 2], monotonic=True)).monotonic

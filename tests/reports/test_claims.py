"""The papers' numbers: each value against another way to it, and verdicts that follow from the numbers alone."""

import json
import math
import re
from collections.abc import Iterable
from itertools import combinations, permutations
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq

from dpviz import Canonical, OneShot, Peeling, Scores
from dpviz.candidates.pool import CandidatePool
from dpviz.candidates.stopping import KnownThreshold, RandomStopping
from dpviz.data.generators import Zipf
from dpviz.gaps.gap_estimates import gap_variance
from dpviz.gaps.sparse.sparse_vector import AdaptiveSparseVector, SparseVector
from dpviz.margin.compared import NoisyMax
from dpviz.margin.large_margin import LargeMargin
from dpviz.privacy.meter import privacy_loss
from dpviz.reports.reproduction.claims import (
    canonical,
    definitions,
    free_gap,
    large_margin,
    private_approximate,
    private_candidates,
    private_search,
    section_five,
    sparse_vector,
)
from dpviz.reports.reproduction.claims.claim import CLAIMS, PAPERS, Finding, PrintedNumber
from dpviz.reports.reproduction.claims.table import SHOWN, claims_frame, jobs, shown, unshown
from dpviz.reports.reproduction.shared import EXPECTED, Folder, Vector
from dpviz.topk.budget import smallest_epsilon
from tests.menus import Contract

NOTHING = Folder((), (), tuple(EXPECTED))


def claim(low: float, high: float) -> PrintedNumber:
    return PrintedNumber(
        paper="", where="", says="", printed="", low=low, high=high, compute=lambda vectors: Finding(values={}, why="")
    )


@pytest.fixture(scope="module")
def found() -> dict[str, Finding]:
    """Every claim that needs no data."""
    return {name: CLAIMS[name].find({}) for name in CLAIMS if not CLAIMS[name].files}


def value(found: dict[str, Finding], name: str) -> float:
    (one,) = found[name].values.values()
    return one


@pytest.mark.parametrize(
    ("values", "error", "word"),
    [
        ({"": 1.5}, 0.0, "agrees"),
        ({"": 2.0}, 0.0, "agrees"),
        ({"": 2.1}, 0.0, "differs"),
        ({"": 2.1}, 0.2, "open"),
        ({"": 1.9}, 0.2, "open"),
        ({"": 0.9}, 0.2, "open"),
        ({"a": 9.0, "b": 1.2}, 0.1, "agrees"),
        ({"a": 9.0, "b": 0.2}, 0.1, "differs"),
    ],
)
def test_the_verdict_follows_from_the_numbers(values, error, word):
    assert claim(1.0, 2.0).verdict(Finding(values=values, error=error, why="")).word == word


def test_the_reading_told_is_the_nearest():
    verdict = claim(1.0, 2.0).verdict(Finding(values={"far": 9.0, "near": 0.2}, why=""))
    assert (verdict.reading, verdict.value) == ("near", 0.2)


class TestClaims(Contract):
    """What holds for every claim that needs no data; those that do are held to it where their data are."""

    menu = CLAIMS
    names = frozenset(CLAIMS)

    def test_it_can_be_decided_and_says_why(self, found):
        for name, finding in found.items():
            assert CLAIMS[name].verdict(finding).word != "open", name
            assert finding.why.strip().endswith((".", ")")), name
            assert not re.search(r"\de[-+]\d", finding.why), name
            assert finding.error >= 0, name


def claim_files() -> set[str]:
    """The modules that state claims: each is found by lying in the folder."""
    return {CLAIMS[name].compute.__module__.rpartition(".")[2] for name in CLAIMS}


def untested(files: Iterable[str], tests: str) -> list[str]:
    """The files of claims that no test asks for anything."""
    return [name for name in files if not re.search(rf"\b{name}\.\w+", tests)]


def test_every_file_of_claims_is_tested():
    tests = "".join(file.read_text(encoding="utf-8") for file in Path(__file__).parent.glob("test_claims*.py"))
    assert len(claim_files()) >= 9
    assert not untested(claim_files(), tests)
    assert untested(["a_tenth"], tests) == ["a_tenth"]


def stored(finding: Finding, of: PrintedNumber) -> list[object]:
    """Its verdict, and the figure it follows from, to six digits."""
    verdict = of.verdict(finding)
    return [verdict.word, float(f"{verdict.value:.6g}")]


def test_every_claim_has_a_stored_verdict_and_keeps_it(found):
    verdicts = json.loads((Path(__file__).parent / "verdicts.json").read_text(encoding="utf-8"))
    assert sorted(verdicts) == sorted(found), "a claim needs its verdict in verdicts.json"
    for name, (word, figure) in verdicts.items():
        assert stored(found[name], CLAIMS[name]) == [word, pytest.approx(figure, rel=1e-5, abs=1e-9)], name


def test_every_claim_has_its_words():
    for name in CLAIMS:
        one = CLAIMS[name]
        assert one.where, name
        assert one.printed, name
        assert one.says.endswith("."), name
        assert math.isfinite(one.low) or math.isfinite(one.high), name


def test_claims_name_their_paper_and_files():
    assert set(PAPERS.values()) == {CLAIMS[name].paper for name in CLAIMS}
    assert {file for name in CLAIMS for file in CLAIMS[name].files} <= set(EXPECTED)


def test_claims_on_the_papers_data_say_what_they_need(found):
    results = {job.key: found[job.name] for job in jobs(NOTHING)}
    frame = claims_frame(NOTHING, results).set_index("claim")
    waiting = {name for name in CLAIMS if CLAIMS[name].files}
    assert set(frame.index[frame["verdict"] == "needs the data"]) == waiting
    assert frame.loc["canonical.multiple_1000", "why"] == "Needs netflix.csv, more than 1,000 items long."
    short = Folder((Vector("netflix", Scores(np.arange(200.0), monotonic=True), "", ""),), (), ())
    names = {job.name for job in jobs(short)}
    assert "canonical.multiple_100" in names
    assert "canonical.multiple_1000" not in names


def test_every_figure_and_table_is_shown_or_has_its_reason():
    table = unshown(NOTHING)
    assert len(table) == len(SHOWN)
    assert (table["note"].str.len() > 0).all()
    assert set(table["here"]) == {"shown", "not shown"}  # the Zipf figures need no data
    figures = [one.what for one in SHOWN if one.paper == "canonical" and one.what.startswith("Figure")]
    assert [what.split(":")[0] for what in figures] == [f"Figure {i}" for i in range(1, 11)]
    panels = {f"{i}{letter}" for i in (1, 2, 3) for letter in "abcdef"}
    told = " ".join(one.what for one in SHOWN if one.paper == "free_gap")
    assert all(panel in told for panel in panels)


def test_values_are_told_with_the_digits_they_have():
    assert shown(0.99972527, 1e-6, "%") == "99.97\u202f%"
    assert shown(466.29, 1e-3, "×") == "466.3×"
    assert shown(0.0, 0.0) == "0"


# Shekelyan & Loukides


def subset_weights(x: np.ndarray, k: int, gamma: float, epsilon: float) -> dict[tuple[int, ...], float]:
    """Canonical with gumbel noise on falling scores by enumeration: best missing and worst present of every subset."""
    weights = {}
    for items in combinations(range(len(x)), k):
        optimal = min(x[i] for i in items) == np.sort(x)[-k] and items == tuple(range(k))
        missing = np.sort(x)[-k] if optimal else max(x[i] for i in range(len(x)) if i not in items)
        weights[items] = math.exp(-epsilon / 2 * ((1 - gamma) * missing - gamma * min(x[i] for i in items)))
    total = sum(weights.values())
    return {items: w / total for items, w in weights.items()}


def peeled(x: np.ndarray, k: int, epsilon: float) -> dict[tuple[int, ...], float]:
    """Peeling by enumeration of the orders."""
    w = np.exp(epsilon / (2 * k) * (x - x.max()))
    chances: dict[tuple[int, ...], float] = {}
    for order in permutations(range(len(x)), k):
        chance, left = 1.0, float(w.sum())
        for i in order:
            chance *= w[i] / left
            left -= w[i]
        key = tuple(sorted(order))
        chances[key] = chances.get(key, 0.0) + chance
    return chances


SMALL = np.array([9.0, 7.0, 4.0, 3.0, 1.0])


def test_multiples_by_enumeration():
    got = canonical.multiples(Scores(SMALL, monotonic=True), 2, (0.9,))
    x = 2 * SMALL  # counts: Δ acts as ½
    needs = {
        "canonical": brentq(lambda e: subset_weights(x, 2, 0.5, e)[0, 1] - 0.9, 0.01, 9),
        "canonical γ=1": brentq(lambda e: subset_weights(x, 2, 1.0, e)[0, 1] - 0.9, 0.01, 9),
        "peeling": brentq(lambda e: peeled(x, 2, e)[0, 1] - 0.9, 0.01, 9),
    }
    for own in ("canonical", "canonical γ=1"):
        assert got[f"peeling against {own}, P(TOP) ≥ 90\u202f%"] == pytest.approx(
            needs["peeling"] / needs[own], rel=1e-5
        )
    assert len(got) == 4


def test_the_chance_at_which_a_multiple_is_reached():
    scores = Scores(SMALL, monotonic=True)
    p = canonical.matching_chance(scores, 2, 1.3)
    needs = [
        smallest_epsilon(m, scores, probability=p)
        for m in (OneShot(epsilon=1.0, k=2, noise="exponential"), Canonical(epsilon=1.0, k=2, gamma=1.0))
    ]
    assert needs[0] / needs[1] == pytest.approx(1.3, abs=0.02)


def test_the_zipf_claim_takes_the_least_of_four():
    got = canonical.on_zipf((2e-7,), size=7, k=2)["1.5·10⁸, unrounded"]
    share = np.arange(1.0, 8) ** -2e-7
    x = 2 * 1.5e8 * share / share.sum()
    x -= x.max()
    others = [subset_weights(x, 2, gamma, 1.0)[0, 1] for gamma in (0.5, 1.0)]
    assert got == pytest.approx(min(peeled(x, 2, 1.0)[0, 1], *others), abs=1e-9)
    flat = canonical.on_zipf((0.0,), size=7, k=2)["15⁷, rounded to counts"]
    assert flat == pytest.approx(1 / math.comb(7, 2), abs=1e-9)


def test_variances_are_the_textbooks():
    assert definitions.variance("gumbel") == pytest.approx(math.pi**2 / 6, abs=1e-3)
    assert definitions.variance("laplace") == pytest.approx(2.0, abs=1e-3)
    assert definitions.variance("logistic") == pytest.approx(math.pi**2 / 3, abs=1e-3)
    assert definitions.variance("exponential") == pytest.approx(1.0, abs=1e-3)
    assert definitions.variance("half_logistic") == pytest.approx(math.pi**2 / 3 - math.log(4) ** 2, abs=1e-3)


def test_the_best_noise_is_the_one_that_needs_least():
    scores = Scores([40.0, 30.0, 28.0, 5.0], monotonic=True)
    got = canonical.best_noises(scores, (1,), (0.9,))
    assert got == {"k = 1, 90\u202f%": "exponential"}


def test_examples_and_misprints(found):
    assert value(found, "canonical.loss_of_example") == 4.0
    assert value(found, "canonical.joint_of_example") == 3.5
    assert value(found, "canonical.laplace_cdf") == pytest.approx(1 - math.exp(-1) / 2)
    assert value(found, "canonical.laplace_quantile") == pytest.approx(-math.log(0.2))
    assert value(found, "canonical.logistic_quantile") == pytest.approx(math.log(9))
    assert value(found, "canonical.great") == 110
    assert value(found, "canonical.classes") == 0


def test_lemma_5_1_by_enumeration():
    x = np.array([3.0, 2.5, 1.0, 0.0])
    p, q = (np.array(list(subset_weights(x, 2, g, e).values())) for g, e in ((0.5, 2.0), (1.0, 1.0)))
    ratios = [abs(p[i] - p[j]) / abs(q[i] - q[j]) for i, j in combinations(range(6), 2) if abs(q[i] - q[j]) > 1e-9]
    assert section_five.least_ratio(Scores(x), 2, 0.5, 1.0, 1.0) == pytest.approx(min(ratios), abs=1e-9)


@pytest.mark.parametrize("peeling", [False, True])
def test_the_leaps_by_enumeration(peeling):
    excess, scores, k = section_five.most_above(peeling, turned=True)
    x, d = scores.ranked, scores.d
    top = (peeled(x, k, 2.0) if peeling else subset_weights(x, k, 1.0, 2.0))[tuple(range(k))]
    gap = x[k - 1] - x[k]
    odds = (d - 1 - k) * k * math.exp(-gap / k) if peeling else math.comb(d, k) * math.exp(-gap)
    leap = odds / (1 + odds)
    assert excess == pytest.approx(1 - top - leap, abs=1e-9)


def test_some_of_the_top_k_by_hand():
    scores = Scores([0.5] + [0.0] * 7)
    assert section_five.met_at_all(scores, 1) == pytest.approx(math.exp(0.5) / (math.exp(0.5) + 7), abs=1e-9)


def test_mean_leaps_by_the_gamma_function():
    log_sets = math.lgamma(2001) - 2 * math.lgamma(1001)
    assert section_five.mean_leaps(1000, 2, 0.5) == pytest.approx(0.5 * 1000 * math.log(999 * 1000) / log_sets)


def test_shortfalls_by_enumeration():
    scores, k, e = Zipf(size=6, exponent=0.5).scores(), 2, 1e-7
    got = section_five.shortfall_ratios(0.1, 6, (e,), (k,))
    x = scores.ranked
    for name, chances, bound in (
        ("canonical", subset_weights(x, k, 0.5, e), 4 / e * (k * math.log(3) + math.log(10) + k)),
        ("peeling", peeled(x, k, e), 2 / e * (k * math.log(12) + k * math.log(10))),
    ):
        rows = sorted((x[k - 1] - min(x[i] for i in items), p) for items, p in chances.items())
        reached = np.cumsum([p for _, p in rows])
        exact = max(0.0, rows[int(np.searchsorted(reached, 0.9))][0])
        assert got[name] == pytest.approx(exact / bound, rel=1e-6)


def test_peelings_bound_fails_at_one_selection():
    away = math.log(1000) + math.log(100) - 0.06
    miss = 999 * math.exp(-away)
    assert section_five.peeling_failure(1000, 0.01) == pytest.approx(miss / (1 + miss) / 0.01, rel=1e-6)


def test_log_c_and_sidak(found):
    exact = max(
        (math.log(math.comb(f * k, k)) - k * math.log(f)) / k for f, k in ((2, 1), (10, 50), (1000, 199), (1000, 1000))
    )
    assert exact <= value(found, "canonical.log_c") <= 1
    assert value(found, "canonical.sidak") > (1 - 0.9**1e-6) / (0.1 * 1e-6) - 1e-6


# Ding, Wang, Zhang & Kifer

QUERIES = Scores([6.0, 1.0, 9.0, 2.0, 8.0, 30.0])


def by_strings(mechanism: SparseVector | AdaptiveSparseVector, scores: Scores) -> tuple[float, float, float]:
    """(mean answers, mean of those by the middle branch, mean false ones), from the law over answer strings."""
    answers = middle = false = 0.0
    for text, p in mechanism.answer_strings(scores).items():
        letters = list(text)
        answers += p * sum(letter != "_" for letter in letters)
        middle += p * letters.count("M")
        false += p * sum(a != "_" and v < mechanism.threshold for a, v in zip(letters, scores.values, strict=False))
    return answers, middle, false


def test_answers_branches_and_false_ones_by_strings():
    told = {"epsilon": 0.7, "k": 2, "threshold": float(np.quantile(QUERIES.values, 0.95))}
    plain, adaptive = by_strings(SparseVector(**told), QUERIES), by_strings(AdaptiveSparseVector(**told), QUERIES)
    gained, error = sparse_vector.answers_gained(QUERIES, 2)
    assert gained == pytest.approx(adaptive[0] - plain[0], abs=1e-8)
    assert error < 1e-8
    assert sparse_vector.false_gained(QUERIES, 2) == pytest.approx(adaptive[2] - plain[2], abs=1e-8)
    assert sparse_vector.middle_share(QUERIES, 2) == pytest.approx(adaptive[1] / adaptive[0], abs=1e-8)


def test_where_a_share_falls_to_a_half():
    assert sparse_vector.half_way(lambda q: 0.5 + 20 * (0.97 - q)) == pytest.approx(0.97, abs=5e-4)
    assert sparse_vector.half_way(lambda q: 0.4) is None
    assert sparse_vector.half_way(lambda q: 0.6) is None


def test_least_squares_by_hand():
    # k = 2: β_1 mixes α_1 with α_2 + gap, whose variances are 1 and 1 + 2λ
    assert free_gap.generalised_least_squares(2, 4.0) == pytest.approx(1 / (1 + 1 / 9))


def test_simulated_gain_is_the_formulas_where_selection_is_certain():
    gain, half = free_gap._simulated(Scores([3e4, 2e4, 1e4, 0.0]), 3, 0.7)
    assert abs(gain - (1 - 13 / 15)) < 2 * half


def test_simulated_gain_of_sparse_vector_is_the_formulas_where_what_is_answered_is_certain():
    gain, half = free_gap._simulated_sparse(Scores([6e4, 5e4, 4e4] + [0.0] * 97), 3, 0.7)
    assert abs(gain - (1 - free_gap._sparse_ratio(3))) < 2 * half


def test_the_noise_of_a_gap(found):
    for k in (5, 25):
        plain = SparseVector(epsilon=0.5, k=k, threshold=0.0)
        gap, measured = gap_variance(plain.epsilon0, plain.epsilon1), 8 * k * k
        assert free_gap._sparse_ratio(k) == pytest.approx(1 / (1 / gap + 1 / measured) / measured)
    assert value(found, "free_gap.sparse_limit") == pytest.approx(0.2, abs=1e-6)


def test_lemma_7_and_what_it_is_worth_after_an_answer(found):
    def tail(w: float) -> float:  # P(η_i − η ≥ w), scales 4 and 2
        def inside(v: float) -> float:
            sf = 1 - 0.5 * math.exp((w + v) / 4) if w + v < 0 else 0.5 * math.exp(-(w + v) / 4)
            return sf * math.exp(-abs(v) / 2) / 4

        return quad(inside, -80, 80, points=[0.0, -w], limit=200, epsabs=1e-12)[0]

    printed = 1 - (0.25 * math.exp(-0.25 * 3) - 0.0625 * math.exp(-0.5 * 3)) / (2 * (0.25 - 0.0625))
    assert tail(-3.0) == pytest.approx(printed, abs=1e-9)
    t = brentq(lambda v: 1 - tail(v) - 0.95, 1, 60)
    assert value(found, "free_gap.coverage") == pytest.approx(1 - tail(t) / tail(5.0), abs=1e-6)


def test_the_most_answers():
    for k in (1, 2):
        strings = AdaptiveSparseVector(epsilon=1.0, k=k, threshold=0.0).answer_strings(Scores([1e6] * (2 * k)))
        assert sparse_vector.most_answers(k) == max(
            sum(c != "_" for c in text) for text, p in strings.items() if p > 1e-9
        )


def test_ties_by_the_series():
    q = math.exp(-0.3)
    mass = [(1 - q) / (1 + q) * q ** abs(i) for i in range(-400, 401)]
    assert free_gap.tie_chance(3.0, 0.1) == pytest.approx(sum(p * p for p in mass))


def test_noisy_max_loses_half_for_counts(found):
    def chance(x: list[float]) -> float:  # item 0 wins, Laplace noise of scale 2
        def inside(z: float) -> float:
            cdf = [0.5 * math.exp(u) if u < 0 else 1 - 0.5 * math.exp(-u) for u in ((z - v) / 2 for v in x[1:])]
            return math.prod(cdf) * math.exp(-abs(z - x[0]) / 2) / 4

        return quad(inside, -80, 90, points=sorted(set(x)), limit=400, epsabs=1e-13)[0]

    loss = abs(math.log(chance([3.0, 2.0, 2.0, 0.0]) / chance([3.0, 3.0, 3.0, 1.0])))
    mechanism = OneShot(epsilon=0.5, k=1, noise="laplace")
    pair = [Scores(v, monotonic=True) for v in ([3.0, 2.0, 2.0, 0.0], [3.0, 3.0, 3.0, 1.0])]
    assert privacy_loss(mechanism, *pair).largest >= loss - 1e-8
    assert loss <= value(found, "free_gap.counting_queries") <= 0.5


# Chaudhuri, Hsu & Song


def test_who_must_move():
    assert large_margin.people_to_move(2, 3) == 2
    assert large_margin.people_to_move(3, 2) == 3


def test_people_needed_are_the_least():
    for size in (6, 240):
        _, other = large_margin.least_people(size)
        assert other == math.ceil(2 * (math.log(19) + size * math.log(10)))
    own, _ = large_margin.least_people(6)
    mechanism = LargeMargin(epsilon=1.0, delta=1e-6)
    assert mechanism.distribution(Scores([own + 3.0, 0.0]), zeros=10**6).best >= 0.95
    assert mechanism.distribution(Scores([own - 3.0, 0.0]), zeros=10**6).best < 0.95


def test_the_worst_delta_is_that_of_the_laws():
    mechanism, scores, at = LargeMargin(epsilon=0.1, delta=0.2), Scores([60.0, 0.0]), 1e-3
    law = mechanism.distribution(scores).inclusion
    deltas, losses = [], []
    for step in ((a, b) for a in (-1, 0, 1) for b in (-1, 0, 1)):
        other = mechanism.distribution(Scores(scores.values + np.array(step))).inclusion
        for p, q in ((law, other), (other, law)):
            deltas.append(float(np.maximum(p - math.exp(at) * q, 0).sum()))
            losses.append(float(np.log(p / q).max()))
    got = large_margin.worst_delta(mechanism, scores, at)
    assert got == pytest.approx((max(deltas), max(losses)), abs=1e-9)
    assert max(deltas) > 1e-6


def test_the_mean_loss_by_hand():
    law = NoisyMax(epsilon=0.2).distribution(Scores([20.0, 10.0, 1.0]), zeros=4)
    weights = np.exp(0.1 * np.array([20.0, 10.0, 1.0, 0.0])) * np.array([1, 1, 1, 4])
    assert large_margin.lost(law, 4) == pytest.approx(weights @ [0, 10, 19, 20] / weights.sum())


def test_bounds_of_one_item(found):
    assert value(found, "large_margin.exponential_mechanism") == pytest.approx(math.exp(5) / (999 + math.exp(5)))
    fail = 1 - 0.5 * math.exp(-1 - math.log(1 / (2e-6)))  # P(Lap(D/ε) > D + (D/ε)·log(1/(2δ)))
    assert value(found, "large_margin.instability_fails") == pytest.approx(fail, rel=1e-9)
    assert value(found, "large_margin.theorem_1") == pytest.approx(
        12 * math.log(4e6) / math.floor(2 * math.log((1e6 - 1) / 2))
    )


# Liu & Talwar


def masses() -> list[tuple[np.ndarray, np.ndarray]]:
    return [(one.candidates[0].mass, other.candidates[0].mass) for one, other in private_candidates.pairs(0.5)]


def test_pairs_are_neighbours():
    for one, other in masses():
        assert one.sum() == pytest.approx(1)
        assert other.sum() == pytest.approx(1)
        assert np.abs(np.log(one / other)).max() <= 0.5 + 1e-9


def test_random_stopping_by_its_formula():
    def chances(p: np.ndarray, stop: float) -> np.ndarray:
        above = np.append(np.cumsum(p[::-1])[::-1][1:], 0.0)
        return stop * p / ((above * (1 - stop) + stop) * ((above + p) * (1 - stop) + stop))

    loss = max(float(np.abs(np.log(chances(p, 0.01) / chances(q, 0.01))).max()) for p, q in masses())
    assert private_candidates.worst_loss(RandomStopping(stop=0.01), 0.5) == pytest.approx(loss, rel=1e-9)
    assert loss < 1.5


def test_the_known_threshold_by_its_formula():
    rule = KnownThreshold(threshold=1.0, stop=0.1, epsilon0=0.1)

    def chances(p: np.ndarray) -> np.ndarray:
        a = (1 - p[1:].sum()) * 0.9
        out = p[1:] * (1 - a**rule.least_limit) / (1 - a)
        return np.append(out, 1 - out.sum())

    loss = max(float(np.abs(np.log(chances(p) / chances(q))).max()) for p, q in masses())
    assert private_candidates.worst_loss(rule, 0.5) == pytest.approx(loss, rel=1e-6)
    assert loss < 1.1


def test_runs_by_the_series():
    a = 0.99 * 0.9
    rule = KnownThreshold(threshold=1.0, stop=0.1, epsilon0=0.1, limit=30)
    assert private_candidates.law_of_one(rule, 0.01).runs.mean == pytest.approx(sum(a**j for j in range(30)))


def test_the_percentile_test_by_an_integral():
    scale = 2 * 2 * 0.5 / 6  # of ν: 2S/ε3, ξ has twice that

    def goes_on(log_odds: float, steps: int) -> float:
        def inside(v: float) -> float:
            u = (v - log_odds) / (2 * scale)
            cdf = 0.5 * math.exp(u) if u < 0 else 1 - 0.5 * math.exp(-u)
            return cdf**steps * math.exp(-abs(v) / scale) / (2 * scale)

        return quad(inside, -20, 20, points=[0.0, log_odds], limit=400, epsabs=1e-12)[0]

    stopped, given = private_search.stop_chances(20, 0.1, above=False)
    assert given == 1.0
    assert stopped == pytest.approx(1 - goes_on(math.log(0.1 / 21), 20), abs=1e-7)
    assert private_search.stop_chances(1, 0.1, above=True)[1] == pytest.approx(goes_on(math.log(10), 1), abs=1e-7)


def test_the_loss_of_a_search_by_integrals():
    scale = 2 * 2 * 0.5 / 6  # of ν: 2S/ε3, ξ has twice that

    def law(first: float, second: float) -> np.ndarray:
        """P(stops at the first, at the second, at none) by the log odds of two queries."""

        def goes_on(v: float, log_odds: float) -> float:
            u = (v - log_odds) / (2 * scale)
            return 0.5 * math.exp(u) if u < 0 else 1 - 0.5 * math.exp(-u)

        def over_noise(inside) -> float:
            def weighed(v: float) -> float:
                return inside(v) * math.exp(-abs(v) / scale) / (2 * scale)

            return quad(weighed, -20, 20, points=[-0.5, 0.0, 0.5], limit=400, epsabs=1e-12)[0]

        past = over_noise(lambda v: goes_on(v, first))
        none = over_noise(lambda v: goes_on(v, first) * goes_on(v, second))
        return np.array([1 - past, past - none, none])

    loss = float(np.abs(np.log(law(-0.5, 0.5) / law(0.5, -0.5))).max())
    assert private_search.search_loss(2) == pytest.approx(loss, abs=1e-6)
    assert loss < private_search.search_loss(4) < 6


def test_what_was_passed_over():
    first = private_search.stop_chances(1, 0.1 / 3, above=True)[1]  # goes on after the first
    assert 0.7 * first < private_search.passed_over(0.1) < first < 0.1


def test_approximate_pairs_are_close():
    count = 0
    for one, other in private_approximate.approximate_pairs():
        laws = [dict(zip(p.candidates[0].scores, p.candidates[0].mass, strict=True)) for p in (one, other)]
        for p, q in (laws, laws[::-1]):
            assert sum(max(0.0, mass - math.exp(0.5) * q.get(at, 0.0)) for at, mass in p.items()) <= 1e-4 * (1 + 1e-9)
        count += 1
    assert count > 100


@pytest.mark.parametrize("stop", [0.1, 0.01])
def test_the_delta_of_the_known_threshold_by_its_formula(stop):
    rule = KnownThreshold(threshold=1.0, stop=stop, epsilon0=0.1)

    def chances(pool: CandidatePool) -> dict[float, float]:
        law = pool.candidates[0]
        good = law.scores >= 1
        a = (1 - law.mass[good].sum()) * (1 - stop)
        out = dict(zip(law.scores[good], law.mass[good] * (1 - a**rule.least_limit) / (1 - a), strict=True))
        return out | {-math.inf: 1 - sum(out.values())}

    most = 0.0
    for pair in private_approximate.approximate_pairs():
        laws = [chances(pool) for pool in pair]
        for p, q in (laws, laws[::-1]):
            most = max(most, sum(max(0.0, mass - math.exp(0.6) * q.get(at, 0.0)) for at, mass in p.items()))
    assert private_approximate.largest_delta(rule, 0.6) == pytest.approx(most, rel=1e-6)


def test_the_delta_of_a_hard_stop_by_the_law_of_the_best():
    stop, limit = 0.1, 70

    def chances(pool: CandidatePool) -> dict[float, float]:
        law = pool.candidates[0]
        runs = np.append(stop * (1 - stop) ** np.arange(limit - 1), (1 - stop) ** (limit - 1))
        below = {at: law.mass[law.scores < at].sum() for at in law.scores}
        n = np.arange(1, limit + 1)
        return {
            at: float(runs @ ((below[at] + mass) ** n - below[at] ** n))
            for at, mass in zip(law.scores, law.mass, strict=True)
        }

    most = 0.0
    for pair in private_approximate.approximate_pairs():
        laws = [chances(pool) for pool in pair]
        for p, q in (laws, laws[::-1]):
            most = max(most, sum(max(0.0, mass - math.exp(0.8) * q.get(at, 0.0)) for at, mass in p.items()))
    rule = RandomStopping(stop=stop, limit=limit)
    assert private_approximate.largest_delta(rule, 0.8) == pytest.approx(most, rel=1e-6)


def test_the_rest_of_the_candidates(found):
    assert private_candidates.packing_bound(6, 0.01, 0.1) == pytest.approx(0.99 * math.log(1e6) / 71 / 0.1)
    assert value(found, "candidates.example_b_1") == pytest.approx(-math.log(2 - math.exp(0.5)))
    assert value(found, "candidates.best_of_k") == pytest.approx(1.2)
    assert value(found, "candidates.theorem_1_2c") == pytest.approx(1000 / 1001, rel=1e-3)
    shares = [1 / (1 + (1 - p) * g / p) * (1 - p) for p in (0.5, 0.1, 1e-2, 1e-3, 1e-4) for g in (0.5, 0.1, 0.01, 1e-3)]
    assert value(found, "candidates.theorem_3_3") <= 1
    assert max(shares) <= 1
    assert Peeling(epsilon=1.0, k=1).distribution(Scores([1.0, 0.0])).top == pytest.approx(1 / (1 + math.exp(-0.5)))

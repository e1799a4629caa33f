"""Numbers of Liu & Talwar another way: chances of runs added up, laws of the best."""

import math
from collections.abc import Callable
from functools import partial
from itertools import product

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad

from dpviz.candidates.pool import CandidatePool
from dpviz.candidates.stopping import KnownThreshold
from dpviz.export.reproduction.claims import candidates, searches
from tests.export.claim_checks import finding, stored, value

CHANCES, STOPS = (0.5, 0.1, 1e-2, 1e-3, 1e-4), (0.5, 0.1, 0.01, 1e-3)


def masses() -> list[tuple[np.ndarray, np.ndarray]]:
    return [
        (one.candidates[0].mass, other.candidates[0].mass)
        for one, other in candidates.neighbouring_pool_pairs(0.5)
    ]


def largest_loss(chances: Callable[[np.ndarray], np.ndarray]) -> float:
    """Over the same pairs, of a rule whose law is a function of the masses of one run."""
    return max(float(np.abs(np.log(chances(p) / chances(q))).max()) for p, q in masses())


def least_limit(stop: float) -> int:
    """Of theorem 3.1 at ε0 = 0.1."""
    return math.ceil(max(math.log(2 / 0.1) / stop, 1 + 1 / (math.e * stop)))


@pytest.mark.checks("candidates.theorem_3_1b", "candidates.theorem_3_2", "candidates.theorem_3_5")
def test_pairs_are_neighbours():
    for one, other in masses():
        assert (one.sum(), other.sum()) == pytest.approx((1, 1))
        assert np.abs(np.log(one / other)).max() <= 0.5 + 1e-9


@pytest.mark.checks("candidates.theorem_3_1a")
def test_the_known_threshold_is_one_run_given_that_it_is_good():
    pool = CandidatePool([([0.1, 0.6, 0.9], [0.5, 0.3, 0.2]), ([0.2, 0.7], [0.9, 0.1])])
    law = KnownThreshold(threshold=0.6, stop=0.05, epsilon0=0.2).distribution(pool)
    goes_on = 0.95 * (1 - (0.3 + 0.2 + 0.1) / 2)
    runs = sum(goes_on**i for i in range(math.ceil(math.log(2 / 0.2) / 0.05)))
    assert law.candidate == pytest.approx(np.array([0.5, 0.1]) / 2 * runs, rel=1e-12)
    assert value("candidates.theorem_3_1a") == pytest.approx(0, abs=1e-12)


@pytest.mark.checks("candidates.theorem_3_1b")
def test_the_known_threshold_by_its_formula():
    def chances(p: np.ndarray, stop: float) -> np.ndarray:
        a = (1 - p[1:].sum()) * (1 - stop)
        out = p[1:] * (1 - a ** least_limit(stop)) / (1 - a)
        return np.append(out, 1 - out.sum())

    losses = [largest_loss(partial(chances, stop=stop)) for stop in (0.1, 1e-3)]
    assert stored("candidates.theorem_3_1b") == pytest.approx(max(losses), rel=1e-5)


@pytest.mark.checks("candidates.theorem_3_1d", "candidates.theorem_3_1e", "candidates.theorem_1_2c")
def test_runs_and_nothing_by_the_series():
    runs, nothing = [], []
    for p, stop in product(CHANCES, STOPS):
        going = ((1 - p) * (1 - stop)) ** np.arange(least_limit(stop))
        runs.append(going.sum() * (p * (1 - stop) + stop))
        nothing.append((1 - p * going.sum()) / ((1 - p) * 1.05 * stop / p))
    assert value("candidates.theorem_3_1d") == pytest.approx(max(runs), rel=1e-9)
    assert f"From {min(runs):.3f} to 1" in finding("candidates.theorem_3_1d").why
    assert value("candidates.theorem_3_1e") == pytest.approx(max(nothing), rel=1e-9)
    series = sum(0.4995**i for i in range(100)) / 2
    assert value("candidates.theorem_1_2c") == pytest.approx(series, rel=1e-9)


@pytest.mark.checks("candidates.theorem_3_2")
def test_random_stopping_by_its_formula():
    def chances(p: np.ndarray, stop: float) -> np.ndarray:
        above = np.append(np.cumsum(p[::-1])[::-1][1:], 0.0)
        return stop * p / ((above * (1 - stop) + stop) * ((above + p) * (1 - stop) + stop))

    losses = [largest_loss(partial(chances, stop=stop)) for stop in (0.1, 1e-4)]
    assert stored("candidates.theorem_3_2") == pytest.approx(max(losses), rel=1e-5)


@pytest.mark.checks("candidates.theorem_3_3")
def test_below_the_quantile_by_the_series():
    shares = []
    for p, stop in product(CHANCES, STOPS):
        runs = np.arange(1, 20_000)
        shares.append((stop * (1 - stop) ** (runs - 1)) @ (1 - p) ** runs / (stop / p))
    assert value("candidates.theorem_3_3") == pytest.approx(max(shares), rel=1e-6)


def of_the_best(p: np.ndarray, stop: float, limit: int) -> np.ndarray:
    """The law of the best of a geometric number of runs, at most `limit`, by their number."""
    n = np.arange(1, limit + 1)
    runs = np.append(stop * (1 - stop) ** (n[:-1] - 1), (1 - stop) ** (limit - 1))
    up_to = np.cumsum(p)
    return runs @ np.diff(up_to[None, :] ** n[:, None], axis=1, prepend=0.0)


@pytest.mark.checks("candidates.theorem_3_5")
def test_a_hard_stop_by_the_law_of_the_best():
    log_a = math.log(2 * 1.1**2 / (0.1 * 0.1**2))
    limit = math.ceil((log_a + math.log(log_a)) / 0.1)
    loss = largest_loss(partial(of_the_best, stop=0.1, limit=limit))
    assert value("candidates.theorem_3_5") == pytest.approx(loss, rel=1e-9)
    assert finding("candidates.theorem_3_5").why.startswith(f"T = {limit},")


@pytest.mark.checks("candidates.example_b_1", "candidates.best_of_k")
def test_examples_of_appendix_b():
    chances = np.array([[0.5, 0.5], [math.exp(0.5) / 2, 1 - math.exp(0.5) / 2]])
    assert value("candidates.example_b_1") == pytest.approx(
        np.abs(np.log(chances[0] / chances[1])).max()
    )
    below = 1 / (1 + math.exp(0.3)), 1 / (1 + math.exp(-0.3))  # one of the four, the steady one
    laws = [np.array([p**4, 1 - p**4]) for p in below]
    assert value("candidates.best_of_k") == pytest.approx(np.abs(np.log(laws[0] / laws[1])).max())


@pytest.mark.checks("candidates.falling_thresholds")
def test_falling_thresholds_step_by_step():
    def last(fails: float) -> float:
        """P(a run of score 0 comes out), when the tenth lowering has brought the threshold to 0."""
        lowered = sum((fails * 0.5) ** tries * fails * 0.5 for tries in range(200))
        return fails * lowered**10

    loss = math.log(last(0.3 * math.exp(0.1)) / last(0.3))
    assert value("candidates.falling_thresholds") == pytest.approx(loss / (10 * 0.1), rel=1e-9)


@pytest.mark.checks("candidates.theorem_d_2")
def test_the_packing_bound_by_hand():
    assert candidates.packing_epsilon_ratio(6, 0.01, 0.1) == pytest.approx(
        0.99 * math.log(1e6) / 71 / 0.1
    )
    steps = math.ceil(0.51 * 1000 * math.log(10) / 0.1)
    least = 0.99 * 1000 * math.log(10) / (0.1 * steps)
    assert value("candidates.theorem_d_2") == pytest.approx(least)


SCALE = 4 * (2 * 0.5) / 6  # of ξ: 4S/ε3, ν has half of it


def goes_on(*queries: tuple[float, int], scale: float = SCALE) -> float:
    """P(no query is answered), of log odds and how often each is asked, by an integral over ν."""

    def inside(v: float) -> float:
        passed = math.prod(laplace_cdf((v - odds) / scale) ** often for odds, often in queries)
        return passed * math.exp(-2 * abs(v) / scale) / scale

    kinks = sorted({0.0, *(odds for odds, _ in queries)})
    return quad(inside, -20, 20, points=kinks, limit=400, epsabs=1e-12)[0]


def laplace_cdf(u: float) -> float:
    return 0.5 * math.exp(u) if u < 0 else 1 - 0.5 * math.exp(-u)


@pytest.mark.checks("candidates.theorem_4_1b", "candidates.theorem_4_1d")
def test_the_percentile_test_by_an_integral():
    stopped, given = candidates.sparse_vector_stop_probabilities(20, 0.1, above_target=False)
    assert given == value("candidates.theorem_4_1b") == 1.0  # all are far below
    assert stopped == pytest.approx(1 - goes_on((math.log(0.1 / 21), 20)), abs=1e-7)
    none = goes_on((math.log(10), 1))
    assert candidates.sparse_vector_stop_probabilities(1, 0.1, above_target=True)[
        1
    ] == pytest.approx(none, abs=1e-7)
    assert value("candidates.theorem_4_1d") == pytest.approx(1 - none, abs=1e-7)


@pytest.mark.checks("candidates.theorem_4_1a")
def test_the_loss_of_a_search_by_integrals():
    def law(odds: float, steps: int) -> np.ndarray:
        """P(stops at the first, …, the last, at none): the last query has the other sign."""
        left = [goes_on((odds, asked)) for asked in range(steps)]
        left.append(goes_on((odds, steps - 1), (-odds, 1)))
        return np.append(-np.diff(left), left[-1])

    def loss(steps: int) -> float:
        return float(np.abs(np.log(law(-0.5, steps) / law(0.5, steps))).max())

    assert candidates.largest_sparse_vector_loss(2) == pytest.approx(
        max(loss(1), loss(2)), abs=1e-6
    )
    most = max(loss(steps) for steps in (2, 11, 12))
    assert value("candidates.theorem_4_1a") == pytest.approx(most, abs=1e-5)


@pytest.mark.checks("candidates.theorem_4_1c")
def test_what_was_passed_over():
    odds = math.log(3 / 0.1)
    second = goes_on((odds, 1)) - goes_on((odds, 2))
    assert candidates.second_query_stop_probability(0.1) == pytest.approx(second, abs=1e-7)
    assert 0 < second < 0.1
    assert value("candidates.theorem_4_1c") == 1.0  # both are far above


@pytest.mark.checks("candidates.constant_c")
def test_the_constant_on_a_grid():
    e = np.linspace(0.0, 1.0, 101)
    c = 2 * (np.exp(e[:, None] + e[None, :]) + 1 + np.exp(e[:, None] / 2))
    assert value("candidates.constant_c") == pytest.approx(c.max())


@pytest.mark.checks("candidates.lemma_4_3")
def test_the_term_between_two_numbers_of_runs_by_scipy():
    y, needed = np.arange(10_001), []
    for p in (0.001, 0.003, 0.01, 0.03, 0.1):
        x, of_y = stats.binom(10_000, math.exp(0.5) * p), stats.binom(10_000, p).pmf(y)
        c = candidates.least_success_count_slack(10_000, p, 0.5, 0.1, 1e-3)
        passed = [of_y @ x.sf(np.ceil(math.exp(0.6) * y + term) - 1) for term in (c, c - 1e-3)]
        assert passed[0] <= 1e-3 < passed[1]
        needed.append(c)
    printed = 2 * (math.exp(0.6) + 1 + math.exp(0.05)) / 0.1 * math.log(2 / 1e-3)
    assert value("candidates.lemma_4_3") == pytest.approx(max(needed) / printed)


Law = dict[float, float]


def largest_delta(chances: Callable[[CandidatePool], Law], epsilon: float) -> float:
    most = 0.0
    for pair in candidates.approximate_dp_pool_pairs():
        laws = [chances(pool) for pool in pair]
        for p, q in (laws, laws[::-1]):
            more = (mass - math.exp(epsilon) * q.get(at, 0.0) for at, mass in p.items())
            most = max(most, sum(max(0.0, each) for each in more))
    return most


@pytest.mark.checks("candidates.theorem_3_1c", "candidates.theorem_3_4")
def test_approximate_pairs_are_close():
    def one_run(pool: CandidatePool) -> Law:
        return dict(zip(pool.candidates[0].scores, pool.candidates[0].mass, strict=True))

    assert sum(1 for _ in candidates.approximate_dp_pool_pairs()) > 100
    assert largest_delta(one_run, 0.5) <= 1e-4 * (1 + 1e-9)


@pytest.mark.checks("candidates.theorem_3_1c")
def test_the_delta_of_the_known_threshold_by_its_formula():
    def chances(pool: CandidatePool, stop: float) -> Law:
        law = pool.candidates[0]
        good = law.scores >= 1
        a = (1 - law.mass[good].sum()) * (1 - stop)
        mass = law.mass[good] * (1 - a ** least_limit(stop)) / (1 - a)
        out = dict(zip(law.scores[good], mass, strict=True))
        return out | {-math.inf: 1 - sum(out.values())}

    total = 2 * 0.5 + 0.1
    shares = [
        largest_delta(partial(chances, stop=stop), total) / (3 * math.exp(total) * 1e-4 / stop)
        for stop in (0.1, 1e-3)
    ]
    assert stored("candidates.theorem_3_1c") == pytest.approx(max(shares), rel=1e-5)


@pytest.mark.checks("candidates.theorem_3_4")
def test_the_delta_of_a_hard_stop_by_the_law_of_the_best():
    def chances(pool: CandidatePool, stop: float, limit: int) -> Law:
        order = np.argsort(pool.candidates[0].scores)
        best = of_the_best(pool.candidates[0].mass[order], stop, limit)
        return dict(zip(pool.candidates[0].scores[order], best, strict=True))

    root, shares = math.sqrt(2 * 1e-4), []
    for stop in (0.1, 1e-3):
        limit = math.ceil(math.log(1e3) / stop)
        delta = largest_delta(partial(chances, stop=stop, limit=limit), 3 * 0.5 + 3 * root)
        shares.append(delta / (root * limit + 1e-3))
    assert stored("candidates.theorem_3_4") == pytest.approx(max(shares), rel=1e-5)


# Searches, data sets, percentiles, amplification


@pytest.mark.checks("candidates.theorem_4_6a", "candidates.theorem_4_6b", "candidates.theorem_4_6c")
def test_the_threshold_search_by_the_same_integral():
    """N is so large that a share is its chance; p_i in counts is added to D. ε3 = 1."""
    e0, s, p, delta = 0.1, 0.3, 0.05, 1e-6
    d = 2 * (math.exp(s) + 1 + math.exp(e0 / 2)) * math.log(40 / delta) / (e0 * math.expm1(s))
    n = 3 * d * math.exp(e0 / 2) / p * 0.1 ** (-12 * s) * 11 ** (6 * s)
    target = math.log(n * p + d) - e0 / 2 + 6 * s * math.log(0.1)

    def none(chance: float, times: int) -> float:
        return goes_on((math.log(n * chance + d) - target, times), scale=4 * s)

    early = 1 - none(math.exp(-e0 / 2) / 3 * (0.01 / 11) ** (6 * s) * p, 9)
    assert value("candidates.theorem_4_6b") == pytest.approx(early / 0.1, rel=1e-4)
    assert value("candidates.theorem_4_6c") == pytest.approx(none(p, 1) / 0.2, rel=1e-4)
    loss = math.log(none(1e-3, 9) / none(1e-3 * math.exp(0.2), 9))
    assert 0.1 < loss <= stored("candidates.theorem_4_6a") + 1e-6


@pytest.mark.checks("candidates.theorem_4_7")
def test_only_half_of_epsilon_0_for_the_search_gives_the_printed_total_and_exponent():
    e1, e0 = 0.1, 1.0
    s, e3 = e1 + e0 / 2, e0 / 2
    assert 6 * s / e3 == pytest.approx(6 + 12 * e1 / e0)
    assert 2 * e1 + e0 / 2 + e3 == pytest.approx(1.2)
    assert value("candidates.theorem_4_7") == pytest.approx(2.2)
    assert "of which 1×10²⁴ choose" in finding("candidates.theorem_4_7").why


@pytest.mark.checks("candidates.percentile")
def test_percentiles_by_a_tail_for_each_rank():
    n, half = 201, 101
    reached = [stats.binom.sf(np.arange(half), n, p) for p in (0.6, 0.4)]  # k of them, k = 1, …
    one = math.log(0.6 / 0.4)
    for name, pick in (("median", half - 1), ("k-th best", slice(None))):
        here, there = (float(np.mean(chance[pick])) for chance in reached)
        loss = max(abs(math.log(here / there)), abs(math.log((1 - here) / (1 - there)))) / one
        assert finding("candidates.percentile").values[name] == pytest.approx(loss, rel=1e-6)


@pytest.mark.checks("candidates.lemma_5_1")
def test_noisy_scores_of_models_on_a_fine_grid():
    t, scores = np.linspace(-1, 2, 20_001)[:, None], np.array([0.3, 0.5, 0.9])
    masses = [np.array([0.1, 0.4, 0.5]), np.array([0.15, 0.3, 0.55])]
    moved = scores + np.array([0.02, -0.02, 0.0])
    for there, mass in ((moved, masses[0]), (scores, masses[1])):
        law = stats.laplace.pdf(t, scores, 1 / 15) @ masses[0]
        loss = np.abs(np.log(law / (stats.laplace.pdf(t, there, 1 / 15) @ mass))).max()
        exact = searches.noisy_score_loss(scores, masses[0], there, mass, 15.0)
        assert loss == pytest.approx(exact, abs=1e-3)
        assert loss <= exact + 1e-12
    assert value("candidates.lemma_5_1") == pytest.approx(1.0)


@pytest.mark.checks("candidates.theorem_c_1_utility", "candidates.theorem_c_1_privacy")
def test_private_amplification_over_every_set_of_good_candidates():
    law = np.zeros(3)
    for good in product((True, False), repeat=6):
        chance = math.prod(0.3 if one else 0.7 for one in good)
        weights = np.array([sum(good), 0.1 * (6 - sum(good)), 1 + 1 / 0.2])
        law += chance * weights / weights.sum()
    assert searches.amplified_search_outcome_chances(6, 0.3, 0.1, 0.2) == pytest.approx(
        law, rel=1e-12
    )
    assert law[2] <= 1.2 / (6 * (0.3 + 0.07) * 0.2 + 1)
    assert stored("candidates.theorem_c_1_utility") > 0.99
    one, other = (
        searches.amplified_search_outcome_chances(1, p, 0.0, 0.01)
        for p in (0.37, 0.37 * math.exp(0.5))
    )
    assert abs(math.log(one[0] / other[0])) <= stored("candidates.theorem_c_1_privacy") * 1.08


@pytest.mark.checks("candidates.amplification")
def test_random_stopping_amplifies_a_mean_by_markov():
    reached = 0.05 / 0.55
    missed = 0.05 * reached * (1 - reached) / (reached * (1 - 0.05 * reached) + 0.05 * reached)
    assert value("candidates.amplification") == pytest.approx(1 - missed, rel=1e-9)


@pytest.mark.checks("candidates.theorem_5_2_generalised", "candidates.theorem_5_2_margin")
def test_the_best_of_noisy_scores_is_missed_if_none_of_its_runs_is_good():
    gamma, shift = 0.005, 2 * math.log(200)

    def missed(reached: float, most: int) -> float:
        last = [gamma * (1 - gamma) ** (n - 1) for n in range(1, most)] + [
            (1 - gamma) ** (most - 1)
        ]
        none, alone = 1 - reached / 10, (1 - reached) / 10  # no run is good; all are of the best
        return sum(p * (none**n - alone**n) for n, p in enumerate(last, 1)) / 0.05

    found = finding("candidates.theorem_5_2_generalised").values
    reached = [stats.laplace.sf(shift - reach * shift) for reach in (1, 2)]
    assert [*found.values()] == pytest.approx([missed(p, 9000) for p in reached])
    limit = math.ceil(math.log(2e6) / gamma)
    assert value("candidates.theorem_5_2_margin") == pytest.approx(missed(1.0, limit), rel=1e-9)
    why = finding("candidates.theorem_5_2_margin").why
    needed = 2 + 2 * (math.log(5e5) + math.log(10))  # the gap's noise has scale 2
    assert f"a lead of {needed:.2f} s" in why
    e1, cut = (1 - 3 * 5e-7 / limit) / 3, math.log(2 / (5e-7 / limit) ** 2)
    assert f"a lead of {2 * cut / e1:.1f} s" in why


@pytest.mark.checks("candidates.theorem_5_2_truncated")
def test_truncated_noise_loses_what_only_one_range_holds():
    e, delta = 0.999, 0.249
    cut = -math.log(delta)

    def density(u: float) -> float:
        return stats.laplace.pdf(u) / (1 - delta) if abs(u) <= cut else 0.0

    def more(u: float) -> float:
        return max(density(u) - math.exp(e) * density(u + e), 0.0)

    lost = quad(more, -cut, cut, points=(-e, 0, cut - e))[0]
    assert value("candidates.theorem_5_2_truncated") == pytest.approx(lost / delta, rel=1e-6)


@pytest.mark.checks("candidates.theorem_5_2_smooth")
def test_a_smooth_bound_changes_by_its_rate_and_the_shift_with_it():
    def growth(e: float, eta: float) -> float:
        q, s, t = 0.0, 1.0, 2 * math.log(200) / e
        moved = (
            (q + way * s) - t * s * math.exp(turn * eta) for way in (-1, 1) for turn in (-1, 1)
        )
        return max(abs(score - (q - t * s)) for score in moved)

    used = max(growth(e, e / (4 * math.log(400))) for e in (0.1, 0.5, 1.0, 2.0))
    assert value("candidates.theorem_5_2_smooth") == pytest.approx(used)
    assert 3 < growth(0.1, 0.1 / math.log(200)) < growth(2.0, 2 / math.log(200))

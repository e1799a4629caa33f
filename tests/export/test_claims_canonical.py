"""Numbers of Shekelyan & Loukides another way: subsets, orders, sums over classes, races."""

import math
from functools import partial
from itertools import combinations, permutations, product

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import brentq
from scipy.special import gammaln, logsumexp

from dpviz import Scores
from dpviz.data.generators import Zipf
from dpviz.export.reproduction.claims import canonical, section_five
from dpviz.export.reproduction.claims.claim import CLAIMS
from tests.export.claim_checks import finding, stored, value


def subset_weights(
    x: np.ndarray, k: int, gamma: float, epsilon: float
) -> dict[tuple[int, ...], float]:
    """Canonical with gumbel noise on falling scores, every subset enumerated."""
    weights = {}
    for items in combinations(range(len(x)), k):
        optimal = min(x[i] for i in items) == np.sort(x)[-k] and items == tuple(range(k))
        missing = np.sort(x)[-k] if optimal else max(x[i] for i in range(len(x)) if i not in items)
        weights[items] = math.exp(
            -epsilon / 2 * ((1 - gamma) * missing - gamma * min(x[i] for i in items))
        )
    total = sum(weights.values())
    return {items: w / total for items, w in weights.items()}


def log_choose(n: np.ndarray | float, k: np.ndarray | float) -> np.ndarray:
    return np.asarray(gammaln(n + 1.0) - gammaln(k + 1.0) - gammaln(n - k + 1.0))


def top_by_classes(x: np.ndarray, k: int, gamma: float, epsilon: float) -> float:
    """P(TOP) of canonical: sets counted by the first rank missing and the worst present."""
    missing, worst = np.meshgrid(np.arange(k), np.arange(k, len(x)), indexing="ij")
    sets = log_choose(worst - missing - 1.0, k - missing - 1.0)  # what may stand between the two
    gained = (1 - gamma) * (x[k - 1] - x[missing]) - gamma * (x[k - 1] - x[worst])
    return float(1 / (1 + np.exp(sets + epsilon / 2 * gained).sum()))


def top_by_race(x: np.ndarray, k: int, noise: stats.rv_continuous, epsilon: float) -> float:
    """P(TOP) of one-shot: the worst of the k against the best of the others, by a sum."""
    x = epsilon / (2 * k) * (x - x[k])
    z = np.linspace(-15, 40, 4001)
    log_best = sum(noise.logcdf(z - score) for score in x[k:])
    all_above = math.prod(noise.sf((z[1:] + z[:-1]) / 2 - score) for score in x[:k])
    return float(all_above @ np.diff(np.exp(log_best)))


def needed(top: partial[float], probability: float) -> float:
    return float(brentq(lambda e: top(epsilon=e) - probability, 1e-3, 50, xtol=1e-7))


SMALL = np.array([9.0, 7.0, 4.0, 3.0, 1.0])


def needs(counts: np.ndarray, k: int, probability: float) -> dict[str, float]:
    x = 2 * counts  # counts: Δ acts as ½
    tops = {
        "canonical": partial(top_by_classes, x, k, 0.5),
        "canonical γ=1": partial(top_by_classes, x, k, 1.0),
        "peeling": partial(top_by_race, x, k, stats.gumbel_r),
        "one-shot exponential": partial(top_by_race, x, k, stats.expon),
    }
    return {name: needed(top, probability) for name, top in tops.items()}


def multiples(counts: np.ndarray, k: int) -> dict[str, float]:
    ratios, olds = {}, ("one-shot exponential", "peeling")
    for probability in (0.9, 0.99):
        own, said = needs(counts, k, probability), f"P(TOP) ≥ {100 * probability:.0f}\u202f%"
        for old, new in product(olds, ("canonical", "canonical γ=1")):
            ratios[f"{old} against {new}, {said}"] = own[old] / own[new]
    return ratios


@pytest.mark.checks("canonical.multiple_10", "canonical.multiple_100", "canonical.multiple_1000")
def test_multiples_by_classes_and_races():
    got = canonical.classical_to_new_epsilon_ratios(Scores(SMALL, monotonic=True), 2)
    assert got == pytest.approx(multiples(SMALL, 2), rel=1e-4)


@pytest.mark.checks("canonical.multiple_10", "canonical.multiple_100", "canonical.multiple_1000")
@pytest.mark.parametrize("k", [10, 100, 1000])
def test_the_claim_of_a_multiple_is_about_its_k(k, monkeypatch):
    ratios, chance = "classical_to_new_epsilon_ratios", "top_probability_at_epsilon_ratio"
    monkeypatch.setattr(canonical, ratios, lambda _, k: {f"k = {k}": float(k)})
    monkeypatch.setattr(canonical, chance, lambda _, k, multiple: k / 10_000 + multiple / 1000)
    data = {"netflix": Scores([2.0, 1.0], monotonic=True)}
    found = CLAIMS[f"canonical.multiple_{k}"].recompute_values(data)
    assert found.values == {f"k = {k}": k}
    assert k < 1000 or "81× is the multiple at P(TOP) ≥ 18\u202f%" in found.why  # as 0.1 + 0.081


@pytest.mark.checks("canonical.sure_at_one", "canonical.movies")
def test_the_lesser_chance_of_the_top_1000_and_the_number_of_movies():
    counts = np.append(np.arange(3000.0, 2000.0, -1.0), [1995.0, 1990.0, 1980.0])
    data = {"netflix": Scores(counts, monotonic=True)}
    (got,) = CLAIMS["canonical.sure_at_one"].recompute_values(data).values.values()
    tops = [top_by_classes(2 * counts, 1000, gamma, 1.0) for gamma in (0.5, 1.0)]
    assert got == pytest.approx(min(tops), rel=1e-8)
    assert list(CLAIMS["canonical.movies"].recompute_values(data).values.values()) == [1003.0]


@pytest.mark.checks("canonical.zipf")
def test_zipfs_least_chance_is_that_of_peeling_at_the_smallest_exponent():
    share = np.arange(1.0, 10_001) ** -0.04
    share /= share.sum()
    log_t = np.linspace(-30, 4, 3401)
    t = np.exp(log_t)
    vectors, told = (np.round(15**7 * share), 1.5e8 * share), finding("canonical.zipf").values
    for counts, got in zip(vectors, told.values(), strict=True):
        w = np.exp((counts - counts[10]) / 10)
        all_above = np.prod([1 - np.exp(-one / w[10:].sum() * t) for one in w[:10]], axis=0)
        chance = np.trapezoid(all_above * t * np.exp(-t), log_t)  # t exponential
        assert got == pytest.approx(chance, abs=1e-6)


FAMILIES = {
    "gumbel": stats.gumbel_r,
    "exponential": stats.expon,
    "laplace": stats.laplace,
    "logistic": stats.logistic,
    "half_logistic": stats.halflogistic,
}


@pytest.mark.checks("canonical.best_noise")
@pytest.mark.parametrize(("k", "probability"), [(1, 0.9), (2, 0.5)])
def test_the_best_noise_is_the_one_that_needs_least(k, probability):
    got = canonical.one_shot_epsilon_by_noise(Scores(SMALL, monotonic=True), k, probability)
    races = {name: partial(top_by_race, 2 * SMALL, k, noise) for name, noise in FAMILIES.items()}
    own = {name: needed(race, probability) for name, race in races.items()}
    assert got == pytest.approx(own, rel=1e-4)
    best = canonical.best_one_shot_noises(Scores(SMALL, monotonic=True), (k,), (probability,))
    assert best == {f"k = {k}, {100 * probability:.0f}\u202f%": min(own, key=own.__getitem__)}


@pytest.mark.checks("canonical.least_variance")
def test_variances_are_the_textbooks():
    for name, noise in FAMILIES.items():
        assert canonical.noise_variance(name) == pytest.approx(noise.var(), abs=1e-3)
    least = min(noise.var() for name, noise in FAMILIES.items() if name != "exponential")
    assert value("canonical.least_variance") == pytest.approx(1 - least, abs=2e-3)


@pytest.mark.checks("canonical.great", "canonical.loss_of_example", "canonical.joint_of_example")
def test_examples_by_hand():
    assert value("canonical.great") == 100 + 100 // 10
    chosen = {1, 5, 10}
    left_out = set(range(1, 11)) - chosen
    assert value("canonical.loss_of_example") == (max(left_out) - min(chosen)) / 2
    assert value("canonical.joint_of_example") == max(10 - 10, 9 - 5, 8 - 1) / 2


@pytest.mark.checks("canonical.classes")
def test_classes_are_counted():
    missing, worst = range(1, 13), range(13, 31)
    sizes = [1] + [math.comb(t - h - 1, 12 - h) for h in missing for t in worst]
    assert sum(sizes) == math.comb(30, 12)
    told = f"{len(sizes)} classes that hold {sum(sizes):,} subsets"
    assert told in finding("canonical.classes").why
    assert value("canonical.classes") == 0


@pytest.mark.checks(
    "canonical.laplace_cdf", "canonical.laplace_quantile", "canonical.logistic_quantile"
)
def test_misprints_by_the_textbook():
    assert value("canonical.laplace_cdf") == pytest.approx(stats.laplace.cdf(1))
    assert value("canonical.laplace_quantile") == pytest.approx(stats.laplace.ppf(0.9))
    assert value("canonical.logistic_quantile") == pytest.approx(stats.logistic.ppf(0.9))


# Section 5


@pytest.mark.checks("canonical.lemma_5_1")
@pytest.mark.parametrize("x", [[3.0, 2.5, 1.0, 0.0], [3.0, 2.0, 1.0, 0.0]])
def test_lemma_5_1_by_enumeration(x):
    settings = (0.5, 2.0), (1.0, 1.0)  # γ and ε
    p, q = (np.array([*subset_weights(np.array(x), 2, *each).values()]) for each in settings)
    pairs = [(i, j) for i, j in combinations(range(6), 2) if abs(q[i] - q[j]) > 1e-9]
    ratios = [abs(p[i] - p[j]) / abs(q[i] - q[j]) for i, j in pairs]
    got = section_five.least_probability_difference_ratio(Scores(x), 2, 0.5, 1.0, 1.0)
    assert got == pytest.approx(min(ratios), abs=1e-9)
    if x[1] == 2.0:
        assert value("canonical.lemma_5_1") == pytest.approx(min(ratios), abs=1e-9)


def leap_chance(d: int, k: int, gap: float, peeling: bool) -> float:
    """P(X > gap) or P(X′ > gap)."""
    odds = (d - 1 - k) * k * math.exp(-gap / k) if peeling else math.comb(d, k) * math.exp(-gap)
    return odds / (1 + odds)


def top_of_small(x: np.ndarray, k: int, peeling: bool) -> float:
    """P(TOP) at ε = 2: over the orders of the k, or over where the worst item stands."""
    w = np.exp((x - x[0]) / (k if peeling else 1))
    if not peeling:
        return w[k - 1] / sum(math.comb(t, k - 1) * w[t] for t in range(k - 1, len(x)))
    return sum(
        math.prod(w[i] / (w.sum() - sum(w[list(order[:n])])) for n, i in enumerate(order))
        for order in permutations(range(k))
    )


@pytest.mark.checks("canonical.lemma_5_3", "canonical.lemma_5_4")
@pytest.mark.parametrize("peeling", [False, True])
@pytest.mark.parametrize("turned", [False, True])
def test_the_leaps_in_every_case(peeling, turned):
    most = -math.inf
    for scores, k in section_five.failure_bound_cases():
        x = scores.ranked
        leap = leap_chance(len(x), k, x[k - 1] - x[k], peeling)
        most = max(most, 1 - top_of_small(x, k, peeling) - (leap if turned else 1 - leap))
    excess = section_five.failure_bound_excesses(peeling)[:, int(turned)].max()
    assert excess == pytest.approx(most, abs=1e-8)
    assert most <= 0.2 if turned else most > 0.9


@pytest.mark.checks("canonical.lemma_5_3_first")
def test_some_of_the_top_k_by_hand():
    exact = math.exp(0.5) / (math.exp(0.5) + 7)
    expected = leap_chance(8, 1, 0.5, False) - exact
    assert value("canonical.lemma_5_3_first") == pytest.approx(expected, abs=1e-9)
    none = sum(p for items, p in subset_weights(SMALL, 2, 1.0, 2.0).items() if min(items) >= 2)
    got = section_five.any_top_item_probability(Scores(SMALL[::-1]), 2)
    assert got == pytest.approx(1 - none, abs=1e-9)


@pytest.mark.checks("canonical.theorem_5_5")
def test_mean_leaps_by_the_gamma_function():
    def ratio(k: int, f: int) -> float:
        log_sets = math.lgamma(f * k + 1) - math.lgamma(k + 1) - math.lgamma(f * k - k + 1)
        return 0.5 * k * math.log((f * k - 1 - k) * k) / log_sets

    assert section_five.mean_failure_gap_ratio(1000, 2, 0.5) == pytest.approx(ratio(1000, 2))
    least = min(ratio(10**i, f) / math.log(10**i) for i in range(1, 8) for f in (2, 10))
    assert value("canonical.theorem_5_5") == pytest.approx(least, rel=1e-6)


@pytest.mark.checks("canonical.theorem_5_6")
def test_shortfalls_by_classes():
    x, ratios = Zipf(size=1000, exponent=0.5).scores().ranked, []
    for e, k in product((1e-4, 1e-3, 1e-2), (1, 10, 100)):
        missing, worst = np.meshgrid(np.arange(k), np.arange(k, 1000), indexing="ij")
        sets = log_choose(worst - missing - 1.0, k - missing - 1.0)
        log_odds = sets - e / 4 * (x[missing] - x[worst])
        by_worst = np.append(0.0, logsumexp(log_odds, axis=0))  # against the top k
        reached = np.exp(np.logaddexp.accumulate(by_worst) - logsumexp(by_worst))
        bound = 4 / e * (k * math.log(1000 / k) + math.log(10) + k)
        ratios.append((x[k - 1] - x[k - 1 + int(np.searchsorted(reached, 0.9))]) / bound)
    assert stored("canonical.theorem_5_6") == pytest.approx(max(ratios), rel=1e-5)


@pytest.mark.checks("canonical.theorem_5_6_peeling")
@pytest.mark.parametrize("k", [1, 2])
def test_peelings_bound_fails_at_one_selection(k):
    w = math.exp(math.log(1000 * k) + math.log(100) - 0.06)  # of one of the k, against an other
    top = math.prod((k - i) * w / ((k - i) * w + 1000 - k) for i in range(k))
    assert section_five.peeling_bound_failure_ratio(1000, 0.01, k) == pytest.approx(
        (1 - top) / 0.01, rel=1e-6
    )
    assert (1 - top > 0.01) == (k == 1)
    if k == 1:
        assert value("canonical.theorem_5_6_peeling") == pytest.approx((1 - top) / 0.01, rel=1e-6)


@pytest.mark.checks("canonical.log_c", "canonical.sidak")
def test_log_c_and_sidak_on_grids():
    k = np.append(np.arange(1.0, 200.0), 10.0 ** np.arange(3, 7))
    most = max(((log_choose(f * k, k) - k * math.log(f)) / k).max() for f in (2.0, 10.0, 1e3, 1e6))
    assert value("canonical.log_c") == pytest.approx(most, abs=1e-6)
    pairs = product((1e-3, 0.05, 0.1), (1, 10, 1e6))
    r = [-math.expm1(math.log1p(-alpha) / k) / (alpha / k) for alpha, k in pairs]
    assert 0 <= value("canonical.sidak") - max(r) < 1e-6

"""Each figure of a deployment against its stated parameters, by formulas of its own."""

import math

import pytest
from scipy.optimize import brentq
from scipy.stats import binom

from dpviz.base.text_format import percent_upper_bound
from dpviz.data.deployments import Deployment, public_deployments
from dpviz.studies.deployments import (
    DELTA,
    deployment_figures,
    figures_sorted_by_guesses,
    nearest_deployments_below_and_above,
    stated_mechanism,
)


def phi(x: float) -> float:
    """P(Z ≤ x), exact in both tails."""
    return 0.5 * math.erfc(-x / math.sqrt(2))


CENTRAL = [one for one in public_deployments() if not one.is_local]


def varies(of: Deployment, times: int) -> list[float]:
    """Bounds on the total variation: of n randomised responses, and of gaussian noise or ρ."""
    found = []
    if of.epsilon is not None and of.delta is not None:
        right = 1 / (1 + math.exp(-of.epsilon))
        law = [
            binom.pmf(hit, times, right) - binom.pmf(hit, times, 1 - right)
            for hit in range(times + 1)
        ]
        found.append(sum(max(0.0, p) for p in law) + of.delta * times)
    if of.rho is not None:
        rho = of.rho * times
        exact = 2 * phi(math.sqrt(rho / 2)) - 1
        wide = min(math.sqrt(rho / 2), math.sqrt(1 - math.exp(-rho)))
        found.append(exact if of.noise == "gaussian" else wide)
    return found


@pytest.mark.parametrize("of", public_deployments(), ids=lambda of: of.slug[:40])
def test_right_guesses_follow_from_the_stated_parameters(of: Deployment) -> None:
    """But in the local model, which is not computed as the central one."""
    figures = deployment_figures(of)
    assert not (of.is_local and figures.exact)
    for guess, times in ((figures.guess, 1), (figures.year_guess, of.period and of.period[1])):
        bounds = varies(of, times) if times and not of.is_local else []
        if not bounds:
            assert guess is None
        else:
            assert guess == pytest.approx((1 + min(1.0, *bounds)) / 2, abs=1e-6)


@pytest.mark.parametrize(
    "of",
    [one for one in CENTRAL if one.noise == "gaussian" and one.rho],
    ids=lambda of: of.slug[:40],
)
def test_epsilon_of_gaussian_noise_is_exact(of: Deployment) -> None:
    shift, delta = math.sqrt(2 * (of.rho or 0)), of.delta or DELTA
    exact = deployment_figures(of).exact

    def over(epsilon: float) -> float:
        low, high = -epsilon / shift - shift / 2, shift / 2 - epsilon / shift
        return phi(high) - math.exp(epsilon) * phi(low) - delta

    assert exact.epsilon == pytest.approx(brentq(over, 1e-6, 80), rel=1e-4)


def test_of_current_pageviews_the_reference_values_come_out() -> None:
    views = next(one for one in CENTRAL if one.name == "Wikipedia Current Pageviews")
    figures, counts = deployment_figures(views), stated_mechanism(views)
    assert figures.scale == pytest.approx(18.257, abs=1e-3)
    assert figures.publication_chance == pytest.approx(0.708, abs=5e-4)
    assert counts.passing_rule().chance([120, 0]).tolist() == pytest.approx(
        [0.95, 4.1e-7], rel=0.01
    )
    assert (round(figures.exact.epsilon, 2), figures.exact.delta) == (0.8, 1e-7)


def test_a_change_in_one_count_is_not_taken_for_many_small_ones() -> None:
    """Thirty views may all be of one page, so ε is spent on it: 74 of 100, where 30 pages give 54."""
    views = next(one for one in CENTRAL if one.name == "Wikipedia Historical Pageviews")
    assert percent_upper_bound(deployment_figures(views).guess or 0) == 74
    assert deployment_figures(views).publication_chance == pytest.approx(math.exp(-350 / 30) / 2)
    spread = Deployment(slug="a", name="A", epsilon=1, delta=0, noise="laplace", contributions=30)
    assert percent_upper_bound(deployment_figures(spread).guess or 0) == 54


def test_where_noise_and_threshold_alone_are_stated_the_rest_follows() -> None:
    stated = {"noise": "gaussian", "scale": 18.257, "contributions": 10, "threshold": 90.0}
    known = Deployment(slug="a", name="A", names_known=True, **stated)
    exact = deployment_figures(known).exact
    assert exact.epsilon == pytest.approx(0.8, abs=1e-3)
    unsaid = Deployment(slug="a", name="A", **stated)  # a new name may betray somebody
    assert (deployment_figures(unsaid).exact, deployment_figures(unsaid).guess) == (None, None)
    new = deployment_figures(Deployment(slug="a", name="A", names_known=False, **stated))
    assert new.exact is None  # no ε holds at this δ
    assert (new.guess or 0) > (deployment_figures(known).guess or 1)


@pytest.mark.parametrize("unit", ["person", "reader", "device", "trip", "business"])
@pytest.mark.parametrize("guess", [0.5, 0.63, 0.99, 1.0])
def test_a_plan_lies_between_others_of_the_same_kind_of_unit(unit: str, guess: float) -> None:
    below, above = nearest_deployments_below_and_above(
        guess, unit, figures_sorted_by_guesses(public_deployments())
    )
    kinds = {one.deployment.unit_group for one in (*below, *above)}
    assert kinds == {{"trip": "event or record", "reader": "person"}.get(unit, unit)}
    level = percent_upper_bound(guess)
    assert all(percent_upper_bound(one.guess or 0) < level for one in below)
    assert all(percent_upper_bound(one.guess or 0) >= level for one in above)

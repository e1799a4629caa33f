"""Deployments in figures: right guesses of an attacker, exact ε of the noise, chances by size.

σ, b = the scale of gaussian and laplace noise. Figures follow from stated parameters alone. In the
local model ε is that of one report, so nothing is computed for the total.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from dpviz.base import GAUSSIAN, NOISES
from dpviz.base.text_format import percent_upper_bound
from dpviz.data.deployments import Deployment, unit_group
from dpviz.numerics.cutoff.passing_rule import PassingRule
from dpviz.privacy.composition import right_guess_bound
from dpviz.privacy.composition_result import Total
from dpviz.privacy.privacy_conversions import zcdp_total_variation_bound
from dpviz.topk.threshold_counts import ThresholdCounts

DELTA: Final = 1e-7
"""δ at which ε of gaussian noise is told where a deployment states none."""
SIZE: Final = 100
"""True count whose chance to be published is told."""
_NEAREST: Final = 2  # deployments on each side of a plan


@dataclass(frozen=True)
class DeploymentFigures:
    """Figures that follow from a deployment's parameters; None where they do not tell.

    `guess` bounds an attacker's right guesses about one unit, `year_guess` those about all units of
    one in a year. `exact` is the ε of its noise at a δ, `scale` that of the noise, and `rule` gives
    the chance of a true count to be published.
    """

    deployment: Deployment
    guess: float | None = None
    year_guess: float | None = None
    exact: Total | None = None
    scale: float | None = None
    rule: PassingRule | None = None

    @property
    def publication_chance(self) -> float | None:
        """Chance that a true count of `SIZE` is published."""
        return None if self.rule is None else float(self.rule.chance(SIZE))


@lru_cache(maxsize=1024)
def deployment_figures(deployment: Deployment) -> DeploymentFigures:
    """Everything that follows from the stated parameters of a deployment."""
    noise, central, period = (
        stated_mechanism(deployment),
        not deployment.is_local,
        deployment.period,
    )
    return DeploymentFigures(
        deployment,
        guess=_right_guesses(deployment, noise, 1) if central else None,
        year_guess=_right_guesses(deployment, noise, period[1]) if central and period else None,
        exact=_exact_epsilon(deployment, noise) if central else None,
        scale=_noise_scale(deployment),
        rule=_passing_rule(deployment),
    )


def stated_mechanism(deployment: Deployment) -> ThresholdCounts | None:
    """Mechanism of the noise, the items of a unit and the threshold; None where one is not stated.

    Without a threshold everything passes. With one it must be stated if the names are known.
    Gaussian noise of ρ alone is that of one item with the same ρ.
    """
    scale, items = _noise_scale(deployment), deployment.contributions
    if items is None and deployment.noise == "gaussian" and deployment.rho:
        scale, items = math.sqrt(0.5 / deployment.rho), 1
    unsaid = deployment.threshold is not None and deployment.names_known is None
    if deployment.noise is None or not scale or items is None or unsaid:
        return None
    return ThresholdCounts(
        threshold=deployment.threshold or 0.0,
        contributions=items,
        names_known=deployment.threshold is None or bool(deployment.names_known),
        delta=deployment.delta or DELTA,
        sigma=scale if deployment.noise == "gaussian" else None,
        scale=scale if deployment.noise == "laplace" else None,
    )


def _right_guesses(
    deployment: Deployment, noise: ThresholdCounts | None, times: int
) -> float | None:
    """Bound on right guesses about this number of units; the smallest of all that hold."""
    bounds = []
    if deployment.guess is not None and times == 1:
        bounds.append(deployment.guess)
    if deployment.epsilon is not None and deployment.delta is not None:
        bounds.append(right_guess_bound([((deployment.epsilon, deployment.delta), times)]))
    # of one item, laplace noise is within 1 of 100 of its ε, and convolving it takes seconds
    alone = deployment.noise == "laplace" and deployment.contributions == 1
    if noise is not None and not (bounds and alone):
        bounds.append(
            right_guess_bound([(noise, times)], contributions=noise.contributions, monotonic=True)
        )
    elif deployment.rho is not None:
        bounds.append((1 + zcdp_total_variation_bound(deployment.rho * times)) / 2)
    return min(bounds, default=None)


def _noise_scale(deployment: Deployment) -> float | None:
    """σ or b as stated, or as it follows from ρ or ε and from the change that a unit makes."""
    change = deployment.change or deployment.contributions
    if deployment.scale is not None or change is None:
        return deployment.scale
    if deployment.noise == "gaussian" and deployment.rho and deployment.contributions is not None:
        return math.sqrt(deployment.contributions / (2 * deployment.rho))
    return (
        change / deployment.epsilon
        if deployment.noise == "laplace" and deployment.epsilon
        else None
    )


def _passing_rule(deployment: Deployment) -> PassingRule | None:
    scale = _noise_scale(deployment)
    if deployment.noise is None or deployment.threshold is None or not scale:
        return None
    family = GAUSSIAN if deployment.noise == "gaussian" else NOISES[deployment.noise]
    return PassingRule(family, scale, deployment.threshold)


def _exact_epsilon(deployment: Deployment, noise: ThresholdCounts | None) -> Total | None:
    if noise is None or noise.stated_noise is None:
        return None
    given = deployment.delta is not None and (deployment.delta > 0 or deployment.noise == "laplace")
    delta = deployment.delta if given and deployment.delta is not None else DELTA
    epsilon = noise.stated_noise.epsilon(delta)
    return Total(epsilon, delta, "own loss") if math.isfinite(epsilon) else None


def nearest_deployments_below_and_above(
    guess_bound: float, unit: str, deployments: Iterable[DeploymentFigures]
) -> tuple[list[DeploymentFigures], list[DeploymentFigures]]:
    """Deployments of its kind of unit next below a plan's bound on right guesses, and above."""
    own = unit_group(unit)
    # a unit in words that are not known is taken for a person
    group = "person" if own == "other" else own
    same = sorted(
        (
            one
            for one in deployments
            if one.guess is not None and one.deployment.unit_group == group
        ),
        key=lambda one: (one.guess, one.deployment.name),
    )
    # those at the same whole number of 100 count as above
    level = percent_upper_bound(guess_bound)
    below = [one for one in same if percent_upper_bound(one.guess or 0.0) < level]
    return below[-_NEAREST:], same[len(below) :][:_NEAREST]


def figures_sorted_by_guesses(deployments: Sequence[Deployment]) -> list[DeploymentFigures]:
    """Figures of each, the fewest right guesses first; those without a figure come last, by name."""
    return sorted(
        map(deployment_figures, deployments),
        key=lambda one: (one.guess is None, one.guess or 0.0, one.deployment.name),
    )

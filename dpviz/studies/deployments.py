"""Deployments in figures: right guesses of an attacker, exact ε of the noise, chances by size.

Symbols: n = how often a unit counts in a year; σ, b = the scale of gaussian and laplace noise; c =
the most items of one unit; τ = the threshold. Gaussian noise of ρ moves by √(2ρ) deviations.
Invariants: only stated parameters are used, and what follows from them; bounds on right guesses are
those of Decide. In the local model ε is that of one report, so nothing is computed for the total.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from dpviz.base import GAUSSIAN, NOISES
from dpviz.base.rounding import percent_upper_bound
from dpviz.data.deployments import Deployment, unit_group
from dpviz.numerics.gaussian_shift import gaussian_delta
from dpviz.privacy.composition import Total, right_guess_bound
from dpviz.privacy.privacy_conversions import gaussian_epsilon, zcdp_variation

DELTA: Final = 1e-7
"""δ at which ε of gaussian noise is told where a deployment states none."""
SIZE: Final = 100
"""True count whose chance to be published is told."""
_DIFFERENT: Final = 0.005  # from this relative difference on, two ε are told apart
_NEAREST: Final = 2  # deployments on each side of a plan


@dataclass(frozen=True)
class DeploymentFigures:
    """Figures that follow from a deployment's parameters; None where they do not tell.

    `guess` bounds an attacker's right guesses about one unit, `year_guess` those about all units of
    one in a year. `exact` is the ε of its noise at a δ, `scale` that of the noise, `published` the
    chance that a true count of `SIZE` is published.
    """

    deployment: Deployment
    guess: float | None = None
    year_guess: float | None = None
    exact: Total | None = None
    scale: float | None = None
    published: float | None = None

    @property
    def differs(self) -> bool:
        """True where the exact ε is another than the stated one."""
        stated = self.deployment.epsilon
        return (
            stated is not None
            and self.exact is not None
            and abs(self.exact.epsilon - stated) > _DIFFERENT * stated
        )

    def chance_published(self, count: float) -> float | None:
        """Chance that an item with this true count passes the threshold.

        >>> from dpviz.data.deployments import public_deployments
        >>> views = next(d for d in public_deployments() if d.rho == 0.015)
        >>> figures = deployment_figures(views)
        >>> round(figures.scale, 2), round(100 * figures.chance_published(100), 1), round(figures.exact.epsilon, 2)
        (18.26, 70.8, 0.8)
        """
        threshold, noise = self.deployment.threshold, self.deployment.noise
        if threshold is None or noise is None or not self.scale:
            return None
        family = GAUSSIAN if noise == "gaussian" else NOISES[noise]
        return float(np.exp(family.log_sf(np.asarray((threshold - count) / self.scale))))


@lru_cache(maxsize=1024)
def deployment_figures(of: Deployment) -> DeploymentFigures:
    """Everything that the stated parameters of a deployment mean."""
    bare = DeploymentFigures(of, scale=_noise_scale(of))
    if of.is_local:
        return bare
    times = of.times_a_year
    return DeploymentFigures(
        of,
        guess=_right_guesses(of, 1),
        year_guess=None if times is None else _right_guesses(of, times),
        exact=_exact_epsilon(of, bare.scale),
        scale=bare.scale,
        published=bare.chance_published(SIZE),
    )


def _right_guesses(of: Deployment, times: int) -> float | None:
    """Bound on right guesses about units in so many releases; the smallest of all that hold."""
    bounds = []
    if of.guess is not None and times == 1:
        bounds.append(of.guess)
    if of.epsilon is not None and of.delta is not None:
        bounds.append(right_guess_bound([((of.epsilon, of.delta), times)]))
    if of.rho is not None:
        rho = of.rho * times
        varies = (
            float(gaussian_delta(0.0, math.sqrt(2 * rho)))
            if of.noise == "gaussian"
            else zcdp_variation(rho)
        )
        bounds.append((1 + varies) / 2)
    return min(bounds, default=None)


def _noise_scale(of: Deployment) -> float | None:
    """σ or b as stated, or as it follows from ρ or ε and c."""
    if of.scale is not None or of.contributions is None:
        return of.scale
    if of.noise == "gaussian" and of.rho:
        return math.sqrt(of.contributions / (2 * of.rho))
    return of.contributions / of.epsilon if of.noise == "laplace" and of.epsilon else None


def _exact_epsilon(of: Deployment, scale: float | None) -> Total | None:
    if of.noise == "laplace" and scale and of.contributions is not None:
        return Total(of.contributions / scale, 0.0, "own loss")
    if of.noise != "gaussian":
        return None
    delta, rho = of.delta or DELTA, of.rho
    if rho is None and scale and of.contributions is not None:
        rho = of.contributions / (2 * scale**2)
    return (
        None
        if rho is None
        else Total(gaussian_epsilon(math.sqrt(2 * rho), delta), delta, "own loss")
    )


def plan_neighbours(
    guess: float, unit: str, others: Iterable[DeploymentFigures]
) -> tuple[list[DeploymentFigures], list[DeploymentFigures]]:
    """Deployments of the same kind of unit next below a plan's bound on right guesses, and above.

    Those at the same whole number of 100 count as above. A unit in words that are not known is
    taken for a person.
    """
    own = unit_group(unit)
    group = "person" if own == "other" else own
    same = sorted(
        (one for one in others if one.guess is not None and one.deployment.unit_group == group),
        key=lambda one: (one.guess, one.deployment.name),
    )
    level = percent_upper_bound(guess)
    below = [one for one in same if _level(one) < level]
    return below[-_NEAREST:], same[len(below) :][:_NEAREST]


def _level(figures: DeploymentFigures) -> int:
    return percent_upper_bound(figures.guess or 0.0)


def figures_by_guess(deployments: Sequence[Deployment]) -> list[DeploymentFigures]:
    """Figures of each, the fewest right guesses first; those without a figure come last, by name."""
    return sorted(
        map(deployment_figures, deployments),
        key=lambda one: (one.guess is None, one.guess or 0.0, one.deployment.name),
    )

"""To and from dp-accounting: laws of the loss as its PLD, and releases together by their own losses, convolved.

Symbols: a PLD holds the loss on whole multiples of a step in both directions, "remove" from the first world, "add" from
its neighbour; n noisy scores with laplace noise that move by s (in units of the noise) lose at most n·s, mostly less.
Invariants: a loss between two multiples is shared out so that its chance in both worlds stays, which never lowers δ;
what is not listed has the largest loss; what floating point may hide in a convolution is taken off δ.
Sources: Doroshenko et al. 2022 (sharing out); Zhu, Dong & Wang 2022, Thm 10 (dominating pairs together, adaptively).
"""

import math
import sys
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from dpviz.base import Floats, ParameterError, check_number
from dpviz.privacy.loss_laws import Outcomes
from dpviz.privacy.pure import shared_out

MISSING = "It needs the package dp-accounting: python -m pip install dp-accounting."
_CELLS = 1 << 16  # of a grid at least
_MOST_CELLS = 1 << 22
_PER_SHIFT = 16  # cells that one noisy score may move by, at least
_LEAST_LEFT = 0.5  # of δ, once floating point has had its share


def pld_of(here: Outcomes, there: Outcomes, error: float, step: float) -> Any:
    """dp-accounting's PLD of two exact laws of the loss.

    Parameters
    ----------
    here, there
        The loss from the two worlds.
    error
        How far a loss may be off.
    step
        The PLD's `value_discretization_interval`, above 0.

    Returns
    -------
    Any
        A PrivacyLossDistribution, `here` as its "remove".

    Raises
    ------
    ParameterError
        Where dp-accounting is missing.
    """
    step = check_number("interval", step, low=0.0, above=True)
    pld, _ = _dp_accounting()
    (remove, gone), (add, come) = (_cells(law, error, step) for law in (here, there))
    return pld.PrivacyLossDistribution.create_from_rounded_probability(
        remove,
        gone,
        step,
        rounded_probability_mass_function_add=add,
        infinity_mass_add=come,
        symmetric=False,
    )


def laws_of(distribution: Any) -> tuple[Outcomes, Outcomes]:
    """The laws of the loss that a PLD of dp-accounting describes, from the first world and from its neighbour.

    Parameters
    ----------
    distribution
        A PrivacyLossDistribution.

    Returns
    -------
    tuple[Outcomes, Outcomes]
        "remove", and "add".

    Raises
    ------
    ParameterError
        Where dp-accounting is missing, and for what is no PLD.
    """
    pld, _ = _dp_accounting()
    if not isinstance(distribution, pld.PrivacyLossDistribution):
        raise ParameterError("distribution", distribution, "a PrivacyLossDistribution of dp-accounting")
    return _law(distribution._pmf_remove), _law(distribution._pmf_add)


def own_losses_epsilon(delta: float, noisy: Mapping[float, int], pure: Mapping[float, int]) -> float | None:
    """The smallest ε' of noisy scores with laplace noise together with pure releases, from above.

    Parameters
    ----------
    delta
        δ from 0, without it, to 1.
    noisy
        How many noisy scores move by how much, in units of the noise.
    pure
        How many releases there are of each ε of which nothing else is known.

    Returns
    -------
    float | None
        ε'; None where δ is too small, or releases are too many, to be convolved in floating point.

    Raises
    ------
    ParameterError
        Where dp-accounting is missing.

    Examples
    --------
    >>> round(own_losses_epsilon(1e-6, {0.5: 30}, {}) or math.inf, 2)
    13.07
    """
    _dp_accounting()
    return _together(delta, tuple(sorted(noisy.items())), tuple(sorted(pure.items())))


@lru_cache(maxsize=256)  # one plan is asked for by all that is said of it
def _together(
    delta: float, moves: tuple[tuple[float, int], ...], epsilons: tuple[tuple[float, int], ...]
) -> float | None:
    """`own_losses_epsilon`, once for each plan."""
    pld, common = _dp_accounting()
    noisy, pure = dict(moves), dict(epsilons)
    count = sum(noisy.values()) + sum(pure.values())
    total = math.fsum(size * times for part in (noisy, pure) for size, times in part.items())
    step = min(total / _CELLS, min(noisy) / _PER_SHIFT)
    cells = 2 * total / step
    left = delta - math.sqrt(cells) * count * sys.float_info.epsilon * math.log2(cells)
    if cells > _MOST_CELLS or left < _LEAST_LEFT * delta:
        return None
    parts = [
        (pld.from_laplace_mechanism(1.0, sensitivity=shift, value_discretization_interval=step), times)
        for shift, times in noisy.items()
    ]
    parts += [
        (pld.from_privacy_parameters(common.DifferentialPrivacyParameters(epsilon), step), times)
        for epsilon, times in pure.items()
    ]
    together = pld.identity(step)
    for part, times in parts:
        together = together.compose(part.self_compose(times) if times > 1 else part)
    return min(total, float(together.get_epsilon_for_delta(left)))


def _cells(law: Outcomes, error: float, step: float) -> tuple[dict[int, float], float]:
    """The law on multiples of `step`, and its mass at infinity; what is not listed has the largest loss."""
    loss = np.append(law.values, law.highest) + error
    mass = np.append(law.mass, max(0.0, 1.0 - float(law.mass.sum())))
    finite = np.isfinite(loss)
    infinite = float(mass[~finite].sum())
    if not finite.any():
        return {0: 0.0}, infinite
    lowest = math.floor(float(loss[finite].min()) / step)
    cells = shared_out(np.maximum(loss[finite] - lowest * step, 0.0), mass[finite], step)
    return {lowest + at: float(cells[at]) for at in np.flatnonzero(cells).tolist()}, infinite


def _law(pmf: Any) -> Outcomes:
    dense = pmf.to_dense_pmf()
    probability = np.asarray(dense._probs, float)
    loss: Floats = (dense._lower_loss + np.arange(len(probability))) * dense._discretization
    infinite = float(dense._infinity_mass)
    return Outcomes.of(np.append(loss, math.inf), np.append(np.maximum(probability, 0.0), infinite))


def _dp_accounting() -> tuple[Any, Any]:
    """(privacy_loss_distribution, common) of the optional package."""
    try:
        from dp_accounting.pld import common, privacy_loss_distribution  # noqa: PLC0415 - an extra, needed here alone
    except ImportError:
        raise ParameterError(
            "dp-accounting", "missing", "installed for this: python -m pip install dp-accounting"
        ) from None
    return privacy_loss_distribution, common

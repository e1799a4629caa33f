"""Losses to and from dp-accounting's PLDs, and releases convolved by their own losses.

Symbols: a PLD has the loss on multiples of a step, "remove" from the first world, "add" from its
neighbour.
Invariant: rounding to steps never lowers δ, and mass not listed has the largest loss.
Sources: Doroshenko et al. 2022; Zhu, Dong & Wang 2022, Thm 10 (dominating pairs, adaptively).
"""

import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from dpviz.base import Floats, check_kind, check_number
from dpviz.numerics.noise_shifts import gaussian_delta
from dpviz.privacy.loss_laws import LossLaw
from dpviz.privacy.privacy_conversions import discretise_loss_mass, gaussian_epsilon

_Times = tuple[tuple[float, int], ...]  # each size, and how often it comes


def pld_from_loss_laws(
    scores_law: LossLaw, neighbour_law: LossLaw, error: float, interval: float
) -> Any:
    interval = check_number("interval", interval, low=0.0, above=True)
    pld = _dp_accounting().pld.privacy_loss_distribution
    (remove, gone), (add, come) = (
        _cells(law, error, interval) for law in (scores_law, neighbour_law)
    )
    return pld.PrivacyLossDistribution.create_from_rounded_probability(
        remove,
        gone,
        interval,
        rounded_probability_mass_function_add=add,
        infinity_mass_add=come,
        symmetric=False,
    )


def loss_laws_from_pld(distribution: Any) -> tuple[LossLaw, LossLaw]:
    pld = _dp_accounting().pld.privacy_loss_distribution
    kind, allowed = pld.PrivacyLossDistribution, "a PrivacyLossDistribution of dp-accounting"
    check_kind("distribution", distribution, kind, allowed)
    return _law(distribution._pmf_remove), _law(distribution._pmf_add)


@dataclass(frozen=True)
class ConvolvedLosses:
    """The loss of releases with known noise, together with pure ones."""

    noisy: Mapping[float, int]
    pure: Mapping[float, int]
    shift: float = 0.0

    def epsilon(self, delta: float) -> float | None:
        """The smallest ε' at δ, from above."""
        return _epsilon(delta, *self._key)

    @property
    def total_variation(self) -> float:
        """δ at ε' = 0, from above: the total variation between the two worlds."""
        return _variation(*self._key)

    @property
    def _key(self) -> tuple[_Times, _Times, float]:
        return tuple(sorted(self.noisy.items())), tuple(sorted(self.pure.items())), self.shift


@lru_cache(maxsize=256)  # one plan is asked for by all that is said of it
@np.errstate(over="ignore")
def _epsilon(delta: float, noisy: _Times, pure: _Times, shift: float) -> float | None:
    if not (noisy or pure):
        return gaussian_epsilon(shift, delta)
    together = _convolved(noisy, pure, shift)
    if together is None or delta - together.hidden < 0.5 * delta:
        return None
    # e^L of a loss beyond 709 is infinite, as is meant
    epsilon = float(together.law.get_epsilon_for_delta(delta - together.hidden))
    return min(together.most, epsilon)


@lru_cache(maxsize=256)
def _variation(noisy: _Times, pure: _Times, shift: float) -> float:
    if not (noisy or pure):
        return float(gaussian_delta(0.0, shift))
    together = _convolved(noisy, pure, shift)
    return (
        1.0
        if together is None
        else min(1.0, float(together.law.get_delta_for_epsilon(0.0)) + together.hidden)
    )


class _Together(NamedTuple):
    """A PLD, a bound on the δ that floating point may hide in it, and the largest loss."""

    law: Any
    hidden: float
    most: float


@lru_cache(maxsize=4)  # they are large, and one is asked for its ε and its variation
def _convolved(moves: _Times, epsilons: _Times, shift: float) -> _Together | None:
    accounting = _dp_accounting()
    pld = accounting.pld.privacy_loss_distribution
    privacy = accounting.pld.common.DifferentialPrivacyParameters
    count = sum(times for _, times in moves + epsilons) + (shift > 0)
    # n noisy scores that move by s, in units of the laplace noise, lose at most n·s
    bounded = math.fsum(size * times for size, times in moves + epsilons)
    total = bounded + shift * (shift / 2 + 10.0)  # next to nothing lies beyond 10 deviations
    step = min([total / (1 << 16), *(move / 16 for move, _ in moves)])
    cells = 2 * total / step
    if cells > 1 << 22:
        return None
    parts = [(_laplace_distribution(move, step), times) for move, times in moves]
    parts += [
        (pld.from_privacy_parameters(privacy(epsilon), step), times) for epsilon, times in epsilons
    ]
    if shift:  # of all releases with gaussian noise, which together lose as one does, exactly
        gaussian = pld.from_gaussian_mechanism(
            1.0, sensitivity=shift, value_discretization_interval=step
        )
        parts.append((gaussian, 1))
    together = pld.identity(step)
    for part, times in parts:
        together = together.compose(part.self_compose(times) if times > 1 else part)
    hidden = math.sqrt(cells) * count * sys.float_info.epsilon * math.log2(cells)
    return _Together(together, hidden, math.inf if shift else bounded)


def _laplace_distribution(move: float, step: float) -> Any:
    """Losses of one score with laplace noise of scale 1, which moves by `move`."""
    # dp-accounting's own `from_laplace_mechanism` takes the losses one by one
    pld = _dp_accounting().pld
    most = math.ceil(move / step)
    losses = step * np.arange(-most, most + 1)
    within = -np.expm1(np.minimum(losses - move, 0.0) / 2)  # δ at a loss
    delta = np.where(losses < -move, -np.expm1(losses), within)
    fall = np.pad(-np.diff(delta), 1)
    cells = fall[:-1] - np.diff(fall) / math.expm1(step)
    cells[0] += 1 - delta[0]
    mass = pld.pld_pmf.DensePLDPmf(step, -most, np.maximum(cells, 0.0), 0.0, True)
    return pld.privacy_loss_distribution.PrivacyLossDistribution(mass)


def _cells(law: LossLaw, error: float, step: float) -> tuple[dict[int, float], float]:
    """The law on multiples of `step`, and its mass at infinity."""
    loss = np.append(law.values, law.highest) + error
    mass = np.append(law.mass, max(0.0, 1.0 - float(law.mass.sum())))
    finite = np.isfinite(loss)
    infinite = float(mass[~finite].sum())
    if not finite.any():
        return {0: 0.0}, infinite
    lowest = math.floor(float(loss[finite].min()) / step)
    cells = discretise_loss_mass(np.maximum(loss[finite] - lowest * step, 0.0), mass[finite], step)
    return {lowest + at: float(cells[at]) for at in np.flatnonzero(cells).tolist()}, infinite


def _law(pmf: Any) -> LossLaw:
    dense = pmf.to_dense_pmf()
    probability = np.asarray(dense._probs, float)
    loss: Floats = (dense._lower_loss + np.arange(len(probability))) * dense._discretization
    mass = np.append(np.maximum(probability, 0.0), float(dense._infinity_mass))
    return LossLaw.from_losses(np.append(loss, math.inf), mass)


def _dp_accounting() -> Any:
    import dp_accounting  # noqa: PLC0415 - needed here alone

    return dp_accounting

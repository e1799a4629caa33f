"""Randomness alignment: how noise must move for a neighbour's world to give the same release.

Symbols: f and f′ = the scores of the two worlds; η_i = the noise of item i, in units of the scores;
a shift of a noise of scale b costs shift/b of ε.
Invariants: with the shifted noise the neighbour's world publishes the very same items and gaps, and
the shifts cost ε at most; so the release is at most e^ε times likelier in one world.
Source: Ding, Wang, Zhang & Kifer 2019, Sections 4 and 8, Equations 2 to 5. Where all scores fall
the threshold stays: it moves by the largest rise, which need not be Δ.
"""

from dataclasses import dataclass

import numpy as np

from dpviz.base import Floats, ReadOnlyArrays, Scores
from dpviz.gaps.noisy_top_k import NoisyTopKWithGap
from dpviz.gaps.sparse.mechanism import ThresholdMechanism


@dataclass(frozen=True, eq=False)
class Alignment(ReadOnlyArrays):
    """Shifts of the noises of a release, and `rate`, the ε that one unit of a shift costs."""

    shifts: Floats
    rate: Floats

    @property
    def costs(self) -> Floats:
        return np.abs(self.shifts) * self.rate

    @property
    def total(self) -> float:
        return float(self.costs.sum())


def align_top_k(
    mechanism: NoisyTopKWithGap, scores: Scores, neighbour: Scores, noise: Floats
) -> Alignment:
    """Shifts of the winners' noises: each by its own change back and that of the best left out."""
    winners = np.argsort(-(scores.values + noise), kind="stable")[: mechanism.k]
    best, best_there = (
        float(np.delete(world.values + noise, winners).max()) for world in (scores, neighbour)
    )
    shifts = np.zeros(scores.d)
    shifts[winners] = (scores.values - neighbour.values)[winners] + best_there - best
    return Alignment(shifts, np.full(scores.d, 1 / mechanism.scale(scores)))


def align_every_noise(mechanism: NoisyTopKWithGap, scores: Scores, neighbour: Scores) -> Alignment:
    """Careless shifts, which undo every change: any release is the same, for up to d/k times ε."""
    rate = np.full(scores.d, 1 / mechanism.scale(scores))
    return Alignment(scores.values - neighbour.values, rate)


def align_run(
    mechanism: ThresholdMechanism, scores: Scores, neighbour: Scores, noise: Floats
) -> Alignment:
    """Shifts for a sparse vector; `noise` (1 + branches, n) in Δ has the threshold's at [0, 0]."""
    plan, move = mechanism.plan, mechanism.margins(neighbour) - mechanism.margins(scores)
    branch, _ = plan.answering_branches_and_units(
        mechanism.margins(scores) + noise[1:] - noise[0, 0]
    )
    shifts, rate = np.zeros(noise.shape), np.zeros(noise.shape)
    shifts[0, 0], rate[0, 0] = max(0.0, float(move[: len(branch)].max())), mechanism.epsilon0
    rate[1:] = np.array([test.rate for test in plan.branches])[:, None]
    items = np.flatnonzero(branch >= 0)
    # in the branch that gave the answer, as much as the threshold and its own change back
    shifts[1 + branch[items], items] = shifts[0, 0] - move[items]
    return Alignment(shifts, rate)

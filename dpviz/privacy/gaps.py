"""The privacy loss of noisy top-k with gap, at least: its release tells more than any finite list of outputs.

With one item: which item wins and in which of some ranges its gap lies. With more: the set of items, whose law
is that of one-shot with laplace noise, as ε/(2k)·f/Δ_eff is f in scales of its noise.
"""

from dataclasses import replace

import numpy as np

from dpviz.base.progress import Progress, portion
from dpviz.base.scores import Scores
from dpviz.gaps.noisy_top_k import NoisyTopKWithGap
from dpviz.privacy.loss import Ceiling, Output, PrivacyLoss
from dpviz.privacy.outcomes import outcome_loss
from dpviz.privacy.top_k import top_k_loss
from dpviz.topk.one_shot import OneShot

__all__ = ["gap_loss"]

_MOST_ITEMS = 60
_GAPS = np.array([0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0])  # in scales of the noise
_RELATIVE = 2e-10


def gap_loss(mechanism: NoisyTopKWithGap, scores: Scores, neighbour: Scores, progress: Progress) -> PrivacyLoss:
    """A lower bound from the item and its gap (k = 1, at most 60 items), else from the set of items."""
    mechanism.check_scores(scores)
    if mechanism.k == 1 and scores.d <= _MOST_ITEMS:
        return _with_gap(mechanism, scores, neighbour, progress)
    chosen = OneShot(epsilon=mechanism.epsilon, k=mechanism.k, noise="laplace")
    here, there = (replace(world, contributions=None) for world in (scores, neighbour))  # its noise knows none
    loss = top_k_loss(chosen, here, there, progress)
    return replace(loss, method="at least", error=0.0, seen="the set of items, without order and gaps")


def _with_gap(mechanism: NoisyTopKWithGap, scores: Scores, neighbour: Scores, progress: Progress) -> PrivacyLoss:
    gaps = _GAPS * mechanism.scale(scores)
    beyond = []
    for part, world in enumerate((scores, neighbour)):
        rows = []
        for item in range(scores.d):
            rows.append([mechanism.gap_survival(world, item, gap) for gap in gaps.tolist()])
            portion(progress, part / 2, (part + 1) / 2)((item + 1) / scores.d)
        beyond.append(np.array(rows))
    p, q = (np.append(-np.diff(chance, axis=1), chance[:, -1:], axis=1).ravel() for chance in beyond)
    error, other_error = (_RELATIVE * chance.ravel() for chance in beyond)

    def output(at: int) -> Output:
        item, which = divmod(at, len(gaps))
        above = f"with a gap above {gaps[which]:.4g}"
        below = f" and at most {gaps[which + 1]:.4g}" if which + 1 < len(gaps) else ""
        return Output(f"{scores.label(item)} {above}{below}", (item,))

    loss = outcome_loss(p, q, error, other_error, output, Ceiling(mechanism.epsilon), "the item and a range of its gap")
    return replace(loss, method="at least", error=0.0)

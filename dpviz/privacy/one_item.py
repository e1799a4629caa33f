"""The privacy loss of a choice of one item: the item, or nothing.

Invariant: under (ε, δ) a mechanism promises δ at ε, not a largest loss, which is infinite where a person decides
whether an item can come out at all; `delta(ε)` is the figure to hold against δ. Noisy max promises ε alone.
"""

import numpy as np

from dpviz.base.progress import Progress, portion
from dpviz.base.scores import Scores
from dpviz.margin.instability import DistanceToInstability
from dpviz.margin.one_item import TopOneLaw, TopOneMechanism
from dpviz.privacy.loss import Ceiling, Output, PrivacyLoss
from dpviz.privacy.outcomes import outcome_loss

__all__ = ["instability_loss", "one_item_loss"]


def one_item_loss(mechanism: TopOneMechanism, scores: Scores, neighbour: Scores, progress: Progress) -> PrivacyLoss:
    """From the exact laws, whose errors are counted."""
    law, other = _laws(mechanism, scores, neighbour, progress)
    return _compared(mechanism, law, other, law.error, other.error)


def instability_loss(
    mechanism: DistanceToInstability, scores: Scores, neighbour: Scores, progress: Progress
) -> PrivacyLoss:
    """As any other, in closed form: a chance of 0 says that the item cannot come out."""
    law, other = _laws(mechanism, scores, neighbour, progress)
    return _compared(mechanism, law, other, 0.0, 0.0)


def _laws(
    mechanism: TopOneMechanism, scores: Scores, neighbour: Scores, progress: Progress
) -> tuple[TopOneLaw, TopOneLaw]:
    law = mechanism.distribution(scores, progress=portion(progress, 0.0, 0.5))
    return law, mechanism.distribution(neighbour, progress=portion(progress, 0.5, 1.0))


def _compared(
    mechanism: TopOneMechanism, law: TopOneLaw, other: TopOneLaw, error: float, other_error: float
) -> PrivacyLoss:
    p, q = (np.append(world.inclusion, world.fail) for world in (law, other))
    fails = float(law.fail > 0 or other.fail > 0)  # a mechanism that never says nothing does so without error
    uncertain = np.append(np.ones(law.scores.d), fails)

    def output(at: int) -> Output:
        return Output("nothing") if at == law.scores.d else Output(law.scores.label(at), (at,))

    ceiling = Ceiling(mechanism.epsilon, mechanism.delta_spent)
    return outcome_loss(p, q, error * uncertain, other_error * uncertain, output, ceiling, "the item")

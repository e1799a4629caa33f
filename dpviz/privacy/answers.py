"""The privacy loss of sparse vectors: which queries are answered, and by which branch.

Symbols: one letter a query asked makes an answer string, "_" where it is not answered.
Invariant: gaps come with the answers and could tell more; what is metered is the answers. Few queries: every
string, to a relative accuracy. Many: what single queries and the number of answers show, at least.
"""

import numpy as np

from dpviz.base.progress import Progress, portion
from dpviz.base.scores import Scores
from dpviz.gaps.sparse.mechanism import ThresholdMechanism
from dpviz.privacy.loss import Ceiling, Output, PrivacyLoss
from dpviz.privacy.lower_bounds import loss_of_events
from dpviz.privacy.outcomes import outcome_loss

__all__ = ["answers_loss", "string_count"]

_MOST_STRINGS = 5_000
_RELATIVE = 1e-11
_SEEN = "the answers, without their gaps"


def answers_loss(mechanism: ThresholdMechanism, scores: Scores, neighbour: Scores, progress: Progress) -> PrivacyLoss:
    """From all answer strings while there are at most 5,000, else from the chances of single answers."""
    mechanism.margins(scores)  # refuses scores that it cannot take
    if string_count(mechanism, scores.d) > _MOST_STRINGS:
        return _single_answers(mechanism, scores, neighbour, progress)
    strings = mechanism.answer_strings(scores)
    progress(0.5)
    others = mechanism.answer_strings(neighbour)
    p, q = (np.array([law[text] for text in strings]) for law in (strings, others))
    told = list(strings)
    progress(1.0)
    return outcome_loss(
        p,
        q,
        _RELATIVE * p,
        _RELATIVE * q,
        lambda at: Output(f"the answers {told[at]}"),
        Ceiling(mechanism.epsilon),
        _SEEN,
    )


def string_count(mechanism: ThresholdMechanism, queries: int) -> int:
    """How many answer strings there are.

    >>> from dpviz import SparseVector
    >>> string_count(SparseVector(epsilon=1.0, k=1, threshold=0.0), 3)  # T, _T, __T, ___
    4
    """
    costs = [test.cost for test in mechanism.branches()]
    last = mechanism.units - max(costs)
    going, ended = {0: 1}, 0
    for _ in range(queries):
        longer: dict[int, int] = {}
        for used, count in going.items():
            for cost in (0, *costs):
                longer[used + cost] = longer.get(used + cost, 0) + count
        ended += sum(count for used, count in longer.items() if used > last)
        going = {used: count for used, count in longer.items() if used <= last}
    return ended + sum(going.values())


def _single_answers(
    mechanism: ThresholdMechanism, scores: Scores, neighbour: Scores, progress: Progress
) -> PrivacyLoss:
    law = mechanism.distribution(scores, progress=portion(progress, 0.0, 0.5))
    other = mechanism.distribution(neighbour, progress=portion(progress, 0.5, 1.0))
    p, q = (np.concatenate([w.answered, w.reached, np.cumsum(w.units)]) for w in (law, other))
    names = [scores.label(item) for item in range(scores.d)]
    told = [Output(f"{name} is answered", (item,)) for item, name in enumerate(names)]
    told += [Output(f"{name} is asked", (item,)) for item, name in enumerate(names)]
    told += [Output(f"at most {used} of {mechanism.units} units used") for used in range(len(law.units))]
    return loss_of_events(p, q, law.error, other.error, told, Ceiling(mechanism.epsilon), _SEEN)

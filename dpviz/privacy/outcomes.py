"""The loss from a list of all outputs with their chances in both worlds, each known to some error.

Invariant: every figure uses the least that a chance can be in its own world and the most that it can be in the
other, so it is a lower bound; the largest loss is "exact" where the upper bound made the same way agrees with it.
"""

from collections.abc import Callable

import numpy as np

from dpviz.base.arrays import Floats
from dpviz.base.law import Ceiling, Output
from dpviz.privacy.loss import Outcomes, PrivacyLoss

_AGREE = 1e-6


def outcome_loss(
    p: Floats,
    q: Floats,
    error: Floats | float,
    other_error: Floats | float,
    output: Callable[[int], Output],
    ceiling: Ceiling,
    seen: str,
) -> PrivacyLoss:
    """The loss of disjoint outputs from their chances in both worlds.

    Parameters
    ----------
    p, q
        The chance of each output here and there, shape (outputs,).
    error, other_error
        Bounds on the errors of p and of q, one for all or one an output.
    output
        Tells of an output by its index.
    ceiling
        What the mechanism promises.
    seen
        What the output is taken to be, in words.

    Returns
    -------
    PrivacyLoss
        The loss, exact where upper and lower bound agree, else at least.

    Examples
    --------
    >>> told = lambda i: Output("heads" if i == 0 else "tails")
    >>> loss = outcome_loss(np.array([0.5, 0.5]), np.array([0.25, 0.75]), 0.0, 0.0, told, Ceiling(1.0), "the coin")
    >>> loss
    PrivacyLoss(0.693147 of 1, heads)
    """
    p_low, p_high = np.maximum(p - error, 0.0), np.minimum(p + error, 1.0)
    q_low, q_high = np.maximum(q - other_error, 0.0), np.minimum(q + other_error, 1.0)
    forth, back = _log_quotient(p_low, q_high), _log_quotient(q_low, p_high)
    shown = int(np.argmax(np.maximum(forth, back)))
    least = float(max(forth[shown], back[shown], 0.0))
    most = float(max(_log_quotient(p_high, q_low).max(), _log_quotient(q_high, p_low).max()))
    exact = most == least or most - least <= _AGREE
    return PrivacyLoss(
        method="exact" if exact else "at least",
        ceiling=ceiling,
        seen=seen,
        output=output(shown),
        here=Outcomes.of(forth, p_low, max(0.0, 1.0 - float(p_low.sum())), float(forth.max())),
        there=Outcomes.of(back, q_low, max(0.0, 1.0 - float(q_low.sum())), float(back.max())),
        error=most - least if exact and most > least else 0.0,
    )


def _log_quotient(above: Floats, below: Floats) -> Floats:
    """log above/below, −inf where nothing is above."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(above > 0, np.log(above) - np.log(below), -np.inf)

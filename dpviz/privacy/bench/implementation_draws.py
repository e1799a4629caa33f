"""Draws of any implementation: a function of (scores, size, rng), or a mechanism of dpviz."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from dpviz.base import Mechanism, ParameterError, Progress, ignore_progress, mechanism_creation_hint
from dpviz.topk.user_sampler import FromSampler

Sampler = Callable[[Any, int, Generator], Any]
"""draw(scores, size, rng): outputs, a row each: of shape (size, k), or (size,)."""

Rows = NDArray[Any]
"""Outputs, a row each: whole numbers, texts, truth values or real numbers."""


def collect_draws(
    draw: Sampler | Mechanism,
    scores: Any,
    size: int,
    rng: Generator,
    progress: Progress = ignore_progress,
) -> Rows:
    """Outputs of an implementation, a row each, whose order counts as part of it."""
    call = _of_mechanism(draw) if isinstance(draw, Mechanism) else draw
    if not callable(call) or isinstance(draw, type) or hasattr(draw, "input_metric"):
        allowed = "a function of (scores, size, rng), or a mechanism"
        raise ParameterError("draw", draw, allowed + mechanism_creation_hint(draw))
    # in parts, so that they can be watched and stopped
    sizes = np.diff(np.linspace(0, size, 11).astype(int))
    parts: list[Rows] = []
    for number, some in enumerate(sizes[sizes > 0].tolist()):
        parts.append(_checked(call(scores, some, rng), some))
        if parts[-1].shape[1:] != parts[0].shape[1:]:
            raise ParameterError(
                "the outputs of draw", parts[-1].shape, "rows of one length, filled up with -1"
            )
        progress((number + 1) / len(sizes))
    return np.concatenate(parts)


def _of_mechanism(mechanism: Any) -> Sampler:
    if isinstance(mechanism, FromSampler):
        return mechanism.raw_outputs  # as it comes, in its order
    if hasattr(mechanism, "sample"):
        return lambda scores, size, rng: mechanism.sample(scores, size, rng=rng)
    return lambda scores, size, rng: mechanism.distribution(scores).draw(size, rng)


def _checked(outputs: Any, size: int) -> Rows:
    try:
        rows = np.asarray(outputs)
    except ValueError:
        raise ParameterError(
            "the outputs of draw", type(outputs).__name__, "rows of one length"
        ) from None
    if rows.dtype.kind not in "iubfUS" or rows.ndim not in (1, 2) or len(rows) != size:
        allowed = f"{size} rows of plain values, of shape ({size}, k)"
        raise ParameterError("the outputs of draw", f"{rows.dtype} of shape {rows.shape}", allowed)
    return rows.reshape(size, -1)

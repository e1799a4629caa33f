"""Samplers to audit: dpviz, OpenDP, diffprivlib, or a user's function."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.random import Generator

from dpviz.base import ParameterError, Scores, load_user_function
from dpviz.privacy.bench.implementation_draws import Sampler
from dpviz.topk import OneShot, TopKMechanism


def parse_sampler(text: str, mechanism: TopKMechanism) -> Sampler:
    """Sampler that `--drawn-by` names, with this mechanism if it is a library."""
    library = LIBRARIES.get(text)
    return (
        load_user_function("--drawn-by", text) if library is None else partial(library, mechanism)
    )


def _dpviz(mechanism: TopKMechanism, scores: Scores, size: int, rng: Generator) -> Any:
    return mechanism.sample(scores, size, rng=rng)


def _opendp(mechanism: TopKMechanism, scores: Scores, size: int, rng: Generator) -> Any:
    """OpenDP draws from the system's entropy, one by one; `rng` is not used."""
    from dpviz.export.release.release_tools import select_tool  # noqa: PLC0415 - with all that a release needs

    tool = select_tool(mechanism, scores.contributions, monotonic=scores.monotonic)
    if tool.name != "OpenDP":
        raise ParameterError(
            "--mechanism", mechanism.name, "one that OpenDP draws, as one_shot:noise=exponential"
        )
    draw = tool.prepare_draw(mechanism, scores)
    items = np.full((size, mechanism.k), -1)
    for row in items:
        drawn = [item for item, _ in draw()]
        row[: len(drawn)] = drawn
    return items


def _diffprivlib(mechanism: TopKMechanism, scores: Scores, size: int, rng: Generator) -> Any:
    """diffprivlib's Exponential and PermuteAndFlip, which choose one item."""
    try:
        from diffprivlib import mechanisms  # noqa: PLC0415 - optional, and slow to load
    except ImportError as err:
        allowed = f"installed so that it loads (pip install diffprivlib; {err})"
        raise ParameterError("--drawn-by", "diffprivlib", allowed) from None
    kinds = {"gumbel": "Exponential", "exponential": "PermuteAndFlip"}
    if not isinstance(mechanism, OneShot) or mechanism.k > 1 or mechanism.noise not in kinds:
        allowed = f"one that diffprivlib draws: one_shot with k = 1 and noise {' or '.join(kinds)}"
        raise ParameterError("--mechanism", f"{mechanism.name}, k = {mechanism.k}", allowed)
    chooses = getattr(mechanisms, kinds[mechanism.noise])(
        epsilon=mechanism.epsilon,
        sensitivity=scores.sensitivity,
        utility=scores.values.tolist(),
        monotonic=scores.monotonic,
        random_state=int(rng.integers(2**32)),
    )
    return [chooses.randomise() for _ in range(size)]


LIBRARIES: dict[str, Callable[..., Any]] = {
    "dpviz": _dpviz,
    "opendp": _opendp,
    "diffprivlib": _diffprivlib,
}
"""Libraries by name, each a function of (mechanism, scores, size, rng)."""

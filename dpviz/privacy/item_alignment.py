"""Alignment of two worlds (`Scores` or `CandidatePool`) by the labels of their items.

Invariant: a name in one world alone counts 0 in the other, and is refused where names were known.
"""

from collections import Counter
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from dpviz.base import ParameterError, Scores
from dpviz.candidates import CandidatePool

_HELPS = (
    ", as there is a list of all possible items (give it a score there too, 0 if nobody has it."
    " Or set names_known=False for a mechanism that needs none)"
)

World = TypeVar("World", Scores, CandidatePool)


def align_items(scores: World, neighbour: World) -> tuple[World, World]:
    """Both worlds with the items of the first in its order, then those that only the second has."""
    if scores.labels is None or neighbour.labels is None or scores.labels == neighbour.labels:
        return scores, neighbour
    here: dict[str, int] = _places("scores", scores)
    there: dict[str, int] = _places("neighbour", neighbour)
    new: list[str] = [name for name in there if name not in here]
    gone = [name for name in here if name not in there]
    if scores.names_known or neighbour.names_known:
        for alone, world, other in ((new, "neighbour", "scores"), (gone, "scores", "neighbour")):
            if alone:
                helps = _HELPS if isinstance(scores, Scores) else ""
                raise ParameterError(
                    f"an item of {world}", alone[0], f"one of those of {other}{helps}"
                )
    names = [*here, *new]
    return _listed(scores, names, here), _listed(neighbour, names, there)


def _places(called: str, world: World) -> dict[str, int]:
    places = {name: place for place, name in enumerate(world.labels)}
    if len(places) < len(world.labels):
        twice = next(name for name, times in Counter(world.labels).items() if times > 1)
        raise ParameterError(
            f"the labels of {called}",
            twice,
            "distinct, or in the same order in scores and neighbour",
        )
    return places


def _listed(world: World, names: list[str], places: dict[str, int]) -> World:
    """The world with these items in this order; missing items count 0."""
    if isinstance(world, CandidatePool):
        return replace(
            world, candidates=[world.candidates[places[name]] for name in names], labels=names
        )
    values = [world.values[places[name]] if name in places else 0.0 for name in names]
    more: dict[str, Any] = {}
    if isinstance(own := world.sensitivities, np.ndarray):  # an item of nobody may move by most
        limits = [own[places[name]] if name in places else world.sensitivity for name in names]
        more = {"sensitivity": limits, "sensitivities": None}
    return replace(world, values=np.array(values), labels=names, **more)

"""Steps of studies that are computed once in a module, as most of its tests ask about the same."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from dpviz.base import Progress
from dpviz.studies import Study

__all__ = ["steps_once"]

Compute = Callable[[Any, Progress], object]


@contextmanager
def steps_once() -> Iterator[None]:
    """Keep every step for later studies of the same settings and the same earlier results."""
    known: dict[tuple[object, ...], tuple[object, dict[str, object]]] = {}
    computations, read = Study._computations, Study.step_result

    def once(name: str, compute: Compute) -> Compute:
        def computed(study: Study, progress: Progress) -> object:
            key = study.key, name, *((of, id(result)) for of, result in study.results.items())
            if key not in known:
                so_far = dict(study.results)  # kept, so that nothing else gets its identity
                known[key] = compute(study, progress), so_far
            return known[key][0]

        return computed

    def each_once(study: Study) -> Iterator[tuple[str, Compute]]:
        for name, compute in computations(study):
            yield name, once(name, compute)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Study, "_computations", each_once)
        patch.setattr(
            Study,
            "step_result",
            lambda study, name, compute: read(study, name, once(name, compute)),
        )
        yield

"""Arrays are handed out read-only, so that an exact law stays exact."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from dpviz import ParameterError, inclusion_with_and_without, privacy_loss
from dpviz.base.arrays import cached_property
from dpviz.base.registry import Registry
from tests.menus import contract_for
from tests.test_laws import EVERY, data_for

DEEPEST = 3


def writable(held: Any, place: str, seen: dict[int, Any], depth: int = 0) -> Iterator[str]:
    """Where arrays that can be written into are reached by public attributes, `place` first."""
    if isinstance(held, np.ndarray):
        if held.flags.writeable:
            yield place
    elif isinstance(held, tuple | list):
        for each in held[:3]:
            yield from writable(each, f"{place}[]", seen, depth)
    elif depth <= DEEPEST and type(held).__module__.startswith("dpviz") and id(held) not in seen:
        seen[id(held)] = held
        for name in public_names(held):
            try:
                value = getattr(held, name)
            except (ParameterError, TypeError):  # not every figure is there on all data
                continue
            yield from writable(value, f"{place}.{name}", seen, depth + 1)


def public_names(held: Any) -> set[str]:
    properties = {
        name
        for name in dir(type(held))
        if isinstance(getattr(type(held), name, None), property | cached_property)
    }
    return {name for name in {*properties, *getattr(held, "__dict__", ())} if name[0] != "_"}


@pytest.mark.parametrize(("menu", "name"), EVERY, ids=[name for _, name in EVERY])
def test_laws_losses_and_what_they_hold(menu: Registry[Any], name: str) -> None:
    example = next(each for each in contract_for(menu, name).examples if each.name == name)  # type: ignore[attr-defined]
    data = data_for(example)
    law = example.distribution(data)
    held = [law, privacy_loss(example, data, data), inclusion_with_and_without(example, data, data)]
    held += [law.grid()] if hasattr(law, "grid") else []
    assert list(writable(held, name, {})) == []

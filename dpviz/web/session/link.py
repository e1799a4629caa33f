"""The scenario of the link that a session begins with; parts that cannot be read are left out."""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from dpviz.base import ParameterError
from dpviz.studies import DataSpec, Scenario
from dpviz.studies.scenario import first_scenario_query

FIRST_EPSILON = 0.2  # the example's answer is then likely right, yet far from certain
ANSWERS = ("monotonic", "sensitivity", "contributions", "items_known", "unit")
"""Parameters that are answers about one person."""
_DATA, _PERSON = "the data", "what one person can change"
_PARTS = {
    "the version it was made with": r"v",
    _DATA: r"data(\..*)?",
    _PERSON: r"sensitivity|monotonic|contributions|items_known",
    "ε": r"epsilon",
    "k": r"k",
    "the seed": r"seed",
    "the mechanisms": r"m[0-9]+",
    "a setting of a page": r"page\..*",
}
"""Patterns of the parameters of each part."""


def scenario_from_link(
    query: Mapping[str, str], first: Scenario, fit: Callable[[Scenario], Scenario]
) -> tuple[Scenario, list[str]]:
    """`first` with the parts that the link sets, each time made to `fit`; and the parts left out."""

    def opened(said: dict[str, str]) -> Scenario:
        below = {"epsilon": repr(FIRST_EPSILON)} | first_scenario_query(first, said)
        return fit(Scenario.from_query(below | said))

    if not query:
        return first, []
    with suppress(ParameterError):  # else the wrong parts are found one by one
        return opened(dict(query)), []
    scenario, read, refused = first, dict[str, str](), list[str]()
    for name, keys in _PARTS.items():
        part = {key: value for key, value in query.items() if re.fullmatch(keys, key)}
        if part and not (name == _PERSON and _DATA in refused):
            try:
                scenario, read = opened(read | part), read | part
            except ParameterError:
                value = next(iter(part.values()))
                refused.append(f"{name} (“{value:.40}”)" if name in {"ε", "k"} else name)
    return scenario, refused


def answers_in_link(query: Mapping[str, str], data: DataSpec) -> dict[str, Any]:
    """Answers about one person that the link gives and its data do not imply."""
    own = DataSpec(source=data.source, name=data.name, parameters=data.parameters)
    return {
        name: getattr(data, name)
        for name in ANSWERS
        if name in query
        and (data.source == "uploaded" or getattr(data, name) != getattr(own, name))
    }

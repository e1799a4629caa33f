"""Every law of every menu keeps the protocol."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpviz import (
    CANDIDATES,
    GAPS,
    THRESHOLD,
    TOP_ONE,
    CandidatePool,
    OneShot,
    Scores,
    TopKMechanism,
    estimate,
    privacy_loss,
)
from dpviz.base.law import Law
from dpviz.base.mechanism import Mechanism
from dpviz.base.registry import Registry
from tests.law_contract import broken
from tests.menus import contract_for, registries
from tests.test_seeds import made


def is_of_mechanisms(menu: Registry[Any]) -> bool:
    return all(isinstance(entry, type) and issubclass(entry, Mechanism) for entry in menu.values())


MECHANISMS = {place: menu for place, menu in registries().items() if is_of_mechanisms(menu)}
EVERY = [(menu, name) for menu in MECHANISMS.values() for name in menu]
POOL = CandidatePool([[0.3, 0.3, 0.6, 1.2], [0.6, 0.9, 9.5], ([0.1, 0.6], [0.9, 0.1])])
SCORES = Scores(
    [55.0, 47.0, 52.0, 50.0, 41.0, 52.0], labels=["ash", "elm", "fir", "oak", "tea", "yew"]
)


def data_for(mechanism: Any) -> Any:
    """What it can be run on."""
    if mechanism.runs_on is CandidatePool:
        return POOL
    few = 2 if isinstance(mechanism, TopKMechanism) and mechanism.delta_spent else None
    return replace(SCORES, monotonic=getattr(mechanism, "monotonic", False), contributions=few)


@pytest.mark.parametrize(("menu", "name"), EVERY, ids=[name for _, name in EVERY])
def test_every_law_keeps_the_protocol(menu: Registry[Any], name: str) -> None:
    examples = [each for each in contract_for(menu, name).examples if each.name == name]  # type: ignore[attr-defined]
    for example in examples:
        data = data_for(example)
        law: Law = example.distribution(data)
        assert broken(law, example.distribution(data), len(EVERY) * len(examples)) == [], example


@pytest.mark.parametrize("epsilon", [1e-4, 60.0, 500.0])
@pytest.mark.parametrize("name", [*GAPS, *THRESHOLD, *TOP_ONE])
def test_no_epsilon_breaks_the_protocol_or_the_promise(name: str, epsilon: float) -> None:
    (kind,) = (menu[name] for menu in (GAPS, THRESHOLD, TOP_ONE) if name in menu)
    one = {"k": 1} if "k" in kind.__dataclass_fields__ else {}
    mechanism = made(kind).replace(epsilon=epsilon, **one)
    data, other = (Scores(values) for values in ([2, 1, -9], [3, 0, -9]))
    assert broken(mechanism.distribution(data), mechanism.distribution(data), 100) == []
    loss = privacy_loss(mechanism, data, other)
    for way in (loss, loss.reversed):
        assert way.delta(epsilon) <= loss.ceiling.delta + 1e-9
    assert loss.ceiling.delta or loss.largest <= epsilon * (1 + 1e-7)


@pytest.mark.parametrize("name", CANDIDATES)
def test_chances_stay_chances_in_every_small_pool(name: str) -> None:
    rng = np.random.default_rng(1)
    for _ in range(60):
        pool = CandidatePool(rng.dirichlet(np.full(int(rng.integers(1, 5)), 0.5), 1))
        law = made(CANDIDATES[name]).distribution(pool)
        assert broken(law, law, 10**6) == []


def test_an_estimated_law_keeps_it_too() -> None:
    law = estimate(OneShot(epsilon=1.0, k=2), SCORES, samples=4000)
    told = broken(law, law)
    assert [line for line in told if not line.startswith("draw:")] == []

"""Losses in people, against every way of changing them, and the mechanism that rounds up to these."""

import itertools
from dataclasses import dataclass

import numpy as np
import pytest

from dpviz import Canonical, ParameterError, Scores, TopKMechanism
from dpviz.commands.options import parse_entry
from dpviz.pages.explore.closer_look import class_loss_sentence
from dpviz.studies import Design, Scenario
from dpviz.topk import TOP_K
from dpviz.topk.classes import classes_of_rank_sets, people_changes_to_top_k
from dpviz.topk.law_grid import inspect_class
from tests.contract import MechanismContract, Sets, of_ranks
from tests.gaps.sparse.oracle import winners
from tests.topk.test_canonical import set_losses
from tests.topk.test_contributions import spent


class TestRounded(MechanismContract):
    examples = [
        Canonical(epsilon=2.0, k=2, rounded=True, noise=n) for n in ("gumbel", "exponential")
    ]

    def definition(self, m: TopKMechanism, s: Scores) -> Sets:
        """As canonical, every loss rounded up; a millionth of a person is rounding."""
        losses = set_losses(m, s)  # type: ignore[arg-type]
        levels = -m.epsilon / 2 * np.ceil(np.array(list(losses.values())) - 1e-6)
        chances = winners(levels, m.noise)  # type: ignore[attr-defined]
        return of_ranks(s, dict(zip(losses, chances.tolist(), strict=True)))


def people_by_trial(s: Scores, k: int, most: int) -> dict[tuple[int, ...], int]:
    """The fewest changes of one person each that make each set of items a top k, up to `most`."""
    moves = [np.array(step) for step in itertools.product((-1, 0, 1), repeat=s.d)]
    if s.monotonic:
        moves = [step for step in moves if step.min() >= 0 or step.max() <= 0]
    if s.contributions == 1:
        moves = [step for step in moves if max((step > 0).sum(), (step < 0).sum()) <= 1]
        moves = [step for step in moves if not s.monotonic or np.abs(step).sum() <= 1]
    found: dict[tuple[int, ...], int] = {}
    reached = {tuple(s.values.astype(int).tolist())}
    for people in range(most + 1):
        vectors = np.array(list(reached))
        for items in itertools.combinations(range(s.d), k):
            out = np.setdiff1d(np.arange(s.d), items)
            if (vectors[:, list(items)].min(1) >= vectors[:, out].max(1)).any():
                found.setdefault(items, people)
        stepped = np.concatenate([vectors + step for step in moves])
        reached = set(map(tuple, np.unique(stepped, axis=0).tolist()))
    return found


@pytest.mark.parametrize("monotonic", [True, False])
@pytest.mark.parametrize("values", [[4, 2, 2, 0], [3, 3, 1, 0]])
def test_a_loss_is_the_number_of_people_who_have_to_be_different(
    values: list[int], monotonic: bool
) -> None:
    for contributions in (None, 1):
        s = Scores(values, monotonic=monotonic, contributions=contributions)
        most = 4 if monotonic else 2
        tried = people_by_trial(s, 2, most)
        for items in itertools.combinations(range(4), 2):
            h, t = classes_of_rank_sets(np.sort(s.rank[list(items)])[None, :], 2)
            people = int(people_changes_to_top_k(s.ranked, h, t)[0])
            if contributions is None and people <= most:
                assert tried[items] == people, (s, items)
            assert tried.get(items, most + 1) >= min(people, most + 1), (s, items)


def test_rounding_of_doubles_adds_no_person() -> None:
    s = Scores([1000.4, 1000.3, 0.0], sensitivity=0.1, monotonic=True)
    m = Canonical(epsilon=1.0, k=1)
    details = inspect_class(m, s, m.distribution(s).law, 0, 2, rng=1)
    assert details.people == 1, "0.1 apart, which is 1.000000000001819 of 0.1 in doubles"
    assert details.loss is not None
    assert details.loss > 1


def test_the_panel_says_people_only_where_the_loss_counts_them() -> None:
    s = Scores([9, 7, 7, 4], monotonic=True)
    said = [
        class_loss_sentence(inspect_class(m, s, m.distribution(s).law, h, t, rng=1), 2)
        for m in (Canonical(epsilon=1.0, k=2), Canonical(epsilon=1.0, k=2, gamma=0.4))
        for h, t in ((1, 2), (1, 3), (0, 4))
    ]
    assert said == [
        "",
        "This list is as good as the true top 2.",
        "At least 5 people would have to be different for this list to be the true top 2.",
        *("", "", ""),
    ]


@dataclass(frozen=True, kw_only=True)
class RoundedAnywhere(Canonical):
    """A broken twin: rounds the loss at any γ."""

    def class_loss(self, x: np.ndarray, h: np.ndarray, t: np.ndarray) -> np.ndarray:
        return np.ceil(super().class_loss(x, h, t) - 1e-6)

    @property
    def class_score(self) -> None:
        """Rounded it is not linear."""
        return


def test_rounding_costs_more_than_epsilon_elsewhere() -> None:
    near = [1.25, 1.25, 1.0, 0.25], [2.5, 1.5, 1.25, 1.25]
    assert spent(Canonical(epsilon=10.0, k=2, rounded=True), True, 4, *near) <= 1 + 1e-9
    assert spent(RoundedAnywhere(epsilon=10.0, k=2, gamma=0.25), True, 4, *near) > 1.05
    with pytest.raises(ParameterError, match=r"gamma must be 0\.5 where rounded is True"):
        Canonical(epsilon=1.0, k=2, gamma=0.25, rounded=True)
    assert spent(Canonical(epsilon=10.0, k=2, rounded=True), True, 1, *near) <= 1 + 1e-9
    assert RoundedAnywhere(epsilon=10.0, k=2).epsilon_cost_factor(1) == 0.5
    assert spent(RoundedAnywhere(epsilon=10.0, k=2), True, 1, *near) > 1.05, "half is too little"


def test_rounding_is_left_out_where_it_is_off() -> None:
    """A stored scenario has it on."""
    off, on = Design(parameters={"rounded": False}), Design(parameters={"rounded": True})
    assert (off, on.label) == (Design(), "Canonical · rounded")
    for text in (Scenario().to_json(), Scenario().to_query()["m1"]):
        assert "rounded" not in text
    assert parse_entry("canonical:rounded=true", TOP_K, {})[1] == {"rounded": True}

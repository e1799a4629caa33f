"""The names that the field uses: each is found on the command line, in the app and in the docs."""

import math
import shlex
from collections.abc import Callable
from functools import cache
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
import scipy

from assets.docs.parts.docstrings import _menu
from dpviz import CANDIDATES, GAPS, THRESHOLD, TOP_K, TOP_ONE, Design, ParameterError, Scores
from dpviz.__main__ import main
from dpviz.base.registry import Registry, fold_name
from dpviz.commands.options import parse_entry
from tests.test_laws import POOL

MENUS: tuple[Registry[Any], ...] = (TOP_K, GAPS, THRESHOLD, TOP_ONE, CANDIDATES)
NAMES = [
    (menu, name, called) for menu in MENUS for name in menu for called in menu.field_names(name)
]
EPSILON, VALUES = 1.3, np.array([3.0, 2.5, 2.5, 0.0])


def by_name(called: str, k: int) -> dict[tuple[int, ...], float]:
    law = Design(mechanism=called).build(EPSILON, k).distribution(Scores(VALUES))
    return {s: math.exp(law.log_probability(s)) for s in combinations(range(len(VALUES)), k)}


def permute_and_flip() -> list[float]:
    """McKenna & Sheldon 2020, Algorithm 1, over every permutation."""
    heads, won = np.exp(EPSILON / 2 * (VALUES - VALUES.max())), np.zeros(len(VALUES))
    for order in permutations(range(len(VALUES))):
        left = 1 / math.factorial(len(VALUES))
        for item in order:
            won[item] += left * heads[item]
            left *= 1 - heads[item]
    return won.tolist()


@cache
def report_noisy_max() -> list[float]:
    noisy = [scipy.stats.laplace(value, 2 / EPSILON) for value in VALUES]
    z = np.linspace(-40, 40, 800_001)
    below = [one.cdf(z) for one in noisy]
    return [
        float(np.trapezoid(one.pdf(z) * np.prod(below[:at] + below[at + 1 :], axis=0), z))
        for at, one in enumerate(noisy)
    ]


def inverse_sensitivity(k: int) -> dict[tuple[int, ...], float]:
    """Exponential in the people who must differ until the set is a top k: each moves two scores."""
    weights = {}
    for s in combinations(range(len(VALUES)), k):
        apart = max(np.delete(VALUES, s)) - min(VALUES[list(s)])
        weights[s] = math.exp(-EPSILON / 2 * math.ceil(max(0.0, apart) / 2))
    return {s: weight / sum(weights.values()) for s, weight in weights.items()}


def exponential() -> list[float]:
    weights = np.exp(EPSILON * VALUES / 2)
    return (weights / weights.sum()).tolist()  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("called", "chances"),
    [
        ("exponential mechanism", exponential),
        ("Gumbel trick", exponential),
        ("permute-and-flip", permute_and_flip),
        ("report noisy max", report_noisy_max),
    ],
)
def test_a_name_finds_the_mechanism_of_the_field(
    called: str, chances: Callable[[], list[float]]
) -> None:
    assert [*by_name(called, 1).values()] == pytest.approx(chances(), abs=1e-8)
    name, fixed = TOP_ONE.find(called)
    law = TOP_ONE[name](epsilon=EPSILON, **fixed).distribution(Scores(VALUES))
    assert law.inclusion.tolist() == pytest.approx(chances(), abs=1e-8)


def test_names_for_more_items_and_other_kinds_find_what_they_mean() -> None:
    peeled, noisy = by_name("permute-and-flip", 2), by_name("one-shot Laplace", 2)
    assert Design(mechanism="permute-and-flip").label == "Peeling · exponential"
    assert max(abs(peeled[s] - noisy[s]) for s in peeled) > 1e-3
    in_turn = by_name("sequential exponential mechanism", 2)
    assert in_turn == pytest.approx(by_name("one-shot Gumbel", 2), abs=1e-9)
    people = by_name("inverse sensitivity mechanism", 2)
    assert people == pytest.approx(inverse_sensitivity(2), abs=1e-9)
    name, fixed = GAPS.find("noisy max with gap")
    gaps = GAPS[name](epsilon=EPSILON, **fixed).distribution(Scores(VALUES))
    assert gaps.chances.tolist() == pytest.approx(report_noisy_max(), abs=1e-6)
    name, fixed = CANDIDATES.find("geometric repeats")
    laws = [CANDIDATES[name](stop=0.2, **fixed), CANDIDATES["random_stopping"](stop=0.2)]
    np.testing.assert_allclose(*(m.distribution(POOL).chances for m in laws), atol=1e-9)


def test_at_least_thirty_names_are_told_apart() -> None:
    assert len({fold_name(called) for _, _, called in NAMES}) >= 30
    for menu in MENUS:
        folded = [fold_name(called) for name in menu for called in (name, *menu.field_names(name))]
        assert len({*folded}) == len(folded)


@pytest.mark.parametrize(("menu", "name", "called"), NAMES, ids=[called for *_, called in NAMES])
def test_every_name_is_found_at_the_command_line_and_in_the_documentation(
    menu: Registry[Any], name: str, called: str
) -> None:
    for written in (called, called.lower().replace(" ", "_"), called.replace("-", " ")):
        assert menu.find(written)[0] == name
    told = parse_entry(called, menu, {}, shared_names=("epsilon", "k"))[1]
    assert told == {at: value for at, value in menu.field_names(name)[called].items() if at != "k"}
    lines = (menu[name].__doc__ or "").partition("Parameters\n")[0]
    assert fold_name(called) in fold_name(" ".join(lines.split()))
    assert called in " ".join(_menu(menu))


def test_commands_take_the_names_of_the_field() -> None:
    for asked in (
        "distribution -m permute_and_flip --example class_trip",
        "smallest-epsilon -m exponential --example class_trip",
        "compose -m noisy_max -m Canonical --example class_trip",
        "gaps -m svt --example class_trip",
        "candidates --rule hyperparameter-tuning:stop=0.1",
    ):
        assert main(shlex.split(asked)) == 0, asked


@pytest.mark.parametrize(
    ("called", "hint"),
    [
        ("peelng", "did you mean peeling"),
        ("permute_flip", "did you mean permute-and-flip"),
        ("svt", "svt is another kind of choice, see SparseVector and dpviz gaps -m"),
    ],
)
def test_an_error_says_where_a_name_is_found(called: str, hint: str) -> None:
    with pytest.raises(ParameterError, match=hint):
        Design(mechanism=called)
    with pytest.raises(ParameterError, match="noise must be one of exponential, not 'laplace'"):
        Design(mechanism="permute-and-flip", parameters={"noise": "laplace"})

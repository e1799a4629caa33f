"""The names that the field uses: each is found on the command line, in the app and in the docs."""

import math
import shlex
from collections.abc import Mapping
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
import scipy

from assets.docs.parts.docstrings import _menu
from dpviz import (
    CANDIDATES,
    GAPS,
    THRESHOLD,
    TOP_K,
    TOP_ONE,
    CandidatePool,
    Design,
    ParameterError,
    Scores,
    ThresholdCounts,
)
from dpviz.__main__ import main
from dpviz.base.registry import Registry, fold_name
from dpviz.commands.options import parse_entry

MENUS: tuple[Registry[Any], ...] = (TOP_K, GAPS, THRESHOLD, TOP_ONE, CANDIDATES)
NAMES = [
    (menu, name, called) for menu in MENUS for name in menu for called in menu.field_names(name)
]
EPSILON, VALUES = 1.3, np.array([3.0, 2.5, 2.5, 0.0])
PUBLIC = Scores(VALUES)


def by_name(called: str, k: int = 1) -> dict[frozenset[int], float]:
    """P of every set of k items, by the law of what this name of the field finds."""
    law = Design(mechanism=called).build(EPSILON, k).distribution(PUBLIC)
    return {
        frozenset(items): math.exp(law.log_probability(items))
        for items in combinations(range(len(VALUES)), k)
    }


def exponential_mechanism() -> list[float]:
    weights = np.exp(EPSILON * VALUES / 2)
    return list(weights / weights.sum())


def permute_and_flip() -> list[float]:
    """McKenna & Sheldon 2020, Algorithm 1, over every permutation."""
    heads, won = np.exp(EPSILON / 2 * (VALUES - VALUES.max())), np.zeros(len(VALUES))
    for order in permutations(range(len(VALUES))):
        left = 1 / math.factorial(len(VALUES))
        for item in order:
            won[item] += left * heads[item]
            left *= 1 - heads[item]
    return list(won)


def report_noisy_max() -> list[float]:
    noise = [scipy.stats.laplace(value, 2 / EPSILON) for value in VALUES]

    def chance(best: int) -> float:
        def density(z: float) -> float:
            others = [one.cdf(z) for at, one in enumerate(noise) if at != best]
            return float(noise[best].pdf(z) * np.prod(others))

        return float(scipy.integrate.quad(density, -60, 60, points=sorted({*VALUES}), limit=400)[0])

    return [chance(item) for item in range(len(VALUES))]


def inverse_sensitivity(k: int) -> dict[frozenset[int], float]:
    """Exponential in the people who must differ until the set is a top k: they move two scores."""

    def people(chosen: tuple[int, ...]) -> int:
        missing = max(VALUES[item] for item in range(len(VALUES)) if item not in chosen)
        return math.ceil(max(0.0, missing - min(VALUES[item] for item in chosen)) / 2)

    weights = {
        frozenset(chosen): math.exp(-EPSILON * people(chosen) / 2)
        for chosen in combinations(range(len(VALUES)), k)
    }
    return {chosen: weight / sum(weights.values()) for chosen, weight in weights.items()}


@pytest.mark.parametrize(
    ("called", "chances"),
    [
        ("exponential mechanism", exponential_mechanism()),
        ("Gumbel trick", exponential_mechanism()),
        ("permute-and-flip", permute_and_flip()),
        ("report noisy max", report_noisy_max()),
    ],
)
def test_a_name_finds_the_mechanism_of_the_field(called: str, chances: list[float]) -> None:
    want = {frozenset({item}): chance for item, chance in enumerate(chances)}
    assert by_name(called) == pytest.approx(want, abs=1e-9)
    name, fixed = TOP_ONE.find(called)
    law = TOP_ONE[name](epsilon=EPSILON, **fixed).distribution(PUBLIC)
    assert law.inclusion.tolist() == pytest.approx(chances, abs=1e-9)


def test_permute_and_flip_of_more_items_is_a_round_of_it_for_each() -> None:
    assert Design(mechanism="permute-and-flip") == Design(
        mechanism="peeling", parameters={"noise": "exponential"}
    )
    assert by_name("permute-and-flip", 2) != pytest.approx(by_name("one-shot Laplace", 2), abs=1e-3)
    assert by_name("sequential exponential mechanism", 2) == pytest.approx(
        by_name("one-shot Gumbel", 2), abs=1e-9
    )
    assert by_name("inverse sensitivity mechanism", 2) == pytest.approx(
        inverse_sensitivity(2), abs=1e-9
    )


def test_names_of_gaps_histograms_and_repeats_find_what_they_mean() -> None:
    name, fixed = GAPS.find("noisy max with gap")
    gaps = GAPS[name](epsilon=EPSILON, **fixed).distribution(PUBLIC)
    assert gaps.chances.tolist() == pytest.approx(report_noisy_max(), abs=1e-6)
    words = Scores([9, 7], monotonic=True, contributions=1)
    histogram = Design(mechanism="stability histogram", parameters={"delta": 0.01}).build(1.0, 1)
    assert isinstance(histogram, ThresholdCounts)
    assert histogram.threshold(words) == pytest.approx(1 + math.log(1 / 0.02))
    pool = CandidatePool([[0.9, 0.2], [0.8, 0.7]])
    (name, fixed), stopping = CANDIDATES.find("geometric repeats"), CANDIDATES["random_stopping"]
    law = CANDIDATES[name](stop=0.2, **fixed).distribution(pool)
    assert law.chances.tolist() == pytest.approx(
        stopping(stop=0.2).distribution(pool).chances.tolist(), abs=1e-9
    )


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
    told: Mapping[str, Any] = parse_entry(called, menu, {}, shared=("epsilon", "k"))[1]
    assert told == {at: value for at, value in menu.field_names(name)[called].items() if at != "k"}
    lines = (menu[name].__doc__ or "").partition("Parameters\n")[0]
    assert fold_name(called) in fold_name(" ".join(lines.split()))
    assert called in " ".join(_menu(menu))


@pytest.mark.parametrize(
    "options",
    [
        "distribution -m permute_and_flip",
        "smallest-epsilon -m exponential",
        "compose -m noisy_max",
        "distribution -m Canonical",
        "gaps -m svt",
        "gaps -m AboveThreshold",
        "candidates --rule hyperparameter-tuning:stop=0.1",
    ],
)
def test_commands_take_the_names_of_the_field(options: str) -> None:
    example = "" if options.startswith("candidates") else " --example class_trip"
    assert main(shlex.split(options + example)) == 0


@pytest.mark.parametrize(
    ("called", "hint"),
    [
        ("peelng", "did you mean peeling"),
        ("permute_flip", "did you mean permute-and-flip"),
        ("svt", "svt is another kind of choice, see SparseVector and dpviz gaps -m"),
        ("large margin", "see LargeMargin and dpviz margin"),
    ],
)
def test_an_error_says_where_a_name_is_found(called: str, hint: str) -> None:
    with pytest.raises(ParameterError) as refused:
        Design(mechanism=called)
    assert hint in str(refused.value)
    with pytest.raises(ParameterError, match="noise must be one of exponential, not 'laplace'"):
        Design(mechanism="permute-and-flip", parameters={"noise": "laplace"})

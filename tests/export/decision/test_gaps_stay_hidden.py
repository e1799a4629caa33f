"""An attacker who reads every file that a sheet comes as learns no gap between two scores, and of
protected data nothing.

The attack is the one that worked: of two lists of one mechanism the log of how much likelier one
is, over ε, is the gap between the scores in which they differ. It is tried on all numbers of all
files, and on all pairs of them.
"""

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import cache
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest

from dpviz import TOP_K, Scores
from dpviz.base import declared_parameters
from dpviz.base.arrays import Floats
from dpviz.export.decision import decision_json, decision_sheet, release_code
from dpviz.export.decision.disclosure import WITHHELD
from dpviz.export.release import NamedCounts, ReleaseRecord, build_release_plan, make_release
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import Decision, Question, decide
from dpviz.studies.design import Design

DATE = date(2026, 5, 4)
NAMES = ["Castle", "Lake", "Zoo", "Farm", "Mill", "Cave"]
D, K = len(NAMES), 2
NUMBER = re.compile(r"\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
SEED = 1
EXACTLY = 1e-11  # of a gap: half a million guesses hardly meet one so well by chance


def designs() -> list[Design]:
    """All mechanisms of the menu, with each of their noises."""
    found = []
    for name in TOP_K:
        declared = {p.name: p for p in declared_parameters(TOP_K[name])}
        delta: dict[str, Any] = {"delta": 1e-8} if "delta" in declared else {}
        noises = dict(declared["noise"].choices) if "noise" in declared else ()
        said = [delta | {"noise": noise} for noise in noises] or [delta]
        found += [Design(mechanism=name, parameters=each) for each in said]
    return found


DESIGNS = designs()


def scores_of(seed: int) -> Floats:
    """Counts with gaps of many sizes, none a multiple of another."""
    rng = np.random.default_rng(seed)
    return np.cumsum(rng.integers(100, 2000, D))[::-1].astype(float)


@cache
def decided(at: int, seed: int) -> Decision:
    design = DESIGNS[at]
    known = TOP_K[design.mechanism].needs_names
    spec = DataSpec(
        source="uploaded", monotonic=True, contributions=1, items_known=known, called="Trips"
    )
    question = Question(
        k=K, data=spec, designs=(design,), picked=True, goal="2 of 2 in 0.9", decided_on="past"
    )
    scores = Scores(
        scores_of(seed), labels=NAMES, monotonic=True, contributions=1, names_known=known
    )
    return decide(question, scores, samples=500)


@cache
def files(at: int) -> tuple[str, ...]:
    """All files of a decision: its sheet alone and beside another, its script, and its record."""
    decision = decided(at, SEED)
    plan = build_release_plan(decision)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "record"
        make_release(
            plan,
            NamedCounts("counts.csv", tuple(sorted(NAMES)), (3, 1, 4, 1, 5, 9)),
            number=1,
            record=ReleaseRecord(path, plan),
            sheet_digest="",
            notify_recorded=lambda: None,
        )
        record = path.read_text(encoding="utf-8")
    return (
        decision_json(decision, date=DATE),
        decision_json(decision, date=DATE, beside=decision),
        decision_sheet(decision, date=DATE),
        decision_sheet(decision, date=DATE, beside=decision),
        release_code(decision).text,
        re.sub(r'"time": "[^"]*"', "", record),
    )


def numbers(text: str) -> Counter[str]:
    return Counter(NUMBER.findall(text))


def candidates(texts: Sequence[str], epsilon: float) -> Floats:
    """What an attacker takes for gaps: logs of ratios of chances, and of odds, over ε."""
    found = {float(number) for text in texts for number in numbers(text)}
    chances = {p for number in found for p in (number, number / 100) if 0 < p < 1}
    logs = np.log(np.array(sorted(chances | {1 - p for p in chances})))
    apart = np.unique(np.abs(logs[:, None] - logs[None, :]).ravel())
    return np.unique(
        np.concatenate([apart[apart > 1e-9] * times / epsilon for times in (1, 2, K, 2 * K)])
    )


def nearest(guesses: Floats, gap: float) -> float:
    """How far off the best of them is, relative to the gap."""
    at = np.searchsorted(guesses, gap)
    return float(min(abs(guess / gap - 1) for guess in guesses[max(at - 1, 0) : at + 1]))


def gaps(seed: int) -> list[float]:
    return [float(a - b) for a, b in combinations(scores_of(seed), 2)]


def recovered(texts: Sequence[str], decision: Decision, seed: int) -> list[float]:
    guesses = candidates(texts, decision.epsilon)
    return [gap for gap in gaps(seed) if nearest(guesses, gap) < EXACTLY]


def with_chances(decision: Decision, digits: int) -> str:
    """A broken twin: the chances beside the names, as sheets once had them, with so many digits."""
    misses = decision.misses
    told: list[Any] = [(miss.probability, miss.missing) for miss in misses.lists]
    told += [(one.probability, decision.labels[one.item]) for one in misses.missing]
    told += [(one.probability, decision.labels[one.item]) for one in misses.instead]
    return json.dumps([(float(f"{chance:.{digits}g}"), names) for chance, names in told])


@pytest.mark.parametrize(
    "at",
    range(len(DESIGNS)),
    ids=lambda at: f"{DESIGNS[at].mechanism} {DESIGNS[at].parameter_text}",
)
class TestOfEveryMechanism:
    def test_no_name_of_an_item_stands_in_any_file(self, at: int) -> None:
        assert decided(at, SEED).misses.item_indices
        for text in files(at):
            assert not any(name in text for name in NAMES)

    def test_no_log_ratio_is_a_gap(self, at: int) -> None:
        assert recovered(files(at), decided(at, SEED), SEED) == []


def test_log_ratios_come_no_nearer_to_the_gaps_than_to_those_of_other_scores() -> None:
    """Which takes all mechanisms together, as by chance some are nearer."""
    nearer = []
    for at in range(len(DESIGNS)):
        guesses = candidates(files(at), decided(at, SEED).epsilon)
        for other in range(100, 110):
            pairs = zip(gaps(SEED), gaps(other), strict=True)
            nearer += [nearest(guesses, true) < nearest(guesses, false) for true, false in pairs]
    assert np.mean(nearer) < 0.55


def test_the_attack_finds_the_gaps_of_a_sheet_with_chances() -> None:
    """So it did of sheets as they were, and of those that are stored."""
    at = next(i for i, design in enumerate(DESIGNS) if design.mechanism == "joint")
    for seed in (1, 2, 3):
        decision = decided(at, seed)
        assert len(recovered([with_chances(decision, 15)], decision, seed)) >= 1


COUNTS = {"names said to be known": None, "a catalogue": True, "names not known": False}


@cache
def of_protected(scores: Scores, known: bool | None, decided_on: str | None) -> list[str]:
    """All files of one plan on these scores."""
    person: dict[str, Any] = {"monotonic": True, "contributions": 2}
    spec = DataSpec(source="uploaded", items_known=known, d=scores.d, **person)
    menu = (Design(mechanism="limited_domain"),) if known is False else (Design(),)
    said: dict[str, Any] = {"decided_on": decided_on, "epsilon": 1.5, "most_right": 60}
    question = Question(k=2, data=spec, designs=menu, releases=3, goal="2 of 2 in 0.9", **said)
    given = replace(scores, names_known=known is not False, **person)
    decision = decide(question, given, digest=True)
    told: dict[str, Any] = {"date": DATE, "beside": decision}
    both = decision_json(decision, **told), decision_sheet(decision, **told)
    alone = decision_json(decision, date=DATE), decision_sheet(decision, date=DATE)
    return [*both, *alone, release_code(decision).text]


@pytest.mark.parametrize("decided_on", ["protected", None])
@pytest.mark.parametrize("known", COUNTS.values(), ids=COUNTS)
def test_a_sheet_on_protected_data_is_the_same_whatever_they_are(
    known: bool | None, decided_on: str | None
) -> None:
    """No text and no number of it depends on scores, names, or the number of unlisted items."""
    one = Scores([918.0, 640.0, 455.0, 300.0], labels=["Qa", "Qb", "Qc", "Qd"])
    more = [] if known else [1.0]  # a catalogue is public, and so is its length
    other = Scores([44.0, 41.0, 40.0, 39.0, *more], labels=list("VWXYZ")[: 4 + len(more)])
    assert of_protected(one, known, decided_on) == of_protected(other, known, decided_on)
    past = zip(of_protected(one, known, "past"), of_protected(other, known, "past"), strict=True)
    assert [a == b for a, b in past] == [False] * 4 + [True]  # but the script


def test_what_a_choice_on_protected_data_reveals_is_said_and_figures_are_not() -> None:
    scores = Scores([918.0, 640.0, 455.0, 300.0])
    page, record = of_protected(scores, True, "protected")[3], of_protected(scores, True, None)[2]
    assert "no figure here covers what the choice reveals" in page
    assert "what may be the protected data" in of_protected(scores, True, None)[3]
    told = json.loads(record)["decision"]
    assert {told[name] for name in ("utility", "drift", "misses", "caps")} == {None}
    assert told["decided_on"]["digest"] is None
    assert page.count(WITHHELD) == 5

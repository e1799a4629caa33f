"""Decisions: the plan that is taken, how the chance of the goal moves with the data, and what the
sheet says of it.
"""

import html
import json
import math
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Any

import numpy as np
from numpy.random import Generator

from dpviz import Question, Scores, decide, smallest_epsilon
from dpviz.export.decision import decision_json, decision_sheet
from dpviz.pages.decide import sentences
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import decide_study as answer_module
from dpviz.studies.decision.decide_study import DecideStudy, GoalOutOfReach
from dpviz.studies.design import Design
from tests.audit.figures import true_figure
from tests.audit.runner import Family, Finding, about, between, says

SLACK = 1e-7
DATE = date(2026, 5, 4)
_KNOWN = (
    ("canonical", {}),
    ("canonical", {"noise": "exponential"}),
    ("one_shot", {}),
    ("one_shot", {"noise": "laplace"}),
    ("joint", {}),
    ("gaussian_counts", {}),
)
_UNKNOWN = (
    ("limited_domain", {"candidates": 4}),
    ("limited_domain", {"candidates": 0}),
    ("threshold_counts", {}),
)


def _asked(rng: Generator, *, plans: int, releases: int) -> tuple[str, Question, Scores]:
    """A question with some mechanisms, on a few counts."""
    known = bool(rng.random() < 0.7)
    d, k = int(rng.integers(4, 7)), int(rng.integers(1, 4))
    values = np.sort(rng.integers(0, int(rng.choice([12, 60])), d))[::-1].astype(float) + (
        0 if known else 1
    )
    few = int(rng.integers(1, 3)) if not known or rng.random() < 0.7 else None
    menu = [
        (name, given)
        for name, given in (_KNOWN if known else _UNKNOWN)
        if few or name != "gaussian_counts"
    ]
    taken = rng.choice(len(menu), min(plans, len(menu)), replace=False)
    goal = f"{int(rng.integers(1, k + 1))} of {k} in {rng.choice(['0.5', '0.8', '0.95'])}"
    limit: dict[str, Any] = {}
    if (kind := int(rng.integers(3))) < 2:
        limit = (
            {"most_right": int(rng.integers(55, 95))}
            if kind
            else {"most_epsilon": float(rng.integers(1, 20))}
        )
    question = Question(
        k=k,
        goal=goal,
        releases=int(rng.integers(1, releases + 1)),
        delta=float(rng.choice([1e-6, 1e-3])),
        data=DataSpec(source="uploaded", monotonic=True, contributions=few, items_known=known),
        designs=tuple(
            Design(mechanism=menu[at][0], parameters=menu[at][1]) for at in sorted(taken.tolist())
        ),
        picked=True,
        **limit,
    )
    s = Scores(values, [f"n{i}" for i in range(d)])
    said = (
        goal,
        question.releases,
        question.delta,
        few,
        known,
        limit,
        [menu[at] for at in sorted(taken.tolist())],
    )
    return f"{values.tolist()}, {said}", question, s


def _chance(study: DecideStudy, epsilon: float, factor: float = 1.0) -> float:
    goal, scores = (
        study.question.parsed_goal,
        replace(study.scores, values=study.scores.values * factor),
    )
    m = study.question.designs[study.taken].build(1.0, study.question.k)
    return true_figure(m, scores, (goal.event, goal.at_least, goal.item))(epsilon)


def chances_as_scores_shrink(rng: Generator) -> Iterator[Finding]:
    """The strip has the chances at scaled scores; below `lost_below`, and nowhere above, the goal
    is lost.
    """
    case, question, s = _asked(rng, plans=1, releases=3)
    study = DecideStudy.from_question(question, s)
    if not study.chosen_plan.meets_goal:
        yield says(case, "found", study.chosen_plan.meets_goal, False)
        return
    for point in (study.drift[at] for at in rng.choice(len(study.drift), 4, replace=False)):
        true = _chance(study, study.epsilon, point.factor)
        yield about(case, f"chance at ×{point.factor}", point.chance, true, SLACK)
        yield between(case, f"low at ×{point.factor}", point.low, 0.0, true, SLACK)
    goal, lost = question.parsed_goal.probability, study.lost_below
    sentence = sentences.drift_sentence(study)
    told = re.search(r"×([\d.]+)(?: as large)?\.$", sentence)
    bound = 1.0 if "any smaller" in sentence else float(told[1]) if told else None
    if told and lost is not None:
        yield between(
            f"{case}: {sentence[-60:]}",
            "the factor in words",
            float(told[1]),
            lost,
            lost * 1.02,
            1e-9,
        )
    yield says(
        case, "whether it is met however small scores are", "however small" in sentence, lost == 0
    )
    chance = {f: _chance(study, study.epsilon, f) for f in np.geomspace(1e-5, 0.98, 40).tolist()}
    if bound is not None and "first lost" not in sentence:
        held = [f for f in chance if f < bound * 0.98]
        most = max((chance[f] for f in held), default=0.0)
        yield between(
            f"{case}: {sentence[-90:]}", "chance at some smaller factor", most, 0.0, goal, SLACK
        )
    if lost is None:
        least = min([_chance(study, study.epsilon), *chance.values()])
        missed = _chance(study, study.epsilon) < goal + SLACK
        yield says(
            case, "lost nowhere, though met on the data", missed or least >= goal - SLACK, True
        )
    elif lost == 0:
        yield between(
            case,
            "chance at some factor, though it is never lost",
            min(chance.values()),
            goal,
            1.0,
            SLACK,
        )
    else:
        yield between(
            case,
            f"chance just above ×{lost!r}",
            _chance(study, study.epsilon, lost * 1.002),
            goal,
            1.0,
            SLACK,
        )
        yield between(
            case,
            f"chance below ×{lost!r}",
            _chance(study, study.epsilon, lost * 0.997),
            0.0,
            goal,
            SLACK,
        )


def choices(rng: Generator) -> Iterator[Finding]:
    """Every plan meets the goal at its ε and at no smaller one; the one taken is the best by the
    measure asked.
    """
    case, question, s = _asked(rng, plans=3, releases=24)
    study = DecideStudy.from_question(question, s)
    found, goal = [], question.parsed_goal
    for at, plan in study.plans.items():
        m = question.designs[int(at)].build(1.0, question.k)
        true = true_figure(m, study.scores, (goal.event, goal.at_least, None))
        if not plan.meets_goal:
            continue
        found.append((int(at), plan))
        yield between(
            case,
            f"{plan.label} at {plan.epsilon!r}",
            true(plan.epsilon),
            goal.probability,
            1.0,
            SLACK,
        )
        own = smallest_epsilon(
            m, study.scores, probability=goal.probability, event=goal.event, at_least=goal.at_least
        )
        yield between(case, f"ε of {plan.label}", plan.epsilon, own * (1 - 1e-6), own * 1.006)
    if not found:
        yield says(case, "found", [], [])
        return
    taken = study.plans[f"{study.taken}"]
    costs = [plan.cost for _, plan in found]
    assert taken.cost is not None
    assert all(cost is not None and cost.total is not None for cost in costs)
    guess, total = min(cost.guess for cost in costs), min(cost.total.epsilon for cost in costs)
    all_of = [(plan.label, plan.cost.total.epsilon, plan.cost.guess) for _, plan in found]
    if question.most_right is not None:
        yield about(f"{case}: {all_of}", "guess of the one taken", taken.cost.guess, guess, 1e-9)
    elif question.most_epsilon is not None:
        yield about(
            f"{case}: {all_of}", "total of the one taken", taken.cost.total.epsilon, total, 1e-9
        )
    else:
        better = [
            c
            for c in costs
            if c.guess < taken.cost.guess - 1e-9 and c.total.epsilon < taken.cost.total.epsilon
        ]
        yield says(f"{case}: {all_of}", "cheaper and safer than the one taken", better, [])
    fits = [one for one in costs if one.is_within_limit(question)]
    if question.most_right is not None or question.most_epsilon is not None:
        yield says(
            f"{case}: {all_of}", "whether it is published", study.is_within_limit, bool(fits)
        )


def sheets(rng: Generator) -> Iterator[Finding]:
    """A decision, its sheet and the sheet's JSON say the same, and no chance of a named list
    leaves.
    """
    case, question, s = _asked(rng, plans=2, releases=24)
    try:
        decision = decide(question, s)
    except GoalOutOfReach:
        yield says(case, "found", False, False)
        return
    page = html.unescape(re.sub(r"<[^>]*>", " ", decision_sheet(decision, date=DATE)))
    record = json.loads(decision_json(decision, date=DATE))["decision"]
    one, every = (
        min(100, math.ceil(round(100 * cost.guess, 9))) for cost in (decision.one, decision.cost)
    )
    said = [int(n) for n in re.findall(r"at most (\d+) of 100 people", page)]
    shown = [n for n in dict.fromkeys([one, every]) if n < 100]
    for n in shown:
        yield says(case, f"{n} of 100 on the sheet", n in said, True)
    yield says(
        case,
        "nothing else of 100 on the sheet",
        set(said) - {one, every, question.most_right},
        set(),
    )
    for name, right in (("odds", one), ("total_odds", every)):
        guess = record[name].get("guess_at_most") if isinstance(record.get(name), dict) else None
        if guess is not None:
            yield says(
                case,
                f"{name}.guess_at_most in JSON, of 100",
                math.ceil(round(100 * guess, 9)),
                right,
            )
    yield about(case, "guess_at_most in JSON", record["guess_at_most"], decision.cost.guess, 0.0)
    assert decision.total is not None
    yield about(case, "total in JSON", record["total"]["epsilon"], decision.total.epsilon, 0.0)
    yield about(
        case,
        "total of the account",
        min(decision.account.epsilon or 0.0, 1e9),
        decision.total.epsilon,
        1e-9,
    )
    yield about(case, "ε in JSON", record["epsilon"], decision.epsilon, 0.0)
    yield says(case, "published", record["publish"], not decision.do_not_publish)
    yield says(case, "chances of named lists in JSON", _chances(record["misses"]), [])
    goal = decision.question.parsed_goal
    scores = replace(
        s,
        monotonic=True,
        contributions=question.data.contributions,
        names_known=question.data.names_known,
    )
    true = true_figure(decision.mechanism, scores, (goal.event, goal.at_least, None))(
        decision.epsilon
    )
    yield between(case, "utility", decision.utility.chance, true, true, SLACK)
    yield between(
        case, "utility, its bounds", true, decision.utility.low, decision.utility.high, SLACK
    )
    yield says(case, "meets", decision.meets_goal, bool(true >= goal.probability))


def _chances(part: Any) -> list[float]:
    if isinstance(part, dict):
        return [one for value in part.values() for one in _chances(value)]
    if isinstance(part, list):
        return [one for value in part for one in _chances(value)]
    return [part] if isinstance(part, float) and part != round(part) else []


def _other(taken: Any) -> Any:
    def wrong(study: DecideStudy) -> int:
        plans = [int(at) for at, plan in study.plans.items() if plan.meets_goal]
        right = taken.__get__(study, DecideStudy)
        return next((at for at in plans if at != right), right)

    return property(wrong)


def _less(strip: Any) -> Any:
    return lambda *given: tuple(
        replace(point, chance=0.99 * point.chance) for point in strip(*given)
    )


def _misread(written: Any) -> Any:
    def wrong(decision: Any, **said: Any) -> str:
        record = json.loads(written(decision, **said))
        record["decision"]["guess_at_most"] *= 0.97
        return json.dumps(record)

    return wrong


def _one_more(sheet: Any) -> Any:
    return lambda decision, **said: re.sub(
        r"at most \d+ of 100", "at most 98 of 100", sheet(decision, **said)
    )


_HERE = sys.modules[__name__]
FAMILIES = [
    Family(
        chances_as_scores_shrink,
        4,
        60,
        [
            (answer_module, "find_goal_failure_factor", lambda f: lambda *a: None),
            (answer_module, "goal_probabilities_by_factor", _less),
        ],
    ),
    Family(choices, 3, 50, [(DecideStudy, "taken", _other)]),
    Family(
        sheets, 2, 30, [(_HERE, "decision_json", _misread), (_HERE, "decision_sheet", _one_more)]
    ),
]
